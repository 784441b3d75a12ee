"""Aggregate: one aggregate function of SQL, in any of its spellings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from ripost.errors import QueryError
from ripost.query.terms import plain_value
from ripost.query.words import KEYS, MEASURES, bare, quote

PERCENTILES = (exp.PercentileCont, exp.PercentileDisc)
QUANTILES = (*PERCENTILES, exp.Quantile, exp.ApproxQuantile)
PLAIN: dict[type[exp.Expr], str] = {
    exp.Count: "count", exp.CountIf: "countif", exp.Sum: "sum", exp.Avg: "mean", exp.Median: "quantile", exp.Min: "min",
    exp.Max: "max",
}  # fmt: skip
NAMED = {
    "mean": "mean", "approx_median": "quantile", "percentile": "quantile", "percentile_approx": "quantile",
    "approx_percentile": "quantile",
}  # fmt: skip
"""Functions that the parser does not know: other databases have them."""


@dataclass(frozen=True)
class Aggregate:
    """What is aggregated, and how: count, countif, sum, mean, quantile, min or max."""

    node: Any
    what: str
    argument: Any
    level: float = 0.5  # of a quantile

    @classmethod
    def of(cls, node: Any) -> Aggregate:
        """The aggregate that an expression is; QueryError if it is none that a view answers."""
        if type(node) in PLAIN and not node.args.get("count"):
            return cls(node, PLAIN[type(node)], bare(node.this))
        if isinstance(node, exp.WithinGroup) and isinstance(node.this, PERCENTILES):
            order = node.expression.expressions if node.expression else []
            if len(order) == 1:
                level = _level(node.this.this)
                return cls(node, "quantile", bare(order[0].this), 1 - level if order[0].args.get("desc") else level)
        if isinstance(node, QUANTILES):
            return cls(node, "quantile", bare(node.this), _level(node.args.get("quantile") or node.expression))
        if isinstance(node, exp.Anonymous) and (what := NAMED.get(node.name.lower())) and node.expressions:
            column, *rest = node.expressions
            has_level = what == "quantile" and node.name.lower() != "approx_median"
            if len(rest) == has_level:
                return cls(node, what, bare(column), _level(rest[0]) if has_level else 0.5)
        raise QueryError(f"cannot answer {quote(node)}; ask for {KEYS} in GROUP BY, or for {MEASURES}")

    @property
    def is_distinct(self) -> bool:
        return isinstance(self.argument, exp.Distinct)


def is_share(node: Any) -> bool:
    """Whether an expression is SHARE(*)."""
    return (
        isinstance(node, exp.Anonymous)
        and node.name.lower() == "share"
        and (not node.expressions or isinstance(node.expressions[0], exp.Star))
    )


def split_factor(node: Any) -> tuple[float, Any]:
    """The numbers that multiply or divide an expression, as one, and the expression."""
    factor, node = 1.0, bare(node)
    while True:
        if isinstance(node, exp.Cast):
            node = bare(node.this)
        elif isinstance(node, exp.Neg) and _number(node) is None:
            factor, node = -factor, bare(node.this)
        elif isinstance(node, exp.Mul) and (number := _number(node.this)) is not None:
            factor, node = factor * number, bare(node.expression)
        elif isinstance(node, exp.Mul) and (number := _number(node.expression)) is not None:
            factor, node = factor * number, bare(node.this)
        elif isinstance(node, exp.Div) and (number := _number(node.expression)):
            factor, node = factor / number, bare(node.this)
        else:
            return factor, node


def _number(node: Any) -> float | None:
    """The number that a literal stands for; None if it is no number."""
    inner = bare(node)
    while isinstance(inner, (exp.Neg, exp.Cast)):
        inner = bare(inner.this)
    if not isinstance(inner, exp.Literal) or inner.is_string:
        return None
    return float(plain_value(node))


def _level(node: Any) -> float:
    if node is None:
        raise QueryError("a quantile needs a level from 0 to 1; write QUANTILE_CONT(dimension, 0.9)")
    try:
        level = plain_value(node)
    except QueryError:
        level = None
    if isinstance(level, bool) or not isinstance(level, (int, float)) or not 0 <= level <= 1:
        raise QueryError(f"a quantile is a number from 0 to 1, got {quote(node)}; ask for each in a column of its own")
    return float(level)
