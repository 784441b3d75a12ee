"""paper: every table and figure of the paper, from stored trials to one report."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from experiments.paper.frozen import COLUMNS, facts_of, freeze, thaw
from experiments.paper.items import ITEMS, asks_of
from experiments.paper.plan import FULL, PLANS, QUICK, Plan
from experiments.paper.readme import with_numbers
from experiments.paper.report import report, write
from experiments.paper.trial import run_trial
from experiments.pool import Trial
from experiments.running import kept_outcomes, words
from experiments.spec import parse_spec
from ripost.errors import InputError, suggest_nearest


def paper(
    full: Annotated[bool, typer.Option("--full/--quick", help="All tensors and runs, or minutes of them.")] = False,
    items: Annotated[str, typer.Option(help="Run only these, with commas; without --from, write no report.")] = "all",
    frozen: Annotated[Path | None, typer.Option("--from", help="Write the report from this file; run nothing.")] = None,
    anew: Annotated[str, typer.Option(help="With --from: methods, with commas, to run again all the same.")] = "",
    missing: Annotated[bool, typer.Option("--missing", help="With --from: run also what the file lacks.")] = False,
    data: Annotated[Path | None, typer.Option(help="Folder of the data sets; by default RIPOST_DATA.")] = None,
    store: Annotated[Path, typer.Option(help="Where trials are kept.")] = Path("results/paper.jsonl"),
    out: Annotated[Path, typer.Option(help="Folder of the report.")] = Path("results/paper"),
    readme: Annotated[Path | None, typer.Option(help="A README to bring up to the report's numbers.")] = None,
    jobs: Annotated[int, typer.Option(help="Processes.", min=1)] = os.cpu_count() or 1,
) -> None:
    """Run the paper's experiments; write a report with every figure, and what the paper says beside what we found."""
    run = partial(run_trial, folder=data)
    known, facts = ([], {}) if frozen is None else thaw(frozen)
    plan = PLANS[facts["plan"]] if facts else FULL if full else QUICK
    methods = words(anew) if anew else []
    if facts and not (methods or missing):
        outcomes = known
    else:
        asked = _trials_of(plan, tuple(ITEMS), data)
        chosen = _trials_of(plan, _choose_items(items), data).keys()
        others = asked.keys() - chosen
        kept = [
            (trial, outcome)
            for trial, outcome in known
            if (key := _identity(trial)) in others
            or not (_is_of(trial["method"], methods) or (missing and key not in asked))
        ]
        lacking = chosen - {_identity(trial) for trial, _ in kept}
        run_now = [asked[key] for key in asked if key in lacking]
        if facts and not missing:
            run_now = [trial for trial in run_now if _is_of(trial["method"], methods)]
        outcomes = kept + kept_outcomes(run_now, store, run, jobs)
        if items != "all" and not facts:
            typer.echo(f"{len(run_now):,} trials are in {store}; run without --items for the report", err=True)
            return
        newer = facts_of(plan.name, len(outcomes), data)
        later = " and ".join(methods) or f"{len(run_now):,} later trials"
        notes = (
            [*_still_true(facts["commit"], methods), f"{later} at {newer['commit']}"] if facts else [newer["commit"]]
        )
        facts = newer | {"commit": "; ".join(notes)}
        freeze(outcomes, facts, out / "trials.parquet")
    document = report(outcomes, facts, out / "figures")
    for path in write(document, out):
        typer.echo(path)
    if readme is not None:
        readme.write_text(with_numbers(readme.read_text("utf-8"), document.markdown()), "utf-8")
        typer.echo(readme)


def _trials_of(plan: Plan, items: tuple[str, ...], data: Path | None) -> dict[tuple[Any, ...], Trial]:
    return {_identity(trial): trial for ask in asks_of(plan, items) for trial in ask.trials(data)}


def _identity(trial: Trial) -> tuple[Any, ...]:
    """What was asked, whatever the code was."""
    return tuple(trial[name] for name in COLUMNS if name != "code")


def _still_true(commits: str, methods: list[str]) -> list[str]:
    """The commit of a report and those of methods that were run again later, but for these methods."""
    first, *later = commits.split("; ")
    return [first, *(note for note in later if not set(note.split(" at ")[0].split(" and ")) <= set(methods))]


def _is_of(spec: str, methods: list[str]) -> bool:
    """Whether a method with options is one of these."""
    return parse_spec(spec)[0] in methods


def _choose_items(items: str) -> tuple[str, ...]:
    chosen = tuple(ITEMS) if items == "all" else tuple(words(items))
    for item in chosen:
        if item not in ITEMS:
            raise InputError(f"there is no item {item!r}; {suggest_nearest(item, list(ITEMS))}")
    return chosen
