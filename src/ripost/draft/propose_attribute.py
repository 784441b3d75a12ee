"""Propose an attribute for a column, by its name if that is enough, else by its sample."""

from __future__ import annotations

from typing import Any

from ripost.draft.column_sample import COMMON, MOST, ColumnSummary, TableSample
from ripost.draft.draft_parts import DraftAttribute, DraftKey, OmittedColumn, Origin, make_keys
from ripost.draft.names_of_people import look_like_people
from ripost.draft.round_bounds import date_range, moment_range, real_range, whole_range
from ripost.draft.text_spelling import MISSING_WORDS
from ripost.errors import SchemaError
from ripost.schema.attribute_base import MISSING, OTHER
from ripost.schema.case_folding import fold
from ripost.schema.known_columns import Domain, find_known_domains
from ripost.schema.schema import Schema

LISTED = 100  # values that a draft lists
UNSURE = "the format of its dates is a guess, since day and month can be read either way"
TYPES = {"integers": "integer", "numbers": "number", "dates": "date", "timestamps": "timestamp", "booleans": "boolean"}
TEMPLATE = "to publish it, list its values from a public code book, or group them in the table first"


def propose(column: str, sample: TableSample) -> DraftAttribute | OmittedColumn:
    """The proposal for a column of a sample."""
    look = sample.look(column)
    try:
        return require_valid(propose_from_name(column, look, sample) or propose_from_values(column, look, sample))
    except (ArithmeticError, ValueError):
        return OmittedColumn(column, "its values have no sensible range")


def require_valid(one: DraftAttribute | OmittedColumn) -> DraftAttribute | OmittedColumn:
    """The proposal if a schema accepts it; else the column is left out."""
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
            keys = (*make_keys(Origin.NAME, **domain), *case_keys(domain, look, sample), *missing_keys(look))
            return DraftAttribute(column, keys)
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
        return DraftAttribute(column, (first, *missing_keys(look)))
    low, high = sample.middle(look)
    around: Any = {"integers": whole_range, "numbers": real_range, "dates": date_range, "timestamps": moment_range}
    bounds = make_keys(Origin.DATA, **around[look.kind](low, high))
    note = UNSURE if look.unsure_format else None
    words = sample.missing_words(look)
    absent = make_keys(Origin.DATA, missing_values=words) if words else ()
    return DraftAttribute(column, (first, *spelling_keys(look), *bounds, *absent, *missing_keys(look)), note)


def propose_categories(column: str, look: ColumnSummary, sample: TableSample) -> DraftAttribute | OmittedColumn:
    if look.is_nearly_unique:
        return OmittedColumn(column, "nearly every row has a value of its own: it is an id, a name or free text")
    found, share = sample.common(look, LISTED)
    absent = [way for one in found if is_missing_word(one.value) for way in one.spellings or (one.value,)]
    listed = [one for one in found if not is_missing_word(one.value) and one.value not in (OTHER, MISSING)]
    values = [one.value for one in listed]
    if not values:
        return OmittedColumn(column, f"no value is held by {COMMON} rows; {TEMPLATE}")
    if len(found) == LISTED and share < 0.5:
        return OmittedColumn(column, f"it has too many values for a list; {TEMPLATE}")
    if look_like_people(values):
        return OmittedColumn(column, "its values look like names of people")
    folds = sample.mixes_case(look, values)
    same = [fold(one) if folds else one for one in values]
    pairs = {way: one.value for one in listed for way in one.spellings if (fold(way) if folds else way) not in same}
    keys: dict[str, Any] = {"values": values}
    keys |= {"fold_case": True} if folds else {}
    keys |= {"aliases": pairs} if pairs else {}
    keys |= {"missing_values": absent} if absent else {}
    first = DraftKey("type", "category", Origin.TABLE if look.typed else Origin.DATA)
    note = f"only the {LISTED} commonest values; {TEMPLATE}" if len(found) == LISTED else None
    return DraftAttribute(column, (first, *make_keys(Origin.DATA, **keys), *missing_keys(look)), note)


def case_keys(domain: Domain, look: ColumnSummary, sample: TableSample) -> tuple[DraftKey, ...]:
    """Whether a listed domain is spelled in mixed case."""
    mixed = domain["type"] == "category" and sample.mixes_case(look, domain["values"])
    return make_keys(Origin.DATA, fold_case=True) if mixed else ()


def is_missing_word(value: str) -> bool:
    return value.strip().lower() in MISSING_WORDS


def spelling_keys(look: ColumnSummary) -> tuple[DraftKey, ...]:
    """How the text of a column spells its values."""
    keys = {"format": look.format, "decimal": look.decimal, "thousands": look.thousands}
    return make_keys(Origin.DATA, **{key: value for key, value in keys.items() if value is not None})


def missing_keys(look: ColumnSummary) -> tuple[DraftKey, ...]:
    """The key that drops rows without a value, if the table itself declares that there are none; no row is counted."""
    return make_keys(Origin.TABLE, missing="drop") if look.required else ()
