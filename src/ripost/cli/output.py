"""What commands print: tables and JSON to standard output, progress to standard error."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from ripost.privacy.account import Watch
    from ripost.privacy.ledger import Privacy


def print_json(data: Any) -> None:
    typer.echo(json.dumps(data, indent=2, ensure_ascii=False))


def console(*, stderr: bool = False) -> Console:
    """A Rich console that treats what it prints as text, never as markup."""
    from rich.console import Console

    return Console(stderr=stderr, markup=False, highlight=False, emoji=False, soft_wrap=True)


@contextmanager
def progress(title: str) -> Iterator[Watch]:
    """A line that shows what is being drawn, and how many blocks there are; all of it public."""
    with steps(title) as step:
        yield lambda purpose, blocks: step(f"{purpose}: {blocks:,} blocks")


@contextmanager
def steps(title: str) -> Iterator[Callable[[str], None]]:
    """A line that shows what is being done, where somebody watches."""
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield lambda _: None
        return
    with screen.status(title) as status:
        yield lambda text: status.update(f"{title} {text}")


def shout(privacy: Privacy) -> None:
    """Warn on standard error when a view is not private."""
    if privacy.warning:
        console(stderr=True).print(f"{privacy.warning}. Never give this view away.", style="bold red")
