"""About: what every export says of the view it was made from; first of all if it is not private."""

from __future__ import annotations

from typing import Any

from ripost.privacy.ledger import Privacy
from ripost.view.promise import promise
from ripost.view.view import View


def about(view: View) -> list[tuple[str, str]]:
    """Facts in order: the warning, if there is one, the promise, and how the view was made."""
    privacy = view.privacy
    facts = [("warning", privacy.warning)] if privacy.warning else []
    facts += [
        ("promise", promise(privacy)),
        ("definition", privacy.definition),
        ("epsilon", str(privacy.epsilon)),
        *([("delta", str(privacy.delta))] if privacy.delta else []),
        ("spent", f"{privacy.epsilon_spent:.6g} of epsilon {float(privacy.epsilon):g}"),
        ("protects", str(privacy.unit)),
        ("entropy", privacy.entropy),
        ("measure", view.measure.title),
        ("holds", f"{len(view.content.values):,} {view.content.noun} for {view.domain.size_in_words} cells"),
        ("method", view.method),
        ("software", view.software),
        ("figures", "estimates; low and high are the ends of a 95 % interval"),
    ]
    return [(fact, value or "") for fact, value in facts]


LEDGER = ("purpose", "mechanism", "statistic", "sensitivity", "price", "scale", "blocks")


def ledger_rows(privacy: Privacy) -> list[list[Any]]:
    """The entries of the ledger; a price is an exact fraction in the currency of the account."""
    return [
        [e.purpose, e.mechanism_in_full, e.statistic, e.sensitivity, str(e.epsilon), e.scale, e.blocks]
        for e in privacy.ledger.entries
    ]
