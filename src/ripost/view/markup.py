"""A view as a piece of HTML for notebooks. Names come from others: all text is escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ripost.privacy.markup import BANNER, MOST_ROWS, table_html

if TYPE_CHECKING:
    from ripost.privacy.ledger import Privacy
    from ripost.view.view import View


def view_html(view: View) -> str:
    """What a notebook shows for a view: the promise first, then the dimensions."""
    privacy = view.privacy
    facts = {
        "measure": view.measure.title,
        view.content.noun: f"{len(view.content.values):,}",
        **_promised(privacy),
        "protects": str(privacy.unit),
        "method": view.method,
    }
    parts = [f'<div style="{BANNER}">{escape(privacy.warning)}</div>'] if privacy.warning else []
    parts.append(table_html([[name, fact] for name, fact in facts.items()]))
    rows = []
    for name, attribute in view.domain:
        label = attribute.label or ""
        ends = f"{attribute.describe(0)} … {attribute.describe(attribute.count - 1)}" if attribute.count > 1 else ""
        rows.append([name, label, f"{attribute.size:,}", ends or attribute.describe(0), attribute.unit or ""])
    more = len(rows) - MOST_ROWS
    parts.append(table_html(rows[:MOST_ROWS], head=["dimension", "label", "codes", "values", "unit"]))
    if more > 0:
        parts.append(f"<div>and {more} more dimensions</div>")
    return f"<div><b>ripost view</b>{''.join(parts)}</div>"


def _promised(privacy: Privacy) -> dict[str, str]:
    if not privacy.delta:
        return {"epsilon": f"{float(privacy.epsilon):g}"}
    return {"(epsilon, delta)": f"({float(privacy.epsilon):g}, {float(privacy.delta):g})"}
