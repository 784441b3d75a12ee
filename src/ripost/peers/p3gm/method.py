"""P3GM: private directions, then a private mixture, then a network trained with private gradients (Takagi et al. 2021).

docs/methods/p3gm.md lists the choices that the paper leaves open. peers/p3gm/proof.md proves the guarantee.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from ripost.arrays import Floats, Ints
from ripost.errors import InputError
from ripost.methods.method import Method, PublicInputs, Sample, check_codes
from ripost.methods.parameters import RECORDS, PositiveDelta, Reads, Share
from ripost.peers.p3gm.model import Adam, decode_latent, directions, fresh, maximize_mixture, normals, sample_latent
from ripost.peers.p3gm.network import UNIT, Encoding, GaussianMixture, Layers, Lesson, Places
from ripost.peers.p3gm.statistics import GRADIENT, RESPONSIBILITY, SECOND_MOMENT
from ripost.peers.synthetic_rows import count_rows, spread_rows
from ripost.privacy.account import Account
from ripost.privacy.budget import share
from ripost.privacy.gaussian_accounting import FAINT, DpEvent, compute_epsilon
from ripost.privacy.ledger import Currency
from ripost.privacy.mechanisms import ComposedMechanism
from ripost.privacy.paid_queries import GaussianSequence
from ripost.statistics.totals import TOTAL

MOST_WIDTH = 512  # numbers that a row is encoded as
MOST_OUTPUTS = 4096
MOST_CODES = 2**22  # of all axes together: each has a place in the latent space, in memory
MOST_ROWS = 2**17  # beyond, each synthetic row stands for several
JITTERS = 64
LEAST_MOMENT = 1e-3  # along a direction, of rows whose length is 1
PRECISION = 2.0**-16  # rates are whole multiples
EASY = Fraction(1, 10**30)  # a price that fits into any budget
CLOSE = 1e-3  # relative tolerance of the search for the largest price


@dataclass(frozen=True)
class P3GM(Method):
    """A phased generative model; its release is a sample of synthetic rows."""

    name: ClassVar[str] = "p3gm"
    extra: ClassVar[str] = "p3gm"
    needs: ClassVar[tuple[str, ...]] = ("dp_accounting",)
    samples: ClassVar[bool] = True

    delta: PositiveDelta = 1e-9
    latent: Annotated[int, Field(ge=1, le=8)] = 8  # directions that are kept
    components: Annotated[int, Field(ge=1, le=100)] = 8  # of the mixture
    iterations: Annotated[int, Field(ge=1, le=1000)] = 8  # of its estimation
    hidden: Annotated[int, Field(ge=1, le=1024)] = 32  # neurons of the decoder
    hidden_spread: Annotated[int, Field(ge=1, le=1024)] = 8  # neurons of the network for the variance of a place
    steps: Annotated[int, Field(ge=1, le=10**6)] = 60  # of training
    rate: Annotated[float, Field(ge=PRECISION, le=1)] = 0.0625  # probability that a row takes part in a step
    clip: Annotated[float, Field(ge=PRECISION, le=1000)] = 16.0  # longest gradient of a row
    pace: Annotated[float, Field(ge=PRECISION, le=10)] = 0.15  # of learning
    one_hot: Annotated[int, Field(ge=1, le=MOST_WIDTH)] = 16  # axes with more codes enter as one number
    bins: Annotated[int, Field(ge=1, le=MOST_OUTPUTS)] = (
        128  # axes with more codes come out in this many bins of equal width
    )
    for_total: Share = 0.01  # shares of the budget
    for_directions: Share = 0.1
    for_mixture: Share = 0.2
    prior: Literal["mixture", "normal"] = "mixture"  # "normal": as the published code samples, a flaw
    reads: Reads = RECORDS

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.for_total + self.for_directions + self.for_mixture >= 1:
            raise InputError("for_total, for_directions and for_mixture must leave something for training")

    @property
    def currency(self) -> Currency:
        return Currency.ACCOUNTED

    def budget(self, epsilon: Fraction, rows: int) -> Fraction:
        if rows > 1:
            raise InputError("p3gm protects single rows; choose another method for units of several rows")
        return epsilon

    def check(self, inputs: PublicInputs) -> None:
        check_codes(self.name, inputs.shape, MOST_CODES)
        width, outputs = Encoding.of(inputs.shape, self.one_hot).width, sum(self._outputs(inputs.shape))
        if width > MOST_WIDTH or outputs > MOST_OUTPUTS:
            raise InputError(
                f"p3gm needs {width:,} numbers for a row and {outputs:,} outputs and stops at {MOST_WIDTH:,} and "
                f"{MOST_OUTPUTS:,}; choose another method, or lower one_hot and bins"
            )

    def run(self, account: Account) -> Sample:
        encoding, outputs = Encoding.of(account.shape, self.one_hot), self._outputs(account.shape)
        rate = self.rate if account.bound == 1 else 1.0  # a sample of the steps of a sum is not a sample of rows
        events = self.events(account.epsilon, rate)
        mechanism = ComposedMechanism.of(events, account.epsilon, self.exact_delta)
        sequence = account.charge_query("training", mechanism, account.root).start_sequence()
        return _Model(self, account, sequence, encoding, outputs, rate).sample()

    def events(self, epsilon: Fraction, rate: float) -> tuple[DpEvent, ...]:
        """The draws in order, with noise that together spends epsilon and delta."""
        whole = _largest(lambda rho: compute_epsilon((DpEvent("all", TOTAL, rho),), self.exact_delta) <= epsilon, EASY)
        shares = [share(v, name="") for v in (self.for_total, self.for_directions, self.for_mixture)]
        before = (
            DpEvent("total", TOTAL, _round_down(whole * shares[0])),
            DpEvent("directions", SECOND_MOMENT, _round_down(whole * shares[1])),
            DpEvent("mixture", RESPONSIBILITY, _round_down(whole * shares[2] / self.iterations), times=self.iterations),
        )
        part = Fraction(int(rate / PRECISION), int(1 / PRECISION))

        def training(rho: Fraction) -> DpEvent:
            return DpEvent("training", GRADIENT, rho, rate=part, times=self.steps)

        def fits(rho: Fraction) -> bool:
            return compute_epsilon((*before, training(rho)), self.exact_delta) <= epsilon

        easy = _round_down(whole * (1 - sum(shares)) / self.steps * Fraction(99, 100))  # fits without sampling
        known = FAINT / part**2  # no longer faint, so sampling counts
        return (*before, training(_largest(fits, known if known > easy and fits(known) else easy)))

    def _outputs(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Number of outputs of each axis."""
        return tuple(min(size, self.bins) for size in shape)


def _round_down(rho: Fraction) -> Fraction:
    """A price rounded down to about six digits."""
    unit = Fraction(10) ** (math.floor(math.log10(rho)) - 5)
    return rho // unit * unit


def _largest(fits: Callable[[Fraction], bool], easy: Fraction) -> Fraction:
    """About the largest price that fits, starting from one that does."""
    low, more = easy, Fraction(4)
    while more > 1 + CLOSE:
        if fits(_round_down(low * more)):
            low = _round_down(low * more)
        else:
            more = _round_down(Fraction(math.sqrt(more)))
    return low


class _Model:
    """The model, phase by phase."""

    def __init__(
        self,
        method: P3GM,
        account: Account,
        sequence: GaussianSequence,
        encoding: Encoding,
        outputs: tuple[int, ...],
        rate: float,
    ) -> None:
        self.method = method
        self.rate = rate
        self.shape = account.shape
        self.noise = account.noise
        self.uniforms = account.noise.uniforms
        self.sequence = sequence
        self.outputs = outputs
        self.latent = min(method.latent, encoding.width)
        self.total = int(sequence.measure()[0])
        self.number = max(1.0, float(self.total))
        self._place(encoding)
        self._train()

    def _place(self, encoding: Encoding) -> None:
        """Phase 1: directions, and a mixture along them."""
        upper = np.triu_indices(encoding.width)
        moments = np.zeros((encoding.width, encoding.width))
        moments[upper] = self.sequence.measure(encoding) / (UNIT**2 * self.number)
        vectors, sizes = directions(moments + np.triu(moments, 1).T, self.latent)
        projection = encoding.project(vectors, 1.0)
        size = np.sqrt(np.maximum(sizes, LEAST_MOMENT))
        centres = normals(self.uniforms, self.method.components * self.latent).reshape(-1, self.latent) * size
        components = self.method.components
        mixture = GaussianMixture(
            np.full(components, 1 / components), np.clip(centres, -1, 1), np.tile(size**2, (components, 1))
        )
        for _ in range(self.method.iterations):
            noisy: Floats = (
                self.sequence.measure(Places(projection, mixture)).reshape(components, -1).astype(np.float64)
            )
            mixture = maximize_mixture(noisy * (math.sqrt(3) / RESPONSIBILITY.per_count), self.latent)
        self.mixture = mixture.scale(1 / size)
        self.projection = encoding.project(vectors / size, 16.0)

    def _train(self) -> None:
        """Phase 2: the networks."""
        method, outputs = self.method, sum(self.outputs)
        bins = tuple(np.arange(size) * number // size for size, number in zip(self.shape, self.outputs, strict=True))
        layers = fresh(self.uniforms, self.latent, method.hidden, method.hidden_spread, outputs)
        shapes = [layer.shape for layer in layers]
        adam = Adam(np.concatenate([layer.ravel() for layer in layers]), method.pace)
        per_row = method.clip / (GRADIENT.per_count * max(1.0, self.number * self.rate))
        average = np.zeros_like(adam.weights)
        for step in range(method.steps):
            jitter = normals(self.uniforms, JITTERS * self.latent).reshape(JITTERS, self.latent)
            turns = (self.uniforms(len(self.shape)) * JITTERS).astype(np.int64)
            lesson = Lesson(
                self.projection, bins, self.mixture, _layers(adam.weights, shapes), jitter, turns, method.clip
            )
            adam.step(self.sequence.measure(lesson).astype(np.float64) * per_row, 1 - step / method.steps)
            average += (adam.weights - average) * (2 / (step + 2))
        self.layers = _layers(average, shapes)

    def sample(self) -> Sample:
        """Synthetic rows: as many as the noisy total, or MOST_ROWS that stand for several each."""
        number = min(max(self.total, 0), MOST_ROWS)
        normal = GaussianMixture(np.ones(1), np.zeros((1, self.latent)), np.ones((1, self.latent)))
        prior = self.mixture if self.method.prior == "mixture" else normal
        parts = [np.zeros((0, len(self.shape)), np.int64)]
        for first in range(0, number, 8192):
            place = sample_latent(self.uniforms, prior, min(8192, number - first))
            parts.append(self._codes(decode_latent(self.uniforms, self.layers, place, self.outputs)))
        return count_rows(np.concatenate(parts), self.total / max(number, 1))

    def _codes(self, found: Ints) -> Ints:
        """A code from the bin of each output."""
        sizes = zip(found.T, self.shape, self.outputs, strict=True)
        return np.stack([spread_rows(self.noise, at, size, outputs) for at, size, outputs in sizes], axis=1)


def _layers(weights: Floats, shapes: list[tuple[int, ...]]) -> Layers:
    parts: Iterator[Floats] = iter(np.split(weights, np.cumsum([math.prod(shape) for shape in shapes])[:-1]))
    one, two, three, four = (part.reshape(shape) for part, shape in zip(parts, shapes, strict=True))
    return Layers((one, two), (three, four))
