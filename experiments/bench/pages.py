"""Pages: the report and the losses as files, and the facts of the run that they state."""

from __future__ import annotations

from pathlib import Path

from experiments.bench import tables
from experiments.bench.plans import Plan
from experiments.paper.frozen import machine_facts
from experiments.pool import Outcome, Trial
from experiments.report.document import Document
from ripost.schema.measure import ROW

PACKAGES = ("ripost", "numpy", "scipy", "opendp", "scikit-learn", "pyarrow")


def write_pages(report: Document, losses: Document, folder: Path) -> list[Path]:
    """Write both pages and the tables that they link to; drawings are in the folder's figures already."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = {folder / "README.md": report.markdown(), folder / "losses.md": losses.markdown()}
    pages |= {folder / "data" / f"{name}.csv": text for name, text in (report.data() | losses.data()).items()}
    for path, text in pages.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return [*pages]


def facts_of(plan: Plan, done: list[tuple[Trial, Outcome]], asked: int) -> dict[str, str]:
    """What the pages say of the run."""
    seeds = sorted({trial["seed"] for trial, _ in done})
    methods = {trial["method"] for trial, _ in done}
    names = [*dict.fromkeys(trial["table"] for trial, _ in done)]
    epsilons = ", ".join(f"{epsilon:g}" for epsilon in sorted({trial["epsilon"] for trial, _ in done}))
    several = (
        f"seeds {seeds[0]} to {seeds[-1]}" if len(seeds) > 1 else f"one seed ({seeds[0]}), so without standard errors"
    )
    lacking = "" if len(done) == asked else f" {asked - len(done):,} of the {asked:,} trials of the plan were not run."
    told = (
        f"These figures are of the {plan.name} run: {len(methods)} methods and variants on {len(names)} tables at "
        f"epsilon {epsilons} with {several}. A release may take {plan.limit} seconds of a processor.{lacking}"
    )
    return {
        "run": told,
        "plan": plan.name,
        "trials": f"{len(done):,} of {asked:,}",
        **machine_facts(PACKAGES),
        **{f"table {name}": _describe(name) for name in names},
    }


def _describe(name: str) -> str:
    tensor = tables.load(name)
    unit = "a row" if tensor.unit == ROW else f"a person, {tensor.unit.max_rows} rows"
    return f"{len(tensor.domain)}|{int(tensor.counts.sum()):,}|{float(tensor.domain.size):.1e}|{unit}"
