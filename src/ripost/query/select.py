"""A SELECT answered from a view: groups, measures, HAVING, ORDER BY and LIMIT, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from ripost.errors import QueryError
from ripost.query.having import filter_rows
from ripost.query.measures import Contrast, DistributionMeasure, Share
from ripost.query.scope import GroupingTerm, KeyTerm, MeasureTerm, Scope, Term
from ripost.query.statement import CAN, Statement, at_place, parse_statement
from ripost.query.table import ResultColumn, Table
from ripost.query.tabulate import ENDS, Rows, figure_columns
from ripost.query.words import bare, parse_safely, quote
from ripost.space.work_limit import charge, check_affordable
from ripost.view import View


def answer_sql(view: View, text: str, *, simultaneous: bool = False) -> Table:
    """The table that a SELECT asks of a view, with columns for the low and the high end of every measure."""
    with parse_safely(text, "the question", CAN):
        return _answer_select(view, text, simultaneous=simultaneous)


def _answer_select(view: View, text: str, *, simultaneous: bool) -> Table:
    """The table. Simultaneous intervals are those of all groups, because HAVING and LIMIT choose after the noise."""
    statement = parse_statement(text, view.domain)
    asked = _SelectQuery.of(statement, view)
    together = len(asked.scope.measures) if simultaneous or statement.simultaneous else 0
    rows = Rows.of(view, statement.keys, statement.sets, statement.where, together=together)
    if statement.having is not None:
        rows = rows.keep(filter_rows(statement.having, lambda node: asked.column(rows, node).values, len(rows)))
    rows = rows.keep(_sort_rows(statement, asked, rows))
    end = None if statement.limit is None else statement.offset + statement.limit
    rows = rows.keep(range(len(rows))[statement.offset : end])
    measures = {term.number for _, term in asked.shown if isinstance(term, MeasureTerm)}
    check_affordable(len(measures) * len(rows))  # a measure of a group takes at least one step
    columns = [column for name, term in asked.shown for column in asked.columns(rows, term, name)]
    return Table(columns, warning=view.privacy.warning, note=rows.note)


@dataclass(frozen=True)
class _SelectQuery:
    """The terms of a statement: those of its SELECT list under their names, others as they are met."""

    scope: Scope
    shown: tuple[tuple[str, Term], ...]
    places: Mapping[str, tuple[str, Term, int]]  # of each column of the result, by its name

    @classmethod
    def of(cls, statement: Statement, view: View) -> _SelectQuery:
        plain = statement.having is None and len(statement.sets) == 1
        named = {one.alias.lower(): one.node for one in statement.shown if one.alias}
        scope = Scope(view.domain, view.measure, statement.keys, statement.texts, named, plain)
        terms = [scope.term(one.node) for one in statement.shown]
        names = [one.alias or _name(one.node, term, scope) for one, term in zip(statement.shown, terms, strict=True)]
        shown = tuple(zip(names, terms, strict=True))
        return cls(scope, shown, _places(shown))

    def columns(self, rows: Rows, term: Term, name: str) -> list[ResultColumn]:
        match term:
            case KeyTerm(number):
                return [rows.labels(number, name)]
            case GroupingTerm(numbers):
                return [rows.grouping(numbers, name)]
            case MeasureTerm(number):
                return figure_columns(rows.figures(number, self.scope.measures[number]), name)

    def column(self, rows: Rows, node: Any) -> ResultColumn:
        """The values of an expression of HAVING or ORDER BY: a name in the SELECT list, one of an end, or a term."""
        node = bare(node)
        if isinstance(node, exp.Column) and not node.table and node.name.lower() in self.places:
            name, term, end = self.places[node.name.lower()]
            return self.columns(rows, term, name)[end]
        return self.columns(rows, self.scope.term(node), "")[0]


def _sort_rows(statement: Statement, asked: _SelectQuery, rows: Rows) -> list[int]:
    numbers = list(range(len(rows)))
    for one in reversed(statement.order):
        charge(2 * len(rows))
        node = bare(one.this)
        if isinstance(node, exp.Literal) and not node.is_string:
            place = statement.shown.index(at_place(node, statement.shown))
            name, term = asked.shown[place]
            values: Sequence[Any] = asked.columns(rows, term, name)[0].values
        elif (
            isinstance(node, exp.Column) and node.name.lower() == "all" and not asked.scope.domain.attributes.get("all")
        ):
            raise QueryError("ORDER BY ALL is not known; name what to order by")
        else:
            values = asked.column(rows, node).values
        there = [number for number in numbers if values[number] is not None]
        missing = [number for number in numbers if values[number] is None]
        there.sort(key=lambda number: values[number], reverse=bool(one.args.get("desc")))
        numbers = [*missing, *there] if one.args.get("nulls_first") else [*there, *missing]
    return numbers


def _name(node: Any, term: Term, scope: Scope) -> str:
    """What a column is called that was given no name."""
    if isinstance(term, KeyTerm):
        return scope.keys[term.number].name if isinstance(node, exp.Column) else str(node.sql("duckdb"))
    if isinstance(term, GroupingTerm):
        return "grouping"
    measure = scope.measures[term.number]
    if isinstance(measure, Share):
        return "share"
    if isinstance(measure, Contrast):
        return measure.what
    if isinstance(measure, DistributionMeasure):
        word = {"mean": "avg", "sum": "sum"}.get(measure.what, f"q{100 * measure.level:g}")
        return f"{'median' if isinstance(node, exp.Median) else word}_{measure.name}"
    column = next(iter(node.find_all(exp.Column)), None) if not isinstance(node, exp.Filter) else None
    word = "sum" if node.find(exp.Sum) else "count"
    return f"{word}_{column.name}" if column is not None else word


def _places(shown: Sequence[tuple[str, Term]]) -> dict[str, tuple[str, Term, int]]:
    """The columns of the result by their names: which term, and which end of its interval."""
    places: dict[str, tuple[str, Term, int]] = {}
    for name, term in shown:
        for i, end in enumerate(ENDS if isinstance(term, MeasureTerm) else ENDS[:1]):
            if (name + end).lower() in places:
                raise QueryError(f"two columns would be called {quote(name + end)}; name one of them with AS")
            places[(name + end).lower()] = name, term, i
    return places
