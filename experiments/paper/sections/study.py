"""Study: what a section is made from, and what it gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from experiments.paper.ask import Results
from experiments.paper.charts import Charts
from experiments.paper.claims import Claim
from experiments.paper.plan import Plan
from experiments.report.document import Section


@dataclass(frozen=True)
class Study:
    """Outcomes, how much was run, what is told of the run, and where drawings go."""

    results: Results
    plan: Plan
    facts: Mapping[str, str]
    charts: Charts


@dataclass(frozen=True)
class Found:
    """A section, and what it says about the paper's claims."""

    section: Section
    claims: tuple[Claim, ...] = ()
