"""The tables of docs/explanation/audit.md: exact maxima and lower bounds by method, bounds by engine, and faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.engines import postgres
from tests.engines.conftest import session

from .engines import ENGINES, FAULTS, FEW, MANY, SHOWN, SOUND, TOLD, Fixture, Numbers, Trial
from .exact import EXACT
from .methods import CASES, Case
from .sampled import AUDITS, RATE

START, END = "<!-- made by `python -m tests.audit --table docs/explanation/audit.md` -->", "<!-- end -->"
METHOD_HEAD = ("method", "epsilon", "delta", "exact maximum", "found by", "releases of each table", "lower bound")


def method_line(case: Case) -> str:
    """A method's line of the first table."""
    exact = EXACT[case.method]()
    view, bound = case.audit()
    assert view.privacy.epsilon_spent <= case.epsilon
    cells = [f"`{case.method}`", f"{case.epsilon}", f"{float(view.privacy.delta):g}", f"{exact.share:.1%}", exact.how]
    return _line([*cells, f"{case.runs:,}", f"{bound.epsilon:.2f}"])


def engine_bounds(engine: str) -> list[float]:
    """The bounds of all trials on one engine: the sound ones, then the faults."""
    with TemporaryDirectory() as name, ExitStack() as servers:
        folder, running = Path(name), dict[str, Any]()
        if engine == "PostgreSQL":
            running["postgres_url"] = servers.enter_context(postgres.server())
        if engine == "Spark":
            running["spark"] = session("local[2,4]", folder)
            servers.callback(running["spark"].stop)
        trials = enumerate([*SOUND, *FAULTS.values()])
        return [_bound(trial, engine, folder / f"{n}", running.__getitem__) for n, trial in trials]


def _bound(trial: Trial, engine: str, folder: Path, server: Fixture) -> float:
    folder.mkdir()
    sources = trial.sources(engine, folder, server)
    epsilon, numbers = (TOLD, MANY) if trial.fault else (SHOWN, FEW)
    return trial.bound(sources, epsilon, numbers[trial.unit], rate=RATE / AUDITS).epsilon


def lines(workers: int) -> Iterator[str]:
    """The tables, line by line."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        engines = {name: pool.submit(engine_bounds, name) for name in reversed(ENGINES)}  # Spark takes longest
        methods = [pool.submit(method_line, case) for case in CASES]
        yield from _head(METHOD_HEAD, left=(0, 4))
        for method in methods:
            yield method.result()
        bounds = [engines[name].result() for name in ENGINES]
        titles = [f"{'a person' if trial.unit else 'a row'}, {trial.policy}" for trial in SOUND]
        yield f"\nThrough every engine at epsilon {SHOWN}: lower bounds {_numbers(FEW)}.\n"
        yield from _by_engine("protected, row that differs", titles, [found[: len(SOUND)] for found in bounds])
        yield f"\nFaults planted on purpose at epsilon {TOLD}: lower bounds {_numbers(MANY)}. Each is above {TOLD}.\n"
        yield from _by_engine("fault", list(FAULTS), [found[len(SOUND) :] for found in bounds])


def _numbers(of: Mapping[bool, Numbers]) -> str:
    row, person = of[False], of[True]
    both = f"from {row.runs:,} and {row.more:,} releases of the two tables for a row"
    return f"{both}, {person.runs:,} and {person.more:,} for a person"


def _by_engine(what: str, titles: list[str], bounds: list[list[float]]) -> Iterator[str]:
    yield from _head((what, *ENGINES), left=(0,))
    for title, found in zip(titles, zip(*bounds, strict=True), strict=True):
        yield _line([title, *(f"{bound:.2f}" for bound in found)])


def _head(titles: Sequence[str], *, left: Sequence[int]) -> Iterator[str]:
    yield _line(titles)
    yield _line(["---" if number in left else "---:" for number in range(len(titles))])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def put_into(page: Path, made: str) -> None:
    """Write the tables between the marks of a page."""
    before, _, rest = page.read_text("utf-8").partition(START)
    after = rest.partition(END)[2]
    page.write_text(f"{before}{START}\n\n{made}\n\n{END}{after}", "utf-8")
