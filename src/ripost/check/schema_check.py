"""Schema check: all findings about a schema and a table.

All findings follow from the schema, the names and declared types of the columns, and what the owner states. Rows are
not read, so two tables with the same header get the same findings. The exceptions are JSON, whose keys are only in its
rows, and columns of SQLite without a declared type.
"""

from __future__ import annotations

from collections.abc import Iterator

from ripost.check.data_like_bounds import find_data_like_keys
from ripost.check.finding import Finding
from ripost.check.release_risks import describe_ids, describe_large_epsilon, find_ids
from ripost.check.resolution import check_resolution
from ripost.data.read import require_compiled
from ripost.errors import InputError
from ripost.schema.known_columns import find_known_domains, is_identifier
from ripost.schema.measured_column import share_budget
from ripost.schema.schema import Schema
from ripost.sources.open_source import list_columns, open_source

MANY = 10_000  # categories that are hard to take from a code book


def check_schema(
    source: str,
    schema: Schema,
    *,
    table: str | None = None,
    encoding: str | None = None,
    rows: float | None = None,
    epsilon: float = 1.0,
) -> list[Finding]:
    """Findings in the order in which a steward would go through them."""
    names = list_columns(source, table=table, encoding=encoding)
    columns = check_columns(source, schema, table=table, encoding=encoding)
    found = [*check_review(schema), *columns, *check_domains(schema)]
    found += [*check_unit(names, schema), *check_discovery(schema), *check_measures(schema, epsilon=epsilon)]
    if (weak := describe_large_epsilon(epsilon)) is not None:
        found.append(Finding("warning", "epsilon", weak))
    return [*found, *check_resolution(schema, rows=rows, epsilon=epsilon)] if rows is not None else found


def check_review(schema: Schema) -> Iterator[Finding]:
    """Errors for keys that nobody has confirmed; their values are still private, and not shown."""
    for name, keys in schema.unreviewed.items():
        says = f"{', '.join(keys)} unreviewed: drafted from the data; replace or confirm, then delete the mark"
        yield Finding("error", "review", says, name or None)
    if not schema.unreviewed:
        yield Finding("ok", "review", "nothing in the schema is marked unreviewed")


def check_columns(source: str, schema: Schema, *, table: str | None, encoding: str | None = None) -> Iterator[Finding]:
    """Check that all columns exist, with types that their attributes can be read from."""
    try:
        opened = open_source(source, columns=schema.columns, table=table, encoding=encoding)
        try:
            if any(kind.is_null() for kind in opened.table.schema().values()):  # which only rows tell
                opened = opened.load_rows()
            opened.check(schema)
            require_compiled(opened, schema)
        finally:
            opened.close()
    except InputError as error:
        yield Finding("error", "columns", str(error))
        return
    fit = "their types fit" if opened.typed else "text is read by the types of the schema, rows are not looked at"
    yield Finding("ok", "columns", f"all {len(schema.columns):,} columns are there; {fit}")
    for name, attribute in schema.domain:
        if attribute.expression is not None:
            read = " and ".join(attribute.list_columns(name))
            yield Finding("ok", "computed", f"{attribute.expression} gives one value a row, from {read}", name)


def check_domains(schema: Schema) -> Iterator[Finding]:
    """Warnings for domains that look as if they came from the data."""
    odd = 0
    for name, attribute in schema.domain:
        if name in schema.open.attributes:
            continue
        marked = schema.unreviewed.get(name, ())
        known = any(
            attribute.model_dump(by_alias=True).items() >= domain.items() for domain in find_known_domains(name)
        )
        keys = [] if known else [key for key in find_data_like_keys(attribute) if key not in marked]
        if keys:
            odd += 1
            why = "hold what looks like people" if keys == ["values"] else "not round"
            says = (
                f"{', '.join(keys)} {'look' if len(keys) > 1 else 'looks'} read off the data ({why}): everything in a "
                "schema is published; take public bounds, or keep them if the law or a code book has them"
            )
            yield Finding("warning", "domain", says, name)
        if attribute.count > MANY and "values" not in marked and hasattr(attribute, "values"):
            yield Finding(
                "warning", "domain", "a long list of values: is it public, or was it read off the data?", name
            )
    if not odd and not schema.unreviewed:
        yield Finding("ok", "domain", "no bound looks read off the data, judged by the bounds alone")


def check_discovery(schema: Schema) -> Iterator[Finding]:
    """What the schema leaves to discovery, and what its publication needs."""
    for name, part in schema.open.parts:
        what = {"values": "values", "bounds": "its bounds", "max_rows": "max_rows"}[part.what]
        cost = "epsilon and delta; publish with --option delta=1e-9 or another one" if what == "values" else "epsilon"
        yield Finding("ok", "discovery", f"{what} will be discovered from noisy votes, which costs {cost}", name)


def check_measures(schema: Schema, *, epsilon: float) -> Iterator[Finding]:
    """The share of each measure in the budget, and a warning if its range looks read off the data."""
    shares = share_budget(schema.measures)
    for name, measured in schema.measures.items():
        part = float(shares[name])
        whole = "what discovery leaves of the budget" if schema.open else f"the budget, epsilon {epsilon * part:.3g}"
        says = f"{measured.describe(name)}; it gets {part:.0%} of {whole}"
        yield Finding("ok", "measure", says, name)
        odd = [end for end in ("min", "max") if float(f"{getattr(measured, end):.2g}") != getattr(measured, end)]
        if odd:
            looks = f"{' and '.join(odd)} {'look' if len(odd) > 1 else 'looks'} read off the data (not round)"
            yield Finding("warning", "measure", f"{looks}: take public bounds, since the schema is published", name)


def check_unit(names: list[str], schema: Schema) -> Iterator[Finding]:
    """Warnings if columns may identify people but only rows are protected, or if an id is an attribute."""
    used = {column: name for name, attribute in schema.domain for column in attribute.list_columns(name)}
    for column, name in used.items():
        if is_identifier(column):
            says = "is named like an id, and its values would be published; leave it out, or make it the unit"
            yield Finding("warning", "unit", says, name)
    if schema.unit is not None:
        yield Finding("ok", "unit", f"protects {schema.row_unit}; rows in which {schema.unit} is missing are dropped")
        if schema.max_periods is not None:
            yield Finding("ok", "periods", describe_history(schema))
        return
    if ids := find_ids(names, schema):
        yield Finding("warning", "unit", describe_ids(ids))
    else:
        yield Finding("ok", "unit", "protects one row; no other column is named like an id")


def describe_history(schema: Schema) -> str:
    """What the table must hold for `max_periods` to bound anything, which nothing public tells."""
    return (
        f"a {schema.unit} counts in its {schema.row_unit.first_periods} of {schema.period}; you vouch that the table "
        "holds all rows of earlier periods, not those of one period alone, and that these rows stay as they are once "
        "a period is published: ripost cannot see it, and --fit shows which periods there are"
    )
