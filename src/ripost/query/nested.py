"""A SELECT over the rows of a result: WHERE, ORDER BY and LIMIT, some of its columns, or MIN and MAX of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from ripost.errors import QueryError
from ripost.query.having import filter_rows
from ripost.query.result import Result, sort_numbers
from ripost.query.statement import OutputColumn, at_place, check_clauses, read_limits
from ripost.query.table import ResultColumn
from ripost.query.tabulate import ENDS
from ripost.query.words import bare, quote
from ripost.space.work_limit import charge

CAN = "over a result ask for its columns, * or MIN and MAX of columns, with WHERE, ORDER BY and LIMIT"
INSIDE = {"group": "GROUP BY", "having": "HAVING", "distinct": "DISTINCT"}


def has_extremes(select: exp.Select) -> bool:
    """Whether a SELECT over a result asks MIN or MAX, for which the intervals of the result hold simultaneously."""
    return any(one.find(exp.Min, exp.Max) for one in select.expressions)


def select_rows(select: exp.Select, inner: Result) -> Result:
    """What a SELECT asks of the rows of a result."""
    check_clauses(select)
    for name, word in INSIDE.items():
        if select.args.get(name):
            raise QueryError(f"cannot answer {word} over a result; use it in the SELECT from the view, {CAN}")
    if where := select.args.get("where"):
        inner = inner.keep(filter_rows(where.this, lambda node: _values(node, inner), len(inner), word="WHERE"))
    shown = [one for node in select.expressions for one in _read_output(node, inner)]
    order = select.args.get("order")
    if has_extremes(select):
        if order or not all(isinstance(one.node, (exp.Min, exp.Max)) for one in shown):
            raise QueryError("MIN and MAX of a result make one row; ask for them alone, without ORDER BY")
        found = _join_columns([(one, _extreme(one, inner)) for one in shown], inner.note)
    else:
        if order:
            places = {one.alias.lower(): one.node for one in shown if one.alias}
            inner = inner.keep(
                sort_numbers(len(inner), order.expressions, lambda node: _order_values(node, shown, places, inner))
            )
        found = _join_columns([(one, _columns(one, inner)) for one in _without_ends(shown, inner)], inner.note)
    limit, offset = read_limits(select)
    return found.keep(range(len(found))[offset : None if limit is None else offset + limit])


def _read_output(node: Any, inner: Result) -> list[OutputColumn]:
    """One expression of the SELECT list; * is every column but the ends, which come with their measures."""
    alias = node.alias if isinstance(node, exp.Alias) else None
    node = bare(node.this if alias else node)
    if isinstance(node, exp.Star) or (isinstance(node, exp.Column) and isinstance(node.this, exp.Star)):
        if node.args.get("except_") or node.args.get("except") or node.args.get("replace") or node.args.get("rename"):
            raise QueryError(f"cannot answer {quote(node)}; name the columns instead")
        return [OutputColumn(exp.column(name, quoted=True), None) for name in inner.columns]
    argument = bare(node.this) if isinstance(node, (exp.Min, exp.Max)) else node
    if not isinstance(argument, exp.Column) or argument.table or node.args.get("count"):
        if isinstance(node, (exp.Sum, exp.Avg, exp.Count)):
            raise QueryError(f"cannot answer {quote(node)} of a result; ask the view for the total itself, and {CAN}")
        raise QueryError(f"cannot answer {quote(node)} of a result; {CAN}")
    return [OutputColumn(node, alias)]


def _without_ends(shown: Sequence[OutputColumn], inner: Result) -> list[OutputColumn]:
    """The outputs without the ends of measures that are shown themselves under their own names."""
    measures = {one.node.name.lower() for one in shown if not one.alias} & inner.measures
    ends = {f"{name}{end}" for name in measures for end in ENDS[1:]}
    return [one for one in shown if one.alias or one.node.name.lower() not in ends]


def _columns(one: OutputColumn, inner: Result) -> list[ResultColumn]:
    found = inner.with_ends(one.node.name)
    name = one.alias or found[0].name
    return [column.rename(name + end) for column, end in zip(found, ENDS, strict=False)]


def _extreme(one: OutputColumn, inner: Result) -> list[ResultColumn]:
    """MIN or MAX of a column; of a measure with its ends, which hold because those of all rows hold together."""
    found, word = inner.with_ends(bare(one.node.this).name), type(one.node).__name__.lower()
    charge(len(found) * len(inner))
    name = one.alias or f"{word}_{found[0].name}"
    choose = min if word == "min" else max
    columns = []
    for column, end in zip(found, ENDS, strict=False):
        values = [value for value in column.values if value is not None]
        known = values and (not end or len(values) == len(inner))
        columns.append(ResultColumn(name + end, column.type, [choose(values) if known else None]))
    return columns


def _join_columns(given: Sequence[tuple[OutputColumn, list[ResultColumn]]], note: str) -> Result:
    columns: dict[str, ResultColumn] = {}
    measures = set()
    for _, found in given:
        for column in found:
            if column.name.lower() in columns:
                raise QueryError(f"two columns would be called {quote(column.name)}; name one of them with AS")
            columns[column.name.lower()] = column
        if len(found) > 1:
            measures.add(found[0].name.lower())
    return Result(columns, frozenset(measures), note)


def _values(node: Any, inner: Result) -> Sequence[Any]:
    node = bare(node)
    if not isinstance(node, exp.Column) or node.table:
        raise QueryError(f"WHERE over a result compares its columns with plain values, got {quote(node)}")
    return inner.column(node.name).values


def _order_values(node: Any, shown: Sequence[OutputColumn], named: dict[str, Any], inner: Result) -> Sequence[Any]:
    node = bare(node)
    if isinstance(node, exp.Literal) and not node.is_string:
        node = at_place(node, shown).node
    elif isinstance(node, exp.Column) and node.name.lower() not in inner.columns:
        node = named.get(node.name.lower(), node)
    return _values(node, inner)
