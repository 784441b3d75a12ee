"""Methods: all of the registry, each with our defaults and with those of its authors where they differ."""

from __future__ import annotations

import typer

from experiments.bench.baselines import BASELINES
from experiments.peers import OURS
from ripost import METHODS

VARIANTS = ("ripost+[delta=1e-9]", 'privtree[fanout="round-robin"]')  # the other promise; many attributes


def methods_of_benchmark() -> list[str]:
    """Installed methods of `ripost.METHODS`, variants, and baselines that are no method yet."""
    found = []
    for name in METHODS:
        if missing := METHODS[name].missing():
            typer.echo(f"without {name}: {', '.join(missing)} not installed", err=True)
            continue
        variants = [*VARIANTS, *OURS.values()]
        found += [name, *(spec for spec in dict.fromkeys(variants) if spec.startswith(f"{name}["))]
    return [*found, *(name for name in BASELINES if name not in METHODS)]
