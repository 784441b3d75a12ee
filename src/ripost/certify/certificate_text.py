"""A certificate as plain text."""

from __future__ import annotations

import textwrap
import unicodedata

from ripost.certify.certificate_sections import list_sections, title_certificate
from ripost.certify.certificate_statement import Section, SectionTable
from ripost.certify.certified_release import CertifiedRelease

WIDTH = 100


def format_certificate(subject: CertifiedRelease) -> str:
    """The whole certificate, in lines that fit a page where possible."""
    title = f"{title_certificate(subject)}: {_clean(subject.title)}"
    warning = subject.view.privacy.warning
    lines = [f"{warning}. Never give this release away.", ""] if warning else []
    lines += [title, "=" * len(title)]
    for section in list_sections(subject):
        lines += ["", section.title, "-" * len(section.title), *_body(section)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _body(section: Section) -> list[str]:
    lines: list[str] = []
    for words in section.words:
        lines += [*textwrap.wrap(_clean(words), WIDTH), ""]
    room = max((len(_clean(name)) for name, _ in section.facts), default=0) + 2
    for name, fact in section.facts:
        lines += textwrap.wrap(
            _clean(fact) or "-", WIDTH, initial_indent=f"{_clean(name):<{room}}", subsequent_indent=" " * room,
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
    for point in section.points:
        lines += textwrap.wrap(_clean(point), WIDTH, initial_indent="- ", subsequent_indent="  ")
    if section.table is not None:
        lines += [*([""] if section.facts else []), *_table(section.table)]
    return lines[:-1] if lines and not lines[-1] else lines


def _table(table: SectionTable) -> list[str]:
    rows = [tuple(map(_clean, row)) for row in (table.head, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if number >= table.right else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells))
    return [lines[0], "  ".join("-" * width for width in widths), *lines[1:]]


def _clean(text: str) -> str:
    """Text without characters that control a terminal or break a line, because names come from others."""
    return "".join(" " if unicodedata.category(letter).startswith(("C", "Z")) else letter for letter in text)
