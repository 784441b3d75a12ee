"""RIPOST+ at unusual scales: huge tables at a tiny epsilon, and tables of few cells in a wide domain."""

from __future__ import annotations

from pathlib import Path

import pytest

import ripost
from ripost import publish
from ripost.data.tensor import Tensor


@pytest.mark.parametrize(
    ("shape", "rows", "epsilon"), [((1,), 10**5, "1e-3"), ((2, 2), 2 * 10**8, "1e-6"), ((8, 8), 2**30, "1e-6")], ids=str
)
def test_many_rows_at_a_tiny_epsilon(shape: tuple[int, ...], rows: int, epsilon: str, tmp_path: Path) -> None:
    """No constant of the estimate is in rows: the total is right, and the file opens."""
    tensor = Tensor.from_arrays(shape, [[size // 2 for size in shape]], [rows])
    for seed in range(3):
        view = publish(tensor, epsilon=epsilon, seed=seed)
        assert abs(view.total - rows) < 5 * view.count().stderr
    view.save(tmp_path / "view.ripost.parquet")
    assert ripost.open(tmp_path / "view.ripost.parquet").total == pytest.approx(view.total)


def test_a_histogram_that_the_view_contradicts_is_said_to_be_worth_less(tmp_path: Path) -> None:
    """Two cells of a wide domain: the mixture, whose shares have 8 bits, is off by more than the noise."""
    shape = (5000, 17, 1, 5, 17, 64, 33)
    tensor = Tensor.from_arrays(shape, [[7, 3, 0, 1, 9, 60, 2], [4500, 12, 0, 4, 2, 5, 30]], [500_000, 500_000])
    view = publish(tensor, epsilon=1, seed=0)
    model = view.content.error_model
    noise = [entry.epsilon for entry in view.privacy.ledger.entries if entry.purpose == "axis 5, width 1"]
    assert view.content.mixture is not None
    assert model.histogram_variances[4] > 10 * 2 / float(noise[0]) ** 2
    view.save(tmp_path / "view.ripost.parquet")
    assert ripost.open(tmp_path / "view.ripost.parquet").content.error_model == model


def test_a_misfit_may_pass_all_noise_of_the_ledger_without_pairs_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ripost.estimate.joint.misfit", lambda *_: 1e6)  # such histograms are rare
    view = publish(Tensor.from_arrays((9, 30), [[1, 7], [2, 20]], [300, 300]), epsilon=1, seed=0)
    view.save(tmp_path / "view.ripost.parquet")
    opened = ripost.open(tmp_path / "view.ripost.parquet")
    model = opened.content.error_model
    assert opened.content.mixture is None and model is not None
    assert model.histogram_variances[1] > 1e6
