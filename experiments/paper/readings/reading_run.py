"""Reading run: the tree of a reading as it grows, block by block of equal depth."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from experiments.paper.readings.statistics import TOTAL_OF_CUT
from ripost.arrays import Codes, Mask
from ripost.methods.ripost import MOST_BLOCKS
from ripost.methods.tree_builder import Branch, TreeBuilder
from ripost.privacy.account import Account
from ripost.privacy.mechanisms import Exponential, Laplace
from ripost.space.cuts import Cuts
from ripost.statistics.cut_scores import DEVIATION_OF_CUT, MIXTURE_OF_CUT
from ripost.statistics.deviation import DEVIATION
from ripost.statistics.statistic import Statistic
from ripost.statistics.totals import TOTAL

if TYPE_CHECKING:
    from experiments.paper.readings.reading import Reading

ByDepth = dict[int, list[Branch]]


class ReadingRun:
    """The two phases, with the choices of a reading."""

    def __init__(self, reading: Reading, account: Account) -> None:
        self.reading = reading
        self.account = account
        self.builder = TreeBuilder(account)
        self.epsilon = Fraction(str(reading.nominal))
        self.beta = Fraction(str(reading.beta))

    def grow(self, first: Fraction, second: Fraction) -> Branch:
        """Both phases, or the one that has a budget; return the leaves."""
        reading = self.reading
        converged: ByDepth = {1: [self.builder.root]}
        if first:
            score = {"min": MIXTURE_OF_CUT, "sum": TOTAL_OF_CUT, "random": None}[reading.score]
            converged = self._phase("phase 1", converged, TOTAL, score, first, reading.theta_1)
        if second:
            entering = {1: [part for parts in converged.values() for part in parts]} if reading.reset else converged
            converged = self._phase("phase 2", entering, DEVIATION, DEVIATION_OF_CUT, second, reading.theta_2)
        return _merge([part for parts in converged.values() for part in parts])

    def _phase(
        self,
        name: str,
        entering: ByDepth,
        test: Statistic,
        score: Statistic | None,
        budget: Fraction,
        theta: int,
    ) -> ByDepth:
        """Test and cut until every block has converged; blocks enter at their depth and are returned by depth."""
        done: ByDepth = {}
        depth = min(entering)
        branch = _merge(entering.pop(depth))
        while len(branch) or entering:
            if len(branch) + sum(len(part) for parts in done.values() for part in parts) >= MOST_BLOCKS:
                break
            cells, branch = branch.select(branch.blocks.is_cell)
            mechanism = Laplace(test, self._price(budget * self.beta, depth, is_test=True))
            query = self.account.charge_query(f"{name} test, depth {depth}", mechanism, branch.partition)
            finished, branch = branch.select(query.at_most(theta))
            done[depth] = [cells, finished]
            for_cuts = self._price(budget * (1 - self.beta), depth, is_test=False)
            branch = self._cut(f"{name} cut, depth {depth}", branch, score, for_cuts, depth)
            depth += 1
            if depth in entering:
                branch = branch.merge(*entering.pop(depth))
        for later in sorted(entering):
            done.setdefault(later, []).extend(entering[later])
        done.setdefault(depth, []).append(branch)
        return done

    def _price(self, budget: Fraction, depth: int, *, is_test: bool) -> Fraction:
        """What a draw at a depth spends."""
        reading = self.reading
        if reading.whole == "all" or (reading.whole == "tests" and is_test):
            budget = self.epsilon
        if not reading.series:
            return budget
        term = depth + (reading.k - 1 if reading.offset is None else reading.offset)
        return budget * Fraction(reading.k, term * (term + 1))

    def _cut(self, purpose: str, branch: Branch, score: Statistic | None, price: Fraction, depth: int) -> Branch:
        cuts = Cuts.of(branch.blocks)
        if score is None:
            choice = self.account.noise.below(np.diff(cuts.start))
        else:
            mechanism = Exponential(score, price, halved=not self.reading.tight)
            query = self.account.charge_query(purpose, mechanism, branch.partition)
            choice = query.choose_cuts(self._candidates(cuts, depth))
        return self.builder.split(branch, *cuts.locate(choice))

    def _candidates(self, cuts: Cuts, depth: int) -> Mask | None:
        """The cuts of one axis of each block, chosen without the data; None for all cuts."""
        sizes = cuts.blocks.sizes
        axes = sizes.shape[1]
        match self.reading.axes:
            case "all":
                return None
            case "widest":
                axis: Codes = sizes.argmax(axis=1)
            case "in turn":
                axis = self._next(sizes, np.full(len(sizes), (depth - 1) % axes))
            case "at random":
                number = self.account.noise.below((sizes > 1).sum(axis=1))
                axis = np.argmax(((sizes > 1).cumsum(axis=1) == number[:, None] + 1) & (sizes > 1), axis=1)
        chosen: Mask = np.repeat(np.arange(axes)[None, :] == axis[:, None], (sizes - 1).ravel())
        return chosen

    @staticmethod
    def _next(sizes: Codes, turn: Codes) -> Codes:
        """The first axis from each turn on that has a cut."""
        order = (turn[:, None] + np.arange(sizes.shape[1])) % sizes.shape[1]
        rows = np.arange(len(sizes))
        found: Codes = order[rows, (sizes[rows[:, None], order] > 1).argmax(axis=1)]
        return found


def _merge(parts: list[Branch]) -> Branch:
    first, *rest = parts
    return first.merge(*rest)
