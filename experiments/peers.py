"""Peers: what public implementations of other systems reach on the cases, from shared/reference/peers.csv."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

PEERS = Path(__file__).parents[2] / "shared" / "reference" / "peers.csv"
ZERO = "answer zero"  # answers 0 to every question: shown beside the peers, never one of them
PACE = "hdpview"  # the peer whose seconds ours are compared with

OURS = {  # public implementation -> the same method here, with the options that make it comparable
    "identity": "identity",
    "uniform-grid": "uniform-grid",
    "adaptive-grid": "adaptive-grid",
    "quadtree": "quadtree",
    "hierarchy": "hierarchy",
    "privtree": "privtree",
    "hdpview": "hdpview",
    "ahp": "ahp",
    "dawa (dpcomp, Hilbert)": "dawa",
    "dawa (flattened)": 'dawa[order="row-major"]',
    "hdmm": 'hdmm[strategy="kronecker"]',
    "hdmm (union)": 'hdmm[strategy="union"]',
    "privbayes": "privbayes[blocks=16]",
    "privbayes (uniform in bins)": "privbayes[blocks=16]",
    "privbayes (tensor resolution)": "privbayes",
    "mst": "mst",
    "aim": "aim",
    "privsyn": "privsyn",
    "p3gm": 'p3gm[prior="normal"]',
    "p3gm (mixture sampling)": "p3gm",
}
TREES_AND_GRIDS = ("identity", "uniform-grid", "adaptive-grid", "quadtree", "hierarchy", "privtree", "hdpview")

Key = tuple[str, int, float]  # case, bounded dimensions, epsilon


class Figure(NamedTuple):
    """What a public implementation reached."""

    error: float
    seconds: float


@dataclass(frozen=True)
class Peers:
    """The best peer of each workload, the error of answering zero, and the seconds of the peer that sets the pace."""

    best: dict[Key, tuple[str, float]] = field(default_factory=dict)  # name and error
    zero: dict[Key, float] = field(default_factory=dict)
    seconds: dict[tuple[str, float], float] = field(default_factory=dict)  # by case and epsilon
    figures: dict[str, dict[Key, Figure]] = field(default_factory=dict)  # of every peer


def read_peers(path: Path = PEERS) -> Peers:
    """The peers of a file; none if there is no such file."""
    peers = Peers()
    if path.is_file():
        with path.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                _note(peers, row)
    return peers


def _note(peers: Peers, row: dict[str, str]) -> None:
    key = (row["case"], int(row["k"]), float(row["eps"]))
    error = float(row["rmse"])
    peers.figures.setdefault(row["method"], {})[key] = Figure(error, float(row["seconds"]))
    if row["method"] == ZERO:
        peers.zero[key] = error
    elif key not in peers.best or error < peers.best[key][1]:
        peers.best[key] = (row["method"], error)
    if row["method"] == PACE and float(row["seconds"]) > 0:
        peers.seconds[row["case"], float(row["eps"])] = float(row["seconds"])
