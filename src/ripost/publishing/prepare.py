"""prepare: everything that can fail for public reasons, before a row is read and anything is debited."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ripost.data.dataset import AUTO, Dataset
from ripost.data.tensor import Tensor
from ripost.errors import InputError, SchemaError
from ripost.methods.discovery_split import divide_budget
from ripost.methods.method import Method
from ripost.privacy.budget import Number, parse_epsilon
from ripost.privacy.noise import SystemNoise
from ripost.privacy.paths import Watch
from ripost.privacy.seeded_noise import SeededNoise
from ripost.publishing.publication import FilePath, Publication
from ripost.schema.attribute_sets import Protect, resolve_attribute_sets
from ripost.schema.discovery import MAX_ROWS, OpenParts
from ripost.schema.period import ReleasePeriod
from ripost.space.workload import Workload

if TYPE_CHECKING:
    from ripost.schema.schema import Schema
    from ripost.sources.source_table import ReadProgress

DEFAULT_METHOD = "ripost+"


@contextmanager
def prepare(
    source: Any,
    schema: Schema | FilePath | None,
    *,
    epsilon: Number,
    method: str | Method = DEFAULT_METHOD,
    options: dict[str, Any] | None = None,
    workload: Any = None,
    protect: Protect = (),
    seed: int | None = None,
    table: str | None = None,
    encoding: str | None = None,
    engine: str = AUTO,
    memory: int | str | None = None,
    rows: float | None = None,
    period: str | None = None,
    watch: Watch | None = None,
    reading: ReadProgress | None = None,
    ledger: FilePath | None = None,
    anchor: FilePath | None = None,
    output: FilePath | None = None,
    force: bool = False,
    measurements: bool = True,
) -> Iterator[Publication]:
    """Check everything that can fail for public reasons. No row is read and nothing is debited."""
    exact_epsilon = parse_epsilon(epsilon)
    description = None if schema is None else load_schema(schema)
    parts = OpenParts({}) if description is None or isinstance(source, Tensor) else description.open
    chosen, discovery = divide_budget(method, options or {}, parts, epsilon=exact_epsilon)
    selected = _select_period(description, period)
    noise = SystemNoise() if seed is None else SeededNoise(seed)
    if ledger is not None and seed is not None:
        raise InputError("a seeded view is not private, so no ledger can count it; leave out the seed or the ledger")
    if anchor is not None and ledger is None:
        raise InputError("an anchor keeps heads of a ledger; name the ledger too")
    if rows is not None and not (isinstance(rows, int | float) and rows >= 1):
        raise InputError(f"rows must be a number of rows such as 1e6, got {rows!r}")
    if output is not None:
        from ripost.release.atomic import check_release_target

        check_release_target(output, force=force, reads=(source, schema, ledger, anchor))
    with Dataset.open(
        source,
        description,
        table=table,
        encoding=encoding,
        engine=engine,
        samples=chosen.samples,
        memory=memory,
        reading=reading,
        period=selected,
    ) as dataset:
        domain, unit = dataset.domain, dataset.unit
        if workload is not None and discovery is not None:
            raise InputError(
                "a workload is in codes of a known domain; list what the schema discovers, or leave it out"
            )
        if workload is not None:
            chosen = chosen.tuned_to(Workload.of(workload, domain.shape))
        if protect not in ((), []):
            chosen = chosen.protecting(resolve_attribute_sets(protect, domain))
        publication = Publication(
            dataset, chosen, exact_epsilon, noise, watch, None, output, force, measurements=measurements
        )
        publication = replace(publication, period=selected, discovery=discovery)
        if description is not None:
            publication = replace(publication, title=description.title, description=description.description)
        if seed is None:  # a seeded view has its own warning
            publication = replace(
                publication, risks=_find_risks(source, description, exact_epsilon, table, encoding, rows)
            )
        _check_method(publication, description)
        if ledger is None:
            yield publication
            return
        from ripost.budget_ledger.records import PeriodRecord
        from ripost.budget_ledger.release_debit import ReleaseDebit

        with ReleaseDebit(
            ledger,
            epsilon=exact_epsilon,
            delta=chosen.exact_delta + (discovery.delta if discovery else 0),
            unit=unit.column,
            period=None if selected is None else PeriodRecord(**selected.to_json(), max_periods=unit.max_periods),
            method=chosen.name,
            view=None if output is None else Path(output).name,
            anchor=anchor,
        ) as payment:
            yield replace(publication, payment=payment)


def _check_method(publication: Publication, schema: Schema | None) -> None:
    """InputError unless the method can publish the domain: the largest and the smallest that can be discovered."""
    dataset, method = publication.dataset, publication.method
    if dataset.domain.impossible is not None and not method.keeps_zeros:
        raise InputError(
            f"method {method.name} does not keep impossible cells at 0; use method='{DEFAULT_METHOD}', or leave "
            "impossible out of the schema"
        )
    if dataset.measures and not (method.adds_measures and not method.reads_cells):
        raise InputError(f"method {method.name} releases counts alone; use ripost+ for a schema with measures")
    method.check(publication.describe_inputs(dataset.domain, dataset.unit))
    if schema is not None and schema.open:
        least = schema.resolve(schema.open.list_least(schema.attributes), MAX_ROWS[0])
        method.check(publication.describe_inputs(least.domain, least.row_unit))


def _find_risks(
    source: Any,
    schema: Schema | None,
    epsilon: Fraction,
    table: str | None,
    encoding: str | None,
    rows: float | None,
) -> tuple[str, ...]:
    from ripost.check.release_risks import find_release_risks

    return tuple(find_release_risks(source, schema, epsilon=float(epsilon), table=table, encoding=encoding, rows=rows))


def _select_period(schema: Schema | None, label: str | None) -> ReleasePeriod | None:
    """Return the period of a series that is published; None for all rows.

    The rule comes from the schema, because the rows must say themselves which period they belong to.
    """
    if label is None:
        return None
    if not isinstance(label, str):
        raise InputError(f"period must be text such as '2026-10', got {type(label).__name__}")
    if schema is None or schema.period is None:
        raise InputError(
            "a period needs a rule in the schema that says which period a row belongs to, such as "
            'period = "month(date)"; add the rule or leave out the period'
        )
    return ReleasePeriod(schema.period, label)


def load_schema(schema: Schema | FilePath) -> Schema:
    """Return the schema, or the one in a file; SchemaError unless a person has reviewed all of it."""
    from ripost.schema.schema import Schema

    if not isinstance(schema, (Schema, str, PathLike)):
        raise SchemaError(f"schema must be a Schema or the path of its TOML file, got {type(schema).__name__}")
    loaded = schema if isinstance(schema, Schema) else Schema.load(Path(schema))
    loaded.require_reviewed()
    return loaded
