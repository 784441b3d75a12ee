"""MST: noisy one-way marginals, a spanning tree of noisy pairs, synthetic rows (McKenna et al. 2021)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ripost.methods.method import Method, PublicInputs, Sample
from ripost.methods.parameters import RECORDS, PositiveDelta, Reads
from ripost.peers.graphical_model import Network, fit, guess_total
from ripost.peers.junction_tree import Axes
from ripost.peers.marginals import AttributeCodes, check_size, measure, merge_rare_codes, pairs, synthesize
from ripost.privacy.account import Account
from ripost.privacy.budget import root
from ripost.privacy.mechanisms import Exponential
from ripost.space.query_parameters import FULL, Distances
from ripost.statistics.distance import DISTANCE

ROUNDS = 5000


@dataclass(frozen=True)
class Mst(Method):
    """A third of rho for all one-way marginals, one for choosing pairs, one for measuring them (proof.md)."""

    name: ClassVar[str] = "mst"

    delta: PositiveDelta = 1e-9
    reads: Reads = RECORDS

    def check(self, inputs: PublicInputs) -> None:
        sizes = AttributeCodes.of(inputs.shape).sizes
        check_size(self.name, sizes, [*pairs(len(sizes)), *((i,) for i in range(len(sizes)))])

    def run(self, account: Account) -> Sample:
        codes, rho = AttributeCodes.of(account.shape), account.epsilon
        number = len(codes.axes)
        third = rho / 3 if number > 1 else rho
        alone = [measure(account, codes, (i,), third / number, f"axis {codes.axes[i] + 1}") for i in range(number)]
        total = guess_total(alone)
        codes, alone = merge_rare_codes(codes, alone)
        model = fit(codes.binned, alone, rounds=ROUNDS)
        if number > 1:
            edges = _tree(account, codes, model)
            (left,), _ = account.root.unspent
            price = left / len(edges)
            found = [measure(account, codes, edge, price, f"pair {n + 1}") for n, edge in enumerate(edges)]
            model = fit(codes.binned, [*alone, *found], model, rounds=ROUNDS)
        return synthesize(account, codes, model, total)


def _tree(account: Account, codes: AttributeCodes, model: Network) -> list[Axes]:
    """Choose pairs that form a spanning tree, one after the other, by their distance from the model."""
    number = len(codes.axes)
    rho = account.epsilon / 3 / (number - 1)
    part = np.arange(number)
    edges: list[Axes] = []
    for turn in range(number - 1):
        open_pairs = [pair for pair in pairs(number) if part[pair[0]] != part[pair[1]]]
        question = Distances(
            tuple(codes.margin(pair) for pair in open_pairs),
            tuple(np.rint(model.table(pair)).astype(np.int64).ravel() for pair in open_pairs),
            np.full(len(open_pairs), FULL),
            np.zeros(len(open_pairs), np.int64),
        )
        term = account.charge_query(f"choice, {turn + 1}", Exponential(DISTANCE, root(8 * rho)), account.root)
        edge = open_pairs[term.choose_one(question)]
        edges.append(edge)
        part[part == part[edge[1]]] = part[edge[0]]
    return edges
