"""Scope: what the expressions of a SELECT stand for, once its keys are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from ripost.errors import QueryError
from ripost.query.condition import region_of
from ripost.query.key import Key
from ripost.query.measures import Contrast, DistributionMeasure, Measure, Share, Total
from ripost.query.terms import attribute_name, names_like, plain_value
from ripost.query.words import KEYS, MEASURES, bare, quote
from ripost.schema.domain import Domain
from ripost.schema.measure import Measure as Held
from ripost.space.region import EVERYTHING, Region, intersect

QUANTILES = (exp.PercentileCont, exp.PercentileDisc, exp.Quantile, exp.ApproxQuantile)


@dataclass(frozen=True)
class KeyTerm:
    """The label of a key."""

    number: int


@dataclass(frozen=True)
class GroupingTerm:
    """Which of some keys stand for all in a row, as bits, the last key's lowest."""

    numbers: tuple[int, ...]


@dataclass(frozen=True)
class MeasureTerm:
    """A measure: its value, or one end of its interval."""

    number: int
    end: int = 0  # 0 value, 1 low, 2 high


Term = KeyTerm | GroupingTerm | MeasureTerm


@dataclass
class Scope:
    """The keys of a question by their text, and its measures as they are met."""

    domain: Domain
    held: Held  # what the view holds
    keys: Sequence[Key]
    texts: Sequence[str]  # of the keys
    named: Mapping[str, Any]  # expressions of the SELECT list by the names they were given there
    plain: bool  # neither HAVING nor more than one grouping set, so that windows see what WHERE selects
    measures: list[Measure] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)  # of the measures, by their text

    def term(self, node: Any) -> Term:
        """What an expression stands for; QueryError if the view cannot tell."""
        node = bare(node)
        if (found := self._key(node)) is not None:
            return KeyTerm(found)
        if isinstance(node, (exp.Grouping, exp.GroupingId)):
            return GroupingTerm(tuple(self._find_key(one, "GROUPING") for one in node.expressions))
        if isinstance(node, exp.Column):
            name = attribute_name(node, self.domain)
            raise QueryError(f"{name} must be in GROUP BY, or in one of {MEASURES}")
        text = key_text(node, self.domain)
        if text not in self.numbers:
            self.numbers[text] = len(self.measures)
            self.measures.append(self._measure(node))
        return MeasureTerm(self.numbers[text])

    def _key(self, node: Any) -> int | None:
        if isinstance(node, exp.Column) and node.name not in self.domain.attributes:
            node = self.named.get(node.name.lower(), node)
        text = key_text(node, self.domain)
        return self.texts.index(text) if text in self.texts else None

    def _find_key(self, node: Any, word: str) -> int:
        found = self._key(bare(node))
        if found is None:
            raise QueryError(f"{word} takes what stands in GROUP BY, got {quote(node)}")
        return found

    def _measure(self, node: Any) -> Measure:
        condition = EVERYTHING
        if isinstance(node, exp.Filter):
            condition = region_of(node.expression.this, self.domain)
            node = bare(node.this)
        if (share := self._share(node)) is not None:
            if condition is not EVERYTHING:
                raise QueryError("SHARE takes no FILTER; ask COUNT(*) FILTER (WHERE …) and COUNT(*)")
            return share
        if (compared := self._read_contrast(node)) is not None:
            return compared
        if isinstance(node, exp.Count):
            return self._count(node, condition)
        if isinstance(node, exp.Sum):
            return self._sum(node, condition)
        name, what, level = _spread(node)
        column = attribute_name(bare(name), self.domain)
        self._needs_rows(f"{what.upper()}({column})")
        return DistributionMeasure(column, what, level, condition)

    def _count(self, node: exp.Count, condition: Region) -> Total:
        if isinstance(node.this, exp.Distinct):
            raise QueryError("the view holds no distinct values; ask COUNT(*), or group by the dimension")
        self._needs_rows("COUNT(*)")
        if node.this is None or isinstance(node.this, (exp.Star, exp.Literal)):
            return Total(condition)
        name = attribute_name(bare(node.this), self.domain)
        attribute = self.domain.attributes[name]
        there: Region = ({self.domain.axis(name): [(0.0, float(attribute.missing_code))]},)
        return Total(intersect(condition, there))

    def _sum(self, node: exp.Sum, condition: Region) -> Measure:
        column = bare(node.this)
        if not isinstance(column, exp.Column):
            raise QueryError(f"cannot answer {quote(node)}; ask for {MEASURES}")
        if self.held.column is not None and column.name.lower() == self.held.column.lower():
            return Total(condition)
        if self.held.cells and column.name.lower() == "cells":
            return Total(condition)
        name = attribute_name(column, self.domain)
        self._needs_rows(f"SUM({name})")
        return DistributionMeasure(name, "sum", condition=condition)

    def _needs_rows(self, asked: str) -> None:
        if self.held.cells:
            raise QueryError(f"the view holds {self.held.title}, so {asked} is not known; ask SUM(cells)")
        if self.held.column is not None:
            raise QueryError(
                f"the view holds {self.held.title} and no rows, so {asked} is not known; ask {self.held.title}"
            )

    def _share(self, node: Any) -> Share | None:
        """SHARE(*), SHARE(*) OVER (PARTITION BY a), or a total over the sum of all totals."""
        window = isinstance(node, exp.Window)
        if _is_share(node.this if window else node):
            return Share(self._partition(node) if window else ())
        factor, ratio = _split_factor(node)
        if not isinstance(ratio, exp.Div):
            return None
        more, part = _split_factor(ratio.this)
        whole = bare(ratio.expression)
        over = isinstance(whole, exp.Window) and isinstance(whole.this, exp.Sum) and bare(whole.this.this) == part
        if not over or self._measure(part) != Total():
            return None
        if not self.plain:
            raise QueryError("a share by OVER counts what HAVING and ROLLUP leave; ask SHARE(*), which does not")
        return Share(self._partition(whole), factor * more)

    def _read_contrast(self, node: Any) -> Contrast | None:
        """The difference of two totals, or their ratio, which a number may multiply."""
        factor, inner = _split_factor(node)
        if not isinstance(inner, (exp.Sub, exp.Div)) or not inner.find(exp.AggFunc):
            return None
        (more, one), (less, other) = _split_factor(inner.this), _split_factor(_never_zero(inner.expression))
        first, second = (self._measure(side) if side.find(exp.AggFunc) else None for side in (one, other))
        is_ratio = isinstance(inner, exp.Div)
        fits = less != 0 if is_ratio else more == less
        if not fits or not isinstance(first, Total) or not isinstance(second, Total):
            raise QueryError(
                f"cannot answer {quote(node)}; ask for the difference or the ratio of two totals, such as "
                "COUNT(*) FILTER (WHERE …) / COUNT(*)"
            )
        scale = factor * more / less if is_ratio else factor * more
        return Contrast("ratio" if is_ratio else "difference", first.condition, second.condition, scale)

    def _partition(self, window: exp.Window) -> tuple[int, ...]:
        if window.args.get("order") or window.args.get("spec"):
            raise QueryError("a share is OVER () or OVER (PARTITION BY …), without ORDER BY")
        parts = window.args.get("partition_by") or []
        return tuple(sorted(self._find_key(one, "PARTITION BY") for one in parts))


def key_text(node: Any, domain: Domain) -> str:
    """An expression as text that is the same for names in other case."""
    copy = bare(node).copy()
    for column in [copy, *copy.find_all(exp.Column)]:
        if isinstance(column, exp.Column) and not column.table:
            alike = names_like(column.name, domain)
            if column.name not in domain.attributes and len(alike) == 1:
                column.set("this", exp.to_identifier(alike[0], quoted=True))
            elif isinstance(column.this, exp.Identifier):
                column.this.set("quoted", True)
    return str(copy.sql("duckdb"))


def _is_share(node: Any) -> bool:
    return (
        isinstance(node, exp.Anonymous)
        and node.name.lower() == "share"
        and (not node.expressions or isinstance(node.expressions[0], exp.Star))
    )


def _split_factor(node: Any) -> tuple[float, Any]:
    """A number in front of, or behind, an expression, and the expression."""
    node = bare(node)
    while isinstance(node, exp.Cast):
        node = bare(node.this)
    if isinstance(node, exp.Mul):
        for factor, rest in ((node.this, node.expression), (node.expression, node.this)):
            if isinstance(bare(factor), exp.Literal) and not bare(factor).is_string:
                more, inner = _split_factor(rest)
                return float(plain_value(bare(factor))) * more, inner
    return 1.0, node


def _never_zero(node: Any) -> Any:
    """The total of NULLIF(total, 0): a ratio to 0 is NULL here anyway."""
    node = bare(node)
    zero = isinstance(node, exp.Nullif) and isinstance(node.expression, exp.Literal) and node.expression.this == "0"
    return node.this if zero else node


def _spread(node: Any) -> tuple[Any, str, float]:
    """ResultColumn, kind and level of a mean or a quantile."""
    if isinstance(node, exp.Avg) or (isinstance(node, exp.Anonymous) and node.name.lower() == "mean"):
        return (node.this if isinstance(node, exp.Avg) else next(iter(node.expressions), None)), "mean", 0.5
    if isinstance(node, exp.Median):
        return node.this, "quantile", 0.5
    if isinstance(node, exp.WithinGroup) and isinstance(node.this, QUANTILES):
        order = node.expression.expressions if node.expression else []
        if len(order) == 1 and not order[0].args.get("desc"):
            return order[0].this, "quantile", _level(node.this.this)
    if isinstance(node, QUANTILES):
        return node.this, "quantile", _level(node.args.get("quantile") or node.expression)
    raise QueryError(f"cannot answer {quote(node)}; ask for {KEYS} in GROUP BY, or for {MEASURES}")


def _level(node: Any) -> float:
    try:
        level = plain_value(node)
    except QueryError:
        level = None
    if isinstance(level, bool) or not isinstance(level, (int, float)) or not 0 <= level <= 1:
        raise QueryError(f"a quantile is a number from 0 to 1, got {quote(node)}; ask for each in a column of its own")
    return float(level)
