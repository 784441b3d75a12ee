"""Merge metadata into proposals: metadata take precedence over a column's name, and the name over its values."""

from __future__ import annotations

import datetime as dt
from typing import Any

from ripost.draft.draft_parts import DraftAttribute, DraftKey, OmittedColumn, Origin, make_keys
from ripost.draft.propose_attribute import require_valid
from ripost.draft.round_bounds import BINS, moment_range, real_range, round_up, span, whole_range
from ripost.schema.known_columns import find_known_domains

NEEDED = {
    "integer": ("min", "max"),
    "number": ("min", "max", "bins"),
    "date": ("min", "max"),
    "timestamp": ("min", "max"),
    "category": ("values",),
    "boolean": (),
}


def merge_column(
    column: str, keys: dict[str, Any], proposal: DraftAttribute | OmittedColumn | None
) -> DraftAttribute | OmittedColumn:
    """A proposal with the keys that metadata state, completed from the column's name and values."""
    if not keys:
        return proposal or propose_by_name(column) or OmittedColumn(column, "the metadata do not say what it holds")
    own = make_keys(Origin.METADATA, **keys)
    kind = keys["type"]
    known = proposal if isinstance(proposal, DraftAttribute) else propose_by_name(column)
    rest = convert_type(known, kind) if known is not None else ()
    complete = all(key in keys for key in NEEDED[kind] if key != "bins")
    added = choose_bins(kind, keys) if complete else tuple(entry for entry in rest if entry.key not in keys)
    together = (*own, *added)
    have = {entry.key for entry in together}
    gaps = tuple(key for key in NEEDED[kind] if key not in have)
    from_data = known is not None and not complete and any(entry.origin is Origin.DATA for entry in added)
    done = require_valid(DraftAttribute(column, together, known.note if from_data and known else None, gaps))
    if isinstance(done, OmittedColumn):
        return DraftAttribute(
            column, (own[0],), f"what the metadata state of it is not a domain ({done.why})", NEEDED[kind]
        )
    return done


def convert_type(known: DraftAttribute, kind: str) -> tuple[DraftKey, ...]:
    """The keys of a proposal, converted to the stated kind; none if the two do not fit."""
    keys = known.keys
    if keys["type"] == kind:
        return known.entries
    origin = next((entry.origin for entry in known.entries if entry.key == "min"), Origin.DATA)
    if (keys["type"], kind) == ("integer", "number"):
        return make_keys(origin, **real_range(float(keys["min"]), float(keys["max"])))
    if (keys["type"], kind) == ("number", "integer"):
        return make_keys(origin, **whole_range(keys["min"], keys["max"]))
    if (keys["type"], kind) == ("date", "timestamp"):
        first, last = (dt.datetime.combine(keys[end], dt.time()) for end in ("min", "max"))
        return make_keys(origin, **moment_range(first, last))
    return ()


def choose_bins(kind: str, keys: dict[str, Any]) -> tuple[DraftKey, ...]:
    """Widths and numbers of bins for stated bounds."""
    if kind == "number":
        return make_keys(Origin.CHOICE, bins=50)
    if kind == "integer" and (size := keys["max"] - keys["min"] + 1) > 2 * BINS:
        return make_keys(Origin.CHOICE, width=int(round_up(size / BINS)))
    if kind in ("date", "timestamp"):
        width = span(keys["max"] - keys["min"])
        first = keys["min"] if isinstance(keys["min"], dt.datetime) else dt.datetime.combine(keys["min"], dt.time())
        aligned = first.day == 1 and first.time() == dt.time()
        return make_keys(Origin.CHOICE, width=width if aligned or width in ("1 day", "1 week") else "4 weeks")
    return ()


def propose_by_name(column: str) -> DraftAttribute | None:
    """The likeliest public domain that the name suggests."""
    for domain in find_known_domains(column)[:1]:
        return DraftAttribute(column, make_keys(Origin.NAME, **domain))
    return None
