"""Tables of the experiments, in Markdown, so that what is printed is what the docs hold."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

Peers = dict[tuple[str, int, float], tuple[str, float]]
Key = tuple[str, int, float]  # case, bounded dimensions, epsilon


def print_accuracy(trials: Sequence[tuple[dict[str, Any], dict[str, Any]]], peers: Peers) -> None:
    """A line a case and workload: mean and spread of each method, and the best public peer."""
    errors: dict[Key, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    blocks: dict[tuple[str, float, str], list[int]] = defaultdict(list)
    for trial, outcome in trials:
        for bounded, error in outcome.get("rmse", {}).items():
            errors[trial["case"], int(bounded), trial["epsilon"]][trial["method"]].append(error)
        if "blocks" in outcome:
            blocks[trial["case"], trial["epsilon"], trial["method"]].append(outcome["blocks"])
    methods = list(dict.fromkeys(trial["method"] for trial, _ in trials))
    print(f"| case | bounded | epsilon | {' | '.join(methods)} | best public peer |")
    print("| --- | ---: | ---: |" + " ---: |" * len(methods) + " --- |")
    for key in sorted(errors, key=lambda key: (key[2], key[0], -key[1])):
        case, bounded, epsilon = key
        cells = [_spread(errors[key].get(method)) for method in methods]
        peer = "{} {:,.0f}".format(*peers[key]) if key in peers else ""
        print(f"| {case} | {bounded} | {epsilon:g} | {' | '.join(cells)} | {peer} |")
    _print_means(errors, methods, peers)


def _spread(values: list[float] | None) -> str:
    return "-" if not values else f"{np.mean(values):,.0f} ± {np.std(values):,.0f}"


def _print_means(errors: dict[Key, dict[str, list[float]]], methods: list[str], peers: Peers) -> None:
    """Geometric means over cases of the ratio to the paper's method and to the best peer."""
    for epsilon in sorted({key[2] for key in errors}):
        for method in methods:
            keys = [key for key in errors if key[2] == epsilon and method in errors[key]]
            against = {
                "RMSE(ripost) / RMSE": [
                    np.mean(errors[key]["ripost"]) / np.mean(errors[key][method])
                    for key in keys
                    if "ripost" in errors[key]
                ],
                "RMSE(best peer) / RMSE": [
                    peers[key][1] / np.mean(errors[key][method]) for key in keys if key in peers
                ],
            }
            for title, ratios in against.items():
                if ratios:
                    mean = math.exp(float(np.mean(np.log(ratios))))
                    print(
                        f"\nepsilon {epsilon:g}, {method}: geometric mean of {title} {mean:.2f}, "
                        f"least {min(ratios):.2f}"
                    )
