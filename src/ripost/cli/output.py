"""What commands print: tables and JSON to standard output, progress to standard error."""

from __future__ import annotations

import json
from collections.abc import Iterator
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
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield lambda *_: None
        return
    with screen.status(title) as status:
        yield lambda purpose, blocks: status.update(f"{title} {purpose}: {blocks:,} blocks")


def shout(privacy: Privacy) -> None:
    """Warn on standard error when a view is not private."""
    if privacy.warning:
        console(stderr=True).print(f"{privacy.warning}. Never give this view away.", style="bold red")


def promise(privacy: Privacy) -> str:
    """The guarantee in one sentence."""
    if not privacy.is_private:
        return f"{privacy.warning}: this view protects nobody."
    ratio = _factor(float(privacy.epsilon))
    if privacy.delta:
        delta = f"{float(privacy.delta):g}"
        return (
            f"Whether or not {privacy.unit} is in the table, any set of views is at most {ratio} times as likely, plus "
            f"{delta} (epsilon {float(privacy.epsilon):g} and delta {delta}: (epsilon, delta)-differential privacy)."
        )
    return (
        f"Whether or not {privacy.unit} is in the table, any view is at most {ratio} times as likely "
        f"(epsilon {float(privacy.epsilon):g}, pure differential privacy)."
    )


def _factor(epsilon: float) -> str:
    import math

    return f"{math.exp(epsilon):.3g}" if epsilon < 20 else f"e^{epsilon:g}"
