"""CASE inside an aggregate: the regions where each of its values applies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from ripost.errors import QueryError
from ripost.query.condition import COMPARE, region_of
from ripost.query.pattern import is_pattern
from ripost.query.terms import plain_value
from ripost.query.words import bare, quote
from ripost.schema.domain import Domain
from ripost.space.region import EVERYTHING, Region, intersect, subtract, unite

LOGIC = (exp.And, exp.Or, exp.Not, exp.Between, exp.In, exp.Is)
ONE_VALUE = "give its THEN and ELSE one attribute, or one number besides 0 and NULL"


@dataclass(frozen=True)
class CaseBranch:
    """One value of a CASE, a number, a text, an attribute or NULL (None), and where it applies."""

    value: Any
    region: Region


@dataclass(frozen=True)
class Cases:
    """What stands inside an aggregate, as branches that share no cell."""

    node: Any
    branches: tuple[CaseBranch, ...]
    domain: Domain

    @classmethod
    def of(cls, node: Any, domain: Domain) -> Cases | None:
        """The branches of CASE, IF, a condition, or a condition as a number; None if it is something else."""
        inner = bare(node)
        while isinstance(inner, exp.Cast):
            inner = bare(inner.this)
        if isinstance(inner, (exp.Case, exp.If)):
            return cls(node, tuple(_branches(inner, domain)), domain)
        if isinstance(inner, (*LOGIC, *COMPARE)) or is_pattern(inner) or (inner is not bare(node) and _is_test(inner)):
            false = CaseBranch(0, region_of(inner, domain, negate=True))
            return cls(node, (CaseBranch(1, region_of(inner, domain)), false), domain)
        return None

    @property
    def there(self) -> Region:
        """Where the value is not NULL."""
        return self._where([branch for branch in self.branches if branch.value is not None])

    def number(self) -> tuple[float, Region] | None:
        """The one number besides 0, and where it applies; None if there is an attribute."""
        numbers = {branch.value for branch in self.branches if not isinstance(branch.value, exp.Column)} - {0, None}
        if self._columns or len(numbers) > 1 or any(isinstance(one, str) for one in numbers):
            if not self._columns or numbers:
                raise QueryError(f"cannot answer {quote(self.node)}; {ONE_VALUE}")
            return None
        [number] = numbers or {1}
        return float(number), self._where([branch for branch in self.branches if branch.value == number])

    def column(self, *, zeros: bool) -> tuple[Any, Region]:
        """The one attribute, and where it applies; elsewhere the value is NULL or, with `zeros`, may be 0."""
        others = {branch.value for branch in self.branches if not isinstance(branch.value, exp.Column)}
        if len({column.sql() for column in self._columns}) != 1 or others - ({None, 0} if zeros else {None}):
            raise QueryError(f"cannot answer {quote(self.node)}; {ONE_VALUE if zeros else 'leave out its ELSE'}")
        return self._columns[0], self._where([b for b in self.branches if isinstance(b.value, exp.Column)])

    @property
    def _columns(self) -> list[Any]:
        return [branch.value for branch in self.branches if isinstance(branch.value, exp.Column)]

    def _where(self, branches: list[CaseBranch]) -> Region:
        return unite([branch.region for branch in branches if branch.region], self.domain.shape)


def _is_test(node: Any) -> bool:
    return isinstance(node, exp.Column)  # a boolean attribute that a CAST makes a number


def _branches(node: exp.Case | exp.If, domain: Domain) -> Iterator[CaseBranch]:
    """The values in order; a branch applies where its condition is true and none before it was."""
    ifs = [node] if isinstance(node, exp.If) else node.args["ifs"]
    last = node.args.get("false") if isinstance(node, exp.If) else node.args.get("default")
    subject = node.this if isinstance(node, exp.Case) else None
    left = EVERYTHING
    for one in ifs:
        test = one.this if subject is None else exp.EQ(this=subject.copy(), expression=one.this.copy())
        true = region_of(test, domain)
        yield CaseBranch(_value(one.args.get("true")), intersect(left, true))
        left = subtract(left, true, domain.shape)
    yield CaseBranch(_value(last), left)


def _value(node: Any) -> Any:
    node = bare(node)
    if node is None or isinstance(node, exp.Null):
        return None
    if isinstance(node, exp.Column):
        return node
    try:
        value = plain_value(node)
    except QueryError:
        raise QueryError(f"cannot answer {quote(node)} in CASE; {ONE_VALUE}") from None
    return float(value) if isinstance(value, bool) else value
