"""Page: a document as one file of HTML, without scripts and without anything fetched from elsewhere."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from experiments.report.inline import html_of, plain_of
from experiments.report.svg import inline_drawing
from ripost.markup.render import render

if TYPE_CHECKING:
    from experiments.report.document import Document, Figure

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

    def draw(figure: Figure) -> tuple[int, Markup]:
        number = next(numbers)
        drawing = inline_drawing(figures / f"{figure.name}.svg", prefix=f"figure-{number}", alt=plain_of(figure.alt))
        return number, Markup(drawing)

    return render(
        "experiments.report",
        "page.html",
        document=document,
        anchors=document.anchors(),
        policy=Markup(POLICY),
        style=Markup(STYLE.read_text("utf-8")),
        inline=html_of,
        plain=plain_of,
        verdict=verdict_of,
        kind=kind_of,
        draw=draw,
    )


def verdict_of(cell: str) -> tuple[str, str]:
    """The verdict of a cell, and what follows its first comma, colon, semicolon or bracket."""
    word = re.split(r"[,:;(]", cell, maxsplit=1)[0]
    return word.strip(), cell.removeprefix(word).lstrip(",:; ")


def kind_of(verdict: str) -> str:
    """What color a verdict has: yes, partly, no, or open for words that are none of these."""
    said = plain_of(verdict).strip().lower()
    begun = (
        (len(word), kind) for kind, words in VERDICTS.items() for word in words if f"{said} ".startswith(f"{word} ")
    )
    return max(begun, default=(0, "open"))[1]
