"""What a notebook shows of a promise and its ledger, as text; ripost.markup makes HTML of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ripost.markup.notebook import MOST_ROWS, Piece, TextTable

if TYPE_CHECKING:
    from ripost.privacy.ledger import Ledger, Privacy


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
    return Piece([TextTable(facts), _ledger(privacy.ledger)], "ripost privacy", privacy.warning).html()


def ledger_html(ledger: Ledger) -> str:
    """The entries in the order they were paid, and the most that a path paid."""
    return _ledger(ledger).html()


def _ledger(ledger: Ledger) -> Piece:
    head = ["spent on", "mechanism", "statistic", "sensitivity", "price", "blocks"]
    rows = [
        [e.purpose, e.mechanism_in_full, e.statistic, f"{e.sensitivity:,}", f"{float(e.epsilon):.6g}", f"{e.blocks:,}"]
        for e in ledger.entries[:MOST_ROWS]
    ]
    more = len(ledger.entries) - len(rows)
    rest = [f"and {more:,} more entries"] if more > 0 else []
    most = f"the most along any path: {float(ledger.spent):.6g}"
    return Piece([TextTable(rows, head), *rest, most], "ripost ledger")
