"""Neighbours as CSV files, released by the code that a data owner runs, with real noise."""

from __future__ import annotations

import itertools
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import ripost
from ripost.tensor.tensor import Tensor
from ripost.view.view import View

from .sampled import Bound, Floats, figures_of, lower_bound

ATTRIBUTES = """
[attributes.place]
type = "category"
values = ["here", "there"]
missing = "drop"

[attributes.age]
type = "integer"
min = 0
max = 1
missing = "drop"
"""
PERSON = 'unit = "person"\nmax_rows = {max_rows}\n'
QUICK: dict[str, dict[str, Any]] = {"p3gm": {"steps": 4, "iterations": 1, "components": 2, "hidden": 3, "rate": 0.25}}
CROWD = ["here,0", "here,0", "there,1", "there,0", "here,1", "there,1"]


@dataclass(frozen=True)
class Neighbours:
    """Two tables in a folder: one has a row more, or all rows of one more person."""

    folder: Path
    schema: ripost.Schema

    @classmethod
    def of_rows(cls, folder: Path) -> Neighbours:
        return cls._written(folder, "", [f"p{i},{row}" for i, row in enumerate(CROWD)], ["q,here,0"])

    @classmethod
    def of_people(cls, folder: Path, *, rows: int, max_rows: int) -> Neighbours:
        crowd = [f"p{i},{row}" for i, row in enumerate(CROWD)]
        return cls._written(folder, PERSON.format(max_rows=max_rows), crowd, ["q,here,0"] * rows)

    @classmethod
    def _written(cls, folder: Path, head: str, crowd: list[str], more: list[str]) -> Neighbours:
        (folder / "schema.toml").write_text(head + ATTRIBUTES)
        for name, lines in (("one", crowd), ("other", crowd + more)):
            (folder / f"{name}.csv").write_text("\n".join(["person,place,age", *lines, ""]))
        return cls(folder, ripost.Schema.load(folder / "schema.toml"))

    def audited(self, method: str, epsilon: str, runs: int, *, ingest: bool) -> tuple[View, Bound]:
        """A lower bound of what a method tells, and the last view; `ingest` reads the CSV anew for every run."""
        sources: list[Any] = [self.folder / "one.csv", self.folder / "other.csv"]
        if not ingest:
            sources = [Tensor.from_table(source, self.schema) for source in sources]
        views: list[View] = []

        def release(source: Any) -> Floats:
            view = ripost.publish(source, self.schema, epsilon=epsilon, method=method, **QUICK.get(method, {}))
            views[:] = [view]
            return figures(view)

        found = figures_of(lambda: release(sources[0]), lambda: release(sources[1]), runs)
        [view] = views
        assert view.privacy.is_private
        return view, lower_bound(*found, delta=float(view.privacy.delta))

    def by_command(self, name: str, epsilon: str, method: str) -> View:
        """One release by the command line."""
        made = self.folder / f"{name}.ripost.parquet"
        files = [str(self.folder / f"{name}.csv"), str(self.folder / "schema.toml")]
        command = [sys.executable, "-c", "from ripost.cli import main; main()", "publish", *files]
        command += ["--epsilon", epsilon, "--method", method, "--output", str(made), "--force"]
        subprocess.run(command, check=True, capture_output=True)
        return ripost.open(made)


def figures(view: View) -> Floats:
    """What a reader looks at: every cell, the total, and how many rows the view has."""
    lower = np.array(list(itertools.product(*(range(size) for size in view.domain.shape))))
    return np.array([*view.answer(lower, lower + 1), view.total, len(view.content.values)])
