"""The promise of a release with discovery or measures: all of its parts count."""

from fractions import Fraction

import numpy as np
import pytest

from ripost.data.memory import MemoryBlockData
from ripost.data.tensor import Tensor
from ripost.errors import PrivacyError, ReleaseError
from ripost.privacy.account import Account
from ripost.privacy.discovery_ledger import DiscoveryCharge, DiscoveryLedger
from ripost.privacy.ledger import DISCOVERED, Charge, Ledger, Privacy, Step
from ripost.privacy.mechanisms import Laplace
from ripost.privacy.seeded_noise import SeededNoise
from ripost.schema.measure import ROW
from ripost.statistics.deviation import DEVIATION
from ripost.statistics.totals import TOTAL

HALF, DELTA = Fraction(1, 2), Fraction(1, 10**9)


def ledger_of(epsilon: Fraction) -> Ledger:
    noise = Laplace(TOTAL, epsilon)
    entry = Charge("leaf", noise.title, "total", 1, epsilon, noise.scale(1), 1)
    return Ledger((entry,), (Step(None, None, 0), Step(0, 0, 1)))


def test_discovery_counts_in_the_promise() -> None:
    found = DiscoveryLedger((DiscoveryCharge("values", "x", HALF, DELTA, 10),))
    privacy = Privacy(Fraction(1), ROW, "seed 7", ledger_of(HALF), DELTA, discovery=found)
    privacy.check(blocks=1)
    assert privacy.definition == DISCOVERED
    assert privacy.epsilon_spent == 1
    with pytest.raises(ReleaseError, match="its discovery spends more than the promise"):
        Privacy(HALF, ROW, "seed 7", ledger_of(HALF), DELTA, discovery=found).check(blocks=1)


def test_max_rows_has_no_threshold() -> None:
    assert DiscoveryCharge("max_rows", None, HALF, Fraction(0), 3).threshold == 0


def test_measures_count_in_the_promise() -> None:
    privacy = Privacy(Fraction(1), ROW, "seed 7", ledger_of(HALF), measures={"delay": ledger_of(HALF)})
    privacy.check(blocks=1)
    assert privacy.spent == 1
    assert [entry.purpose for entry in privacy.all_entries] == ["leaf", "sums of delay, leaf"]


def test_an_account_of_sums_measures_totals_alone() -> None:
    cells = MemoryBlockData.of(Tensor.from_arrays((2,), np.array([[0]]), np.array([1])))
    account = Account(cells, shape=(2,), epsilon=Fraction(1), noise=SeededNoise(1), signed=True)
    with pytest.raises(PrivacyError, match="only totals are measured"):
        account.charge_query("test", Laplace(DEVIATION, HALF), account.root)
