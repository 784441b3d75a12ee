"""Draft a schema from a table, from metadata, or from both."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial

from ripost.draft.column_sample import AT_ONCE, TableSample, open_sample
from ripost.draft.draft_parts import DraftAttribute, OmittedColumn, SchemaDraft
from ripost.draft.merge_metadata import merge_column
from ripost.draft.metadata.stated_schema import StatedColumn, StatedSchema
from ripost.draft.propose_attribute import propose
from ripost.errors import InputError, SourceError, redact_passwords, suggest_nearest
from ripost.schema.known_columns import is_identifier, is_personal
from ripost.sources.open_source import list_columns

LOOKS_LIKE_AN_ID = "its name suggests that it identifies people or rows; if it does not, add it as an attribute"
OpenSample = Callable[[Sequence[str]], AbstractContextManager[TableSample]]  # of some columns
VALUE = re.compile(r"[-+]?[0-9.,]*[0-9][0-9.,]*|\d{4}-\d\d-\d\d.*|\S+@\S+\.\S+|")


def draft_schema(
    source: str | None,
    *,
    table: str | None = None,
    encoding: str | None = None,
    unit: str | None = None,
    max_rows: int | None = None,
    stated: StatedSchema | None = None,
) -> SchemaDraft:
    """Draft a schema from a table and its metadata; one of the two may be missing."""
    if source is None and stated is None:
        raise InputError("give a table, or metadata with --from, or both")
    names = (
        list_columns(source, table=table, encoding=encoding)
        if source is not None
        else [one.names[0] for one in list_stated_columns(stated)]
    )
    require_names(names, source or "the metadata")
    protected = unit or (stated.unit if stated else None)
    if protected is not None and protected not in names:
        raise InputError(f"unit: there is no column {protected!r}; {suggest_nearest(protected, names)}")
    known = {name: one for one in list_stated_columns(stated) for name in one.names if name in names}
    opening = source and partial(open_sample, source, table=table, encoding=encoding, unit=protected)
    columns = propose_columns(opening or None, names, known, unit=protected)
    ids = [one.column for one in columns if isinstance(one, OmittedColumn) and one.why == LOOKS_LIKE_AN_ID]
    return SchemaDraft(
        source=name_source(source, table, stated),
        columns=tuple(columns),
        title=stated.title if stated else None,
        unit=protected,
        max_rows=max_rows or (stated.max_rows if stated else None),
        row_stated=bool(stated and stated.row_is_person),
        people=tuple(sorted(ids, key=lambda name: not is_personal(name))),
    )


def propose_columns(
    opening: OpenSample | None, names: Sequence[str], known: dict[str, StatedColumn], *, unit: str | None
) -> list[DraftAttribute | OmittedColumn]:
    """A proposal for each column except the unit, in the order of the table."""
    times = Counter(name.casefold() for name in names)
    found: dict[str, DraftAttribute | OmittedColumn] = {}
    open_names = []
    for name in dict.fromkeys(names):
        if times[name.casefold()] > 1 or not name.strip():
            found[name] = OmittedColumn(name, "its name is empty, or another column has it; name it in the table first")
        elif (name in known and known[name].identifies) or is_identifier(name):
            found[name] = OmittedColumn(name, LOOKS_LIKE_AN_ID)
        elif name != unit:
            open_names.append(name)
    for first in range(0, len(open_names), AT_ONCE):
        part = open_names[first : first + AT_ONCE]
        found |= propose_sampled(opening, part, known)
    return [found[name] for name in dict.fromkeys(names) if name in found and name != unit]


def propose_sampled(
    opening: OpenSample | None, names: Sequence[str], known: dict[str, StatedColumn]
) -> dict[str, DraftAttribute | OmittedColumn]:
    keys = {name: known[name].keys if name in known else {} for name in names}
    if opening is None:
        return {name: merge_column(name, keys[name], None) for name in names}
    with opening(names) as sample:
        return {name: merge_column(name, keys[name], propose(name, sample)) for name in names}


def require_names(names: Sequence[str], source: str) -> None:
    """Raise SourceError if the first line of a file is not a header, because its values would become names."""
    if not names:
        raise SourceError(f"{redact_passwords(source)}: has no columns")
    if 2 * sum(bool(VALUE.fullmatch(name)) for name in names) > len(names):
        what = f"{redact_passwords(source)}: its first line holds values, not names"
        raise SourceError(f"{what}; give each column a name there first")


def list_stated_columns(stated: StatedSchema | None) -> Sequence[StatedColumn]:
    return stated.columns if stated else ()


def name_source(source: str | None, table: str | None, stated: StatedSchema | None) -> str:
    """The name of the source for the draft; never a URL, which may hold a password."""
    data = (f"table {table}" if "://" in (source or "") else source) or ""
    data = f"sheet {table} of {data}" if table and "://" not in (source or "") else data
    metadata = f"{stated.format} metadata" if stated else ""
    return " and ".join(one for one in (data, metadata) if one)
