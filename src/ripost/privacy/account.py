"""Account: charges every draw before it is made, along every path of blocks.

The charges along a path add up (sequential composition, also when later draws depend on earlier results), and a draw
over a partition charges each path once (parallel composition; proofs/composition.md). A threshold sequence and choices
by a sample are charged once for a block and everything below it: the partition remembers the sequence of each block
and how many draws it has had (proofs/biased_test.md, proofs/sample_choices.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ripost.errors import PrivacyError
from ripost.privacy.ledger import Charge, Currency
from ripost.privacy.mechanisms import BiasedThresholdTest, ComposedMechanism, Laplace, Mechanism, SampleChoices
from ripost.privacy.noise import Noise
from ripost.privacy.paid_queries import PaidQuery, PaidSampleChoices, ThresholdSequence
from ripost.privacy.partition import OVER, Partition
from ripost.privacy.paths import AccountPaths, Watch
from ripost.space.blocks import Blocks
from ripost.space.spine import Spine
from ripost.statistics.block_data import BlockData
from ripost.statistics.statistic import is_proved
from ripost.statistics.totals import TOTAL, TOTAL_OF_PART


class Account(AccountPaths):
    """The budget of one release, the partition it starts from, and the ledger of its charges."""

    def __init__(
        self,
        cells: BlockData,
        *,
        shape: Sequence[int],
        epsilon: Fraction,
        noise: Noise,
        bound: int = 1,
        watch: Watch | None = None,
        currency: Currency = Currency.EPSILON,
        delta: Fraction = Fraction(0),
        spine: Spine | None = None,
        signed: bool = False,
    ) -> None:
        super().__init__(shape=shape, epsilon=epsilon, noise=noise, bound=bound, watch=watch)
        self.currency = currency
        self.delta = delta  # of the promise
        self.spine = spine or Spine.none(len(shape))  # public structure that blocks may follow
        self.signed = signed  # whether cells hold sums that may be negative, of which only totals are proved
        self._sequences = OVER
        self.root = Partition(self, Blocks.whole(shape), cells, np.zeros(1, np.int64), np.zeros((1, 2), np.int64))

    def charge_query(self, purpose: str, mechanism: Mechanism, partition: Partition) -> PaidQuery:
        """Charge one draw over the partition; the query that it returns can be drawn once."""
        self._charge(purpose, mechanism, partition)
        return PaidQuery(mechanism, partition, self.last_entry)

    def prefetch_noise(self, mechanism: Laplace, number: int) -> None:
        """Announce that about this many values will need this noise.

        It may be drawn in the background. It is not added to a value before the draw of that value is charged.
        """
        self.noise.prefetch_noise(mechanism, self.bound, number)

    def charge_threshold_sequence(
        self, purpose: str, mechanism: BiasedThresholdTest, partition: Partition
    ) -> ThresholdSequence:
        """Charge once for tests of these blocks and of everything below them. A block leaves its earlier sequence."""
        sequence = ThresholdSequence(purpose, mechanism, self._sequences + 1, self)
        self._charge(purpose, mechanism, partition)
        self._sequences += 1
        partition._start_sequence(self._sequences)
        return sequence

    def charge_sample_choices(self, purpose: str, mechanism: SampleChoices, partition: Partition) -> PaidSampleChoices:
        """Charge once for choices by a secret sample of these blocks' rows, and draw the sample."""
        if self.bound > 1:
            raise PrivacyError("sums cannot be sampled by row: a row adds more than one count to its cell")
        choices = PaidSampleChoices(purpose, mechanism, self._sequences + 1, self)
        self._charge(purpose, mechanism, partition)
        self._sequences += 1
        partition._start_sequence(self._sequences, rate=mechanism.rate)
        return choices

    def _charge(self, purpose: str, mechanism: Mechanism, partition: Partition) -> None:
        if partition.account is not self:
            raise PrivacyError(f"{purpose}: these blocks belong to another account")
        if self.currency is Currency.ACCOUNTED and (
            not isinstance(mechanism, ComposedMechanism)
            or (mechanism.cost, mechanism.delta) != (self.epsilon, self.delta)
        ):
            raise PrivacyError(
                f"{purpose}: an account of epsilon at a delta is charged once, for one composed mechanism at that delta"
            )
        price = mechanism.price(self.currency)
        if mechanism.cost <= 0:
            raise PrivacyError(f"{purpose}: a draw must cost something, got {mechanism.cost}")
        events = mechanism.events if isinstance(mechanism, ComposedMechanism) else ()
        for statistic in (mechanism.statistic, *(event.statistic for event in events)):
            if self.signed and statistic not in (TOTAL, TOTAL_OF_PART):
                raise PrivacyError(f"{purpose}: only totals are measured of sums that may be negative")
            if not is_proved(statistic):
                raise PrivacyError(f"{purpose}: no proof of the sensitivity of {statistic.name!r}")
        entry = Charge(
            purpose=purpose,
            mechanism=mechanism.title,
            statistic=mechanism.statistic.name,
            sensitivity=mechanism.statistic.sensitivity(self.bound),
            epsilon=price,
            scale=mechanism.scale(self.bound),
            blocks=len(partition),
            terms=mechanism.terms,
        )
        if len(partition):
            partition.charge(entry)
        self.report(purpose, len(partition))
