"""Publication: the steps of a release after its preparation, and what each hands on to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from typing import TYPE_CHECKING

from ripost.data.dataset import Dataset
from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.data.undiscovered import UndiscoveredTable
from ripost.methods.discovery_budget import DiscoveryBudget
from ripost.methods.measure_estimate import MeasureEstimate
from ripost.methods.measure_sums import measure_sums
from ripost.methods.method import Decomposition, Method, PublicInputs, Release
from ripost.privacy.account import Account
from ripost.privacy.discovery import DiscoveryAccount
from ripost.privacy.discovery_ledger import DiscoveryLedger
from ripost.privacy.ledger import Currency, Privacy
from ripost.privacy.noise import Noise
from ripost.privacy.paths import Watch
from ripost.publishing.content import build_content, build_measure, describe_parameters
from ripost.schema.attribute import Attribute
from ripost.schema.discovery import MAX_ROWS, OpenBounds, OpenValues
from ripost.schema.domain import Domain
from ripost.schema.measure import OCCUPIED, Measure, Unit
from ripost.schema.measured_column import share_budget
from ripost.schema.period import ReleasePeriod
from ripost.space.measurement import Measurement
from ripost.statistics.block_data import BlockData

if TYPE_CHECKING:
    from ripost.budget_ledger.release_debit import ReleaseDebit
    from ripost.data.spark.distributed_cells import DistributedCells
    from ripost.schema.schema import Schema
    from ripost.view import View

FilePath = str | PathLike[str]


@dataclass(frozen=True)
class PublicFindings:
    """What is public about a table when its method runs: as the schema says, or as it was discovered."""

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

    def find_domain(self, data: TableData | UndiscoveredTable) -> tuple[TableData, PublicFindings]:
        """Discover what the schema leaves open, if anything; return the cells, and what is public of them by then."""
        if isinstance(data, TableData):
            return data, PublicFindings(self.dataset.domain, self.dataset.unit)
        schema, ledger = self.discover(data)
        return self._hold(data.read_cells(schema)), PublicFindings(schema.domain, schema.row_unit, ledger)

    def run(self, data: TableData, facts: PublicFindings) -> tuple[Release, Account]:
        """Run the method; return its release, in counts, and the account that it spent."""
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
        return self.method.run(account), account

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
        self, data: TableData, facts: PublicFindings, estimate: Release
    ) -> dict[str, tuple[MeasureEstimate, Account]]:
        """Measure the sums of each measure along the blocks of the counts, each by an account of its own."""
        found: dict[str, tuple[MeasureEstimate, Account]] = {}
        for (name, measured), sums in zip(self.dataset.measures.items(), data.measures, strict=True):
            account = Account(
                sums,
                shape=facts.domain.shape,
                epsilon=self.budget_of(name, facts.unit),
                noise=self.noise,
                bound=measured.bound,
                watch=self.watch,
                currency=self.method.currency,
                delta=self.method.exact_delta,
                spine=facts.domain.spine,
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
        from ripost.release.measured_values import MeasuredValues, join_measurements
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
        content, measured = build_content(estimate, domain, self.measure), None
        if self.measurements:
            drawn: dict[str | None, list[Measurement]] = {None: account.measurements}
            drawn |= {name: spent.measurements for name, (_, spent) in measures.items()}
            measured = MeasuredValues.of(join_measurements(drawn, privacy), content)
        return View(
            domain=domain,
            content=content,
            measure=self.measure,
            measures={name: build_measure(one, self.dataset.measures[name]) for name, (one, _) in measures.items()},
            method=method.name,
            parameters=describe_parameters(method, domain),
            privacy=privacy,
            debit=None if self.payment is None else self.payment.debited,
            measured=measured,
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
        epsilon = self.epsilon - (self.discovery.epsilon if self.discovery else 0)
        return self.method.budget(epsilon, unit.max_rows) * share_budget(self.dataset.measures)[measure]

    @property
    def measure(self) -> Measure:
        """What a cell holds."""
        return OCCUPIED if self.method.reads_cells else self.dataset.measure
