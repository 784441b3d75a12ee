"""Claims: what the paper says, what was found, and by which rule the two agree."""

from __future__ import annotations

from dataclasses import dataclass

from experiments.paper.statistics import Mean, figure

CONFIRMED, PARTLY, NOT = "confirmed", "partly", "not confirmed"
NEAR = 0.25  # a factor that is off by less is the same
POINTS = 0.1  # so is a share

RULES = (
    "A *factor* (times the error of RIPOST) is confirmed if the paper's lies in our 95 % interval or ours is within "
    "a quarter of it; partly, if the same method is ahead by another factor; not confirmed, if the other one is "
    "ahead. A *share* is confirmed within ten points; partly, if another pair of attributes gives it, as the paper "
    "does not name its pair. A *tendency* is confirmed by a rank correlation of at least 0.7 in its direction, "
    "partly by 0.3; *no tendency*, below 0.7 either way. A statement about *all* of several tests is partly "
    "confirmed if it holds for more than half of them."
)


@dataclass(frozen=True)
class Claim:
    """A statement of the paper beside ours."""

    where: str
    said: str
    found: str
    verdict: str


def factor(where: str, said: str, claimed: float, found: Mean) -> Claim:
    """That a method errs so many times as much as RIPOST."""
    if found.has(claimed) or abs(found.value / claimed - 1) <= NEAR:
        verdict = CONFIRMED
    else:
        verdict = PARTLY if (found.value > 1) == (claimed > 1) else NOT
    return Claim(where, said, f"{found} times", verdict)


def share(where: str, said: str, claimed: float, found: Mean, least: float, most: float) -> Claim:
    """That a share of blocks is so and so, on a pair of attributes that the paper does not name."""
    verdict = CONFIRMED if abs(found.value - claimed) <= POINTS else PARTLY if least <= claimed <= most else NOT
    return Claim(where, said, f"{found.value:.0%} (other pairs: {least:.0%} to {most:.0%})", verdict)


def tendency(where: str, said: str, rank: float, direction: int, detail: str) -> Claim:
    """That something rises (1), falls (-1), or does neither (0)."""
    if direction == 0:
        verdict = CONFIRMED if abs(rank) < 0.7 else NOT
    else:
        verdict = CONFIRMED if rank * direction >= 0.7 else PARTLY if rank * direction >= 0.3 else NOT
    return Claim(where, said, f"{detail}; rank correlation {rank:.2f}", verdict)


def every(where: str, said: str, held: int, of: int, detail: str) -> Claim:
    """That something holds in all of several tests."""
    verdict = CONFIRMED if held == of else PARTLY if 2 * held > of else NOT
    return Claim(where, said, f"{held} of {of}: {detail}" if detail else f"{held} of {of}", verdict)


def plain(where: str, said: str, found: str, *, holds: bool) -> Claim:
    """That something is so."""
    return Claim(where, said, found, CONFIRMED if holds else NOT)


def format_against(first: float, second: float) -> str:
    return f"{figure(first)} against {figure(second)}"
