"""Styles: how a method is drawn, the same in every figure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Style:
    """Colour, marker and line in matplotlib's words, and the name that a legend shows."""

    colour: str
    marker: str
    line: str
    label: str


# Colours of Okabe and Ito, then of Paul Tol's muted scheme: both are told apart by the colour-blind.
# Methods that are often drawn together have different colours; the others share a colour, never a marker with it.
_LOOKS = {
    "ripost+": ("#d55e00", "o", "-"),
    "ripost": ("#444444", "o", "--"),
    "hdpview": ("#0072b2", "D", "-"),
    "privtree": ("#009e73", "^", "-"),
    "privbayes": ("#cc79a7", "s", "-"),
    "p3gm": ("#56b4e9", "v", "-"),
    "identity": ("#a0a0a0", ".", ":"),
    "dawa": ("#999933", "P", "-."),
    "hdmm": ("#332288", "X", "-."),
    "privsyn": ("#882255", "<", "--"),
    "slimview": ("#661100", ">", "--"),
    "mst": ("#44aa99", "p", "--"),
    "aim": ("#aa4499", "h", "--"),
    "aim-residuals": ("#aa4499", "X", ":"),
    "swift": ("#aa4499", "D", "-."),
    "privmrf": ("#44aa99", "<", "-."),
    "uniform-grid": ("#56b4e9", "s", ":"),
    "adaptive-grid": ("#0072b2", "P", ":"),
    "quadtree": ("#009e73", "D", ":"),
    "hierarchy": ("#cc79a7", "X", ":"),
    "ahp": ("#e69f00", "^", ":"),
    "one-way": ("#117733", "s", ":"),
    "two-way": ("#117733", "o", ":"),
    "residual-planner": ("#88ccee", "D", "-."),
    "residual-planner+": ("#88ccee", "P", "-."),
}
_STRANGER = ("#777777", "*", "-.")  # what is no method of ripost: a peer, or a method of another version


def style_of(method: str) -> Style:
    """The style of a method; with options in brackets, that of the method before them."""
    return Style(*_LOOKS.get(method.partition("[")[0].removesuffix(" (cells)"), _STRANGER), label=method)
