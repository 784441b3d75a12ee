"""Both sources of noise against the exact distributions; each comparison raises a false alarm once in a million."""

from __future__ import annotations

import itertools
import math
import threading
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ripost.errors import BudgetExceeded, InputError, PrivacyError
from ripost.privacy import noise as noise_module
from ripost.privacy import subsampling
from ripost.privacy.budget import scale_for
from ripost.privacy.mechanisms import Choice, Exponential, Laplace, Mechanism, PermuteAndFlip, laplace_variance
from ripost.privacy.noise import Noise, SystemNoise
from ripost.privacy.opendp_measurements import laplace_measurement, noisy_max_measurement
from ripost.privacy.seeded_noise import SeededNoise
from ripost.privacy.subsampling import KeyedSampler, RowSampler
from ripost.statistics.cut_scores import DEVIATION_OF_CUT, MIXTURE_OF_CUT
from ripost.statistics.deviation import DEVIATION
from ripost.statistics.totals import TOTAL
from tests.privacy.folding import fold_tails

from . import distributions
from .agreement import agrees, count_outcomes

SOURCES = [SystemNoise(), SeededNoise(11)]
both = pytest.mark.parametrize("noise", SOURCES, ids=lambda noise: noise.entropy)

SCORES = np.array([0, -3, -1, -1, -7, -2])
LAWS = {Exponential: distributions.exponential, PermuteAndFlip: distributions.permute_and_flip}


@both
@pytest.mark.parametrize(
    ("cost", "statistic", "bound"), [("1", TOTAL, 1), ("0.4", TOTAL, 1), ("2", DEVIATION, 3), ("30", TOTAL, 1)]
)
def test_laplace(noise: Noise, cost: str, statistic: object, bound: int) -> None:
    mechanism = Laplace(statistic, Fraction(cost))
    values = np.full(20_000, 1000)
    drawn = noise.laplace(values, mechanism, bound) - 1000
    scale = mechanism.scale(bound)
    far = max(1, int(4 * scale))
    expected = fold_tails(distributions.laplace(np.arange(-far, far + 1), scale))
    assert agrees(count_outcomes(drawn + far, 2 * far + 1), expected)


@both
def test_laplace_noise_is_fresh_for_every_value(noise: Noise) -> None:
    """Signs of neighboring draws agree as often as independent ones do."""
    drawn = noise.laplace(np.zeros(20_001, np.int64), Laplace(TOTAL, Fraction(1, 1000)), 1) > 0
    assert agrees(count_outcomes((drawn[1:] == drawn[:-1]).astype(int), 2), np.array([0.5, 0.5]))


@pytest.mark.parametrize("processors", [1, 2, 3, None])
def test_a_long_vector_keeps_its_order(processors: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noise_module.os, "cpu_count", lambda: processors)
    values = np.arange(3 * noise_module.FEW + 1) * 10**6
    noisy = SystemNoise().laplace(values, Laplace(TOTAL, Fraction(1)), 1)
    assert (np.abs(noisy - values) < 10**6 / 2).all()
    assert len(np.unique(noisy - values)) > 10  # noise of its own for each


class Slow:
    """Stands for an OpenDP measurement: its n-th call adds n, and from the second on waits until it may go on."""

    def __init__(self) -> None:
        self.calls = itertools.count(1)
        self.begun, self.may_go_on = threading.Event(), threading.Event()

    def __call__(self, values: np.ndarray) -> np.ndarray:
        number = next(self.calls)
        if number == 2:
            self.begun.set()
        if number > 1:
            self.may_go_on.wait(60)
        return values + number


def test_noise_drawn_ahead_follows_the_same_law() -> None:
    noise, mechanism = SystemNoise(), Laplace(TOTAL, Fraction(2, 5))
    noise.prefetch_noise(mechanism, 1, 10_000)
    noise._ahead[mechanism.scale(1)]._chunks[8].result()  # half of what is needed, at least
    drawn = noise.laplace(np.full(9_000, 1000), mechanism, 1) - 1000
    far = int(4 * mechanism.scale(1))
    assert agrees(
        count_outcomes(drawn + far, 2 * far + 1),
        fold_tails(distributions.laplace(np.arange(-far, far + 1), mechanism.scale(1))),
    )


def test_noise_drawn_ahead_serves_once_and_in_order() -> None:
    noise, mechanism = SystemNoise(), Laplace(TOTAL, Fraction(1, 100))
    noise.prefetch_noise(mechanism, 1, 2 * noise_module.FEW)
    ahead = noise._ahead[mechanism.scale(1)]._chunks[0].result()
    values = np.arange(3 * noise_module.FEW) * 10**6
    once, again = (noise.laplace(values, mechanism, 1) - values for _ in "12")
    assert once[: len(ahead)].tolist() == ahead.tolist()
    assert (np.abs(once) < 10**6 / 2).all()
    assert once.tolist() != again.tolist()
    assert not noise._ahead


@pytest.mark.parametrize("processors", [2, None])
def test_what_was_begun_is_waited_for(processors: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Noise that takes long must not be left out: small noise takes less, and would be favored."""
    monkeypatch.setattr(noise_module.os, "cpu_count", lambda: processors)
    slow = Slow()
    ahead = noise_module.NoisePrefetcher(slow, 4 * noise_module.AHEAD)
    assert slow.begun.wait(60)
    threading.Timer(0.2, slow.may_go_on.set).start()
    values = np.zeros(3 * noise_module.AHEAD, np.int64)
    assert ahead.add_noise(slow, values).tolist() == np.repeat([1, 2, 3], noise_module.AHEAD).tolist()


def test_noise_that_nobody_needs_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noise_module.os, "cpu_count", lambda: 2)
    slow = Slow()
    ahead = noise_module.NoisePrefetcher(slow, 50 * noise_module.AHEAD)
    assert slow.begun.wait(60)
    chunks = ahead._chunks
    del ahead
    slow.may_go_on.set()
    assert chunks[-1].cancelled()


def test_few_values_are_not_worth_drawing_ahead() -> None:
    noise = SystemNoise()
    noise.prefetch_noise(Laplace(TOTAL, Fraction(1)), 1, 2 * noise_module.FEW - 1)
    assert not noise._ahead


@pytest.mark.parametrize("drawn", [2**63 - 1, -(2**63)])
def test_noise_drawn_ahead_never_overflows(drawn: int) -> None:
    """Clipped noise gives what the sum clipped would be, and values near the limit wait for OpenDP itself."""

    def far(values: np.ndarray) -> np.ndarray:
        return np.full(len(values), drawn)

    large = noise_module.LARGE
    ahead = noise_module.NoisePrefetcher(far, noise_module.AHEAD)
    ahead._chunks[0].result()
    assert ahead.add_noise(far, np.array([0, large, -large])).tolist() == [large if drawn > 0 else -large] * 3
    for value in (large + 1, -large - 1):
        ahead = noise_module.NoisePrefetcher(far, noise_module.AHEAD)
        assert ahead.add_noise(far, np.array([value])).tolist() == [drawn]


def test_a_seed_repeats_itself_whatever_is_foreseen() -> None:
    mechanism, values = Laplace(TOTAL, Fraction(1)), np.zeros(10_000, np.int64)
    one, other = SeededNoise(4), SeededNoise(4)
    one.prefetch_noise(mechanism, 1, 10_000)
    assert one.laplace(values, mechanism, 1).tolist() == other.laplace(values, mechanism, 1).tolist()


@both
@pytest.mark.parametrize("threshold", [-2, 0, 3])
def test_at_most(noise: Noise, threshold: int) -> None:
    mechanism = Laplace(TOTAL, Fraction(1, 2))
    said = noise.at_most(np.full(20_000, 1), threshold, mechanism, 1)
    yes = np.exp(distributions.laplace_at_most(np.array(threshold - 1), mechanism.scale(1)))
    assert agrees(count_outcomes(said.astype(int), 2), np.array([1 - yes, yes]))


@both
@pytest.mark.parametrize("kind", [Exponential, PermuteAndFlip], ids=lambda kind: kind.title)
@pytest.mark.parametrize(("cost", "halved"), [("0.5", False), ("2", False), ("4", True), ("20", False)])
def test_choose(noise: Noise, kind: type[Choice], cost: str, halved: bool) -> None:
    """Two thousand blocks with the same scores, and a block with one candidate between each two."""
    mechanism = kind(MIXTURE_OF_CUT, Fraction(cost), halved=halved)
    number = 1000
    scores = np.tile(np.concatenate([SCORES, [-5], SCORES]), number)
    start = np.concatenate([[0], np.cumsum(np.tile([len(SCORES), 1, len(SCORES)], number))])
    picks = noise.choose(scores, start, mechanism, 1).reshape(number, 3)
    assert (picks[:, 1] == 0).all()
    expected = np.exp(LAWS[kind](SCORES, mechanism.scale(1)))
    assert expected.sum() == pytest.approx(1)
    assert agrees(count_outcomes(picks[:, [0, 2]].ravel(), len(SCORES)), expected)


def test_exponential_mechanism_drawn_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenDP's noisy max of zero-concentrated loss is the exponential mechanism; no proposal comes before it."""
    monkeypatch.setattr(noise_module, "PROPOSALS", 0)
    mechanism = Exponential(MIXTURE_OF_CUT, Fraction(2))
    number = 6000
    start = len(SCORES) * np.arange(number + 1)
    picks = SystemNoise().choose(np.tile(SCORES, number), start, mechanism, 1)
    assert agrees(count_outcomes(picks, len(SCORES)), np.exp(distributions.exponential(SCORES, mechanism.scale(1))))


@pytest.mark.parametrize("at_once", [True, False])
def test_permute_and_flip_at_once_and_one_by_one(monkeypatch: pytest.MonkeyPatch, at_once: bool) -> None:
    """OpenDP's noisy max of pure loss, and coins for all blocks together, draw the same law."""
    monkeypatch.setattr(noise_module, "FEW_CANDIDATES", 10**6 if at_once else 0)
    mechanism = PermuteAndFlip(MIXTURE_OF_CUT, Fraction(2))
    number = 6000
    start = len(SCORES) * np.arange(number + 1)
    picks = SystemNoise().choose(np.tile(SCORES, number), start, mechanism, 1)
    assert agrees(
        count_outcomes(picks, len(SCORES)), np.exp(distributions.permute_and_flip(SCORES, mechanism.scale(1)))
    )


def test_the_law_of_permute_and_flip_is_that_over_all_orders() -> None:
    law = distributions.permute_and_flip(SCORES, 2.0)
    assert np.allclose(law, distributions.permute_and_flip_by_orders(SCORES, 2.0), rtol=1e-12)


def test_proposals_without_leftovers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same by proposals alone."""
    monkeypatch.setattr(noise_module, "PROPOSALS", 10**6)
    mechanism = Exponential(DEVIATION_OF_CUT, Fraction(9))
    number = 6000
    start = len(SCORES) * np.arange(number + 1)
    picks = SystemNoise().choose(np.tile(SCORES, number), start, mechanism, 1)
    assert agrees(count_outcomes(picks, len(SCORES)), np.exp(distributions.exponential(SCORES, mechanism.scale(1))))


@pytest.mark.parametrize("bound", [1, 2, 3, 7])
def test_whole_numbers_below_a_bound(bound: int) -> None:
    drawn = noise_module._below(np.full(20_000, bound))
    assert agrees(count_outcomes(drawn, bound + 1), np.append(np.full(bound, 1 / bound), 0))


def test_whole_numbers_are_drawn_again_where_bits_would_favour_some(monkeypatch: pytest.MonkeyPatch) -> None:
    """2^64 mod 3 is 1, so the word 0 is refused for 3 and taken for 4."""
    words = iter([np.array([0, 0], np.uint64), np.array([5], np.uint64)])
    monkeypatch.setattr(noise_module.secrets, "token_bytes", lambda _: next(words).tobytes())
    assert noise_module._below(np.array([3, 4])).tolist() == [2, 0]


@both
@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
def test_sample(noise: Noise, share: float) -> None:
    assert agrees(count_outcomes(noise.sample(20_000, share).astype(int), 2), np.array([1 - share, share]))
    assert len(noise.sample(0, share)) == 0


@both
@pytest.mark.parametrize(
    ("rate", "records"),
    [("1/16", 1), ("3/8", 3), ("40961/65536", 9), ("1", 2), ("0", 5), ("1/4", 18), ("1/4", 40), ("257/65536", 600)],
)
def test_thinned(noise: Noise, rate: str, records: int) -> None:
    """Rows are taken one by one: a binomial number of them."""
    share = float(Fraction(rate))
    drawn = noise.subsample(np.full(20_000, records), Fraction(rate))
    expected = [math.comb(records, k) * share**k * (1 - share) ** (records - k) for k in range(records + 1)]
    assert agrees(count_outcomes(drawn, records + 2), np.array([*expected, 0]))
    assert len(noise.subsample(np.zeros(0, np.int64), Fraction(rate))) == 0


def test_thinned_takes_unequal_cells_as_they_come() -> None:
    counts = np.array([0, 1, 0, 10_000, 7, 0, 2**24])
    drawn = SystemNoise().subsample(counts, Fraction(1, 4))
    assert (drawn <= counts).all()
    for part, whole in ((drawn[3], 10_000), (drawn[6], 2**24)):
        assert agrees(np.array([whole - part, part]), np.array([0.75, 0.25]))


def test_thinned_on_several_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks have coins of their own, and rows of a chunk that is drawn in parts are each drawn once."""
    monkeypatch.setattr(subsampling, "MANY", 64)
    monkeypatch.setattr(subsampling, "AT_A_TIME", 100)
    counts = np.random.default_rng(0).integers(0, 6, 20_000)
    drawn = SystemNoise().subsample(counts, Fraction(3, 16))
    assert (drawn <= counts).all() and len(
        np.unique(drawn.reshape(-1, 50)[counts.reshape(-1, 50).sum(1) > 0], axis=0)
    ) > 300
    assert agrees(
        count_outcomes(drawn[counts == 3], 4),
        np.array([math.comb(3, k) * 3**k * 13 ** (3 - k) / 4096 for k in range(4)]),
    )


def test_coins_of_a_key() -> None:
    """The law of any other sample; alike in the same place, and not in another."""
    coins, counts = KeyedSampler(Fraction(1, 4), b"k" * 32), np.full(20_000, 3)
    drawn = coins(counts, "1/7")
    assert agrees(count_outcomes(drawn, 4), np.array([math.comb(3, k) * 3 ** (3 - k) / 64 for k in range(4)]))
    assert drawn.tolist() == coins(counts, "1/7").tolist()
    joint = 4 * drawn + coins(counts, "1/8")
    law = np.array([math.comb(3, k) * 3 ** (3 - k) / 64 for k in range(4)])
    assert agrees(count_outcomes(joint, 16), np.outer(law, law).ravel())
    assert "k" * 32 not in repr(coins)
    fresh = RowSampler(SystemNoise(), Fraction(1, 4))
    assert fresh.with_key() != fresh.with_key()
    assert RowSampler(SeededNoise(1), Fraction(1, 4)).with_key() is None


def test_a_rate_is_a_multiple_of_a_power_of_two() -> None:
    for rate in (Fraction(1, 3), Fraction(5, 4), Fraction(-1, 2)):
        with pytest.raises(PrivacyError, match=r"a rate must be a multiple of 2\^-16"):
            SystemNoise().subsample(np.array([1]), rate)


def test_a_wrong_distribution_is_seen() -> None:
    """The same comparison notices a scale that is off by a fifth, and one mechanism in place of the other."""
    values, mechanism = np.zeros(20_000, np.int64), Laplace(TOTAL, Fraction(1, 2))
    far = 8
    for scale in (2 * 1.2, 2 / 1.2):
        expected = fold_tails(distributions.laplace(np.arange(-far, far + 1), scale))
        assert not agrees(count_outcomes(SeededNoise(5).laplace(values, mechanism, 1) + far, 2 * far + 1), expected)
    exponential = np.exp(distributions.exponential(SCORES, 2.0))
    flip = np.exp(distributions.permute_and_flip(SCORES, 2.0))
    assert not agrees(np.round(6000 * exponential).astype(int), flip)


@both
def test_nothing_is_drawn_for_no_blocks(noise: Noise) -> None:
    none = np.zeros(0, np.int64)
    assert len(noise.laplace(none, Laplace(TOTAL, Fraction(1)), 1)) == 0
    assert len(noise.at_most(none, 0, Laplace(TOTAL, Fraction(1)), 1)) == 0
    assert len(noise.choose(none, np.zeros(1, np.int64), Exponential(MIXTURE_OF_CUT, Fraction(1)), 1)) == 0


def test_a_seed_repeats_itself() -> None:
    def draws(seed: int) -> list[object]:
        noise = SeededNoise(seed)
        scores = np.arange(40) % 7
        return [
            noise.laplace(np.arange(50), Laplace(TOTAL, Fraction(1, 10)), 1).tolist(),
            noise.choose(scores, np.array([0, 10, 40]), Exponential(MIXTURE_OF_CUT, Fraction(1)), 1).tolist(),
            noise.choose(scores, np.array([0, 10, 40]), PermuteAndFlip(MIXTURE_OF_CUT, Fraction(1)), 1).tolist(),
            noise.sample(50, 0.5).tolist(),
        ]

    assert draws(7) == draws(7)
    assert draws(7) != draws(8)
    assert SeededNoise(7).entropy == "seed 7"
    assert SystemNoise().entropy == "operating system"


def test_the_system_does_not_repeat_itself() -> None:
    one, other = (SystemNoise().laplace(np.zeros(50, np.int64), Laplace(TOTAL, Fraction(1, 10)), 1) for _ in "12")
    assert one.tolist() != other.tolist()  # alike with probability below 1e-60


@pytest.mark.parametrize("seed", [-1, True, 1.5, "7", None])
def test_a_seed_is_a_whole_number(seed: object) -> None:
    with pytest.raises(InputError, match="seed must be a whole number from 0, got"):
        SeededNoise(seed)


def test_opendp_must_agree_with_the_price(monkeypatch: pytest.MonkeyPatch) -> None:
    one = np.zeros(2, np.int64)
    monkeypatch.setattr(Laplace, "scale", lambda self, bound: 0.999)
    with pytest.raises(BudgetExceeded, match="OpenDP states a loss of"):
        SystemNoise().laplace(one, Laplace(TOTAL, Fraction(1)), 1)
    monkeypatch.setattr(Choice, "scale", lambda self, bound: 1.999)
    for kind in (Exponential, PermuteAndFlip):
        with pytest.raises(BudgetExceeded, match="OpenDP states a loss of"):
            SystemNoise().choose(one, np.array([0, 2]), kind(MIXTURE_OF_CUT, Fraction(1)), 1)


EPSILON = st.fractions(min_value=Fraction(1, 10**15), max_value=1000)
BOUND = st.integers(1, 2**53 - 1)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(EPSILON, BOUND)
def test_opendp_never_states_more_than_was_paid(cost: Fraction, bound: int) -> None:
    for statistic in (TOTAL, DEVIATION):
        mechanism = Laplace(statistic, cost)
        loss = laplace_measurement(mechanism.scale(bound)).map(statistic.sensitivity(bound))
        assert Fraction(loss) <= cost
        assert Fraction(loss) > cost * (1 - Fraction(1, 10**12))
    for halved in (False, True):
        choice = Exponential(DEVIATION_OF_CUT, cost, halved=halved)
        flip = noisy_max_measurement(choice.scale(bound), is_exponential=False)
        loss = Fraction(flip.map(DEVIATION_OF_CUT.sensitivity(bound)))
        assert loss <= cost / (2 if halved else 1)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.integers(1, 2**55), st.fractions(min_value=Fraction(1, 10**30), max_value=10**6))
def test_scale_is_above_the_exact_ratio(sensitivity: int, epsilon: Fraction) -> None:
    ratio = Fraction(sensitivity) / epsilon
    assert ratio < Fraction(scale_for(sensitivity, epsilon)) < ratio * (1 + Fraction(1, 10**14))


@pytest.mark.parametrize("cost", ["0.001", "0.5", "3"])
def test_variance_is_that_of_the_distribution(cost: str) -> None:
    mechanism = Laplace(TOTAL, Fraction(cost))
    scale = mechanism.scale(1)
    far = np.arange(1, int(60 * scale) + 60)
    assert mechanism.variance(1) == pytest.approx(2 * (far**2 * np.exp(distributions.laplace(far, scale))).sum())
    assert laplace_variance(scale) == mechanism.variance(1)


def test_a_mechanism_needs_a_scale() -> None:
    with pytest.raises(TypeError):
        Mechanism(TOTAL, Fraction(1))
