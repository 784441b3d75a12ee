"""A white-box audit of p3gm: how far one row moves each sum of its sequence of draws, against the noise of that sum.

The whole method is run on neighbors with noise that is watched: both runs are given the same answers, so that they ask
the same questions, and each secret sample holds the row that one of them has more. The price that a listener sees is
then the divergence of the two exact sums, which must not exceed what the accountant was told. Exact enumeration is out
of reach here: outputs are vectors of thousands of whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
import pytest

from ripost.arrays import Floats, Ints
from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.errors import BudgetExceeded
from ripost.peers.p3gm import bounded_sums, gradients
from ripost.peers.p3gm.method import P3GM
from ripost.privacy import mechanisms
from ripost.privacy.account import Account
from ripost.privacy.gaussian_accounting import DpEvent, compute_epsilon
from ripost.privacy.mechanisms import Gaussian
from ripost.privacy.noise import Noise
from ripost.privacy.seeded_noise import SeededNoise
from tests.audit.faults import alter_statistic

pytest.importorskip("dp_accounting", reason="dp-accounting is not installed; pip install 'ripost[p3gm]'")

Patch = pytest.MonkeyPatch
DELTA = Fraction(1, 10**9)
METHOD = P3GM(steps=8, iterations=2, components=3, hidden=6, hidden_spread=4, rate=0.25)
SHAPE = (20, 3)


@dataclass
class Listener(SeededNoise):
    """Noise that notes every exact sum and its scale, samples all rows, and answers from a script."""

    script: list[Ints] | None = None
    heard: list[tuple[Ints, float]] = field(default_factory=list)
    rates: list[Fraction] = field(default_factory=list)
    answers: list[Ints] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(5)

    def gaussian(self, values: Ints, mechanism: Gaussian, bound: int) -> Ints:
        self.heard.append((values, mechanism.scale(bound)))
        answer = super().gaussian(values, mechanism, bound)
        self.answers.append(answer if self.script is None else self.script[len(self.answers)])
        return self.answers[-1]

    def subsample(self, counts: Ints, rate: Fraction) -> Ints:
        self.rates.append(rate)
        return counts

    def uniforms(self, number: int) -> Floats:
        return np.random.default_rng(number).random(number)


def sequence_account(tensor: Tensor, noise: Noise) -> Account:
    return Account(
        MemoryBlockData.of(tensor),
        shape=SHAPE,
        epsilon=Fraction(1),
        noise=noise,
        currency=METHOD.currency,
        delta=METHOD.exact_delta,
    )


def follow(tensor: Tensor, script: list[Ints] | None) -> tuple[Listener, Account]:
    noise = Listener(script)
    account = sequence_account(tensor, noise)
    METHOD.run(account)
    return noise, account


def losses(records: int, cell: tuple[int, int], seed: int) -> list[float]:
    """For each draw, |change|^2 / (2 scale^2) in parts of the price that the accountant was told."""
    rng = np.random.default_rng(seed)
    where = np.stack([rng.integers(0, size, records) for size in SHAPE], axis=1)
    one = Tensor.from_arrays(SHAPE, where, np.ones(records, int))
    other = Tensor.from_arrays(SHAPE, [*where.tolist(), list(cell)], np.ones(records + 1, int))
    first, account = follow(one, None)
    second, _ = follow(other, first.answers)
    events = [event for event in METHOD.events(Fraction(1), METHOD.rate) for _ in range(event.times)]
    assert compute_epsilon(METHOD.events(Fraction(1), METHOD.rate), DELTA) <= account.ledger.spent == 1
    assert len(events) == len(first.heard) == len(second.heard)
    assert first.rates == [event.rate for event in events if event.rate < 1]
    found = []
    for event, (a, scale), (b, _) in zip(events, first.heard, second.heard, strict=True):
        change = sum(value**2 for value in (a - b).tolist())
        found.append(change / (2 * scale**2) / float(event.rho))
    return found


def worst() -> float:
    cases = [(0, (0, 0), 1), (1, (19, 2), 2), (40, (7, 1), 3), (40, (19, 0), 4)]
    return max(max(losses(*case)) for case in cases)


def test_no_draw_tells_more_than_its_price() -> None:
    assert 0.99 <= worst() <= 1


def test_every_kind_of_draw_is_used_well() -> None:
    """Prices are not much larger than what some row can cause: noise is not wasted."""
    found = np.max([losses(30, cell, seed) for seed in range(3) for cell in ((0, 0), (19, 2))], axis=0)
    assert found[0] == pytest.approx(1, abs=1e-6)
    assert found[1] > 0.5
    assert found[2:4].min() > 0.2
    assert found[4:].min() > 0.3


def no_clipping(patch: Patch) -> None:
    def whole(pairs: list[gradients.Pair], clip: float) -> list[gradients.Pair]:
        factor = gradients.ERROR / clip
        return [(np.trunc(error * factor), np.trunc(entered * 2**12)) for error, entered in pairs]

    patch.setattr(gradients, "clip_pairs", whole)


def half_the_noise(patch: Patch) -> None:
    scale = mechanisms.gaussian_scale_for
    patch.setattr(mechanisms, "gaussian_scale_for", lambda sensitivity, rho: scale(sensitivity, rho) / 2)


def moments_counted_twice(patch: Patch) -> None:
    alter_statistic(patch, "second moment", lambda found, _: 2 * found)


def places_too_long(patch: Patch) -> None:
    patch.setattr(bounded_sums, "clip_rows", lambda rows: np.trunc(3 * rows * bounded_sums.LENGTH))


def company_matters(patch: Patch) -> None:
    """Every row's gradient turns with the number of rows: each is short, but all of them change."""
    own = gradients.layer_pairs

    def mix_signs(lesson: gradients.Lesson, coords: np.ndarray) -> list[gradients.Pair]:
        return [(error * (-1) ** coords.shape[1], entered) for error, entered in own(lesson, coords)]

    patch.setattr(gradients, "layer_pairs", mix_signs)


@pytest.mark.parametrize(
    "fault", [no_clipping, half_the_noise, moments_counted_twice, places_too_long, company_matters]
)
def test_faults_are_seen(fault: Callable[[Patch], None], monkeypatch: Patch) -> None:
    monkeypatch.setattr(f"{__name__}.METHOD", replace(METHOD, clip=0.01))  # so that lengths matter
    fault(monkeypatch)
    assert worst() > 1.05


def test_one_more_step_than_listed_is_seen(monkeypatch: Patch) -> None:
    tensor = Tensor.from_arrays(SHAPE, [[0, 0]], [1])
    listed = METHOD.events

    def fewer(epsilon: Fraction, rate: float) -> tuple[DpEvent, ...]:
        *others, training = listed(epsilon, rate)
        return (*others, replace(training, times=training.times - 1))

    method = replace(METHOD)
    object.__setattr__(method, "events", fewer)
    account = sequence_account(tensor, SeededNoise(1))
    with pytest.raises(BudgetExceeded, match="this sequence of draws is over"):
        method.run(account)


def test_a_multiplier_below_the_accountants_is_seen() -> None:
    """A list of events whose noise was halved costs more than epsilon, and is not opened."""
    tensor = Tensor.from_arrays(SHAPE, [[0, 0]], [1])
    account = sequence_account(tensor, SeededNoise(1))
    dear = tuple(replace(event, rho=4 * event.rho) for event in METHOD.events(Fraction(1), METHOD.rate))
    with pytest.raises(BudgetExceeded, match="the accountant states"):
        account.charge_query("training", mechanisms.ComposedMechanism.of(dear, Fraction(1), DELTA), account.root)
