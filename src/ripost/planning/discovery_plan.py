"""Discovery in a plan: its cost, the budget that remains for the method, and the units that a value needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ripost.methods.discovery_budget import DiscoveryBudget
from ripost.methods.discovery_split import divide_budget
from ripost.methods.method import Method
from ripost.release.upward import number as round_number_up
from ripost.schema.discovery import MAX_ROWS
from ripost.schema.schema import Schema


@dataclass(frozen=True)
class DiscoveryPlan:
    """The share of discovery in a release of any epsilon."""

    schema: Schema
    method: str
    options: Mapping[str, Any]

    def budget(self, epsilon: Fraction) -> DiscoveryBudget:
        """The budget of discovery in a release of this epsilon."""
        found = self._divide(epsilon)[1]
        assert found is not None
        return found

    @property
    def method_options(self) -> dict[str, Any]:
        """The options of the method alone, with its part of delta."""
        recipe = self._divide(Fraction(1))[0]
        known = {name: value for name, value in self.options.items() if not name.startswith("discover_")}
        return known | ({"delta": recipe.exact_delta} if "delta" in known and hasattr(recipe, "delta") else {})

    def leave(self, epsilon: Fraction) -> Fraction:
        """The part of a release's epsilon that remains for the method."""
        return epsilon - self.budget(epsilon).epsilon

    def describe(self, left: Fraction) -> list[str]:
        """Sentences on discovery in a release whose method has this epsilon."""
        whole = self._total(left)
        budget, unit = self.budget(whole), self.schema.unit or "row"
        delta = f" and delta {round_number_up(budget.delta)}" if budget.delta else ""
        told = [
            f"The release costs epsilon {float(whole):.6g}, of which discovery spends "
            f"{round_number_up(budget.epsilon)}{delta}. The plan below is for what it leaves the method, and for the "
            "largest domain that can be found."
        ]
        for charge in budget.charges:
            if charge.what == "values":
                told.append(
                    f"A value of {charge.attribute} is listed if its noisy count reaches {charge.threshold:,}. A value "
                    f"that {charge.found_with:,} units ({unit}) vote for is found with 99 %, and at most "
                    f"{charge.cells:,} values are listed. A value of one unit is listed with probability at most "
                    f"{round_number_up(charge.delta)}."
                )
            elif charge.what == "bounds":
                told.append(
                    f"The bounds of {charge.attribute} reach the last parts of the grid that hold "
                    f"{charge.found_with:,} units ({unit}); values beyond are treated as outside."
                )
            else:
                told.append(
                    f"max_rows is found in {', '.join(map(str, MAX_ROWS))}, so that about 5 % of the units have more "
                    f"rows. This plan counts on {MAX_ROWS[-1]:,}, the worst; state max_rows to plan with another."
                )
        return told

    def to_json(self, left: Fraction) -> dict[str, Any]:
        whole = self._total(left)
        found = [{**charge.to_json(), "found_with": charge.found_with} for charge in self.budget(whole).charges]
        return {"release_epsilon": float(whole), "discovery": found}

    def _total(self, left: Fraction) -> Fraction:
        """The epsilon of a release in which this much remains for the method."""
        return left / self.leave(Fraction(1))

    def _divide(self, epsilon: Fraction) -> tuple[Method, DiscoveryBudget | None]:
        return divide_budget(self.method, self.options, self.schema.open, epsilon=epsilon)
