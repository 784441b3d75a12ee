"""Divide epsilon and delta between discovery and the method, by public shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any

from ripost.errors import InputError
from ripost.methods import METHODS, resolve_method
from ripost.methods.discovery_budget import DiscoveryBudget, plan_discovery, split_delta
from ripost.methods.method import Method
from ripost.privacy.zcdp import parse_delta
from ripost.schema.discovery import OpenParts

SHARES = ("discover_share", "discover_delta_share")


def divide_budget(
    method: str | Method, options: Mapping[str, Any], parts: OpenParts, *, epsilon: Fraction
) -> tuple[Method, DiscoveryBudget | None]:
    """The method with its part of delta, and the budget of discovery; None where the schema leaves nothing open.

    `delta` is that of the whole release where values are discovered. Of it, discovery spends half, or
    `discover_delta_share`, if the method can use delta, and all if it is pure.
    """
    rest = {name: value for name, value in options.items() if name not in SHARES}
    if not parts:
        return resolve_method(method, options), None
    delta, own = Fraction(0), options.get("discover_delta_share")
    if parts.needs_delta:
        if rest.get("delta") is None:
            raise InputError('values = "discover" costs delta; give one, such as delta=1e-9, or list the values')
        delta = parse_delta(rest.pop("delta"))
        if not delta:
            raise InputError('values = "discover" costs delta, which must be above 0; list the values for pure epsilon')
        delta, left = split_delta(delta, method_has_delta=_takes_delta(method), delta_share=own)
        if left:
            rest["delta"] = left
    elif own is not None:
        raise InputError('discover_delta_share is for values = "discover"; leave it out')
    chosen = resolve_method(method, rest)
    if delta and isinstance(method, Method) and method.exact_delta:
        raise InputError("a method with a delta of its own cannot share it with discovery; give the method by its name")
    return chosen, plan_discovery(parts, epsilon=epsilon, delta=delta, epsilon_share=options.get("discover_share"))


def _takes_delta(method: str | Method) -> bool:
    """Whether a method that is yet to be configured has a delta of its own."""
    if isinstance(method, Method):
        return False
    kind = METHODS[method] if isinstance(method, str) else method
    return isinstance(kind, type) and issubclass(kind, Method) and "delta" in {field.name for field in fields(kind)}
