"""coverage: how often the 95 % intervals of a method hold the truth."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from experiments.cases import CASES, Workload, case_names, load_case
from experiments.running import words
from experiments.table import print_head, print_line
from ripost import View, publish

QUESTIONS = 150  # of each workload, drawn at random
Asked = tuple[NDArray[np.bool_], NDArray[np.float64]]  # inside, width
THIRDS = ("smallest third", "middle third", "largest third")  # of a workload's questions, by their true answers


def coverage(
    eps: Annotated[str, typer.Option(help="Epsilons, with commas.")] = "0.1,1.0",
    method: Annotated[str, typer.Option(help="The method.")] = "ripost+",
    only: Annotated[str, typer.Option(help="Cases, with commas; by default all in the folder.")] = "",
    cases: Annotated[Path, typer.Option(help="Folder of cases.")] = CASES,
    runs: Annotated[int, typer.Option(help="Seeds 0 to runs - 1.", min=1)] = 1,
) -> None:
    """Publish every case and print the share of true answers inside their intervals."""
    print_head(["case", "bounded", "epsilon", "inside", "median width / truth"], left=(0,))
    found: list[list[Asked]] = []
    single: list[list[Asked]] = []
    for name in words(only) if only else case_names(cases):
        case = load_case(name, cases)
        for epsilon in map(float, words(eps)):
            views = [publish(case.tensor, epsilon=epsilon, method=method, seed=seed) for seed in range(runs)]
            for workload in (workload for workload in case.workloads if workload.bounded >= 1):
                asked = [_ask_view(view, workload, seed) for seed, view in enumerate(views)]
                inside, width = (np.concatenate(part) for part in zip(*asked, strict=True))
                (found if workload.bounded > 1 else single).append(asked)
                share, median = f"{inside.mean():.0%}", f"{np.median(width):.2g}"
                print_line([name, str(workload.bounded), f"{epsilon:g}", share, median])
    workloads = [np.concatenate([inside for inside, _ in asked]).mean() for asked in found]
    every = [inside for asked in found for inside, _ in asked]
    print(f"\npooled {np.concatenate(every).mean():.1%}, least {min(workloads):.0%}, over {len(workloads)} workloads")
    for number, third in enumerate(THIRDS):
        part = [inside[len(inside) * number // 3 : len(inside) * (number + 1) // 3] for inside in every]
        print(f"{third} {np.concatenate(part).mean():.1%}")
    alone = [inside for asked in single for inside, _ in asked]
    print(f"questions about one dimension alone {np.concatenate(alone).mean():.1%}")


def _ask_view(view: View, workload: Workload, seed: int) -> Asked:
    """Whether each true answer lies in its interval, and the interval's width over the truth; by rising truth."""
    number = len(workload.truth)
    chosen = np.random.default_rng(seed).choice(number, min(QUESTIONS, number), replace=False)
    inside, width = [], []
    for i in chosen[np.argsort(workload.truth[chosen], kind="stable")]:
        box = zip(workload.lower[i].tolist(), workload.upper[i].tolist(), view.domain.shape, strict=True)
        bounds = {axis: [(float(a), float(b))] for axis, (a, b, n) in enumerate(box) if a > 0 or b < n}
        answer = view.answer_selection(bounds)
        inside.append(answer.low <= workload.truth[i] <= answer.high)
        width.append((answer.high - answer.low) / max(workload.truth[i], 1))
    return np.array(inside), np.array(width)
