"""coverage: how often the 95 % intervals of a method hold the truth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from experiments.cases import CASES, Workload, case_names, load_case
from ripost import View, publish

QUESTIONS = 150  # of each workload, drawn at random


def coverage(
    eps: Annotated[str, typer.Option(help="Epsilons, with commas.")] = "0.1,1.0",
    method: Annotated[str, typer.Option(help="The method.")] = "ripost",
    cases: Annotated[Path, typer.Option(help="Folder of cases.")] = CASES,
    seed: Annotated[int, typer.Option(help="Seed of the noise.")] = 0,
) -> None:
    """Publish every case once and print the share of true answers inside their intervals."""
    print("| case | bounded | epsilon | inside | median width / truth |")
    print("| --- | ---: | ---: | ---: | ---: |")
    shares = []
    for name in case_names(cases):
        case = load_case(name, cases)
        for epsilon in map(float, eps.split(",")):
            view = publish(case.tensor, epsilon=epsilon, method=method, seed=seed)
            for workload in (w for w in case.workloads if w.bounded > 1):  # the total is a single answer
                inside, width = _inside(view, workload)
                shares.append(inside)
                print(f"| {name} | {workload.bounded} | {epsilon:g} | {inside:.0%} | {width:.2g} |")
    print(f"\nmean {np.mean(shares):.1%}, least {min(shares):.1%}, over {len(shares)} workloads")


def _inside(view: View, workload: Workload) -> tuple[float, float]:
    chosen = np.random.default_rng(0).choice(len(workload.truth), min(QUESTIONS, len(workload.truth)), replace=False)
    inside, width = [], []
    for i in chosen:
        box = zip(workload.lower[i].tolist(), workload.upper[i].tolist(), strict=True)
        answer = view.answer_selection({axis: [(float(a), float(b))] for axis, (a, b) in enumerate(box)})
        inside.append(answer.low <= workload.truth[i] <= answer.high)
        width.append((answer.high - answer.low) / max(workload.truth[i], 1))
    return float(np.mean(inside)), float(np.median(width))
