"""bench: errors, intervals, predictions and costs of all methods on tables that packages hold."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from experiments.bench import tables
from experiments.bench.losses import losses
from experiments.bench.methods import methods_of_benchmark
from experiments.bench.pages import facts_of, write_pages
from experiments.bench.plans import COLUMNS, FULL, PACKAGED, QUICK, Plan, trials_of
from experiments.bench.printing import (
    BEFORE,
    comparisons,
    print_coverage,
    print_coverage_summary,
    print_errors,
    print_ratios,
    print_tables,
)
from experiments.bench.report import report
from experiments.bench.rows import covered, rows_of
from experiments.bench.trial import run_trial
from experiments.paper.charts import Charts
from experiments.paper.frozen import freeze, thaw
from experiments.pool import Outcome, Trial
from experiments.running import kept_outcomes, words
from experiments.spec import parse_spec
from experiments.store import Store
from ripost.errors import InputError, suggest_nearest
from ripost.privacy.budget import parse_epsilon

Done = list[tuple[Trial, Outcome]]


def bench(
    full: Annotated[bool, typer.Option("--full/--quick", help="All tables and ten seeds, or minutes of them.")] = False,
    eps: Annotated[str, typer.Option(help="Epsilons, with commas, in place of the plan's.")] = "",
    methods: Annotated[
        str, typer.Option(help="Methods and baselines, with commas; the first is compared with the others.")
    ] = "all",
    only: Annotated[
        str, typer.Option("--tables", help="Tables, with commas; packaged, choosing, reporting or all.")
    ] = "",
    runs: Annotated[int, typer.Option(help="Seeds of each, in place of the plan's.", min=0)] = 0,
    seed_from: Annotated[int, typer.Option(help="The first seed.", min=0)] = 0,
    store: Annotated[Path, typer.Option(help="Where trials are kept.")] = Path("results/bench.jsonl"),
    stored: Annotated[bool, typer.Option("--stored", help="Run nothing; report what the store holds.")] = False,
    frozen: Annotated[Path | None, typer.Option("--from", help="Write the pages from this file; run nothing.")] = None,
    baseline: Annotated[Path | None, typer.Option(help="Trials of another version of the code.")] = None,
    out: Annotated[Path, typer.Option(help="Folder of the pages.")] = Path("results/bench"),
    jobs: Annotated[int, typer.Option(help="Processes.", min=1)] = os.cpu_count() or 1,
) -> None:
    """Run methods over tables; print errors, ratios and coverage; write a report and a page of losses.

    The tables come with pip install 'ripost[bench]'.
    """
    if frozen is not None:
        _write(*thaw(frozen, COLUMNS), out)
        return
    plan = _changed(FULL if full else QUICK, eps, only, range(seed_from, seed_from + runs))
    chosen = methods_of_benchmark() if methods == "all" else words(methods)
    trials = [*trials_of(plan, chosen)]
    before = [] if baseline is None else earlier(baseline, trials, chosen[0])
    if stored:
        kept = Store(store)
        done = [(trial, outcome) for trial in trials if (outcome := kept.get(trial)) is not None]
    else:
        done = kept_outcomes(trials, store, run_trial, jobs)
    print_all(done, before, chosen)
    facts = facts_of(plan, done, len(trials))
    out.mkdir(parents=True, exist_ok=True)
    freeze(done, facts, out / "trials.parquet", COLUMNS)
    _write(*thaw(out / "trials.parquet", COLUMNS), out)


def print_all(done: Done, before: Done, chosen: Sequence[str]) -> None:
    """Errors, ratios to other methods, and coverage, as Markdown."""
    rows = rows_of(done + before)
    subject, *others = chosen
    peers = [spec for spec in others if parse_spec(spec)[0] != parse_spec(subject)[0]]  # options make no peer
    pure = {trial["method"] for trial, _ in done if trial["promise"] == "pure"}
    print_tables([*dict.fromkeys(row.table for row in rows)])
    print()
    print_errors(rows, [*chosen, *([BEFORE] if before else [])])
    print()
    print_ratios(rows, subject, comparisons(peers, [spec for spec in peers if spec in pure], before=bool(before)))
    if found := covered(done + before):
        print()
        print_coverage(found)
        print()
        print_coverage_summary(found)


def earlier(path: Path, trials: Sequence[Trial], subject: str) -> Done:
    """Trials of the subject by other code, as those of a method called `before`; the last of several counts."""
    keys = ("kind", "table", "data", "epsilon", "seed")
    wanted = {tuple(trial[key] for key in keys) for trial in trials}
    found: dict[tuple[object, ...], Outcome] = {}
    for trial, outcome in Store(path).trials():
        key = tuple(trial.get(key) for key in keys)
        if trial["method"] == subject and key in wanted:
            found[key] = outcome
    if len(found) < len(wanted):
        typer.echo(f"{path} lacks {len(wanted) - len(found)} of {len(wanted)} trials of {subject}", err=True)
    return [(dict(zip(keys, key, strict=True)) | {"method": BEFORE}, outcome) for key, outcome in found.items()]


def named(only: str) -> list[str]:
    """The tables of these names, roles, `packaged` or `all`."""
    names: list[str] = []
    for word in words(only):
        some = [name for name, table in tables.TABLES.items() if word in ("all", name, table.role)]
        if not some and word != "packaged":
            raise InputError(f"unknown table {word!r}; {suggest_nearest(word, tables.TABLES)}")
        names += some or PACKAGED
    return list(dict.fromkeys(names))


def _changed(plan: Plan, eps: str, only: str, seeds: range) -> Plan:
    """The plan with what was asked for in its place."""
    if eps:
        plan = replace(plan, epsilons=tuple(sorted({float(parse_epsilon(word)) for word in words(eps)})))
    if only:
        plan = replace(plan, tables=tuple(named(only)))
    return replace(plan, seeds=seeds) if seeds else plan


def _write(done: Done, facts: dict[str, str], out: Path) -> None:
    charts = Charts(out / "figures")
    for path in write_pages(report(done, facts, charts), losses(done, facts), out):
        typer.echo(path)
