"""List of the readings: what each changes, where the paper leaves it open, and whether it keeps epsilon."""

from __future__ import annotations

from dataclasses import dataclass

from experiments.paper.methods import method_of
from experiments.paper.readings.reading import Reading


@dataclass(frozen=True)
class Listed:
    """A reading, in words and as a method."""

    title: str
    options: str = ""
    group: str = ""

    @property
    def spec(self) -> str:
        return f"reading[{self.options}]" if self.options else "reading"

    @property
    def keeps_epsilon(self) -> bool:
        method = method_of(self.spec)
        assert isinstance(method, Reading)
        return method.keeps_epsilon


SERIES, CUTS, TESTS, BUDGET, NOISE = "series", "cuts", "tests", "shares of epsilon", "noise"
AS_PRINTED = Listed("as implemented: k = 5, offset k - 1, score Min")
READINGS = (
    AS_PRINTED,
    *(Listed(f"k = {k}", f"k={k}", SERIES) for k in (1, 2, 3, 10, 20, 50)),
    Listed("offset k: the series starts one term later", "offset=5", SERIES),
    Listed("offset 0: S^k from its first term", "offset=0", SERIES),
    Listed("no series: every draw has the share of its phase", "series=false", SERIES),
    Listed("depth goes on in phase 2, without a reset", "reset=false", SERIES),
    Listed("score Sum: minus the lesser total of both halves", 'score="sum"', CUTS),
    Listed("score Sum: minus both totals together, so cuts of phase 1 are random", 'score="random"', CUTS),
    Listed("cuts of one axis, axes in turn", 'axes="in turn"', CUTS),
    Listed("cuts of one axis, at random", 'axes="at random"', CUTS),
    Listed("cuts of one axis, the widest", 'axes="widest"', CUTS),
    *(
        Listed(f"theta = {theta} in both phases", f"theta_1={theta};theta_2={theta}", TESTS)
        for theta in (-100, 10, 100, 1000)
    ),
    Listed("exact tests", 'exact="tests"', TESTS),
    Listed("phase 1 alone, with its share and that of phase 2", 'phases="first"', BUDGET),
    Listed("phase 2 alone, with its share and that of phase 1", 'phases="second"', BUDGET),
    Listed("alpha and beta exchanged: 0.4 and 0.3", "alpha=0.4;beta=0.3", BUDGET),
    Listed(
        "alpha and beta for the other side: 0.7 for cuts and tests, 0.6 of it for tests",
        "alpha=0.7;beta=0.6",
        BUDGET,
    ),
    Listed("tests with epsilon x omega", 'whole="tests"', BUDGET),
    Listed("tests and cuts with epsilon x omega", 'whole="all"', BUDGET),
    Listed("noise of scale 1 / epsilon_p on a leaf's mean", "on_mean=true", NOISE),
    Listed("no noise on leaves", 'exact="leaves"', NOISE),
)
