"""JSON-stat 2.0: a cube as statistical offices exchange it (https://json-stat.org/full/).

A cube of two dimensions has a third, `figure`, whose categories are the value and the two ends of its interval, and the
same of the sum and the mean of each measure.
"""

from __future__ import annotations

import json
import math
from typing import Any

from ripost.errors import InputError
from ripost.export.about import about, ledger_rows
from ripost.export.crossed import Crossed
from ripost.export.wanted import Wanted
from ripost.schema.attribute import Calendar
from ripost.series import AXIS, Series
from ripost.view import View

FIGURE_LABELS = {"low": "low end of the 95 % interval", "high": "high end of the 95 % interval"}
Facts = dict[str, Any]


def jsonstat_bytes(wanted: Wanted) -> bytes:
    """One dataset, or a collection of them where several tables were asked for."""
    if wanted.sql is not None:
        raise InputError("a JSON-stat file holds cubes; name dimensions instead of a SELECT, or export to csv or xlsx")
    cubes = [dataset(one) for one in wanted.crossed]
    found = cubes[0] if len(cubes) == 1 and not wanted.is_usual else collection(wanted, cubes)
    return json.dumps(found, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def collection(wanted: Wanted, cubes: list[Facts]) -> Facts:
    plain = [{key: fact for key, fact in cube.items() if key != "version"} for cube in cubes]
    return {
        "version": "2.0",
        "class": "collection",
        "label": wanted.view.title or f"{wanted.view.measure.title}{' by every dimension' * wanted.is_usual}",
        **_describe(wanted.view),
        "link": {"item": plain},
    }


def dataset(crossed: Crossed) -> Facts:
    """A cube of all combinations; those that do not meet the condition are null."""
    names = [key.name for key in crossed.keys]
    figure = "figure"
    while figure in names:
        figure += "_"
    sizes = [len(key) for key in crossed.keys]
    labels = _figure_labels(crossed)
    values: list[float | None] = [None] * (math.prod(sizes) * len(labels))
    for codes, figures in zip(crossed.codes, crossed.all_figures, strict=True):
        place = 0
        for code, size in zip(codes, sizes, strict=True):
            place = place * size + code
        for number, value in enumerate(figures):
            values[place * len(labels) + number] = value if math.isfinite(value) else None
    dates = [name for name in names if _is_time(crossed.view, name)]
    return {
        "version": "2.0",
        "class": "dataset",
        "label": ": ".join(filter(None, [crossed.view.title, crossed.title])),
        **_describe(crossed.view, crossed.note),
        "id": [*names, figure],
        "size": [*sizes, len(labels)],
        "role": {"metric": [figure], **({"time": dates} if dates else {})},
        "dimension": {name: _dimension(crossed, i) for i, name in enumerate(names)}
        | {figure: {"label": "figure", "category": {"index": list(labels), "label": labels}}},
        "value": values,
    }


def _is_time(view: View, name: str) -> bool:
    """Whether a dimension is time: a date, or the periods of a series."""
    return isinstance(view.domain.find(name), Calendar) or (isinstance(view, Series) and name == AXIS)


def _describe(view: View, note: str = "") -> Facts:
    """The promise as notes, the warning first, and everything else as an extension."""
    facts = dict(about(view))
    notes = [facts[name] for name in ("warning", "description", "promise", "figures") if name in facts]
    notes += [note] if note else []
    return {
        "source": f"A view by {view.software}, method {view.method}",
        "note": notes,
        "extension": {"ripost": {"about": facts, "ledger": ledger_rows(view.privacy)}},
    }


def _dimension(crossed: Crossed, number: int) -> Facts:
    """Categories by what they stand for, or by code where two stand for the same."""
    key = crossed.keys[number]
    attribute = crossed.view.domain.find(key.name)
    words = [crossed.words(number, code) for code in range(len(key))]
    ids = words if len(set(words)) == len(words) and all(words) else [str(code) for code in range(len(key))]
    label = attribute.label or key.name
    return {
        "label": f"{label} ({attribute.unit})" if attribute.unit else label,
        **({"note": [attribute.description]} if attribute.description else {}),
        "category": {"index": ids, "label": dict(zip(ids, words, strict=True))},
    }


def _figure_labels(crossed: Crossed) -> dict[str, str]:
    """What the figures of a cell are, by the names of their categories."""
    labels = {"value": crossed.view.measure.title, **FIGURE_LABELS}
    for figure, _ in crossed.measured:
        what = f"{'sum' if figure.what == 'sum' else 'mean'} of {figure.name}"
        labels[figure.title] = what
        labels |= {f"{figure.title}_{end}": f"{label} of the {what}" for end, label in FIGURE_LABELS.items()}
    return labels
