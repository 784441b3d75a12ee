"""PrivBayes: synthetic rows from noisy conditionals of a Bayesian network that the exponential mechanism chooses.

Zhang, Cormode, Procopiuc, Srivastava and Xiao, 2014 and 2017. docs/methods/privbayes.md lists the choices
that the paper leaves open. peers/privbayes/proof.md proves that it spends epsilon.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from ripost.arrays import Floats, Ints
from ripost.errors import InputError
from ripost.methods.method import Method, PublicInputs, Sample
from ripost.methods.parameters import RECORDS, Positive, Reads, Share
from ripost.peers.consistent_marginals import onto_total
from ripost.peers.synthetic_rows import (
    count_rows,
    draw_columns,
    number_of_rows,
    spread_rows,
)
from ripost.privacy.account import Account
from ripost.privacy.budget import share
from ripost.privacy.mechanisms import Exponential, Laplace
from ripost.space.query_parameters import Couples, Grid
from ripost.statistics.dependence import DEPENDENCE
from ripost.statistics.totals import TOTAL, TOTAL_OF_PART

MOST_CELLS = 2**20  # of the table of an axis and its parents
MOST_CANDIDATES = 512  # a round with more considers smaller parent sets
MOST_SEEN = 16 * MOST_CANDIDATES  # parent sets visited to find these
MOST_PARENTS = 6

Parents = tuple[tuple[int, int], ...]  # axes, each with its number of bins


@dataclass(frozen=True)
class PrivBayes(Method):
    """Each axis gets the parents that it depends on most, if their joint table is large compared with its noise."""

    name: ClassVar[str] = "privbayes"

    beta: Share = 0.3  # share for the network, the rest for the conditionals
    theta: Positive = 4.0  # a table is useful if its cells have on average this many noise scales of rows
    total: Share = 0.05  # share of epsilon for the number of rows
    blocks: Annotated[int, Field(ge=1)] | None = None  # at most this many bins of equal width per axis
    generalise: bool = True  # parents may have fewer bins: a half, a quarter, …
    project: bool = True  # take the nearest nonnegative table, instead of clipping negative entries
    reads: Reads = RECORDS

    def check(self, inputs: PublicInputs) -> None:
        longest = max(self._sizes(inputs.shape))
        if longest > MOST_CELLS:
            raise InputError(
                f"privbayes needs a histogram of {longest:,} codes of an axis and stops at {MOST_CELLS:,}; give "
                "blocks, or choose another method"
            )

    def run(self, account: Account) -> Sample:
        return _PrivBayesRun(self, account, self._sizes(account.shape)).sample()

    def _sizes(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Number of bins of each axis."""
        return tuple(size if self.blocks is None else min(size, self.blocks) for size in shape)


class _PrivBayesRun:
    """The network as it grows."""

    def __init__(self, method: PrivBayes, account: Account, sizes: tuple[int, ...]) -> None:
        self.method = method
        self.account = account
        self.sizes = sizes  # bins of each axis
        self.axes = len(sizes)
        self._grids: dict[Parents, Grid] = {}

    def sample(self) -> Sample:
        """Count the rows, choose the network, measure its tables and draw from them."""
        epsilon, beta = self.account.epsilon, share(self.method.beta, name="beta")
        rest = epsilon * (1 - share(self.method.total, name="total"))
        noise = Laplace(TOTAL, epsilon - rest)
        total = int(self.account.charge_query("number of records", noise, self.account.root).measure()[0])
        useful = total * float(rest * (1 - beta)) / (self.axes * self.method.theta * self.account.bound)
        network = self._network(min(useful, MOST_CELLS), rest * beta / max(1, self.axes - 1))
        (left,), _ = self.account.root.unspent
        return self._rows(network, total, left / self.axes)

    def _network(self, useful: float, price: Fraction) -> list[tuple[int, Parents]]:
        """Every axis with its parents, parents first; each choice between several candidates is charged."""
        first = min(int(self.account.noise.uniforms(1)[0] * self.axes), self.axes - 1)
        network: list[tuple[int, Parents]] = [(first, ())]
        waiting = [axis for axis in range(self.axes) if axis != first]
        while waiting:
            candidates = self._candidates([axis for axis, _ in network], waiting, useful)
            chosen = 0
            if any(parents for _, parents in candidates) and len(candidates) > 1:
                couples = Couples(tuple((self._own(axis), self._grid(parents)) for axis, parents in candidates))
                mechanism = Exponential(DEPENDENCE, price)
                purpose = f"parents, round {len(network)}"
                chosen = self.account.charge_query(purpose, mechanism, self.account.root).choose_one(couples)
            network.append(candidates[chosen])
            waiting.remove(candidates[chosen][0])
        return network

    def _candidates(self, known: Sequence[int], waiting: Sequence[int], useful: float) -> list[tuple[int, Parents]]:
        """Each remaining axis with each of its largest useful parent sets, within MOST_CANDIDATES."""
        levels = [(axis, self._levels(self.sizes[axis])) for axis in known]
        for degree in range(min(MOST_PARENTS, len(known)), 0, -1):
            sets: dict[int, list[Parents] | None] = {}
            for size in {self.sizes[axis] for axis in waiting}:
                sets[size] = _parent_sets(levels, useful / size, degree)
            if None in sets.values() and degree > 1:
                continue
            found = [(axis, parents) for axis in waiting for parents in sets[self.sizes[axis]] or [()]]
            if len(found) <= MOST_CANDIDATES or degree == 1:
                return found
        return [(axis, ()) for axis in waiting]

    def _levels(self, bins: int) -> list[int]:
        """The numbers of bins that an axis may have as a parent, the finest first."""
        levels = [bins] if bins > 1 else []
        while self.method.generalise and bins > 2:
            bins = (bins + 1) // 2
            levels.append(bins)
        return levels

    def _own(self, axis: int) -> Grid:
        return self._grid(((axis, self.sizes[axis]),))

    def _grid(self, seen: Parents) -> Grid:
        """The grid of these parents, computed once."""
        if seen not in self._grids:
            axes = tuple(axis for axis, _ in seen)
            sizes = tuple(self.account.shape[axis] for axis in axes)
            self._grids[seen] = Grid(axes, sizes, tuple(bins for _, bins in seen))
        return self._grids[seen]

    def _rows(self, network: Sequence[tuple[int, Parents]], total: int, price: Fraction) -> Sample:
        """Rows drawn axis by axis, parents first."""
        number, weight = number_of_rows(total)
        coords = np.zeros((self.axes, number), np.int64)
        for axis, parents in network:
            question = self._grid((*parents, (axis, self.sizes[axis])))
            term = self.account.charge_query("conditionals", Laplace(TOTAL_OF_PART, price), self.account.root)
            tables = self._remove_negatives(term.measure(question), total).reshape(-1, self.sizes[axis])
            which = self._grid(parents).part(coords)
            bin_numbers = draw_columns(self.account.noise, tables, which)
            coords[axis] = spread_rows(self.account.noise, bin_numbers, self.account.shape[axis], self.sizes[axis])
        return count_rows(coords.T, weight)

    def _remove_negatives(self, noisy: Ints, total: int) -> Floats:
        """A noisy table without negative entries."""
        values = noisy.astype(np.float64)
        return onto_total(values, total) if self.method.project else np.maximum(values, 0)


def _parent_sets(levels: Sequence[tuple[int, Sequence[int]]], most: float, degree: int) -> list[Parents] | None:
    """The maximal parent sets of at most `degree` axes and `most` combinations; None if there are too many.

    A set is larger than another if one of its axes has more bins, or if it has one more axis.
    """
    found: list[Parents] = []
    for seen, (parents, room) in enumerate(_sets_within(levels, most, degree)):
        if seen >= MOST_SEEN or len(found) > MOST_CANDIDATES:
            return None
        chosen = dict(parents)
        refined = False
        for axis, ladder in levels:
            if axis in chosen:
                finer = ladder.index(chosen[axis]) - 1
                refined |= finer >= 0 and ladder[finer] <= room * chosen[axis]
            elif ladder and len(parents) < degree:
                refined |= ladder[-1] <= room
        if not refined:
            found.append(parents)
    return found


def _sets_within(
    levels: Sequence[tuple[int, Sequence[int]]], room: float, degree: int
) -> Iterator[tuple[Parents, float]]:
    """Every set with at most `room` combinations, and the room that it leaves as a factor."""
    if not levels or degree == 0:
        yield (), room
        return
    (axis, ladder), *others = levels
    for bins in ladder:
        if bins <= room:
            for parents, left in _sets_within(others, room / bins, degree - 1):
                yield ((axis, bins), *parents), left
    yield from _sets_within(others, room, degree)
