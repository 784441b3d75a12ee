"""Patterns: LIKE and ILIKE over the listed values of an attribute, and over the text of a result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from ripost.errors import QueryError, suggest_nearest
from ripost.query.words import bare, quote
from ripost.schema.attribute import AttributeBase, Category
from ripost.space.interval import Interval, merge
from ripost.space.work_limit import charge

ANY, ONE = object(), object()  # % and _ of a pattern


@dataclass(frozen=True)
class Pattern:
    """A pattern of LIKE: letters, ONE for any letter and ANY for any text."""

    parts: Sequence[object]
    fold: bool  # whether case counts for nothing
    negate: bool  # NOT LIKE
    text: str

    @classmethod
    def of(cls, node: Any) -> Pattern:
        """The pattern of a LIKE; QueryError if it is not one text."""
        escape = ""
        if isinstance(node, exp.Escape):
            escape, node = str(bare(node.expression).name), bare(node.this)
        given = bare(node.expression)
        if not isinstance(given, exp.Literal) or not given.is_string or len(escape) > 1:
            raise QueryError(f"cannot be matched with {quote(given)}; write one pattern in single quotes, such as 'J%'")
        fold, parts, letters = isinstance(node, exp.ILike), [], iter(given.this)
        for letter in letters:
            if escape and letter == escape:
                parts.append(next(letters, escape))
            else:
                parts.append({"%": ANY, "_": ONE}.get(letter, letter))
        parts = [part.lower() if fold and isinstance(part, str) else part for part in parts]
        return cls(parts, fold, bool(node.args.get("negate")), given.this)

    def charge_for(self, texts: Iterable[str]) -> None:
        """Count the steps of matching texts."""
        charge(sum(2 + len(text) for text in texts) * (1 + len(self.parts)) / 8)

    def matches(self, text: str) -> bool:
        """Whether a whole text is like the pattern. On a mismatch the last % takes one letter more."""
        text, parts = (text.lower() if self.fold else text), self.parts
        at = place = 0
        behind, begun = -1, 0  # the last % so far, and where the text after it begins
        while at < len(text):
            if place < len(parts) and parts[place] is ANY:
                behind, begun, place = place, at, place + 1
            elif place < len(parts) and (parts[place] is ONE or parts[place] == text[at]):
                at, place = at + 1, place + 1
            elif behind >= 0:
                begun += 1
                at, place = begun, behind + 1
            else:
                return False
        return all(part is ANY for part in parts[place:])


def is_pattern(node: Any) -> bool:
    return isinstance(bare(node.this) if isinstance(node, exp.Escape) else node, (exp.Like, exp.ILike))


def matching_positions(attribute: AttributeBase, node: Any, *, negate: bool) -> list[Interval]:
    """Positions of the listed values that a LIKE selects. What `(other)` stands for is unknown, so it is in neither
    LIKE nor NOT LIKE.
    """
    pattern = Pattern.of(node)
    if not isinstance(attribute, Category):
        raise QueryError("has no listed values, which LIKE needs; compare it with =, <, > or BETWEEN")
    pattern.charge_for(attribute.names)
    found = [pattern.matches(name) for name in attribute.names]
    if not any(found):
        known = suggest_nearest(pattern.text.strip("%_")[:100], attribute.names)
        raise QueryError(f"has no listed value like {quote(pattern.text)}; {known}")
    wanted = not (negate ^ pattern.negate)
    return merge([(float(code), code + 1.0) for code, one in enumerate(found) if one == wanted])
