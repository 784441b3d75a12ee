"""RIPOST as its paper prints it: two phases of noisy tests and noisy cuts (Laouir and Imine, Algorithms 1 to 3).

docs/methods/ripost.md says where the paper is silent and what was chosen, privacy/proofs/ripost.md why no path spends
more than epsilon.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from ripost.arrays import Mask
from ripost.methods.measured_tree import MeasuredTree
from ripost.methods.method import Decomposition, PublicInputs, check_cuts
from ripost.methods.parameters import Share
from ripost.methods.tree_builder import Branch, TreeBuilder
from ripost.methods.tree_method import TreeMethod, fit_totals
from ripost.privacy.account import Account
from ripost.privacy.budget import share, weight
from ripost.privacy.mechanisms import Exponential, Laplace
from ripost.space.cuts import Cuts
from ripost.statistics.cut_scores import DEVIATION_OF_CUT, MIXTURE_OF_CUT
from ripost.statistics.deviation import DEVIATION
from ripost.statistics.statistic import Statistic
from ripost.statistics.totals import TOTAL

MOST_BLOCKS = 2**18  # a phase ends there; without a test at every depth most trees would never end


@dataclass(frozen=True)
class Ripost(TreeMethod):
    """Phase 1 separates empty from non-empty cells, phase 2 splits blocks until they are even; leaves get noise."""

    name: ClassVar[str] = "ripost"

    alpha: Share = 0.3  # share of epsilon for the decomposition
    gamma: Share = 0.9  # share of that for phase 1
    beta: Share = 0.4  # share of a phase for its tests, the rest for its cuts
    k: Annotated[int, Field(ge=1, le=1000)] = 5  # the series S^k spreads a share over depth
    theta_1: int = 0
    theta_2: int = 0
    tight: bool = False  # charge a score once (2 Delta), not twice (4 Delta) as printed
    reuse_unspent: bool = False  # a leaf spends all that its path did not
    test_every: Annotated[int, Field(ge=1, le=1000)] = 1  # test at every n-th depth; the leaves get what that saves
    sample_cuts: Annotated[float, Field(gt=0, le=1)] = 1.0  # share of a block's cuts that are candidates
    refine: bool = False  # keep the noisy sums of phase 1 and fit the tree to them by least squares

    def check(self, inputs: PublicInputs) -> None:
        check_cuts(self.name, inputs.shape)

    def measure(self, account: Account) -> MeasuredTree:
        alpha, gamma, beta = (share(v, name="") for v in (self.alpha, self.gamma, self.beta))
        phase_1, phase_2 = account.epsilon * alpha * gamma, account.epsilon * alpha * (1 - gamma)
        run = _RipostRun(self, account)
        root = run.builder.root
        first = run.phase("phase 1", root, TOTAL, MIXTURE_OF_CUT, phase_1 * beta, phase_1 * (1 - beta), self.theta_1)
        leaves = run.phase(
            "phase 2", first, DEVIATION, DEVIATION_OF_CUT, phase_2 * beta, phase_2 * (1 - beta), self.theta_2
        )
        saved = (phase_1 + phase_2) * beta * (1 - self.bound_tests())
        if self.reuse_unspent:  # Perturb: Algorithm 1, line 28. A noisy sum is the paper's noisy mean times the cells.
            run.builder.measure_unspent("leaves", leaves)
        else:
            run.builder.measure("leaves", leaves, account.epsilon * (1 - alpha) + saved)
        return run.builder.finish()

    def estimate(self, measured: MeasuredTree) -> Decomposition:
        return fit_totals(measured, least=self.refine)

    def bound_tests(self) -> Fraction:
        """A bound on the sum of omega_i over the depths that are tested.

        Depths 1, 1 + n, 1 + 2n, … with falling weights: after the first, each stands for n depths that it is the
        last of, so the sum is at most omega_1 + (1 - omega_1) / n. It is 1 for n = 1.
        """
        first = weight(1, k=self.k)
        return first + (1 - first) / self.test_every


class _RipostRun:
    """The tree as it grows."""

    def __init__(self, method: Ripost, account: Account) -> None:
        self.method = method
        self.account = account
        self.builder = TreeBuilder(account)

    def phase(
        self,
        name: str,
        branch: Branch,
        test: Statistic,
        score: Statistic,
        for_tests: Fraction,
        for_cuts: Fraction,
        theta: int,
    ) -> Branch:
        """Test and cut until every block has converged; Algorithm 1, lines 7 to 16 and 19 to 27."""
        done: list[Branch] = []
        depth = 1
        while len(branch) and len(branch) + sum(map(len, done)) < MOST_BLOCKS:
            cells, branch = branch.select(branch.blocks.is_cell)
            done.append(cells)
            omega = weight(depth, k=self.method.k)
            if (depth - 1) % self.method.test_every == 0:
                converged = self._test(f"{name} test, depth {depth}", branch, Laplace(test, for_tests * omega), theta)
                finished, branch = branch.select(converged)
                done.append(finished)
            mechanism = Exponential(score, for_cuts * omega, halved=not self.method.tight)
            branch = self._cut(f"{name} cut, depth {depth}", branch, mechanism)
            depth += 1
        first, *rest = [*done, branch]
        return first.merge(*rest)

    def _test(self, purpose: str, branch: Branch, mechanism: Laplace, theta: int) -> Mask:
        """Secure_cc, Algorithm 2."""
        query = self.account.charge_query(purpose, mechanism, branch.partition)
        if not (self.method.refine and mechanism.statistic is TOTAL):
            return query.at_most(theta)
        return query.measure() <= theta

    def _cut(self, purpose: str, branch: Branch, mechanism: Exponential) -> Branch:
        """Secure_ss, Algorithm 3."""
        cuts = Cuts.of(branch.blocks)
        query = self.account.charge_query(purpose, mechanism, branch.partition)
        return self.builder.split(branch, *cuts.locate(query.choose_cuts(self._sample(cuts))))

    def _sample(self, cuts: Cuts) -> Mask | None:
        """A public random sample of each block's cuts, never empty."""
        if self.method.sample_cuts == 1:
            return None
        allowed = self.account.noise.sample(len(cuts), self.method.sample_cuts)
        none = np.add.reduceat(allowed, cuts.start[:-1], dtype=np.int64) == 0 if len(cuts) else np.zeros(0, bool)
        some: Mask = allowed | np.repeat(none, np.diff(cuts.start))
        return some
