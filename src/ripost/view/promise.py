"""The promise of a view in words, and what was spent on what."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ripost.privacy.ledger import Privacy
    from ripost.view.view import View


def promise(privacy: Privacy) -> str:
    """The guarantee in one sentence."""
    if not privacy.is_private:
        return f"{privacy.warning}: this view protects nobody."
    ratio = _factor(float(privacy.epsilon))
    if privacy.delta:
        delta = f"{float(privacy.delta):g}"
        return (
            f"Whether or not {privacy.unit} is in the table, any set of views is at most {ratio} times as likely, plus "
            f"{delta} (epsilon {float(privacy.epsilon):g} and delta {delta}: (epsilon, delta)-differential privacy)."
        )
    return (
        f"Whether or not {privacy.unit} is in the table, any view is at most {ratio} times as likely "
        f"(epsilon {float(privacy.epsilon):g}, pure differential privacy)."
    )


def spent_on(view: View) -> list[tuple[str, str, Fraction]]:
    """The costliest path of the ledger for print: (purpose, mechanism, price), alike ones added up."""
    from ripost.privacy.ledger import group

    entries = group(view.privacy.ledger.costliest)
    return [(_named(purpose, view.domain.names), mechanism, price) for purpose, mechanism, price in entries]


def _named(purpose: str, names: Sequence[str]) -> str:
    """The purpose of a draw, with an attribute's name in place of its number."""
    found = re.fullmatch(r"axis (\d{1,6})", purpose)
    known = found is not None and 1 <= int(found[1]) <= len(names)
    return f"histogram of {names[int(found[1]) - 1]}" if found and known else purpose


def _factor(epsilon: float) -> str:
    return f"{math.exp(epsilon):.3g}" if epsilon < 20 else f"e^{epsilon:g}"
