"""What commands print: tables and JSON to standard output, progress to standard error."""

from __future__ import annotations

import json
import math
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from ripost.privacy.ledger import Privacy
    from ripost.privacy.paths import Watch
    from ripost.sources.source_table import ReadProgress


def escape_unprintable(text: str, *, escape: Callable[[str], str] = lambda letter: repr(letter)[1:-1]) -> str:
    """A text in which letters that cannot be seen, such as those that steer a terminal, are escaped."""
    return "".join(letter if letter.isprintable() or letter == "\n" else escape(letter) for letter in text)


def print_json(data: Any) -> None:
    """Print JSON, in which what a terminal would obey is escaped, and what the output's encoding may lack."""
    ascii_only = not (sys.stdout.encoding or "").lower().startswith("utf")
    text = json.dumps(data, indent=2, ensure_ascii=ascii_only)
    typer.echo(escape_unprintable(text, escape=lambda letter: json.dumps(letter)[1:-1]))


def console(*, stderr: bool = False) -> Console:
    """A Rich console that treats what it prints as text: never as markup, and never as commands to the terminal."""
    from rich.console import Console
    from rich.segment import Segment

    class Plain(Console):
        def render(self, renderable: Any, options: Any = None) -> Iterator[Segment]:
            for segment in super().render(renderable, options):
                yield segment if segment.control else Segment(escape_unprintable(segment.text), segment.style)

    return Plain(stderr=stderr, markup=False, highlight=False, emoji=False, soft_wrap=True)


def print_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], *, right: Collection[int] = (), rule: bool = False
) -> None:
    """Print columns of text, each as wide as it needs, so that no figure is cut or folded.

    Columns in `right` hold numbers. A rule below the head sets it apart from rows of other people's words.
    """
    from rich.cells import cell_len

    out = console()
    lines = [[escape_unprintable(cell.replace("\n", " ")) for cell in line] for line in (head, *rows)]
    widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
    for number, line in enumerate(lines):
        gaps = [" " * (width - cell_len(cell)) for cell, width in zip(line, widths, strict=True)]
        cells = [gap + cell if i in right else cell + gap for i, (cell, gap) in enumerate(zip(line, gaps, strict=True))]
        out.print("  ".join(cells).rstrip())
        if rule and number == 0:
            out.print("─" * (sum(widths) + 2 * len(widths) - 2))


def print_checks(checks: Iterable[tuple[str, bool, str]], *, as_json: bool) -> None:
    """What was checked, one a line; exit code 2 if anything is wrong."""
    found = list(checks)
    fine = all(ok for _, ok, _ in found)
    if as_json:
        print_json({"ok": fine, "checks": [{"check": name, "ok": ok, "detail": why} for name, ok, why in found]})
    else:
        for name, ok, why in found:
            console().print(f"{'ok  ' if ok else 'FAIL'} {name}: {why}", style="green" if ok else "bold red")
    if not fine:
        raise typer.Exit(2)


@contextmanager
def progress(title: str) -> Iterator[tuple[Watch, ReadProgress]]:
    """A line that shows how much was read, then what is being drawn and how many blocks there are; all of it public."""
    started = monotonic()
    looks: list[tuple[float, float]] = []  # seconds and share of the first look at the reading, and of the last

    def draw(purpose: str, blocks: int) -> None:
        noun = "block" if blocks == 1 else "blocks"
        step(f"{purpose}: {blocks:,} {noun}, {monotonic() - started:,.0f} s so far")

    def read(share: float) -> None:
        looks[1:] = [(monotonic() - started, share)]
        step(f"reading the table: {share:.0%}{estimate_remaining(looks[0], looks[-1])}")

    with show_status(title) as step:
        yield draw, read


def estimate_remaining(first: tuple[float, float], last: tuple[float, float]) -> str:
    """How long the rest takes at the pace between two looks, each its seconds and share, once that can be told."""
    seconds, share = last[0] - first[0], last[1] - first[1]
    if seconds < 1 or share < 0.02 or last[1] >= 1:
        return ""
    return f", about {math.ceil((1 - last[1]) * seconds / share):,} s left"


@contextmanager
def show_status(title: str) -> Iterator[Callable[[str], None]]:
    """A line that shows what is being done, where somebody watches."""
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield lambda _: None
        return
    with screen.status(title) as status:
        yield lambda text: status.update(f"{title} {text}")


@contextmanager
def tell_warnings() -> Iterator[list[str]]:
    """Print warnings of ripost on standard error as they come, and list them.

    Those of libraries may quote rows, so they are dropped.
    """
    from ripost.errors import ReleaseWarning

    told: list[str] = []

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        if issubclass(category, ReleaseWarning):
            told.append(str(message))
            console(stderr=True).print(f"ripost: {message}")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", ReleaseWarning)
        warnings.showwarning = show
        yield told


def warn_if_not_private(privacy: Privacy) -> None:
    """Warn on standard error when a view is not private."""
    if privacy.warning:
        console(stderr=True).print(f"{privacy.warning}. Never give this view away.", style="bold red")
