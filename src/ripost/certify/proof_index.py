"""Proof index: the proofs for the entries of a ledger. The proofs are shipped beside the code."""

from __future__ import annotations

from pathlib import Path

from ripost.privacy.ledger import Currency
from ripost.privacy.ledger_check import KINDS
from ripost.series import Series
from ripost.statistics.registry import find_statistic
from ripost.statistics.statistic import PROOFS
from ripost.view import View

FOLDER = "ripost/privacy/proofs"
UNKNOWN = "no proof is known to this version of ripost"


def list_proofs(view: View) -> list[tuple[str, str]]:
    """The claims that a release relies on, each with the file that proves it, in an auditor's reading order."""
    if not isinstance(view, Series):
        return _list_proofs(view)
    found = [("what releases of different periods promise together", "periods.md")]
    return list(dict.fromkeys(found + [line for part in view.parts for line in _list_proofs(part)]))


def _list_proofs(view: View) -> list[tuple[str, str]]:
    """The claims that one release relies on."""
    entries = view.privacy.all_entries
    found = [("every draw is paid for, and what is paid adds up to no more than the budget", "composition.md")]
    if view.privacy.currency is Currency.RHO:
        found.append(("rho of zero-concentrated differential privacy turns into epsilon and delta", "concentrated.md"))
    if view.privacy.discovery is not None:
        found.append(("discovery and method together cost their sum", "discover_composition.md"))
        found.append(("one unit votes once in each draw of discovery", "discover_votes.md"))
        if view.privacy.discovery.delta:
            found.append(("a value of one unit is listed with probability at most delta", "discover_values.md"))
    if view.privacy.measures:
        found.append(("the counts and the sums of each measure share one budget", "measures.md"))
    if view.privacy.unit.column is not None:
        found.append((f"all rows of one {view.privacy.unit.column} are protected together", "unit.md"))
    if view.privacy.unit.max_periods is not None:
        found.append(("one unit counts in its first periods alone", "periods.md"))
    if view.measure.cells:
        found.append(("counting non-empty cells once", "occupied.md"))
    for mechanism in dict.fromkeys(entry.mechanism for entry in entries):
        found.append((f"mechanism: {mechanism}", KINDS[mechanism].proof if mechanism in KINDS else UNKNOWN))
    for statistic, most in dict.fromkeys((entry.statistic, entry.sensitivity) for entry in entries):
        found.append((f"one row changes the {statistic} by at most {most:,}", _proof_of(statistic)))
    return found


def _proof_of(name: str) -> str:
    """The proof of a statistic: a file of FOLDER, or a file of a peer's folder."""
    statistic = find_statistic(name)
    if statistic is None:
        return UNKNOWN
    package = Path(PROOFS).parents[2]
    within = statistic.proof.is_relative_to(package) and statistic.proof.parent != PROOFS
    return statistic.proof.relative_to(package).as_posix() if within else statistic.proof.name
