"""The constants of ripost+ do not change unless their version does, and a view names the version."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import ripost
from ripost.methods import histograms
from ripost.methods.ripost_plus import RipostPlus
from ripost.methods.tuning import DIGESTS, VERSION, Tuning
from ripost.testing import count_tensor


def test_a_version_has_its_constants() -> None:
    found = Tuning.current()
    assert found.digest == DIGESTS[VERSION], (
        f"a constant of ripost+ changed: move VERSION in methods/tuning.py and record {found.digest}"
    )


def test_a_changed_constant_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(histograms, "LONG", 65)
    assert Tuning.current().digest != DIGESTS[VERSION]


def test_the_digest_is_of_names_and_values() -> None:
    one = Tuning("a", {"x": "1", "y": "2"})
    assert one.digest == replace(one, constants={"y": "2", "x": "1"}).digest
    assert one.digest != replace(one, constants={"x": "2", "y": "1"}).digest


def test_many_constants_are_recorded() -> None:
    found = Tuning.current().constants
    assert len(found) > 80
    assert found["ripost.methods.root_measurement:FEW"] == "20" and "ripost.estimate.smoother:POWER" in found


def test_a_view_names_its_tuning(tmp_path: Path) -> None:
    view = ripost.publish(count_tensor((6, 5)), epsilon=1, seed=1)
    view.save(tmp_path / "v")
    assert ripost.open(tmp_path / "v").parameters["tuning"] == VERSION == RipostPlus().parameters()["tuning"]
