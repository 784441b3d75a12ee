"""Views saved in a folder, to be certified."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from pathlib import Path
from typing import Any

from ripost.certify.certified_release import CertifiedRelease
from ripost.privacy.budget import gaussian_scale_for, scale_for
from ripost.privacy.ledger import Charge, Ledger, Privacy, Step
from ripost.schema.measure import ROW, Unit
from ripost.schema.schema import Schema
from ripost.view import View
from tests.answering.making import make_view

RHO = Fraction(1, 1000)
DAY = dt.date(2026, 3, 1)
SCHEMA = Schema.parse(
    """
[attributes.age]
type = "integer"
min = 0
max = 99
width = 10
[attributes."<b>ward</b>"]
type = "category"
values = ["surgery", "<script>alert(1)</script>", "emergency"]
label = "ward & bed"
outside = "drop"
missing = "drop"
[attributes.day]
type = "date"
min = 2025-01-01
max = 2025-12-31
width = "1 month"
outside = "other"
[attributes.well]
type = "boolean"
missing = "drop"
"""
)


def pure(
    *, epsilon: str = "1", unit: Unit = ROW, entropy: str = "operating system", blocks: int = 20, bound: int = 1
) -> Privacy:
    """One draw of Laplace noise over all blocks."""
    budget = Fraction(epsilon) / unit.max_rows
    entry = Charge("leaf", "discrete Laplace", "total", bound, budget, scale_for(bound, budget), blocks)
    return Privacy(Fraction(epsilon), unit, entropy, Ledger((entry,), (Step(None, None, 0), Step(0, 0, blocks))))


def concentrated_promise(blocks: int = 20) -> Privacy:
    """One draw of Gaussian noise, counted in rho."""
    entry = Charge("leaf", "discrete Gaussian", "total", 1, RHO, gaussian_scale_for(1, RHO), blocks)
    ledger = Ledger((entry,), (Step(None, None, 0), Step(0, 0, blocks)))
    return Privacy(Fraction(1), ROW, "operating system", ledger, Fraction(1, 10**9))


def view_of(privacy: Privacy | None = None, **given: Any) -> View:
    return make_view(SCHEMA.domain, leaves=20, privacy=privacy or pure(), **given)


def certify(folder: Path, view: View | None = None, **given: Any) -> CertifiedRelease:
    """A view saved and opened again as the subject of a certificate."""
    path = folder / "visits.ripost.parquet"
    (view or view_of()).save(path, force=True)
    return CertifiedRelease.open(path, written=DAY, **given)
