"""Statement: one SELECT, read: what it groups by, where, and what it shows in which order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import Any

from sqlglot import exp

from ripost.errors import QueryError
from ripost.query.condition import region_of
from ripost.query.key import Key
from ripost.query.scope import key_text
from ripost.query.terms import key_of, names_like
from ripost.query.words import CAN, KEYS, MEASURES, bare, quote
from ripost.schema.domain import Domain
from ripost.space.region import EVERYTHING, Region
from ripost.space.work_limit import charge

NOT_HERE = {
    "joins": "JOIN", "qualify": "QUALIFY", "windows": "WINDOW",
    "laterals": "LATERAL", "sample": "SAMPLE", "pivots": "PIVOT", "into": "INTO", "locks": "FOR UPDATE",
}  # fmt: skip
MOST_SETS = 4096

Sets = list[tuple[int, ...]]


@dataclass(frozen=True)
class OutputColumn:
    """One expression of the SELECT list, and the name it was given."""

    node: Any
    alias: str | None


@dataclass(frozen=True)
class Statement:
    """A SELECT whose expressions are still to be understood."""

    shown: tuple[OutputColumn, ...]
    keys: tuple[Key, ...]
    texts: tuple[str, ...]  # of the keys
    sets: tuple[tuple[int, ...], ...]  # grouping sets, as numbers of keys
    where: Region
    having: Any
    order: tuple[Any, ...]
    limit: int | None
    offset: int
    distinct: bool


def read_statement(select: exp.Select, domain: Domain) -> Statement:
    """A SELECT from the view, read."""
    check_clauses(select)
    shown = tuple(_read_output(node) for node in select.expressions)
    group = _Grouping(domain, shown)
    sets = group.add_functions(group.read(_distinct_keys(select, shown)))
    _check_distinct(select, group, sets)
    where = select.args.get("where")
    order = select.args.get("order")
    limit, offset = read_limits(select)
    return Statement(
        shown,
        tuple(group.keys),
        tuple(group.texts),
        tuple(sets),
        EVERYTHING if where is None else region_of(where.this, domain),
        select.args["having"].this if select.args.get("having") else None,
        tuple(order.expressions) if order else (),
        limit,
        offset,
        bool(select.args.get("distinct")),
    )


def check_clauses(select: exp.Select) -> None:
    """QueryError for clauses that no SELECT here has."""
    for name, word in NOT_HERE.items():
        if select.args.get(name):
            raise QueryError(f"cannot answer {word}; {CAN}")


def read_limits(select: exp.Select) -> tuple[int | None, int]:
    """LIMIT, None if there is none, and OFFSET."""
    return _whole(select.args.get("limit"), "LIMIT"), _whole(select.args.get("offset"), "OFFSET") or 0


def _distinct_keys(select: exp.Select, shown: Sequence[OutputColumn]) -> Any:
    """The GROUP BY of a SELECT; DISTINCT without one groups by all that is no measure."""
    distinct, group = select.args.get("distinct"), select.args.get("group")
    if distinct and distinct.args.get("on"):
        raise QueryError("cannot answer DISTINCT ON; ask SELECT DISTINCT of keys, or GROUP BY")
    if distinct and group is None and any(not _is_measure(one.node) for one in shown):
        return exp.Group(all=True)
    return group


def _check_distinct(select: exp.Select, group: _Grouping, sets: Sets) -> None:
    """QueryError if rows of a SELECT DISTINCT might be alike: if it hides a key, or has subtotals."""
    if select.args.get("distinct") and select.args.get("group"):
        seen = {key_text(one.node, group.domain) for one in group.shown}
        if len(sets) > 1 or not seen.issuperset(group.texts):
            raise QueryError("cannot answer DISTINCT beside GROUP BY of more than SELECT shows; leave out DISTINCT")


def _read_output(node: Any) -> OutputColumn:
    if isinstance(node, exp.Star):
        raise QueryError(f"the view holds no rows, so it has no *; ask for {KEYS} in GROUP BY, and for {MEASURES}")
    return OutputColumn(bare(node.this), node.alias) if isinstance(node, exp.Alias) else OutputColumn(bare(node), None)


class _Grouping:
    """Reads GROUP BY: its keys, which may be named by alias or by place, and its grouping sets."""

    def __init__(self, domain: Domain, shown: Sequence[OutputColumn]) -> None:
        self.domain, self.shown = domain, shown
        self.named = {one.alias.lower(): one.node for one in reversed(shown) if one.alias}
        self.keys: list[Key] = []
        self.texts: list[str] = []

    def read(self, group: Any) -> Sets:
        if group is None:
            return [()]
        parts: list[Sets] = []
        if group.args.get("all"):
            parts += [[(self._key(one.node),)] for one in self.shown if not _is_measure(one.node)]
        for name, kind in (("rollup", _rollup), ("cube", _cube)):  # GROUP BY a, b WITH ROLLUP
            if any(not one.expressions for one in group.args.get(name) or []):
                return kind([(self._key(one),) for one in group.expressions])
        given = [
            *group.expressions,
            *(one for name in ("rollup", "cube", "grouping_sets") for one in group.args.get(name) or []),
        ]
        parts += [self._sets(one) for one in given]
        if math.prod(len(part) for part in parts) > MOST_SETS:
            raise QueryError(f"the question has more than {MOST_SETS} grouping sets; name fewer dimensions in CUBE")
        charge(len(parts) * math.prod(len(part) for part in parts))
        return [tuple(chain.from_iterable(chosen)) for chosen in product(*parts)]

    def add_functions(self, sets: Sets) -> Sets:
        """The grouping sets with what SELECT shows as a function of a key: the group of its value, or of its group."""
        for one in self.shown:
            if not isinstance(one.node, exp.Column) or key_text(one.node, self.domain) in self.texts:
                continue
            names = names_like(one.node.name, self.domain)
            mapped = self.domain.mapped.get(names[0]) if len(names) == 1 else None
            of = [i for i, key in enumerate(self.keys) if mapped and self.domain.determines(key.name, mapped.name)]
            if of and one.node.name not in self.named:
                number = self._key(one.node)
                sets = [(*chosen, number) if set(of) & set(chosen) else chosen for chosen in sets]
        return sets

    def _sets(self, node: Any) -> Sets:
        if isinstance(node, exp.Rollup):
            return _rollup([self._several(one) for one in node.expressions])
        if isinstance(node, exp.Cube):
            return _cube([self._several(one) for one in node.expressions])
        if isinstance(node, exp.GroupingSets):
            found: Sets = []
            for one in node.expressions:
                found += self._sets(one) if isinstance(one, (exp.Rollup, exp.Cube)) else [self._several(one)]
            return found
        return [self._several(node)]

    def _several(self, node: Any) -> tuple[int, ...]:
        """A key, or several in brackets."""
        if isinstance(node, exp.Tuple):
            return tuple(self._key(one) for one in node.expressions)
        return (self._key(node),)

    def _key(self, node: Any) -> int:
        node = self._resolve(bare(node))
        text = key_text(node, self.domain)
        if text not in self.texts:
            self.keys.append(key_of(node, self.domain))
            self.texts.append(text)
        return self.texts.index(text)

    def _resolve(self, node: Any) -> Any:
        """What a place in the SELECT list or an alias stands for."""
        if isinstance(node, exp.Literal) and not node.is_string:
            return at_place(node, self.shown).node
        if isinstance(node, exp.Column) and node.name not in self.domain.asked_names:
            return self.named.get(node.name.lower(), node)
        return node


def at_place(node: exp.Literal, shown: Sequence[OutputColumn]) -> OutputColumn:
    place = int(node.this) if str(node.this).isdecimal() and len(node.this) < 6 else 0
    if not 1 <= place <= len(shown):
        raise QueryError(f"there is no column {quote(node)} in SELECT; it has {len(shown)}")
    return shown[place - 1]


def _is_measure(node: Any) -> bool:
    words = {one.name.lower() for one in node.find_all(exp.Anonymous)}
    return node.find(exp.AggFunc) is not None or bool(words & {"share", "mean"})


def _rollup(parts: Sequence[tuple[int, ...]]) -> Sets:
    return [tuple(chain.from_iterable(parts[:length])) for length in range(len(parts), -1, -1)]


def _cube(parts: Sequence[tuple[int, ...]]) -> Sets:
    if len(parts) > 12:
        raise QueryError(f"the question has more than {MOST_SETS} grouping sets; name fewer dimensions in CUBE")
    lengths = range(len(parts), -1, -1)
    return [tuple(chain.from_iterable(chosen)) for length in lengths for chosen in combinations(parts, length)]


def _whole(node: Any, word: str) -> int | None:
    if node is None:
        return None
    given = bare(node.expression)
    if not isinstance(given, exp.Literal) or not str(given.this).isdecimal() or len(given.this) > 9:
        raise QueryError(f"{word} takes a whole number from 0, got {quote(given)}")
    return int(given.this)
