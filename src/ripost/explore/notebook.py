"""What a notebook shows of a view, of its privacy statement and of its ledger."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from ripost.markup.notebook import MOST_ROWS, Piece, TextTable
from ripost.privacy.ledger import Ledger, Privacy
from ripost.release.promise import describe_kept_rows

if TYPE_CHECKING:
    from ripost.view import View

Shown = TypeVar("Shown")


def view_html(view: View) -> str:
    """The promise first, then the attributes."""
    privacy = view.privacy
    facts = {
        "measure": view.measure.title,
        view.content.noun: f"{len(view.content.values):,}",
        **_privacy_facts(privacy),
        "protects": str(privacy.unit),
        "method": view.method,
    }
    rows = []
    for name, attribute in view.domain:
        ends = f"{attribute.describe(0)} … {attribute.describe(attribute.count - 1)}" if attribute.count > 1 else ""
        words = [attribute.unit or "", attribute.label or "", attribute.description or ""]
        rows.append([name, f"{attribute.size:,}", ends or attribute.describe(0), *words])
    measures = [content.measured.describe(name) for name, content in view.measures.items()]
    attributes = TextTable(rows[:MOST_ROWS], head=["attribute", "codes", "values", "unit", "label", "description"])
    more = len(rows) - MOST_ROWS
    rest = [f"and {more} more attributes"] if more > 0 else []
    words = [text for text in (view.description, describe_kept_rows(privacy)) if text]
    parts: list[str | TextTable | Piece] = [*words, TextTable(list(facts.items())), *measures, attributes, *rest]
    return Piece(parts, view.title or "ripost view", privacy.warning).html()


def _privacy_facts(privacy: Privacy) -> dict[str, str]:
    if not privacy.delta:
        return {"epsilon": f"{float(privacy.epsilon):g}"}
    return {"(epsilon, delta)": f"({float(privacy.epsilon):g}, {float(privacy.delta):g})"}


def privacy_html(privacy: Privacy) -> str:
    """What is promised, to whom, and what each draw cost."""
    facts = [
        ["definition", privacy.definition],
        ["epsilon", f"{float(privacy.epsilon):g}"],
        *([["delta", f"{float(privacy.delta):g}"]] if privacy.delta else []),
        ["spent", f"{privacy.epsilon_spent:.6g}"],
        ["protects", str(privacy.unit)],
        ["entropy", privacy.entropy],
        ["ledger counts", str(privacy.currency)],
    ]
    beside = [_ledger(ledger, f"ripost ledger of {name}") for name, ledger in privacy.measures.items()]
    return Piece([TextTable(facts), _ledger(privacy.ledger), *beside], "ripost privacy", privacy.warning).html()


def ledger_html(ledger: Ledger) -> str:
    """The charges in order, and the largest sum along a path."""
    return _ledger(ledger).html()


def _ledger(ledger: Ledger, title: str = "ripost ledger") -> Piece:
    head = ["spent on", "mechanism", "statistic", "sensitivity", "price", "blocks"]
    rows = [
        [e.purpose, e.mechanism_in_full, e.statistic, f"{e.sensitivity:,}", f"{float(e.epsilon):.6g}", f"{e.blocks:,}"]
        for e in ledger.entries[:MOST_ROWS]
    ]
    more = len(ledger.entries) - len(rows)
    rest = [f"and {more:,} more entries"] if more > 0 else []
    most = f"the most along any path: {float(ledger.spent):.6g}"
    return Piece([TextTable(rows, head), *rest, most], title)


def show_in_notebooks(kind: type[Shown], html: Callable[[Shown], str]) -> None:
    """Let notebooks show objects of a class that makes no HTML itself: the trusted core knows none."""
    setattr(kind, "_repr_html_", html)  # noqa: B010


show_in_notebooks(Privacy, privacy_html)
show_in_notebooks(Ledger, ledger_html)
