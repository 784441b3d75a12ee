"""Discover draft: replace what was read off the data by "discover", wherever discovery can find it."""

from __future__ import annotations

from dataclasses import replace

from ripost.draft.draft_parts import DraftAttribute, DraftKey, Origin, SchemaDraft, make_keys
from ripost.schema.discovery import DISCOVER

BINS = 50  # of a number between discovered bounds
FROM_VALUES = ("values", "aliases", "fold_case", "missing_values")
FROM_BOUNDS = ("min", "max", "width", "bins", "edges")


def discover_draft(draft: SchemaDraft) -> SchemaDraft:
    """The draft with "discover" in place of values, bounds and max_rows that come from the data."""
    columns = tuple(_discover(one) if isinstance(one, DraftAttribute) else one for one in draft.columns)
    rows: int | str | None = draft.max_rows if draft.unit is None or draft.max_rows is not None else DISCOVER
    return replace(draft, columns=columns, max_rows=rows)


def _discover(one: DraftAttribute) -> DraftAttribute:
    """The attribute with `discover` in place of what comes from the data, if it is a category or a number."""
    kind = one.keys["type"]
    if kind == "category" and "values" in one.unreviewed:
        return replace(one, entries=(*_without(one, FROM_VALUES), *make_keys(Origin.CHOICE, values=DISCOVER)))
    if kind in ("integer", "number") and {"min", "max"} & set(one.unreviewed):
        found = {"min": DISCOVER, "max": DISCOVER, **({"bins": BINS} if kind == "number" else {})}
        return replace(one, entries=(*_without(one, FROM_BOUNDS), *make_keys(Origin.CHOICE, **found)))
    return one


def _without(one: DraftAttribute, keys: tuple[str, ...]) -> tuple[DraftKey, ...]:
    return tuple(entry for entry in one.entries if entry.key not in keys)
