"""The private report of `ripost check --fit`, for a terminal only."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ripost.cli.output import console
from ripost.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ripost.check.fit import ColumnFit, FitReport, FunctionalDependence, PeriodFit, UnitFit

OUTCOMES = {"clamp": "clamped to the nearest bound", "other": "counted as (other)", "drop": "rows dropped"}


def require_terminal(*, as_json: bool) -> None:
    """InputError unless the report goes to a terminal: in a file it could end up beside a release."""
    if as_json or not sys.stdout.isatty():
        raise InputError(
            "--fit shows private values, so it prints to a terminal only; leave out --json, pipes and files"
        )


def print_fit(report: FitReport) -> None:
    """Print how the rows fit the schema, the worst columns first."""
    out = console()
    out.print(
        "\nPRIVATE: exact counts and values of the table. Do not copy, save or publish what follows.", style="red"
    )
    out.print(f"{report.rows:,} rows, of which {_share(report.kept, report.rows)} are counted.")
    if report.unit is not None:
        out.print(describe_unit(report.unit, report.rows))
    if report.periods is not None:
        out.print(describe_periods(report.periods, report.rows))
    for fit in sorted(report.columns, key=lambda fit: -(fit.missing + fit.unparsed + fit.outside)):
        out.print(describe_column(fit))
        if fit.examples:
            listed = ", ".join(f"{value!r} ({rows:,})" for value, rows in fit.examples)
            out.print(f"  most frequent: {listed}")
    for line in describe_disagreements(report):
        out.print(line)
    for text in describe_dependences(report.dependences):
        out.print(text)
    out.print("End of the private report.\n", style="red")


def describe_column(fit: ColumnFit) -> str:
    """Return one line about an attribute: what is missing, unparsed or outside, and what becomes of it."""
    origin = f" (computed: {fit.column})" if fit.computed else f" (column {fit.column})"
    name = fit.attribute + ("" if fit.column == fit.attribute else origin)
    parts = [f"{_share(fit.missing, fit.rows)} missing"] if fit.missing else []
    if fit.unparsed:
        verb = "computed" if fit.computed else "read"
        parts.append(f"{_share(fit.unparsed, fit.rows)} cannot be {verb} and count as missing")
    if fit.outside:
        parts.append(f"{_share(fit.outside, fit.rows)} outside the schema, {OUTCOMES.get(fit.policy, fit.policy)}")
    return f"{name}: {'; '.join(parts) if parts else 'every value fits'}"


def describe_unit(unit: UnitFit, rows: int) -> str:
    """Return one line about the privacy unit: how many there are and which rows are dropped."""
    dropped = [f"{_share(unit.without_id, rows)} without an id"] if unit.without_id else []
    if unit.beyond_bound:
        dropped.append(f"{_share(unit.beyond_bound, rows)} beyond max_rows")
    lost = f"dropped: {', '.join(dropped)}" if dropped else "no row is dropped"
    return f"{unit.column}: {unit.units:,} units, the largest with {unit.largest:,} rows; {lost}"


def describe_periods(fit: PeriodFit, rows: int) -> str:
    """Return one line about the periods in the table, and what max_periods drops of them."""
    held = f"{fit.periods:,} periods with rows, {fit.first} to {fit.last}" if fit.periods else "no row is in a period"
    lost = "no row is" if not fit.beyond_rows else (
        f"{_share(fit.beyond_rows, rows)} of rows, of {fit.beyond_units:,} units, are"
    )  # fmt: skip
    return f"{fit.rule}: {held}; {lost} beyond max_periods"


def describe_disagreements(report: FitReport) -> list[str]:
    """Return lines about rows that lie in impossible cells, or whose column says another group than the schema."""
    lines = []
    for condition in report.impossible:
        verdict = f"{_share(condition.rows, report.rows)} of rows, which are dropped" if condition.rows else "in no row"
        lines.append(f"impossible, {condition.condition}: {verdict}")
    for one in report.maps:
        verdict = (
            f"differs from the schema in {_share(one.rows, report.rows)} of rows" if one.rows else "fits in every row"
        )
        lines.append(f"{one.name}, a function of {one.of}: its column {verdict}")
        lines += [
            f"  {value!r} is in {group!r}, but {rows:,} rows say {said!r}" for value, group, said, rows in one.examples
        ]
    return lines


def describe_dependences(found: Sequence[FunctionalDependence]) -> list[str]:
    """Return one line about each pair of attributes of which one tells the other, with advice."""
    shares = {(one.determinant, one.dependent): one.share for one in found}
    lines = []
    for (determinant, dependent), share in shares.items():
        back = shares.get((dependent, determinant))
        if back is None:
            lines.append(
                f"{determinant} tells {dependent} in {share:.1%} of rows: leave {dependent} out, since readers can "
                f"add up the codes of {determinant}, and each attribute takes its part of the privacy budget"
            )
        elif (share, determinant) >= (back, dependent):  # once for a pair
            lines.append(
                f"{determinant} and {dependent} tell each other in {min(share, back):.1%} of rows: leave one of them "
                "out, since each attribute takes its part of the privacy budget"
            )
    return lines


def _share(part: int, whole: int) -> str:
    """Return the share with its count, with enough digits that a few rows do not read as none."""
    if whole == 0 or part == 0:
        return "0 %"
    percent = 100 * part / whole
    digits = 0 if percent >= 10 or percent == int(percent) else 1 if percent >= 1 else 3
    return f"{percent:.{digits}f} % ({part:,})"
