"""Methods: all of the registry, each with our defaults and with those of its authors where they differ."""

from __future__ import annotations

import os

import typer

from experiments.bench.baselines import BASELINES, PYTHON
from experiments.peers import OURS
from ripost import METHODS

VARIANTS = (
    "ripost+[delta=1e-9]",
    "two-way[delta=1e-9]",
    'privtree[fanout="round-robin"]',
)  # the other promise; many attributes


def methods_of_benchmark() -> list[str]:
    """Installed methods of `ripost.METHODS`, variants, and the baselines if there is a Python to run them."""
    found = []
    for name in METHODS:
        if missing := METHODS[name].missing():
            typer.echo(f"without {name}: {', '.join(missing)} not installed", err=True)
            continue
        variants = [*VARIANTS, *OURS.values()]
        found += [name, *(spec for spec in dict.fromkeys(variants) if spec.startswith(f"{name}["))]
    return [*found, *(BASELINES if PYTHON in os.environ else ())]
