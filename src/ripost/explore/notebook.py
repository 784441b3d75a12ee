"""What a notebook shows of a view: the promise first, then the dimensions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ripost.markup.notebook import MOST_ROWS, Piece, TextTable

if TYPE_CHECKING:
    from ripost.privacy.ledger import Privacy
    from ripost.view import View


def view_html(view: View) -> str:
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
        label = attribute.label or ""
        ends = f"{attribute.describe(0)} … {attribute.describe(attribute.count - 1)}" if attribute.count > 1 else ""
        rows.append([name, label, f"{attribute.size:,}", ends or attribute.describe(0), attribute.unit or ""])
    dimensions = TextTable(rows[:MOST_ROWS], head=["dimension", "label", "codes", "values", "unit"])
    more = len(rows) - MOST_ROWS
    rest = [f"and {more} more dimensions"] if more > 0 else []
    return Piece([TextTable(list(facts.items())), dimensions, *rest], "ripost view", privacy.warning).html()


def _privacy_facts(privacy: Privacy) -> dict[str, str]:
    if not privacy.delta:
        return {"epsilon": f"{float(privacy.epsilon):g}"}
    return {"(epsilon, delta)": f"({float(privacy.epsilon):g}, {float(privacy.delta):g})"}
