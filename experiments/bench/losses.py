"""Losses: a page of every figure in which some other method is ahead of ripost+."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from experiments.bench.results import APPROXIMATE, AREA, PURE, RANGES, SUBJECTS, TITLES, Done, Results, standard_error
from experiments.bench.rows import Row
from experiments.report.document import Command, Document, Section, Table, Text

CLEAR = 1.05  # times the error of the other method: less is called a tie
LOW = 0.9  # share inside below which intervals are called low
LEAST_ASKED = 50  # intervals that a share inside must be of


@dataclass(frozen=True)
class Loss:
    """A figure in which another method of the same promise is ahead."""

    row: Row
    peer: str
    ours: float
    theirs: float
    ahead: int  # how many methods are

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs if self.theirs else float("inf")


def find_losses(rows: Sequence[Row], subject: str, methods: Sequence[str]) -> tuple[list[Loss], int]:
    """Where the subject is clearly behind the best of the other methods, worst first; and how many were compared."""
    found, compared = [], 0
    for row in rows:
        ours = row.mean(subject)
        others = {name: mean for name in methods if name != subject and (mean := row.mean(name)) is not None}
        if ours is None or not others:
            continue
        compared += 1
        best = min(others, key=lambda name: others[name])
        if ours > CLEAR * others[best] and not _is_negligible(row, ours):
            ahead = sum(ours > CLEAR * mean for mean in others.values())
            found.append(Loss(row, best, ours, others[best], ahead))
    return sorted(found, key=lambda loss: -loss.ratio), compared


def losses(done: Done, facts: Mapping[str, str]) -> Document:
    """The page, from trials alone."""
    results = Results(done)
    rows = results.rows()
    sections = [_section(results, rows, promise) for promise in (PURE, APPROXIMATE)]
    return Document(
        "Where ripost+ loses",
        (
            Text(
                "This page lists every table and question of [the benchmark](README.md) for which another method has "
                f"a smaller error than `ripost+`, by more than {CLEAR - 1:.0%}, with the same epsilon and the same "
                "kind of promise. The command that runs the benchmark writes it, and nothing is left out by hand."
            ),
            Text(f"{facts['run']} Less is better in all columns."),
            Command("python -m experiments bench"),
        ),
        (*sections, _coverage(results), _costs(results)),
    )


def _section(results: Results, rows: Sequence[Row], promise: str) -> Section:
    subject, methods = SUBJECTS[promise], results.methods(promise)
    found, compared = find_losses(rows, subject, methods)
    title = f"Larger errors, {TITLES[promise].split(',')[0] if promise == PURE else '(epsilon, delta)'}"
    told = (
        f"`{subject}` is behind the best of {len(methods) - 1} methods with {TITLES[promise]} in {len(found)} of "
        f"{compared} figures. *Ahead* is the number of methods that are ahead of it there. An error is the RMSE of "
        "ranges, and for cells the sum of absolute errors over the number of rows; *groups of ...* is that sum over "
        f"the cells of one group in two-way tables, over the size of the group; *{AREA}* is of a classifier that "
        "was trained on synthetic rows. Each figure is a mean over seeds with its standard error."
    )
    lines = tuple(
        (
            loss.row.table,
            f"{loss.row.epsilon:g}",
            loss.row.workload,
            _told(loss.row.errors[subject]),
            f"`{loss.peer}`",
            _told(loss.row.errors[loss.peer]),
            f"{loss.ratio:.2f}",
            str(loss.ahead),
        )
        for loss in found
    )
    heads = ("table", "epsilon", "figure", "ripost+", "best other method", "its error", "ratio", "ahead")
    by_table = _by_table(found, rows, subject, methods)
    parts = (Text(told), by_table, Table(heads, lines, left=frozenset({0, 2, 4})))
    return Section(title, parts if lines else (Text(told), by_table))


def _by_table(found: Sequence[Loss], rows: Sequence[Row], subject: str, methods: Sequence[str]) -> Table:
    """Of each table how many figures are lost."""
    lines = []
    for table in dict.fromkeys(row.table for row in rows):
        _, compared = find_losses([row for row in rows if row.table == table], subject, methods)
        lost = [loss for loss in found if loss.row.table == table]
        worst = f"{lost[0].ratio:.2f} ({lost[0].row.workload}, `{lost[0].peer}`)" if lost else "-"
        lines.append((table, f"{len(lost)} of {compared}", worst))
    return Table(("table", "behind in", "largest ratio"), tuple(lines), left=frozenset({0, 2}))


def _coverage(results: Results) -> Section:
    """Workloads whose 95 % intervals hold the truth less often than they should."""
    lines = []
    for subject in SUBJECTS.values():
        for (table, epsilon, workload), (inside, asked) in sorted(_held(results, subject).items()):
            if asked >= LEAST_ASKED and inside / asked < LOW:
                lines.append((f"`{subject}`", table, f"{epsilon:g}", workload, f"{inside / asked:.1%}", f"{asked:,}"))
    told = (
        f"Workloads of `ripost+` whose 95 % intervals hold fewer than {LOW:.0%} of the true answers, of at least "
        f"{LEAST_ASKED} intervals: {len(lines)} of {sum(len(_held(results, one)) for one in SUBJECTS.values())}."
    )
    heads = ("method", "table", "epsilon", "workload", "inside", "intervals")
    listed = Table(heads, tuple(lines), left=frozenset({0, 1, 3}))
    return Section("Intervals that are too short", (Text(told), listed) if lines else (Text(told),))


def _held(results: Results, method: str) -> dict[tuple[str, float, str], tuple[int, int]]:
    """How many intervals hold the truth, and how many were asked for, over seeds."""
    found: dict[tuple[str, float, str], tuple[int, int]] = {}
    for trial, outcome in results.outcomes(method):
        for workload, part in outcome.get("coverage", {}).items():
            key = (trial["table"], trial["epsilon"], workload)
            inside, asked = found.get(key, (0, 0))
            found[key] = inside + part["inside"], asked + part["asked"]
    return found


def _costs(results: Results) -> Section:
    """Tables where another method publishes faster, or in a smaller file."""
    lines = []
    for promise, subject in SUBJECTS.items():
        for part, name in (("seconds", "seconds"), ("bytes", "bytes of the file")):
            for row in _cost_rows(results, part):
                ours = row.mean(subject)
                others = {m: mean for m in results.methods(promise) if m != subject and (mean := row.mean(m))}
                ahead = sum(ours > CLEAR * mean for mean in others.values()) if ours else 0
                if ours and ahead:
                    best = min(others, key=lambda method: others[method])
                    values = (f"{ours:,.3g}", f"`{best}`", f"{others[best]:,.3g}", f"{ahead} of {len(others)}")
                    lines.append((f"`{subject}`", row.table, f"{row.epsilon:g}", name, *values))
    heads = ("method", "table", "epsilon", "cost", "ripost+", "cheapest other method", "its cost", "cheaper")
    told = "Processor seconds of publishing, and bytes of the release file, where another method needs less:"
    return Section("Higher costs", (Text(told), Table(heads, tuple(lines), left=frozenset({0, 1, 3, 5}))))


def _cost_rows(results: Results, part: str) -> Iterator[Row]:
    rows: dict[tuple[str, float], Row] = {}
    for trial, outcome in results.done:
        if part in outcome and trial["kind"] == "answers":
            key = (trial["table"], trial["epsilon"])
            rows.setdefault(key, Row(*key, part)).errors.setdefault(trial["method"], []).append(outcome[part])
    yield from (rows[key] for key in sorted(rows))


def _is_negligible(row: Row, ours: float) -> bool:
    """Whether the error of counts is below a row, as where nearly all answers are 0."""
    return row.workload in RANGES and ours < 1


def _told(values: Sequence[float]) -> str:
    mean, error = sum(values) / len(values), standard_error(values)
    text = f"{mean:,.0f}" if mean >= 100 else f"{mean:.3g}"
    return text if error is None else f"{text} ± {error:.2g}"
