"""Page: a document as one file of HTML, without scripts and without anything fetched from elsewhere."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.report.inline import html_of, plain_of
from experiments.report.svg import inlined

if TYPE_CHECKING:
    from experiments.report.document import Document, Part, Table

STYLE = Path(__file__).with_name("page.css")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
VERDICTS = {
    "yes": ("confirmed", "reproduced", "holds", "yes"),
    "partly": ("partly", "partially", "in part", "mixed"),
    "no": ("not confirmed", "not reproduced", "refuted", "contradicted", "does not hold", "no"),
}


def page_of(document: Document, figures: Path) -> str:
    """The whole page; each drawing is read from the folder of figures."""
    numbers = count(1)
    body = [f"<header>\n<h1>{html_of(document.title)}</h1>", *_parts(document.lead, figures, numbers), "</header>"]
    if document.sections:
        body += _contents(document)
    for section, anchor in zip(document.sections, document.anchors(), strict=True):
        link = f'<a class="self" href="#{anchor}" aria-label="Link to this section">#</a>'
        body.append(f'<section>\n<h2 id="{anchor}">{html_of(section.title)} {link}</h2>')
        body += [*_parts(section.parts, figures, numbers), "</section>"]
    head = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        f"<title>{html.escape(plain_of(document.title))}</title>",
        f"<style>\n{STYLE.read_text('utf-8')}</style>\n</head>\n<body>\n<main>",
    ]
    return "\n".join([*head, *body, "</main>\n</body>\n</html>\n"])


def _contents(document: Document) -> Iterator[str]:
    yield '<nav aria-labelledby="contents">\n<h2 id="contents">Contents</h2>\n<ul>'
    for section, anchor in zip(document.sections, document.anchors(), strict=True):
        yield f'<li><a href="#{anchor}">{html.escape(plain_of(section.title))}</a></li>'
    yield "</ul>\n</nav>"


def _parts(parts: Iterable[Part], figures: Path, numbers: Iterator[int]) -> Iterator[str]:
    from experiments.report.document import Command, Figure, Table, Text

    for part in parts:
        match part:
            case Text(words):
                yield f"<p>{html_of(words)}</p>"
            case Command(line):
                words = re.sub(r"\S+", lambda word: f"<span>{html.escape(word[0])}</span>", line.strip())
                yield f'<pre class="command"><code>{words}</code></pre>'  # a line may break between words only
            case Table():
                yield from _table(part)
            case Figure(name, title, alt):
                number = next(numbers)
                drawing = inlined(figures / f"{name}.svg", prefix=f"figure-{number}", alt=plain_of(alt))
                yield f'<figure>\n<div class="card" tabindex="0">{drawing}</div>'
                yield f"<figcaption><b>Figure {number}.</b> {html_of(title)}</figcaption>\n</figure>"


def _table(table: Table) -> Iterator[str]:
    sides = [' class="left"' if table.is_left(i) else "" for i in range(len(table.heads))]
    heads = (f'<th scope="col"{side}>{html_of(head)}</th>' for head, side in zip(table.heads, sides, strict=True))
    kind = "" if table.verdict is None else ' class="claims"'
    yield f'<div class="scroll" tabindex="0">\n<table{kind}>\n<thead>\n<tr>{"".join(heads)}</tr>\n</thead>\n<tbody>'
    if kind:  # a phone shows each claim as a card, where a cell says its own head
        names = (f' data-head="{html.escape(plain_of(head))}"' for head in table.heads)
        sides = [side + name for side, name in zip(sides, names, strict=True)]
    for row in table.rows:
        cells = (_badge(cell) if i == table.verdict else html_of(cell) for i, cell in enumerate(row))
        yield f"<tr>{''.join(f'<td{side}>{cell}</td>' for cell, side in zip(cells, sides, strict=True))}</tr>"
    yield "</tbody>\n</table>\n</div>"


def _badge(cell: str) -> str:
    """The verdict as a badge, and what follows its first comma, colon, semicolon or bracket as plain words."""
    word = re.split(r"[,:;(]", cell, maxsplit=1)[0]
    rest = cell.removeprefix(word).lstrip(",:; ")
    if not word.strip():
        return html_of(cell)
    return f'<span class="badge {kind_of(word)}">{html_of(word)}</span>' + (f" {html_of(rest)}" if rest else "")


def kind_of(verdict: str) -> str:
    """What colour a verdict has: yes, partly, no, or open for words that are none of these."""
    said = plain_of(verdict).strip().lower()
    begun = (
        (len(word), kind) for kind, words in VERDICTS.items() for word in words if f"{said} ".startswith(f"{word} ")
    )
    return max(begun, default=(0, "open"))[1]
