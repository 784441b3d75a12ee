"""Study: what a section is made from, and what it gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from experiments.paper.ask import ERROR, Results
from experiments.paper.charts import Charts
from experiments.paper.claims import Claim
from experiments.paper.plan import CELL_TREE, TREE, Plan
from experiments.report.document import Section


@dataclass(frozen=True)
class Study:
    """Outcomes, how much was run, what is told of the run, and where drawings go."""

    results: Results
    plan: Plan
    facts: Mapping[str, str]
    charts: Charts

    def with_trials(self, methods: Iterable[str], kind: str = ERROR) -> list[str]:
        """Those of the methods that have trials."""
        return [method for method in methods if kind in self.results.kinds(method)]

    @property
    def trees(self) -> list[str]:
        """PrivTree, and that on non-empty cells if it was run."""
        return self.with_trials((TREE, CELL_TREE))


NOT_RUN = (
    "The trials are not among the stored ones yet; `python -m experiments paper --from "
    "docs/reproduction/trials.parquet --missing --out docs/reproduction --readme README.md` runs them."
)


@dataclass(frozen=True)
class Found:
    """A section, and what it says about the paper's claims."""

    section: Section
    claims: tuple[Claim, ...] = ()
    inferred: tuple[Claim, ...] = ()  # the same claims, if PrivTree's tests counted non-empty cells
