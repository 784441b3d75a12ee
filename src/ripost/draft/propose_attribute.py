"""Propose: what a draft says of one column, by its name where that is enough, by a look at it where it is not."""

from __future__ import annotations

from typing import Any

from ripost.draft.column_sample import COMMON, MIDDLE, MOST, ColumnSummary, TableSample
from ripost.draft.draft_parts import DraftAttribute, DraftKey, OmittedColumn, Origin, make_keys
from ripost.draft.round_bounds import date_range, moment_range, real_range, whole_range
from ripost.errors import SchemaError
from ripost.schema.attribute_base import MISSING, OTHER
from ripost.schema.known_columns import Domain, find_known_domains
from ripost.schema.schema import Schema

LISTED = 100  # values that a draft lists
BOUNDS = (
    f"bounds hold the middle {round(100 * (MIDDLE[1] - MIDDLE[0]))} % of the rows, rounded outward; values beyond are "
    "clamped; a bound that equals a person's value reveals that person"
)
VALUES = f"values that at least {COMMON} rows hold; a value that few people have reveals them; the others are `(other)`"
TYPES = {"integers": "integer", "numbers": "number", "dates": "date", "timestamps": "timestamp", "booleans": "boolean"}
TEMPLATE = "to publish it, list its values from a public code book, or group them in the table first"


def propose(column: str, sample: TableSample) -> DraftAttribute | OmittedColumn:
    """What to do with a column that is in a sample."""
    look = sample.look(column)
    try:
        return require_valid(propose_from_name(column, look, sample) or propose_from_values(column, look, sample))
    except (ArithmeticError, ValueError):
        return OmittedColumn(column, "its values have no sensible range")


def require_valid(one: DraftAttribute | OmittedColumn) -> DraftAttribute | OmittedColumn:
    """The proposal, if it is a schema."""
    if isinstance(one, DraftAttribute) and not one.gaps:
        try:
            Schema.from_dict({"attributes": {"x": one.keys}})
        except SchemaError:
            return OmittedColumn(one.column, "its values have no sensible range")
    return one


def propose_from_name(column: str, look: ColumnSummary, sample: TableSample) -> DraftAttribute | None:
    """The first public domain its name suggests that most values fit."""
    for domain in find_known_domains(column):
        if fits_domain(domain, look, sample):
            return DraftAttribute(
                column, (*make_keys(Origin.NAME, **domain), *missing_keys(look)), "known from the name of the column"
            )
    return None


def fits_domain(domain: Domain, look: ColumnSummary, sample: TableSample) -> bool:
    match domain["type"]:
        case "boolean":
            return look.kind == "booleans" or (
                look.kind == "integers" and sample.share_within(look, 0, 1, whole=True) >= MOST
            )
        case "category":
            return look.kind == "text" and sample.share_among(look, domain["values"]) >= MOST
        case kind:
            if look.kind not in ("integers", "numbers", "text") or not look.reads_numbers:
                return False
            return sample.share_within(look, domain["min"], domain["max"], whole=kind == "integer") >= MOST


def propose_from_values(column: str, look: ColumnSummary, sample: TableSample) -> DraftAttribute | OmittedColumn:
    if look.kind == "text":
        return propose_categories(column, look, sample)
    if look.kind not in TYPES:
        holds = {"nothing": "nothing to go by"}.get(look.kind, look.kind)
        return OmittedColumn(column, f"it holds {holds}")
    if look.kind == "integers" and look.present >= 100 and look.distinct == look.present:
        return OmittedColumn(column, "it has a number of its own in every row, like an id")
    first = DraftKey("type", TYPES[look.kind], Origin.TABLE if look.typed else Origin.DATA)
    if look.kind == "booleans":
        why = "the table's own type" if look.typed else "how most of its text reads"
        return DraftAttribute(column, (first, *missing_keys(look)), why)
    low, high = sample.middle(look)
    around: Any = {"integers": whole_range, "numbers": real_range, "dates": date_range, "timestamps": moment_range}
    bounds = make_keys(Origin.DATA, **around[look.kind](low, high))
    return DraftAttribute(column, (first, *bounds, *missing_keys(look)), BOUNDS)


def propose_categories(column: str, look: ColumnSummary, sample: TableSample) -> DraftAttribute | OmittedColumn:
    if look.is_nearly_unique:
        return OmittedColumn(column, "nearly every row has a value of its own: it is an id, a name or free text")
    values, share = sample.common(look, LISTED)
    values = [value for value in values if value not in (OTHER, MISSING)]
    if not values:
        return OmittedColumn(column, f"no value is held by {COMMON} rows; {TEMPLATE}")
    if len(values) == LISTED and share < 0.5:
        return OmittedColumn(column, f"it has too many values for a list; {TEMPLATE}")
    many = f"; only the {LISTED} commonest: {TEMPLATE}" if len(values) == LISTED else ""
    first = DraftKey("type", "category", Origin.TABLE if look.typed else Origin.DATA)
    listed = DraftKey("values", values, Origin.DATA)
    return DraftAttribute(column, (first, listed, *missing_keys(look)), VALUES + many)


def missing_keys(look: ColumnSummary) -> tuple[DraftKey, ...]:
    """Rows without a value cannot be where the table itself forbids them; how many there are is not looked at."""
    return make_keys(Origin.TABLE, missing="drop") if look.required else ()
