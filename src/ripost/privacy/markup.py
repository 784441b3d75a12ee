"""A promise and its ledger as pieces of HTML for notebooks. All text is escaped; colours are the notebook's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ripost.privacy.ledger import Ledger, Privacy

MOST_ROWS = 40
BANNER = "background:#b00020;color:#fff;font-weight:bold;padding:.4em .8em"
CELL = "text-align:left;padding:.1em .8em .1em 0"


def privacy_html(privacy: Privacy) -> str:
    """What was promised, to whom, and what was spent on what."""
    facts = [
        ["definition", privacy.definition],
        ["epsilon", f"{float(privacy.epsilon):g}"],
        *([["delta", f"{float(privacy.delta):g}"]] if privacy.delta else []),
        ["spent", f"{privacy.epsilon_spent:.6g}"],
        ["protects", str(privacy.unit)],
        ["entropy", privacy.entropy],
        ["ledger counts", str(privacy.currency)],
    ]
    warning = f'<div style="{BANNER}">{escape(privacy.warning)}</div>' if privacy.warning else ""
    return f"<div><b>ripost privacy</b>{warning}{table_html(facts)}{ledger_html(privacy.ledger)}</div>"


def ledger_html(ledger: Ledger) -> str:
    """The entries in the order they were paid, and the most that a path paid."""
    head = ["spent on", "mechanism", "statistic", "sensitivity", "price", "blocks"]
    rows = [
        [e.purpose, e.mechanism_in_full, e.statistic, f"{e.sensitivity:,}", f"{float(e.epsilon):.6g}", f"{e.blocks:,}"]
        for e in ledger.entries[:MOST_ROWS]
    ]
    more = len(ledger.entries) - len(rows)
    rest = f"<div>and {more:,} more entries</div>" if more > 0 else ""
    most = f"<div>the most along any path: {float(ledger.spent):.6g}</div>"
    return f"<div><b>ripost ledger</b>{table_html(rows, head=head)}{rest}{most}</div>"


def table_html(rows: Iterable[Sequence[str]], *, head: Sequence[str] | None = None) -> str:
    """Rows of text as a table."""
    lines = [_row(head, "th")] if head else []
    lines += [_row(row, "td") for row in rows]
    return f"<table>{''.join(lines)}</table>"


def _row(cells: Sequence[str], tag: str) -> str:
    return "<tr>" + "".join(f'<{tag} style="{CELL}">{escape(cell)}</{tag}>' for cell in cells) + "</tr>"
