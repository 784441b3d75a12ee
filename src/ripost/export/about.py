"""About: what every export says of the view it was made from; first of all if it is not private."""

from __future__ import annotations

from typing import Any

from ripost.answering.content.tree import TreeContent
from ripost.privacy.ledger import Privacy
from ripost.release.promise import describe_kept_rows, promise
from ripost.schema.attribute_base import AttributeBase
from ripost.schema.domain import Domain
from ripost.series import Series
from ripost.view import View


def about(view: View) -> list[tuple[str, str]]:
    """Facts in order: the warning, if there is one, what the table is, the promise, and how the view was made."""
    privacy = view.privacy
    stated = {
        "warning": privacy.warning,
        "title": view.title,
        "description": view.description,
        "kept rows": describe_kept_rows(privacy),
    }
    return [
        *((fact, value) for fact, value in stated.items() if value),
        ("promise", promise(privacy)),
        ("definition", privacy.definition),
        ("epsilon", str(privacy.epsilon)),
        *([("delta", str(privacy.delta))] if privacy.delta else []),
        ("spent", f"{view.epsilon_spent:.6g} of epsilon {float(privacy.epsilon):g}"),
        ("protects", str(privacy.unit)),
        ("entropy", privacy.entropy),
        ("measure", view.measure.title),
        *((f"measure {name}", content.measured.describe(name)) for name, content in view.measures.items()),
        *([("periods", _list_periods(view))] if isinstance(view, Series) else []),
        *([] if view.period is None else [("counts only rows of the period", str(view.period))]),
        ("holds", _holds(view)),
        ("method", view.method),
        ("software", view.software),
        *([] if view.domain.impossible is None else [("impossible", "; ".join(view.domain.impossible.conditions))]),
        ("figures", "estimates; low and high are the ends of a 95 % interval"),
    ]


def _list_periods(series: Series) -> str:
    """The periods of a series with their epsilons, and whose ledger is shown."""
    each = [f"{part.period.label} (epsilon {part.privacy.epsilon})" for part in series.parts if part.period]
    worst = series.costliest.period
    return f"{series.rule}: {', '.join(each)}; the ledger is that of {worst.label if worst else 'one'}"


def describe_attribute(attribute: AttributeBase) -> str:
    """The label, the unit of measure and the description of an attribute; empty if the schema has none of them."""
    unit = f" ({attribute.unit})" if attribute.unit else ""
    label = f"{attribute.label}{unit}" if attribute.label else f"in {attribute.unit}" if attribute.unit else ""
    return ": ".join(filter(None, [label, attribute.description]))


def _holds(view: View) -> str:
    """What the view consists of, in words."""
    content, more = view.content, ""
    if isinstance(content, TreeContent) and content.mixture is not None:
        more = f" and a mixture of {len(content.mixture.weights):,} components"
    return f"{len(content.values):,} {content.noun}{more} for {view.domain.size_in_words} cells"


def list_groups(domain: Domain) -> list[list[str]]:
    """The group of each value of an attribute, for each level and for what is derived: one row each."""
    return [
        [mapped.of, domain.attributes[mapped.of].describe(code), mapped.name, mapped.groups.describe(group)]
        for mapped in domain.mapped.values()
        for group, part in enumerate(mapped.parts)
        for low, high in part
        for code in range(int(low), int(high))
    ]


LEDGER = ("purpose", "mechanism", "statistic", "sensitivity", "price", "scale", "blocks")


def ledger_rows(privacy: Privacy) -> list[list[Any]]:
    """The entries of the ledger; a price is an exact fraction in the currency of the account."""
    return [
        [e.purpose, e.mechanism_in_full, e.statistic, e.sensitivity, str(e.epsilon), e.scale, e.blocks]
        for e in privacy.all_entries
    ]
