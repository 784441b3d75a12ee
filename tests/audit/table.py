"""The table of docs/audit.md: every method with its exact maximum and a lower bound from real releases; and faults."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from ripost.methods import METHODS
from ripost.privacy.account import Account
from ripost.privacy.ledger import Entry
from ripost.view.view import View

from .exact import EXACT
from .neighbours import Neighbours
from .sampled import Bound
from .test_faults import half_the_noise

EPSILON = "2"  # of the table of methods
FEWER = {"p3gm": 0.2, "aim": 0.5}  # slow ones get this share of the runs
START, END = "<!-- made by `python -m tests.audit --table docs/audit.md` -->", "<!-- end -->"

Fault = Callable[[pytest.MonkeyPatch], None]


def half_the_scale(patch: pytest.MonkeyPatch) -> None:
    """Noise is too small, and nobody asks OpenDP what it costs: a release asks, and is refused."""
    half_the_noise(patch)
    patch.setattr("ripost.privacy.noise._confirm", lambda *_: None)


def budget_spent_twice(patch: pytest.MonkeyPatch) -> None:
    """Methods get twice the budget, and the ledger writes down half of what they pay."""
    made, paid = Account.__init__, Account.charge

    def twice(self: Account, *given: Any, epsilon: Fraction, **others: Any) -> None:
        made(self, *given, epsilon=2 * epsilon, **others)

    def half(self: Account, states: Any, entry: Entry) -> Any:
        return paid(self, states, replace(entry, epsilon=entry.epsilon / 2))

    patch.setattr(Account, "__init__", twice)
    patch.setattr(Account, "charge", half)


def all_rows_kept(patch: pytest.MonkeyPatch) -> None:
    """Contributions are not bounded."""
    patch.setattr("ripost.ingest.encode.bounded", lambda table, **_: table)


@dataclass(frozen=True)
class Case:
    """One way to release two neighbours, many times."""

    title: str
    method: str
    epsilon: str = "1"
    share: float = 1.0  # of the runs
    person: int = 0  # rows of a person; 0: a row is protected
    ingest: bool = False  # whether every run reads the CSV file anew
    fault: Fault | None = None

    def audited(self, runs: int) -> tuple[View, Bound]:
        with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
            if self.fault:
                self.fault(patch)
            folder = Path(name)
            tables = Neighbours.of_rows(folder)
            if self.person:
                tables = Neighbours.of_people(folder, rows=self.person, max_rows=1)
            return tables.audited(self.method, self.epsilon, round(runs * self.share), ingest=self.ingest)


PATHS = [
    Case("`ripost+`, a row, the CSV file read for every release", "ripost+", share=0.35, ingest=True),
    Case("`identity`, a person with 20 rows, 1 kept", "identity", share=0.35, person=20, ingest=True),
]
FAULTS = [
    Case("`identity`, noise of half the scale", "identity", share=2, fault=half_the_scale),
    Case("`identity`, a budget that is spent twice", "identity", share=2, fault=budget_spent_twice),
    Case(
        "`identity`, a person with 20 rows, all kept",
        "identity",
        share=0.35,
        person=20,
        ingest=True,
        fault=all_rows_kept,
    ),
]


METHOD_CASES = [Case(name, name, epsilon=EPSILON, share=FEWER.get(name, 1.0)) for name in METHODS]


def line_of(case: Case, runs: int) -> str:
    """One line of a table; a method's has its exact maximum too."""
    exact = EXACT[case.method]() if case in METHOD_CASES else None
    view, bound = case.audited(runs)
    assert float(view.privacy.epsilon_spent) <= float(case.epsilon) * (1 + 1e-9)
    if exact is None:
        return f"| {case.title} | {case.epsilon} | {bound.runs:,} | {bound.epsilon:.2f} |"
    most = f"{exact.share * float(case.epsilon):.3f} | {exact.how}"
    return f"| `{case.title}` | {case.epsilon} | {most} | {bound.runs:,} | {bound.epsilon:.2f} |"


def lines(runs: int, workers: int) -> Iterator[str]:
    """The tables, line by line as they are found."""
    others = "| releases | epsilon asked | releases of each neighbour | lower bound |\n| --- | ---: | ---: | ---: |"
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        cases = [*METHOD_CASES, *PATHS, *FAULTS]
        found = pool.map(line_of, cases, [runs] * len(cases))
        yield "| method | epsilon asked | exact maximum | found by | releases of each neighbour | lower bound |"
        yield "| --- | ---: | ---: | --- | ---: | ---: |"
        yield from islice(found, len(METHOD_CASES))
        yield "\nThe same from the file of a data owner to the view, and for people:\n"
        yield others
        yield from islice(found, len(PATHS))
        yield "\nFaults planted on purpose: the audit sees that more is spent than the ledger says.\n"
        yield others
        yield from islice(found, len(FAULTS))


def put_into(page: Path, made: str) -> None:
    """Write the tables between the marks of a page."""
    before, _, rest = page.read_text("utf-8").partition(START)
    after = rest.partition(END)[2]
    page.write_text(f"{before}{START}\n\n{made}\n\n{END}{after}", "utf-8")
