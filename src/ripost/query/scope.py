"""Scope: what the expressions of a SELECT stand for, once its keys are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlglot import exp

from ripost.errors import QueryError
from ripost.query.aggregate import Aggregate, is_share, split_factor
from ripost.query.case import Cases
from ripost.query.condition import region_of
from ripost.query.distribution import require_ordered
from ripost.query.extremes import Extreme
from ripost.query.key import Key
from ripost.query.measured_figures import WORDS, MeasuredFigure, find_measure, what_is_known
from ripost.query.measures import Contrast, DistributionMeasure, QueryMeasure, Rounded, Scaled, Share, Total
from ripost.query.terms import asked_name, attribute_name, names_like, plain_value
from ripost.query.words import MEASURES, bare, quote
from ripost.schema.domain import Domain
from ripost.schema.measure import Measure as Held
from ripost.space.region import EVERYTHING, Region, intersect, unite
from ripost.view import View

COMPARISONS = (
    "ask for the difference or the ratio of two totals, such as COUNT(*) FILTER (WHERE …) / COUNT(*), or for each "
    "measure in a column of its own"
)


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

    view: View
    keys: Sequence[Key]
    texts: Sequence[str]  # of the keys
    named: Mapping[str, Any]  # expressions of the SELECT list by the names they were given there
    plain: bool  # neither HAVING nor more than one grouping set, so that windows see what WHERE selects
    measures: list[QueryMeasure] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)  # of the measures, by their text

    @property
    def domain(self) -> Domain:
        return self.view.domain

    @property
    def held(self) -> Held:
        """What the view holds."""
        return self.view.measure

    def term(self, node: Any) -> Term:
        """What an expression stands for; QueryError if the view cannot tell."""
        node = bare(node)
        if (found := self._key(node)) is not None:
            return KeyTerm(found)
        if isinstance(node, (exp.Grouping, exp.GroupingId)):
            return GroupingTerm(tuple(self._find_key(one, "GROUPING") for one in node.expressions))
        if isinstance(node, exp.Column):
            name = self._find_measure(node) or asked_name(node, self.domain)
            raise QueryError(f"{name} must be in GROUP BY, or in one of {MEASURES}")
        text = key_text(node, self.domain)
        if text not in self.numbers:
            self.numbers[text] = len(self.measures)
            self.measures.append(self._measure(node))
        return MeasureTerm(self.numbers[text])

    def _key(self, node: Any) -> int | None:
        if isinstance(node, exp.Column) and node.name not in self.domain.asked_names:
            node = self.named.get(node.name.lower(), node)
        text = key_text(node, self.domain)
        return self.texts.index(text) if text in self.texts else None

    def _find_key(self, node: Any, word: str) -> int:
        found = self._key(bare(node))
        if found is None:
            raise QueryError(f"{word} takes what stands in GROUP BY, got {quote(node)}")
        return found

    def _measure(self, node: Any) -> QueryMeasure:
        """The measure that an expression asks for, which numbers may multiply or divide."""
        node = bare(node)
        if isinstance(node, exp.Round):
            return Rounded(self._measure(node.this), _decimals(node.args.get("decimals")))
        factor, inner = split_factor(node)
        if factor != 1:
            return Scaled(self._measure(inner), factor)
        if isinstance(inner, exp.Filter):
            condition = region_of(inner.expression.this, self.domain)
            if is_share(inner.this):
                raise QueryError("SHARE takes no FILTER; ask COUNT(*) FILTER (WHERE …) and COUNT(*)")
            return self._aggregate(bare(inner.this), condition)
        if is_share(inner.this if isinstance(inner, exp.Window) else inner):
            return Share(self._partition(inner) if isinstance(inner, exp.Window) else ())
        if isinstance(inner, (exp.Sub, exp.Div, exp.Add)) and inner.find(exp.AggFunc, exp.Window):
            return self._arithmetic(inner)
        return self._aggregate(inner, EVERYTHING)

    def _aggregate(self, node: Any, condition: Region) -> QueryMeasure:
        asked = Aggregate.of(node)
        if asked.is_distinct and asked.what == "count" and self._is_unit(asked.argument):
            return self._units(condition)
        if asked.is_distinct:
            raise QueryError(f"cannot answer {quote(node)}: {self._why_not_distinct(asked)}")
        if asked.what == "countif":
            return self._total("COUNT(*)", intersect(condition, region_of(asked.argument, self.domain)))
        cases = Cases.of(asked.argument, self.domain)
        if cases is not None:
            return self._of_cases(asked, cases, condition)
        if asked.what == "count" and (asked.argument is None or isinstance(asked.argument, (exp.Star, exp.Literal))):
            return self._total("COUNT(*)", condition)
        return self._of_column(asked, asked.argument, condition)

    def _of_cases(self, asked: Aggregate, cases: Cases, condition: Region) -> QueryMeasure:
        """The measure of a CASE: numbers are counted, an attribute is measured where it applies."""
        if asked.what == "count":
            return self._total("COUNT(CASE …)", intersect(condition, self._present(cases)))
        number = cases.number() if asked.what in ("sum", "mean") else None
        if number is None:
            column, where = cases.column(zeros=asked.what == "sum")
            return self._of_column(asked, column, intersect(condition, where))
        factor, where = number
        self._needs_rows(f"{asked.what.upper()}(CASE …)")
        part, whole = intersect(condition, where), intersect(condition, cases.there)
        made: QueryMeasure = Total(part) if asked.what == "sum" else Contrast("ratio", part, whole)
        return made if factor == 1 else Scaled(made, factor)

    def _present(self, cases: Cases) -> Region:
        """Where a CASE is not NULL; an attribute in it may be missing."""
        parts = []
        for branch in cases.branches:
            if isinstance(branch.value, exp.Column):
                parts.append(intersect(branch.region, self._there(asked_name(branch.value, self.domain))))
            elif branch.value is not None:
                parts.append(branch.region)
        return unite([part for part in parts if part], self.domain.shape)

    def _of_column(self, asked: Aggregate, column: Any, condition: Region) -> QueryMeasure:
        column = bare(column)
        if asked.what == "sum" and isinstance(column, exp.Column):
            held = "cells" if self.held.cells else self.held.column
            if held is not None and column.name.lower() == held.lower():
                return Total(condition)
        if asked.what == "sum" and isinstance(column, exp.Literal) and column.this == "1":
            return self._total("COUNT(*)", condition)
        if not isinstance(column, exp.Column):
            raise QueryError(f"cannot answer {quote(asked.node)}; ask for {MEASURES}")
        if (measured := self._find_measure(column)) is not None:
            return self._of_measure(asked, measured, condition)
        if asked.what == "count":
            return self._total("COUNT(*)", intersect(condition, self._there(asked_name(column, self.domain))))
        name = attribute_name(column, self.domain)
        self._needs_rows(f"{asked.what.upper()}({name})")
        if asked.what in ("min", "max"):
            require_ordered(self.domain, name)
            return Extreme(name, asked.what == "max", condition)
        return DistributionMeasure(name, asked.what, asked.level, condition)

    def _find_measure(self, column: exp.Column) -> str | None:
        """The measure that a column names. An attribute of the name of a measure's column comes first."""
        if names_like(column.name, self.domain) or column.table:
            return None
        return find_measure(self.view, column.name)

    def _of_measure(self, asked: Aggregate, name: str, condition: Region) -> QueryMeasure:
        if asked.what in WORDS:
            return MeasuredFigure(name, WORDS[asked.what], condition)
        if asked.what == "count" and self.view.measures[name].measured.missing == "drop":
            return Total(condition)
        raise QueryError(f"cannot answer {quote(asked.node)}: {what_is_known(name)}")

    def _why_not_distinct(self, asked: Aggregate) -> str:
        """What to do instead of counting distinct values."""
        columns = asked.argument.expressions
        known = len(columns) != 1 or not isinstance(columns[0], exp.Column) or bool(self._find_known(columns[0]))
        if known or asked.what != "count":
            return "the view holds no distinct values; ask COUNT(*), or SELECT DISTINCT of the dimension"
        return (
            "the view holds no distinct values; ask COUNT(*), or publish with this column as unit and max_rows = 1 to "
            "count each of its values once"
        )

    def _find_known(self, column: exp.Column) -> list[str]:
        """The attributes and measures that a column names."""
        measured = self._find_measure(column)
        return [*names_like(column.name, self.domain), *([] if measured is None else [measured])]

    def _is_unit(self, argument: exp.Distinct) -> bool:
        unit, columns = self.view.privacy.unit.column, argument.expressions
        return unit is not None and len(columns) == 1 and columns[0].name.lower() == unit.lower()

    def _units(self, condition: Region) -> Total:
        """The number of units, which is that of rows where each unit has one."""
        unit = self.view.privacy.unit
        if self.view.content.kind == "union":
            raise QueryError(
                f"the number of different {unit.column} is not known, because one {unit.column} may have rows in "
                "several periods; ask the view of one period, with max_rows = 1"
            )
        if unit.max_rows > 1:
            raise QueryError(
                f"the number of different {unit.column} is not known, because up to {unit.max_rows:,} rows of each "
                "count; publish a view with max_rows = 1 to count them"
            )
        return self._total(f"COUNT(DISTINCT {unit.column})", condition)

    def _there(self, name: str) -> Region:
        """Where an attribute is not missing."""
        mapped = self.domain.mapped.get(name)
        name = name if mapped is None else mapped.of
        return ({self.domain.axis(name): [(0.0, float(self.domain.attributes[name].missing_code))]},)

    def _total(self, asked: str, condition: Region) -> Total:
        self._needs_rows(asked)
        return Total(condition)

    def _needs_rows(self, asked: str) -> None:
        if self.held.cells:
            raise QueryError(f"the view holds {self.held.title}, so {asked} is not known; ask SUM(cells)")
        if self.held.column is not None:
            raise QueryError(
                f"the view holds {self.held.title} and no rows, so {asked} is not known; ask {self.held.title}"
            )

    def _arithmetic(self, node: Any) -> QueryMeasure:
        """A share by OVER, the difference or the ratio of two totals, or a sum over its count, which is a mean."""
        (more, one), (less, other) = split_factor(node.this), split_factor(_never_zero(node.expression))
        scale = more / less if isinstance(node, exp.Div) and less else more
        over = isinstance(other, exp.Window) and isinstance(other.this, exp.Sum) and bare(other.this.this) == one
        if isinstance(node, exp.Div) and less and over and self._measure(one) == Total():
            return _scale_measure(self._window_share(other), scale)
        if one.find(exp.AggFunc) and other.find(exp.AggFunc) and not node.find(exp.Window):
            first, second = self._measure(one), self._measure(other)
            if isinstance(node, exp.Div) and less and (found := self._ratio(first, second)) is not None:
                return _scale_measure(found, scale)
            is_difference = isinstance(node, exp.Sub) and more == less
            if is_difference and isinstance(first, Total) and isinstance(second, Total):
                return _scale_measure(Contrast("difference", first.condition, second.condition), scale)
        advice = "join the conditions of one COUNT by OR" if isinstance(node, exp.Add) else COMPARISONS
        raise QueryError(f"cannot answer {quote(node)}; {advice}")

    def _ratio(self, one: QueryMeasure, other: QueryMeasure) -> QueryMeasure | None:
        if isinstance(one, Total) and isinstance(other, Total):
            return Contrast("ratio", one.condition, other.condition)
        if isinstance(one, DistributionMeasure) and one.what == "sum":
            is_mean = other == Total(intersect(one.condition, self._there(one.name)))
            return replace(one, what="mean") if is_mean else None
        if isinstance(one, MeasuredFigure) and one.what == "sum":
            return replace(one, what="mean") if other == Total(one.condition) else None
        return None

    def _window_share(self, window: exp.Window) -> Share:
        if not self.plain:
            raise QueryError("a share by OVER counts what HAVING and ROLLUP leave; ask SHARE(*), which does not")
        return Share(self._partition(window))

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
            if column.name not in domain.asked_names and len(alike) == 1:
                column.set("this", exp.to_identifier(alike[0], quoted=True))
            elif isinstance(column.this, exp.Identifier):
                column.this.set("quoted", True)
    return str(copy.sql("duckdb"))


def _scale_measure(measure: QueryMeasure, factor: float) -> QueryMeasure:
    return measure if factor == 1 else Scaled(measure, factor)


def _never_zero(node: Any) -> Any:
    """The total of NULLIF(total, 0): a ratio to 0 is NULL here anyway."""
    node = bare(node)
    zero = isinstance(node, exp.Nullif) and isinstance(node.expression, exp.Literal) and node.expression.this == "0"
    return node.this if zero else node


def _decimals(node: Any) -> int:
    try:
        found = 0 if node is None else plain_value(node)
    except QueryError:
        found = None
    if isinstance(found, bool) or not isinstance(found, int) or not -15 <= found <= 15:
        raise QueryError(f"ROUND takes a whole number of decimals from -15 to 15, got {quote(node)}")
    return found
