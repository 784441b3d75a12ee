"""publish: from a table to a view in six steps: prepare, debit, read, run, release, save.

`prepare` does everything that can fail for public reasons: arguments, schema, method, size of the domain, names and
types of columns. The debit comes before the first row is read, because whether reading fails can depend on one row.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ripost.data.dataset import AUTO, Dataset
from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.data.undiscovered import UndiscoveredTable
from ripost.errors import InputError, ReleaseWarning, SchemaError
from ripost.methods.discovery_budget import DiscoveryBudget
from ripost.methods.discovery_split import divide_budget
from ripost.methods.measure_estimate import MeasureEstimate
from ripost.methods.measure_sums import measure_sums
from ripost.methods.method import Buckets, Decomposition, Matrix, Method, PublicInputs, Release, Sample, Tables
from ripost.privacy.account import Account
from ripost.privacy.budget import Number, parse_epsilon
from ripost.privacy.discovery import DiscoveryAccount
from ripost.privacy.discovery_ledger import DiscoveryLedger
from ripost.privacy.ledger import Currency, Privacy
from ripost.privacy.noise import Noise, SystemNoise
from ripost.privacy.paths import Watch
from ripost.privacy.seeded_noise import SeededNoise
from ripost.schema.attribute import Attribute
from ripost.schema.attribute_sets import Protect, resolve_attribute_sets
from ripost.schema.discovery import MAX_ROWS, OpenBounds, OpenParts, OpenValues
from ripost.schema.domain import Domain
from ripost.schema.measure import OCCUPIED, Measure, Unit
from ripost.schema.measured_column import MeasuredColumn
from ripost.schema.period import ReleasePeriod
from ripost.space.workload import Workload
from ripost.statistics.block_data import BlockData

if TYPE_CHECKING:
    from ripost.answering.content.content import Content
    from ripost.answering.content.measure import MeasureContent
    from ripost.budget_ledger.release_debit import ReleaseDebit
    from ripost.data.spark.distributed_cells import DistributedCells
    from ripost.schema.schema import Schema
    from ripost.sources.source_table import ReadProgress
    from ripost.view import View

DEFAULT_METHOD = "ripost+"
# Constants of the error of means, chosen on tables of adults, fire calls and check-ins, and not on flights.
MEAN_Z, TOTAL_WEIGHT, HISTOGRAM_WEIGHT, VARIATION_WEIGHT = 2.3, 0.1, 2.0, 0.1
FilePath = str | PathLike[str]


def publish(
    source: Any,
    schema: Schema | FilePath | None = None,
    *,
    epsilon: Number,
    method: str | Method = DEFAULT_METHOD,
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
    **options: Any,
) -> View:
    """A differentially private view of a table, or of a Tensor.

    Args:
        source: a path, data frame, Arrow data, Ibis table, Spark frame, database URL, or a Tensor.
        method: a name of `ripost.METHODS`, or an instance of a method (docs/methods/your-own.md).
        schema: the schema, or the path of its TOML file.
        epsilon: the whole privacy budget; for one row, or for one unit if the schema names one.
        workload: boxes that will be asked for, (lower, upper) with upper exclusive, each (n, d); methods that can be
            tuned to a workload are, the others ignore it. It must be public: boxes that were chosen by looking at
            the data would tell of it, and nothing pays for that.
        protect: sets of attributes that matter most, as "carrier,origin" or a list of such sets. Their pairs are
            measured first and with less noise, at the cost of the others. Choose them without looking at the data:
            nothing pays for that.
        seed: repeatable noise for tests and experiments; the view is then NOT PRIVATE and says so.
        table: the table of a database URL, or the sheet of an Excel file.
        encoding: of a CSV file that is not UTF-8, such as "cp1252"; also of a Stata, SPSS or SAS file.
        engine: where the cells of a Spark table are held: "memory" of the driver, "spark" for executors, or "auto" to
            go by how many there are. The view is the same.
        memory: what reading a table may hold, in bytes or such as "2GB"; what does not fit is spilled to disk, where
            only its owner can read it, and removed. By default four fifths of what the machine has. The non-empty
            cells and the view come on top.
        rows: about how many rows you expect, for a warning before the debit of attributes that will be lost in noise.
            It changes nothing else. State it without counting the table.
        period: the period of a series that is published, such as "2026-10" where the schema says
            `period = "month(date)"`. Only its rows are counted (docs/how-to/periods.md).
        watch: called with the purpose and the number of blocks of each draw.
        reading: called now and then with the share of the table that was read, where ripost reads by itself.
        ledger: the ledger of the data set, made by `ripost ledger init`: a file, or the URL of a PostgreSQL database.
            It is debited before the first row is read, and keeps the debit if publishing fails (docs/how-to/ledger.md).
        anchor: a file elsewhere that keeps heads of the ledger too, so that one that is set back is recognized.
        output: where to save the view; looked at before anything is spent.
        force: replace the file there, if any.
        measurements: whether the view also holds the noisy measurements that its estimate was made from
            (docs/how-to/measurements.md). They cost no privacy; without them the file is smaller.
        options: parameters of the method.
    """
    with prepare(
        source,
        schema,
        epsilon=epsilon,
        method=method,
        options=options,
        workload=workload,
        protect=protect,
        seed=seed,
        table=table,
        encoding=encoding,
        engine=engine,
        memory=memory,
        rows=rows,
        period=period,
        watch=watch,
        reading=reading,
        ledger=ledger,
        anchor=anchor,
        output=output,
        force=force,
        measurements=measurements,
    ) as publication:
        for risk in publication.risks:
            warnings.warn(risk, ReleaseWarning, stacklevel=2)
        publication.debit()
        data = publication.read()
        estimate, account, facts = publication.run(data)
        measures = publication.run_measures(data, estimate)
        view = publication.release(estimate, account, facts, measures)
        publication.save(view)
    return view


@dataclass(frozen=True)
class PublicFindings:
    """What is public about a table once its method has run: as the schema says, or as it was discovered."""

    domain: Domain
    unit: Unit
    discovery: DiscoveryLedger | None = None  # what discovery was charged


@dataclass(frozen=True)
class TableData:
    """The private cells of a table."""

    counts: BlockData
    measures: Sequence[BlockData] = ()  # with the sums of each measure in place of counts


@dataclass(frozen=True)
class Publication:
    """What is public about a release before a row is read, and the steps that make it, in order."""

    dataset: Dataset
    method: Method
    epsilon: Fraction
    noise: Noise
    watch: Watch | None = None
    payment: ReleaseDebit | None = None
    output: FilePath | None = None
    force: bool = False
    title: str | None = None
    description: str | None = None
    measurements: bool = True  # whether the release holds the noisy measurements too
    period: ReleasePeriod | None = None  # whose rows are counted; None for all rows
    risks: tuple[str, ...] = ()  # what its owner should hear before the debit
    discovery: DiscoveryBudget | None = None  # what finds the parts that the schema leaves open; None if there are none

    def debit(self) -> None:
        """Debit the ledger, if there is one; LedgerError if it no longer allows the release."""
        if self.payment is not None:
            self.payment.pay()

    def read(self) -> TableData | UndiscoveredTable:
        """Read the rows; return their cells, as one block each, or the votes that the open parts of the schema need."""
        found = self.dataset.read()
        return found if isinstance(found, UndiscoveredTable) else self._hold(found)

    def run(self, data: TableData | UndiscoveredTable) -> tuple[Release, Account, PublicFindings]:
        """Run the method, after discovery if there is any; return its release, in counts, and what it rests on."""
        facts = PublicFindings(self.dataset.domain, self.dataset.unit)
        if isinstance(data, UndiscoveredTable):
            schema, ledger = self.discover(data)
            facts = PublicFindings(schema.domain, schema.row_unit, ledger)
            data = self._hold(data.read_cells(schema))
        inputs = self.describe_inputs(facts.domain, facts.unit)
        account = Account(
            data.counts,
            shape=inputs.shape,
            epsilon=inputs.epsilon,
            noise=self.noise,
            bound=inputs.bound,
            watch=self.watch,
            currency=self.method.currency,
            delta=self.method.exact_delta,
            spine=inputs.spine,
        )
        return self.method.run(account), account, facts

    def discover(self, table: UndiscoveredTable) -> tuple[Schema, DiscoveryLedger]:
        """Charge and draw what finds the open parts of the schema; return the schema without any, and the charges."""
        assert self.discovery is not None
        account = DiscoveryAccount(epsilon=self.discovery.epsilon, delta=self.discovery.delta, noise=self.noise)
        found: dict[str, Attribute] = {}
        max_rows, schema = None, table.schema
        for charge, (name, part) in zip(self.discovery.charges, schema.open.parts, strict=True):
            votes = account.charge(charge)
            if self.watch is not None:
                self.watch(charge.purpose, 1)  # how many values have votes is private
            if name is None:
                max_rows = votes.find_max_rows(table.grids[None], MAX_ROWS)
            elif isinstance(part, OpenValues):
                found[name] = part.resolve(schema.attributes[name], votes.find_values(*table.values[name]))
            elif isinstance(part, OpenBounds):
                found[name] = part.resolve(schema.attributes[name], *votes.find_bounds(table.grids[name]))
        return schema.resolve(found, max_rows), account.ledger

    def _hold(self, cells: Tensor | DistributedCells) -> TableData:
        """The cells as the method reads them: with counts, and with the sums of each measure."""
        cells = cells.occupied() if self.method.reads_cells else cells
        if not isinstance(cells, Tensor):
            return TableData(cells.as_block_data())
        return TableData(MemoryBlockData.of(cells), MemoryBlockData.of_measures(cells))

    def run_measures(
        self, data: TableData | UndiscoveredTable, estimate: Release
    ) -> dict[str, tuple[MeasureEstimate, Account]]:
        """Measure the sums of each measure along the blocks of the counts, each by an account of its own."""
        if isinstance(data, UndiscoveredTable):
            return {}  # a schema that discovers has no measures
        found: dict[str, tuple[MeasureEstimate, Account]] = {}
        for (name, measured), sums in zip(self.dataset.measures.items(), data.measures, strict=True):
            account = Account(
                sums,
                shape=self.dataset.domain.shape,
                epsilon=self.budget_of(name, self.dataset.unit),
                noise=self.noise,
                bound=measured.bound,
                watch=self.watch,
                currency=self.method.currency,
                delta=self.method.exact_delta,
                signed=True,
            )
            assert isinstance(estimate, Decomposition)
            found[name] = measure_sums(account, estimate), account
        return found

    def release(
        self,
        estimate: Release,
        account: Account,
        facts: PublicFindings,
        measures: Mapping[str, tuple[MeasureEstimate, Account]],
    ) -> View:
        """Build the view: the estimate in units of the measure, with its privacy statement and ledger."""
        from ripost.release.measured_values import MeasuredValues
        from ripost.view import View

        method, domain, found = self.method, facts.domain, facts.discovery
        accounted = method.currency is Currency.ACCOUNTED
        delta = method.exact_delta + (found.delta if found else 0)
        privacy = Privacy(
            self.epsilon,
            facts.unit,
            self.noise.entropy,
            account.ledger,
            delta,
            accounted,
            discovery=found,
            measures={name: spent.ledger for name, (_, spent) in measures.items()},
        )
        privacy.check(blocks=estimate.blocks)
        content = build_content(estimate, domain, self.measure)
        return View(
            domain=domain,
            content=content,
            measure=self.measure,
            measures={name: build_measure(one, self.dataset.measures[name]) for name, (one, _) in measures.items()},
            method=method.name,
            parameters=describe_parameters(method, domain),
            privacy=privacy,
            debit=None if self.payment is None else self.payment.debited,
            measured=MeasuredValues.of(account.measurements, content) if self.measurements else None,
            period=self.period,
            title=self.title,
            description=self.description,
        )

    def save(self, view: View) -> None:
        """Write the release file, if it has a name, and record its digest in the ledger, if there is one."""
        if self.output is not None:
            view.save(self.output, force=self.force)
        if self.payment is not None:
            self.payment.close(view.file.manifest.digest)

    def describe_inputs(self, domain: Domain, unit: Unit) -> PublicInputs:
        """What the method knows before it learns from a cell."""
        return PublicInputs(domain.shape, self.budget_of(None, unit), self.measure.bound, domain.spine)

    def budget_of(self, measure: str | None, unit: Unit) -> Fraction:
        """The part of the budget of one row, by weight, that measures the counts, or the sums of a measure."""
        weights = {None: Fraction(1)} | {name: one.exact_weight for name, one in self.dataset.measures.items()}
        epsilon = self.epsilon - (self.discovery.epsilon if self.discovery else 0)
        return self.method.budget(epsilon, unit.max_rows) * weights[measure] / sum(weights.values())

    def check(self, schema: Schema | None) -> None:
        """InputError unless the method can publish the domain: the largest and the smallest that can be discovered."""
        check_impossible(self.method, self.dataset.domain)
        if self.dataset.measures and not (self.method.adds_measures and not self.method.reads_cells):
            raise InputError(f"method {self.method.name} releases counts alone; use ripost+ for a schema with measures")
        self.method.check(self.describe_inputs(self.dataset.domain, self.dataset.unit))
        if schema is not None and schema.open:
            least = schema.resolve(schema.open.list_least(schema.attributes), MAX_ROWS[0])
            self.method.check(self.describe_inputs(least.domain, least.row_unit))

    @property
    def measure(self) -> Measure:
        """What a cell holds."""
        return OCCUPIED if self.method.reads_cells else self.dataset.measure


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

        check_release_target(output, force=force)
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
        publication.check(description)
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
            period=None if selected is None else PeriodRecord(**selected.to_json()),
            method=chosen.name,
            view=None if output is None else Path(output).name,
            anchor=anchor,
        ) as payment:
            yield replace(publication, payment=payment)


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


def check_impossible(method: Method, domain: Domain) -> None:
    """InputError if a method does not keep impossible cells at 0."""
    if domain.impossible is not None and not method.keeps_zeros:
        raise InputError(
            f"method {method.name} does not keep impossible cells at 0; use method='{DEFAULT_METHOD}', or leave "
            "impossible out of the schema"
        )


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


def build_content(found: Release, domain: Domain, measure: Measure) -> Content:
    """Return what a method released, in units of the measure, ready to answer."""
    from ripost.answering.content.buckets import BucketContent
    from ripost.answering.content.matrix import MatrixContent
    from ripost.answering.content.sample import SampleContent
    from ripost.answering.content.tables import TableContent
    from ripost.answering.content.tree import TreeContent

    shape, step = domain.shape, measure.step
    match found:
        case Decomposition():
            return TreeContent(
                shape,
                tree=found.tree,
                values=found.values * step,
                variances=lambda _: found.variances * step**2,
                density=None if found.density is None else [mass * step for mass in found.density],
                error_model=found.error_model and found.error_model.in_units(step),
                mixture=found.mixture and found.mixture.scale(step),
                corrections=None if found.corrections is None else found.corrections * step,
                row_bound=measure.bound * step,
                impossible=domain.spine.impossible,
            )
        case Buckets():
            values, variances = found.values * step, found.variances * step**2
            return BucketContent.of_totals(shape, found.bucket, found.tree, values, variances)
        case Matrix():
            return MatrixContent(
                shape, values=found.values * step, stack=found.stack, variance=found.variance * step**2
            )
        case Tables():
            return TableContent(
                shape,
                values=found.values * step,
                density=found.completed.density,
                union=found.union,
                variance=found.variance * step**2,
            )
        case Sample():
            return SampleContent.of(shape, found.coords, found.weights * step)


def build_measure(found: MeasureEstimate, measured: MeasuredColumn) -> MeasureContent:
    """Return the sums of a measure above `min`, in its units, ready to answer."""
    from ripost.answering.content.measure import MeanErrors, MeasureContent

    unit = measured.bound * measured.step
    sums, variances = found.round_sums()
    return MeasureContent(
        measured,
        sums.tree.shape,
        tree=sums.tree,
        counts=found.counts,
        values=sums.values * unit,
        variances=variances * unit**2,
        errors=MeanErrors(
            z=MEAN_Z,
            total=TOTAL_WEIGHT * found.total * unit**2,
            histogram=HISTOGRAM_WEIGHT * found.histogram * unit**2,
            variation=VARIATION_WEIGHT * found.mean * (1 - found.mean) * unit**2,
            spread=found.mean * (1 - found.mean) * unit**2,
        ),
        density=[mass * unit for mass in sums.density],
        mixture=sums.mixture and sums.mixture.scale(unit),
        corrections=None if sums.corrections is None else sums.corrections * unit,
    )


def describe_parameters(method: Method, domain: Domain) -> dict[str, Any]:
    """Return the parameters as the view states them, with protected attributes by name."""
    found = method.parameters()
    if "protect" in found:
        found["protect"] = [[domain.names[axis] for axis in axes] for axes in found["protect"]]
    return found
