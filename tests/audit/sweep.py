"""Sweep: how near to epsilon methods and options come by exact enumeration, on every tiny shape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.audit.cases import EPSILONS, LARGE, OPTIONS, PLUS, PLUS_SHAPES, SMALL, run

from .family import Family


def settings() -> Iterator[tuple[str, str, dict[str, Any], list[Family]]]:
    """Method, title, options and families."""
    families = [Family(shape) for shape in SMALL + LARGE]
    yield from (("ripost", title, options, families) for title, options in OPTIONS.items())
    yield "identity", "identity", {}, families
    yield from (("privtree", fanout, {"fanout": fanout}, families) for fanout in ("2^d", "round-robin"))
    yield "hdpview", "as published", {}, families
    yield "dawa", "one price", {"price": 2, "share": 0.9}, [Family(shape) for shape in SMALL[:3]]
    yield from (("ripost+", title, options, PLUS_SHAPES) for title, options in PLUS.items())


def sweep() -> Iterator[str]:
    """One line a method, option and epsilon."""
    for name, title, options, families in settings():
        for epsilon in EPSILONS:
            found = [run(name, family, epsilon, **options) for family in families]
            loss, spent = max(a.loss / a.epsilon for a in found), max(a.spent / a.epsilon for a in found)
            verdict = "sound" if all(a.sound for a in found) else "BROKEN"
            scripts = sum(a.scripts for a in found)
            yield (
                f"{name:8} {title:13} epsilon {epsilon:4} loss {loss:.4f} ledger {float(spent):.4f} of epsilon, "
                f"{scripts} scripts, {verdict}"
            )
