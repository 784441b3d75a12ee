"""Numbers of the page compared with those of the library."""

from __future__ import annotations

import math
from typing import Any

from ripost.answering.answer import Answer

FIELDS = ("value", "stderr", "low", "high")


def same(found: dict[str, Any], answer: Answer) -> bool:
    """Whether the page gives the library's answer; null where nothing is known of the error."""
    for field in FIELDS:
        wanted = getattr(answer, field)
        if not math.isfinite(wanted):
            assert found[field] is None, field
        elif abs(found[field] - wanted) > 1e-9 * max(1.0, abs(answer.value)):
            return False
    return True


def as_keys(selection: dict[int, Any]) -> dict[str, Any]:
    """A selection as JavaScript has it."""
    return {str(axis): intervals for axis, intervals in selection.items()}
