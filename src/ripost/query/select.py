"""A SELECT answered from a view: groups, measures, HAVING, ORDER BY and LIMIT, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from ripost.errors import QueryError
from ripost.query.having import filter_rows
from ripost.query.measured_figures import naming_measures
from ripost.query.naming import name_term
from ripost.query.nested import has_extremes, select_rows
from ripost.query.result import Result, sort_numbers
from ripost.query.scope import GroupingTerm, KeyTerm, MeasureTerm, Scope, Term
from ripost.query.source import Source, parse_select, source_of
from ripost.query.statement import Statement, at_place, read_statement
from ripost.query.table import ResultColumn, Table
from ripost.query.tabulate import ENDS, Rows, figure_columns
from ripost.query.words import CAN, bare, parse_safely, quote
from ripost.space.work_limit import check_affordable
from ripost.view import View

DOMAIN_VALUES = "DISTINCT lists the values of the public domain; whether rows have them, only counts can tell"


def answer_sql(view: View, text: str, *, simultaneous: bool = False) -> Table:
    """The table that a SELECT asks of a view, with columns for the low and the high end of every measure."""
    with parse_safely(text, "the question", CAN), naming_measures(view):
        found = _answer(view, parse_select(text), {}, simultaneous=simultaneous)
        return Table([*found.columns.values()], warning=view.privacy.warning, note=found.note)


def _answer(view: View, select: exp.Select, known: Mapping[str, Source], *, simultaneous: bool) -> Result:
    """The result of a SELECT from the view, or from the result of another."""
    source = source_of(select, known, view)
    if source.select is None:
        return _ask_view(view, read_statement(select, view.domain), simultaneous=simultaneous or source.simultaneous)
    together = simultaneous or has_extremes(select)
    return select_rows(select, _answer(view, source.select, source.known, simultaneous=together))


def _ask_view(view: View, statement: Statement, *, simultaneous: bool) -> Result:
    """What the view answers. Simultaneous intervals are those of all groups, because HAVING and LIMIT choose after the
    noise.
    """
    asked = _SelectQuery.of(statement, view)
    together = len(asked.scope.measures) if simultaneous else 0
    rows = Rows.of(view, statement.keys, statement.sets, statement.where, together=together)
    if statement.having is not None:
        rows = rows.keep(filter_rows(statement.having, lambda node: asked.column(rows, node).values, len(rows)))
    rows = rows.keep(sort_numbers(len(rows), statement.order, lambda node: asked.order_values(rows, node, statement)))
    end = None if statement.limit is None else statement.offset + statement.limit
    rows = rows.keep(range(len(rows))[statement.offset : end])
    measures = {term.number for _, term in asked.shown if isinstance(term, MeasureTerm)}
    check_affordable(len(measures) * len(rows))  # a measure of a group takes at least one step
    columns = [column for name, term in asked.shown for column in asked.columns(rows, term, name)]
    named = frozenset(name.lower() for name, term in asked.shown if isinstance(term, MeasureTerm))
    note = rows.note or (DOMAIN_VALUES if statement.distinct and not measures else "")
    return Result({column.name.lower(): column for column in columns}, named, note)


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
        scope = Scope(view, statement.keys, statement.texts, named, plain)
        terms = [scope.term(one.node) for one in statement.shown]
        names = [
            one.alias or name_term(one.node, term, scope) for one, term in zip(statement.shown, terms, strict=True)
        ]
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

    def order_values(self, rows: Rows, node: Any, statement: Statement) -> Sequence[Any]:
        """The values of an expression of ORDER BY, which may be a place in the SELECT list."""
        node = bare(node)
        if isinstance(node, exp.Literal) and not node.is_string:
            name, term = self.shown[statement.shown.index(at_place(node, statement.shown))]
            return self.columns(rows, term, name)[0].values
        if isinstance(node, exp.Column) and node.name.lower() == "all" and "all" not in self.scope.domain.attributes:
            raise QueryError("ORDER BY ALL is not known; name what to order by")
        return self.column(rows, node).values


def _places(shown: Sequence[tuple[str, Term]]) -> dict[str, tuple[str, Term, int]]:
    """The columns of the result by their names: which term, and which end of its interval."""
    places: dict[str, tuple[str, Term, int]] = {}
    for name, term in shown:
        for i, end in enumerate(ENDS if isinstance(term, MeasureTerm) else ENDS[:1]):
            if (name + end).lower() in places:
                raise QueryError(f"two columns would be called {quote(name + end)}; name one of them with AS")
            places[(name + end).lower()] = name, term, i
    return places
