"""Document: a report as a value, written as Markdown and as one page of HTML from the same structure."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from experiments.report.inline import cell_of, markdown_of, plain_of
from experiments.report.page import page_of

CONTENTS = "Contents"


@dataclass(frozen=True, slots=True)
class Text:
    """One paragraph, which may hold `code`, **bold**, *italic* and [links](url)."""

    words: str


@dataclass(frozen=True, slots=True)
class Command:
    """A shell command, shown as in a console."""

    line: str


@dataclass(frozen=True, slots=True)
class Table:
    """Cells of inline text; columns are to the right unless they are in left; verdict is a column of judgements.

    With a file, the Markdown links to data/<file>.csv in place of a long table.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: frozenset[int] = frozenset({0})
    verdict: int | None = None
    file: str | None = None

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.heads):
                raise ValueError(f"a row must have {len(self.heads)} cells, got {len(row)}: {row}")
        if self.verdict is not None and not 0 <= self.verdict < len(self.heads):
            raise ValueError(f"verdict must be a column from 0 to {len(self.heads) - 1}, got {self.verdict}")

    def is_left(self, column: int) -> bool:
        return column in self.left or column == self.verdict

    def csv(self) -> str:
        """The table as CSV, without marks."""
        text = io.StringIO()
        cells = ([plain_of(cell) for cell in row] for row in (self.heads, *self.rows))
        csv.writer(text, lineterminator="\n").writerows(cells)
        return text.getvalue()


@dataclass(frozen=True, slots=True)
class Figure:
    """The drawing figures/<name>.svg beside the report; alt says what it shows to those who cannot see it."""

    name: str
    title: str
    alt: str

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[\w.+-]+", self.name):
            raise ValueError(f"name must be that of a file without its ending, got {self.name!r}")


Part = Text | Command | Table | Figure


@dataclass(frozen=True, slots=True)
class Section:
    """A title and what stands under it."""

    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A title, a lead, and sections, which the table of contents lists."""

    title: str
    lead: tuple[Part, ...]
    sections: tuple[Section, ...]

    def anchors(self) -> tuple[str, ...]:
        """The anchor of each section, as GitHub makes it from a title, so that both files have the same."""
        seen: dict[str, int] = {}
        found = []
        for title in (self.title, CONTENTS, *(section.title for section in self.sections)):
            slug = re.sub(r"[^\w\- ]", "", plain_of(title).lower()).replace(" ", "-") or "section"
            found.append(f"{slug}-{seen[slug]}" if slug in seen else slug)
            seen[slug] = seen.get(slug, 0) + 1
        return tuple(found[2:])

    def markdown(self) -> str:
        """The report as Markdown, with figures as links to figures/<name>.svg."""
        return "\n\n".join(self._blocks()) + "\n"

    def html(self, figures: Path) -> str:
        """The report as one page that needs no other file: styles and the drawings in the folder are in it."""
        return page_of(self, figures)

    def data(self) -> dict[str, str]:
        """CSV by file name: the tables that the Markdown links to."""
        parts = (part for section in self.sections for part in section.parts)
        return {part.file: part.csv() for part in parts if isinstance(part, Table) and part.file}

    def _blocks(self) -> Iterator[str]:
        numbers = count(1)
        yield f"# {markdown_of(self.title)}"
        yield from (_markdown(part, numbers) for part in self.lead)
        if self.sections:
            yield f"## {CONTENTS}"
            listed = zip(self.sections, self.anchors(), strict=True)
            yield "\n".join(f"- [{markdown_of(section.title)}](#{anchor})" for section, anchor in listed)
        for section in self.sections:
            yield f"## {markdown_of(section.title)}"
            yield from (_markdown(part, numbers) for part in section.parts)


def _markdown(part: Part, numbers: Iterator[int]) -> str:
    match part:
        case Text(words):
            # What would begin a heading, a list, a quotation, a rule or a table is plain text.
            return re.sub(r"^(?=[#>+=|-])|^(\d+)(?=[.)])", r"\1\\", markdown_of(words))
        case Command(line):
            fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", line)), 3)
            return f"{fence}console\n$ {line.strip()}\n{fence}"
        case Table(rows=rows, file=str(file)):
            return f"[data/{file}.csv](data/{file}.csv) contains this table ({len(rows)} rows)."
        case Table(heads, rows):
            rule = ("---" if part.is_left(i) else "---:" for i in range(len(heads)))
            cells = ((cell_of(cell) for cell in row) for row in (heads, *rows))
            head, *body = (f"| {' | '.join(row)} |" for row in cells)
            return "\n".join((head, f"| {' | '.join(rule)} |", *body))
        case Figure(name, title, alt):
            words = re.sub(r"[\[\]]", r"\\\g<0>", markdown_of(alt))
            return f"![{words}](figures/{name}.svg)\n\n**Figure {next(numbers)}.** {markdown_of(title)}"
