"""Which proof holds for which entry of a ledger. The proofs are shipped beside the code, in privacy/proofs."""

from __future__ import annotations

from ripost.privacy.ledger import Currency
from ripost.view import View

FOLDER = "ripost/privacy/proofs"
MECHANISMS = {
    "discrete Laplace": "laplace.md",
    "discrete Gaussian": "gaussian.md",
    "biased test": "biased_test.md",
    "exponential mechanism": "exponential.md",
    "permute and flip": "permute_and_flip.md",
    "choices by a sample": "sample_choices.md",
    "least noisy partition": "partition.md",
    "Gaussian course, accounted": "composed.md",
}
STATISTICS = {
    "total": "total.md",
    "deviation": "deviation.md",
    "mixture of cut": "mixture_of_cut.md",
    "deviation of cut": "deviation_of_cut.md",
    "total of part": "total_of_part.md",
    "discrepancy": "discrepancy.md",
    "weighted sum": "weighted_sum.md",
    "deviation of run": "deviation_of_run.md",
    "dependence": "dependence.md",
    "largest dependence": "largest_dependence.md",
    "distance": "distance.md",
    "second moment": "second_moment.md",
    "responsibility": "responsibility.md",
    "gradient": "gradient.md",
}
UNKNOWN = "no proof is known to this version of ripost"


def proofs_of(view: View) -> list[tuple[str, str]]:
    """What a release rests on, each with the file that proves it, in the order in which an auditor would read them."""
    entries = view.privacy.ledger.entries
    found = [("every draw is paid for, and what is paid adds up to no more than the budget", "composition.md")]
    if view.privacy.currency is Currency.RHO:
        found.append(("rho of zero-concentrated differential privacy turns into epsilon and delta", "concentrated.md"))
    if view.privacy.unit.column is not None:
        found.append((f"all rows of one {view.privacy.unit.column} are protected together", "unit.md"))
    if view.measure.cells:
        found.append(("counting non-empty cells once", "occupied.md"))
    for mechanism in dict.fromkeys(entry.mechanism for entry in entries):
        found.append((f"mechanism: {mechanism}", MECHANISMS.get(mechanism, UNKNOWN)))
    for statistic, most in dict.fromkeys((entry.statistic, entry.sensitivity) for entry in entries):
        found.append((f"one row changes the {statistic} by at most {most:,}", STATISTICS.get(statistic, UNKNOWN)))
    return found
