"""The exact maximum of every method, in parts of its budget, from the enumerations that the tests beside make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from . import (
    test_ahp,
    test_audit,
    test_biased,
    test_dawa,
    test_grids,
    test_hdmm,
    test_marginals,
    test_p3gm,
    test_privbayes,
    test_privsyn,
    test_slimview,
    test_tables,
)
from .concentrated import RhoAudit
from .enumeration import Audit
from .family import Family

LINE, SQUARE = Family((2,)), Family((2, 2))


@dataclass(frozen=True)
class Exact:
    """The largest loss that was found, in parts of the budget, and how it was looked for."""

    share: float
    how: str


def pure(audits: list[Audit]) -> Exact:
    assert all(audit.sound for audit in audits)
    return Exact(max(audit.loss / float(audit.epsilon) for audit in audits), "all outputs")


def of_rho(audits: list[RhoAudit]) -> Exact:
    assert all(audit.sound for audit in audits)
    return Exact(max(audit.rho / float(audit.budget) for audit in audits), "all outputs, rho")


def of_draws(audits: list[RhoAudit]) -> Exact:
    assert all(audit.sound for audit in audits)
    return Exact(max(max(audit.by_draw.values()) for audit in audits), "every draw, rho")


EXACT: dict[str, Callable[[], Exact]] = {
    "ripost+": lambda: pure([test_audit.run("ripost+", family, "1") for family in (LINE, SQUARE)]),
    "ripost": lambda: pure([test_audit.run("ripost", f, "1", reuse_unspent=True) for f in (SQUARE, Family((4,)))]),
    "privtree": lambda: pure([test_biased.run("privtree", f, "1") for f in (LINE, SQUARE, Family((4,)))]),
    "hdpview": lambda: pure([test_biased.run("hdpview", f, "1") for f in (LINE, Family((1,)), Family((3,)))]),
    "p3gm": lambda: Exact(test_p3gm.worst(), "every draw of a sequence"),
    "identity": lambda: pure([test_audit.run("identity", family, "1") for family in (LINE, SQUARE)]),
    "uniform-grid": lambda: pure([test_grids.run("uniform-grid", family) for family in (LINE, SQUARE)]),
    "adaptive-grid": lambda: pure([test_grids.run("adaptive-grid", family) for family in (LINE, SQUARE)]),
    "quadtree": lambda: pure([test_grids.run("quadtree", family) for family in (LINE, SQUARE)]),
    "hierarchy": lambda: pure([test_grids.run("hierarchy", family) for family in (LINE, SQUARE)]),
    "hdmm": lambda: pure([test_hdmm.run(family) for family in (LINE, SQUARE)]),
    "dawa": lambda: pure([test_dawa.run(family, **test_dawa.TELLING) for family in (LINE, SQUARE)]),
    "ahp": lambda: pure([test_ahp.run(LINE)]),
    "privbayes": lambda: pure([test_privbayes.run(family) for family in (LINE, SQUARE)]),
    "privsyn": lambda: of_rho([test_privsyn.look(family, Fraction(1, 20)) for family in (LINE, SQUARE)]),
    "slimview": lambda: pure([test_slimview.run(LINE), test_slimview.run(SQUARE, regions=2, sampling=0.5)]),
    "one-way": lambda: pure([test_tables.run("one-way", family) for family in (LINE, SQUARE)]),
    "two-way": lambda: pure([test_tables.run("two-way", family) for family in (LINE, SQUARE)]),
    "residual-planner": lambda: of_rho([test_tables.look("residual-planner", f) for f in (LINE, SQUARE)]),
    "residual-planner+": lambda: of_rho([test_tables.look("residual-planner+", f) for f in (LINE, SQUARE)]),
    "mst": lambda: of_draws([test_marginals.look("mst", family) for family in (LINE, SQUARE)]),
    "aim": lambda: of_draws([test_marginals.look("aim", family) for family in (LINE, SQUARE)]),
    "aim-residuals": lambda: of_draws([test_marginals.look("aim-residuals", f) for f in (LINE, SQUARE)]),
    "swift": lambda: of_draws([test_marginals.look("swift", family) for family in (LINE, SQUARE)]),
    "privmrf": lambda: of_draws([test_marginals.look("privmrf", family) for family in (LINE, SQUARE)]),
}
