"""Notebook: what a notebook shows of an object, as text in tables and lines. Colors are the notebook's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ripost.markup.render import render

MOST_ROWS = 40  # of a table


@dataclass(frozen=True)
class TextTable:
    """Rows of text, perhaps with a head."""

    rows: Sequence[Sequence[str]]
    head: Sequence[str] = ()


@dataclass(frozen=True)
class Piece:
    """A title, a warning that nobody can overlook, and tables, lines of text and further pieces below each other."""

    parts: Sequence[TextTable | str | Piece]
    title: str = ""
    warning: str | None = None

    def html(self) -> str:
        return render("ripost.markup", "notebook.html", piece=self)


def line_html(text: str) -> str:
    """A text within a line."""
    return render("ripost.markup", "line.html", text=text)
