"""The private table's public side as CSVW-EO metadata: CSV on the Web, with the bounds that differential privacy needs.

It speaks of the table as the view sees it: what the schema leaves out is not in it, and what it clamps lies in range.
Nothing in it comes from the data but the shares of missing values, and those are estimates of the view.
"""

from __future__ import annotations

import json
from collections.abc import Container
from typing import Any

from ripost.certify.certified_release import CertifiedRelease
from ripost.release.promise import promise
from ripost.schema.attribute import AttributeBase, Boolean, Category, OrderedAttribute
from ripost.series import Series
from ripost.view import View

CONTEXT = ["http://www.w3.org/ns/csvw", "https://w3id.org/csvw-eo#"]
DATATYPES = {
    "integer": "integer",
    "number": "double",
    "date": "date",
    "timestamp": "dateTime",
    "category": "string",
    "boolean": "boolean",
}


def format_csvw(subject: CertifiedRelease) -> str:
    return json.dumps(build_csvw(subject), indent=2, ensure_ascii=False) + "\n"


def build_csvw(subject: CertifiedRelease) -> dict[str, Any]:
    """The table; its greatest length is left out, since no bound on the number of rows is public."""
    view = subject.view
    unit = view.privacy.unit
    columns = [_column(view, axis, name, attribute) for axis, (name, attribute) in enumerate(view.domain)]
    if isinstance(view, Series):
        columns = columns[1:]  # the period is no column of the table
    if view.measure.column is not None:
        top = view.measure.bound * view.measure.step
        columns.append(_plain(view.measure.column, "double") | {"minimum": 0.0, "maximum": top})
    columns += _measured_columns(view, {column["name"] for column in columns})
    if unit.column is not None:
        columns.append(_plain(unit.column, "string") | {"privacyId": True})
    return {
        "@context": CONTEXT,
        "@type": "Table",
        "dc:title": subject.title,
        "dc:description": " ".join(filter(None, [view.description, promise(view.privacy)])),
        "privacyUnit": unit.column,
        "maxContributions": _bound_contributions(view),
        "tableSchema": {"columns": columns},
    }


def _bound_contributions(view: View) -> int:
    """The most rows of one unit that are used in all periods."""
    unit, periods = view.privacy.unit, len(view.parts) if isinstance(view, Series) else 1
    return unit.max_rows * min(periods, unit.most_periods or periods)


def _measured_columns(view: View, known: Container[str]) -> list[dict[str, Any]]:
    """The columns of measures that are not listed yet. Measures of one column have the range of all of them."""
    found: dict[str, dict[str, Any]] = {}
    for name, content in view.measures.items():
        measured, column = content.measured, content.measured.column or name
        if column in known:
            continue
        made = found.setdefault(column, _plain(column, "double") | {"minimum": measured.min, "maximum": measured.max})
        made["required"] |= measured.missing == "drop"
        made["minimum"] = min(made["minimum"], measured.min)
        made["maximum"] = max(made["maximum"], measured.max)
    return list(found.values())


def _plain(name: str, datatype: str) -> dict[str, Any]:
    return {"@type": "Column", "name": name, "datatype": datatype, "required": False, "privacyId": False}


def _column(view: View, axis: int, name: str, attribute: AttributeBase) -> dict[str, Any]:
    facts = view.domain.to_json()[name]
    column = _plain(name, DATATYPES[facts["type"]]) | {"required": attribute.missing == "drop"}
    if titles := [title for title in (attribute.label, attribute.column) if title and title != name]:
        column["titles"] = titles
    if words := [*filter(None, [attribute.description, attribute.unit and f"in {attribute.unit}"])]:
        column["dc:description"] = "; ".join(words)
    column["nullableProportion"] = _missing(view, axis, attribute)
    if isinstance(attribute, OrderedAttribute) and attribute.outside != "other":
        column |= {"minimum": _end(attribute, 0), "maximum": _end(attribute, attribute.count)}
    if isinstance(attribute, (Category, Boolean)):
        closed = not attribute.has_other
        keys = [False, True] if isinstance(attribute, Boolean) else list(attribute.values)
        column |= {"keyValues": keys, "exhaustiveKeys": closed, "invariantPublicKeys": True}
        if closed and attribute.missing == "drop":
            column["maxNumPartitions"] = len(keys)
    return column


def _end(attribute: OrderedAttribute, code: int) -> Any:
    """The least or the greatest value, in the owner's type; for whole numbers and days, the last one of the bin."""
    tick = attribute.bins.edge(code) - (attribute.step if code else 0)
    value = attribute.value(tick)
    return value if isinstance(value, (int, float)) else value.isoformat()


def _missing(view: View, axis: int, attribute: AttributeBase) -> float:
    """The estimated share of missing values; 0 if rows with missing values were dropped."""
    if attribute.missing == "drop" or view.measure.column is not None:
        return 0.0
    code = float(attribute.missing_code)
    share = view.answer_selection({axis: [(code, code + 1)]}).value / max(view.total, 1.0)
    return round(min(max(share, 0.0), 1.0), 3)
