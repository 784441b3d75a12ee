"""Period: one month, or another span of the calendar, of a series of releases.

A rule such as `month(date)` says which period a row belongs to, from this row alone. A label such as 2026-10 names one
period of the rule, in one spelling. So a row belongs to at most one label of a rule (privacy/proofs/periods.md).
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import asdict, dataclass

from ripost.errors import InputError
from ripost.schema.attribute_base import shorten
from ripost.schema.dates import EPOCH, LAST_YEAR, add_months
from ripost.schema.expression import Term

YEAR = "([1-9][0-9]{3})"  # one spelling of each year
LABELS = {  # of each span: how labels read, and an example
    "year": (YEAR, "2026"),
    "quarter": (f"{YEAR}-Q([1-4])", "2026-Q4"),
    "month": (f"{YEAR}-([0-9]{{2}})", "2026-10"),
    "week": (f"{YEAR}-W([0-9]{{2}})", "2026-W44"),
    "day": (f"{YEAR}-([0-9]{{2}})-([0-9]{{2}})", "2026-10-31"),
}
RULE = re.compile(rf"\s*({'|'.join(LABELS)})\s*\((.*)\)\s*", re.DOTALL)
LONGEST_RULE = 1000


@dataclass(frozen=True, slots=True)
class ReleasePeriod:
    """The rows whose moment, by a rule, lies in one span of the calendar."""

    rule: str  # such as month(date)
    label: str  # such as 2026-10

    def __post_init__(self) -> None:
        """InputError unless the rule is one and the label is the spelling of one of its periods."""
        try:
            _ = self.moment
        except ValueError as error:
            raise InputError(str(error)) from None
        _ = self.bounds

    @property
    def moment(self) -> Term:
        """The expression of one row that gives its moment."""
        return read_rule(self.rule)[1]

    @property
    def span(self) -> str:
        """A key of LABELS."""
        return read_rule(self.rule)[0]

    @property
    def number(self) -> int:
        """The number of the period: later periods of a rule have larger ones."""
        return number_moment(self.span, self.bounds[0])

    @property
    def bounds(self) -> tuple[dt.datetime, dt.datetime]:
        """When the period begins, and when the next one does."""
        span = self.span
        pattern, example = LABELS[span]
        found = re.fullmatch(pattern, self.label)
        try:
            if found is None or int(found[1]) > LAST_YEAR:
                raise ValueError
            return _read_bounds(span, *map(int, found.groups()))
        except ValueError:
            raise InputError(
                f"a period of {shorten(self.rule)} reads like {example}, got {shorten(self.label)}"
            ) from None

    def __str__(self) -> str:
        return f"{self.label} of {self.rule}"

    def to_json(self) -> dict[str, str]:
        return asdict(self)


def number_moment(span: str, moment: dt.datetime) -> int:
    """The number of the period of a moment: of the day, or of the year and month, in which the period begins."""
    day = (moment - EPOCH).days
    match span:
        case "day":
            return day
        case "week":
            return day - moment.weekday()
    first = {"year": 1, "quarter": (moment.month - 1) // 3 * 3 + 1, "month": moment.month}[span]
    return moment.year * 100 + first


def label_number(span: str, number: int) -> str:
    """The label of the period with a number (`ReleasePeriod.number`)."""
    if span in ("week", "day"):
        day = EPOCH + dt.timedelta(days=number)
        iso = day.isocalendar()
        return f"{iso.year}-W{iso.week:02}" if span == "week" else f"{day:%Y-%m-%d}"
    year, month = divmod(number, 100)
    return {"year": f"{year}", "quarter": f"{year}-Q{(month + 2) // 3}", "month": f"{year}-{month:02}"}[span]


def read_rule(text: str) -> tuple[str, Term]:
    """The span and the moment of a rule; ValueError in one sentence where it is none."""
    from ripost.schema.expression_sql import parse_expression

    found = RULE.fullmatch(text)
    if found is None or len(text) > LONGEST_RULE or not text.isprintable():
        raise ValueError(f"period must read like 'month(date)' ({', '.join(LABELS)}), got {shorten(text)}")
    moment = parse_expression(found[2], "moment")
    if not moment.columns:
        raise ValueError("period reads no column; every row would be in the same period")
    return found[1], moment


def _read_bounds(span: str, year: int, part: int = 1, day: int = 1) -> tuple[dt.datetime, dt.datetime]:
    match span:
        case "week":
            start = dt.datetime.fromisocalendar(year, part, 1)
            return start, start + dt.timedelta(days=7)
        case "day":
            start = dt.datetime(year, part, day)
            return start, start + dt.timedelta(days=1)
    months = {"year": 12, "quarter": 3, "month": 1}[span]
    start = dt.datetime(year, (part - 1) * months + 1, 1)
    return start, add_months(start, months)
