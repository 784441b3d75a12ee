"""Names of the columns of a result that were given none."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from ripost.query.aggregate import split_factor
from ripost.query.case import Cases
from ripost.query.extremes import Extreme
from ripost.query.measured_figures import MeasuredFigure
from ripost.query.measures import Contrast, DistributionMeasure, QueryMeasure, Rounded, Scaled, Share
from ripost.query.scope import GroupingTerm, KeyTerm, Scope, Term
from ripost.query.words import bare


def name_term(node: Any, term: Term, scope: Scope) -> str:
    """What a column is called that was given no name."""
    match term:
        case KeyTerm(number):
            return scope.keys[number].name if isinstance(node, exp.Column) else str(node.sql("duckdb"))
        case GroupingTerm():
            return "grouping"
        case _:
            return _name_measure(node, scope.measures[term.number], scope)


def _name_measure(node: Any, measure: QueryMeasure, scope: Scope) -> str:
    node = bare(node)
    match measure:
        case Rounded(inner):
            name = _name_measure(node.this, inner, scope)
        case Scaled(inner):
            name = _name_measure(split_factor(node)[1], inner, scope)
            name = name if isinstance(inner, (Share, Contrast)) else f"scaled_{name}"
        case Share():
            name = "share"
        case Contrast(what):
            name = what
        case MeasuredFigure():
            name = measure.title
        case Extreme(column, largest):
            name = f"{'max' if largest else 'min'}_{column}"
        case DistributionMeasure(column, what, level):
            word = {"mean": "avg", "sum": "sum"}.get(what, f"q{100 * level:g}")
            name = f"{'median' if node.find(exp.Median) else word}_{column}"
        case _:
            name = _name_total(node, scope)
    return name


def _name_total(node: Any, scope: Scope) -> str:
    word = "sum" if node.find(exp.Sum) else "count"
    is_plain = isinstance(node, (exp.Count, exp.Sum)) and Cases.of(node.this, scope.domain) is None
    column = next(iter(node.find_all(exp.Column)), None) if is_plain else None
    return word if column is None else f"{word}_{column.name}"
