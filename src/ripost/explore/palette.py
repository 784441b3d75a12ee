"""Palettes of charts, light and dark, that color-blind readers can distinguish."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST = 24  # letters of a label on an axis


@dataclass(frozen=True)
class Palette:
    """Colours, and the name of a scale that both matplotlib and Plotly know."""

    paper: str
    ink: str
    rule: str
    main: str
    outline: str
    alarm: str
    scale: str
    weak: str  # ink on what is weak on the scale
    strong: str  # ink on what is strong


PALETTES = {
    False: Palette("#ffffff", "#222222", "#e2e2e2", "#0072b2", "#8a97a6", "#b00020", "Blues", "#222222", "#ffffff"),
    True: Palette("#15181c", "#e6e6e6", "#33383f", "#56b4e9", "#8d97a3", "#ff6b6b", "viridis", "#ffffff", "#111111"),
}  # by whether it is dark


def shorten_label(text: str) -> str:
    """A label of at most LONGEST letters."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
