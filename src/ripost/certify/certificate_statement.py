"""The form of a certificate: sections of words, facts, points and a table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SectionTable:
    """Rows of text below a head; columns from `right` on hold numbers."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: int


@dataclass(frozen=True)
class Section:
    """A part of the certificate: paragraphs, then facts by name, then points, then a table."""

    title: str
    words: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    points: tuple[str, ...] = ()
    table: SectionTable | None = None
