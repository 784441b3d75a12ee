"""Sets of attributes that a publisher names, such as those to protect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ripost.errors import InputError, suggest_nearest
from ripost.schema.domain import Domain

Protect = str | Sequence[str | Sequence[str]]
MOST_PROTECTED = 6  # attributes in one set


def resolve_attribute_sets(protect: Protect, domain: Domain) -> list[tuple[int, ...]]:
    """Return the axes of each set of attributes; InputError names what is wrong with one."""
    found: list[tuple[int, ...]] = []
    for names in protect if isinstance(protect, list | tuple) else [protect]:
        given: Any = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
        named = isinstance(given, list | tuple) and all(isinstance(name, str) for name in given)
        if not named or len(set(given)) != len(given) or not 2 <= len(given) <= MOST_PROTECTED:
            raise InputError(
                f'protect takes sets of 2 to {MOST_PROTECTED} different attributes, such as "carrier,origin"; '
                f"got {names!r}"
            )
        if unknown := [name for name in given if name not in domain.names]:
            raise InputError(
                f"protect: the schema has no attribute {unknown[0]!r}; {suggest_nearest(unknown[0], domain.names)}"
            )
        found.append(tuple(sorted(domain.axis(name) for name in given)))
    return list(dict.fromkeys(found))
