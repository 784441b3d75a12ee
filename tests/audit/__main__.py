"""`python -m tests.audit`: how near to epsilon each method and option comes, on every tiny shape."""

from __future__ import annotations

import sys

from .family import Family
from .test_audit import EPSILONS, LARGE, OPTIONS, SMALL, run

for title, options in [*OPTIONS.items(), ("identity", {})]:
    name = "identity" if title == "identity" else "ripost"
    for epsilon in EPSILONS:
        found = [run(name, Family(shape), epsilon, **options) for shape in SMALL + LARGE]
        loss, spent = max(a.loss / a.epsilon for a in found), max(a.spent / a.epsilon for a in found)
        verdict = "sound" if all(a.sound for a in found) else "BROKEN"
        scripts = sum(a.scripts for a in found)
        sys.stdout.write(
            f"{name:8} {title:13} epsilon {epsilon:4} loss {loss:.4f} ledger {float(spent):.4f} of epsilon, "
            f"{scripts} scripts, {verdict}\n"
        )
        sys.stdout.flush()
