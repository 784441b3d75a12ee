"""`ripost plan`: the error to expect, or the epsilon for a wanted error, from public facts alone."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ripost.cli.output import console, print_json, steps
from ripost.cli.publish import parse_options
from ripost.errors import InputError

if TYPE_CHECKING:
    from ripost.planning.compare_delta import Promises
    from ripost.planning.compare_protection import Protection
    from ripost.planning.find_epsilon import Found
    from ripost.planning.forecast import Forecast
    from ripost.planning.public_facts import Facts
    from ripost.planning.simulation import Simulation

USUAL_SHARE = 0.1


def plan(
    schema: Annotated[Path, typer.Argument(help="The schema, a TOML file; nothing else is read.")],
    rows: Annotated[str, typer.Option(help="How many rows you expect the table to have, such as 1e6.")],
    epsilon: Annotated[str | None, typer.Option("--epsilon", "-e", help="The privacy budget to judge.")] = None,
    error: Annotated[
        str | None, typer.Option(help="The error you want, such as 2%: finds the epsilon that it takes.")
    ] = None,
    share: Annotated[
        list[str] | None,
        typer.Option(help="Of which counts: those that hold about so much of the rows, such as 10%; may be repeated."),
    ] = None,
    method: Annotated[str, typer.Option(help="How to decompose.")] = "ripost+",
    option: Annotated[
        list[str] | None,
        typer.Option("--option", help="A parameter of the method, as name=value; may be repeated."),
    ] = None,
    protect: Annotated[
        list[str] | None,
        typer.Option(help="Attributes whose pairs matter most, as publish takes them; may be repeated."),
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the plan into this file: .svg, .png or .pdf.")] = None,
    seed: Annotated[int, typer.Option(help="Of the stand-in tables and of the noise on them.", min=0)] = 0,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the picture.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Tell the error to expect, without the data.

    At an epsilon the error, or for a wanted error the epsilon, from the schema and simulation alone.
    """
    from ripost.planning.compare_delta import compare
    from ripost.planning.compare_protection import USUAL_SHARE as PAIR_SHARE
    from ripost.planning.compare_protection import protection
    from ripost.planning.find_epsilon import Found, epsilon_for
    from ripost.planning.forecast import forecast, shares_for
    from ripost.planning.plan_text import promise_name
    from ripost.planning.plot import draw, format_of
    from ripost.planning.public_facts import Facts
    from ripost.planning.simulation import Simulation
    from ripost.privacy.budget import parse_epsilon
    from ripost.release.atomic import check_target, write_whole
    from ripost.schema.attribute_sets import resolve_attribute_sets
    from ripost.schema.schema import Schema

    if (epsilon is None) == (error is None):
        raise InputError("give either --epsilon, to learn the error, or --error, to learn the epsilon")
    wanted = [parse_share(text, name="--share", most=1) for text in share or []]
    bound = None if error is None else parse_share(error, name="--error", most=10)
    asked = None if epsilon is None else parse_epsilon(epsilon)
    ending = "" if plot is None else format_of(plot)
    if plot is not None:
        check_target(plot, force=force)
    facts = Facts.of(Schema.load(schema), rows=parse_rows(rows))
    resolve_attribute_sets(protect or [], facts.domain)
    target = (wanted or [USUAL_SHARE])[0]
    shares = shares_for(facts.rows, wanted if asked is not None else [*wanted, target])
    with steps("Planning:") as tell:
        options = parse_options(option or [])
        simulation = Simulation(facts, shares, method, options, seed, tell, tuple(protect or ()))
        if asked is not None:
            found = Found(forecast(simulation, asked), ())
        else:
            assert bound is not None
            found = epsilon_for(simulation, share=target, error=bound)
        promises = compare(simulation, found.forecast)
        gain = protection(simulation, found.forecast.epsilon, wanted[0] if wanted else PAIR_SHARE)
    if plot is not None:
        promise = promise_name(found.forecast.epsilon, simulation.delta)
        title = f"{schema.name}: error to expect at {promise}, {facts.rows:,} rows"
        write_whole(plot, draw(found.forecast, title=title, ending=ending), force=force)
    if as_json:
        told = _facts(schema, simulation, found, promises, plot)
        print_json(told | ({"protect": gain.to_json()} if gain else {}))
        return
    _tell(schema, simulation, found, target if bound is not None else None, bound)
    if gain is not None:
        _protected(gain)
    if promises is not None:
        _compare(promises, facts)
    if plot is not None:
        console().print(f"\nDrew {plot}.")


def parse_rows(text: str) -> int:
    """A number of rows: 1000000, 1,000,000 or 1e6."""
    try:
        number = float(text.replace(",", "").replace("_", ""))
        if not (math.isfinite(number) and number == round(number)):
            raise ValueError
    except ValueError:
        raise InputError(f"--rows must be a whole number such as 1e6, got {text!r}") from None
    return round(number)


def parse_share(text: str, *, name: str, most: float) -> float:
    """A share: 2% or 0.02."""
    bare = text.strip()
    try:
        number = float(bare.removesuffix("%").strip()) / (100 if bare.endswith("%") else 1)
    except ValueError:
        raise InputError(f"{name} must be a share such as 2% or 0.02, got {text!r}") from None
    if not 0 < number <= most:
        raise InputError(f"{name} must lie above 0 and at most {100 * most:g}%, got {text!r}")
    return number


def _facts(
    schema: Path, simulation: Simulation, found: Found, promises: Promises | None, plot: Path | None
) -> dict[str, Any]:
    facts = simulation.facts
    return {
        "schema": str(schema),
        "read_data": False,
        "rows": facts.rows,
        "unit": str(facts.unit),
        "measure": facts.measure.title,
        "method": simulation.method,
        "epsilon": float(found.forecast.epsilon),
        "delta": float(simulation.delta),
        "lines": [line.to_json() for line in found.forecast.lines],
        "promises": promises and promises.to_json(),
        "tried": [{"epsilon": epsilon, "typical": typical} for epsilon, typical in found.tried],
        **({"plot": str(plot)} if plot else {}),
    }


def _tell(schema: Path, simulation: Simulation, found: Found, share: float | None, bound: float | None) -> None:
    from ripost.planning.plan_text import READ_NOTHING, chart, percent, promise_name, sentence
    from ripost.planning.stand_in import MOST_DRAWS, is_thinned

    out, facts, forecast = console(), simulation.facts, found.forecast
    out.print(f"Plan for {schema.name}: {_described(facts)}.")
    promise = promise_name(forecast.epsilon, simulation.delta).capitalize()
    out.print(f"{promise}, method {simulation.method}. {READ_NOTHING}\n", style="bold")
    if share is not None and bound is not None:
        line = forecast.line(share)
        assert line is not None
        out.print(
            f"Epsilon {float(forecast.epsilon):g} is about the least that brings the typical error of counts of about "
            f"{line.rows:,.0f} rows to {percent(bound)}: at it, {percent(line.typical.middle)}."
        )
        tried = ", ".join(f"{epsilon:g} gives {percent(typical)}" for epsilon, typical in found.tried)
        out.print(f"Tried: {tried}. Another --seed moves these by about a quarter.\n")
    _table(forecast)
    for text in chart(forecast):
        out.print(f"  {text}")
    spoken = forecast.line(share or USUAL_SHARE) or forecast.lines[-1]
    out.print(f"\n{sentence(spoken, facts)}")
    if spoken.floor is not None:
        out.print("At best: one count that has the whole budget to itself; no method can be expected to come nearer.")
    out.print("Your table may lie outside the range: docs/how-to/plan.md says how near plans came on real tables.")
    if is_thinned(facts):
        out.print(
            f"{facts.rows:,} rows are more than a simulation draws: {MOST_DRAWS:,} drawn cells share them, which makes "
            "small questions look harder than they will be."
        )


def _table(forecast: Forecast) -> None:
    from rich.table import Table

    from ripost.planning.plan_text import percent, size, span

    table = Table("questions of", box=None, pad_edge=False, header_style="bold")
    for title in ("rows", "off by", "over stand-ins", "9 in 10 below", "at best"):
        table.add_column(title, justify="right")
    for line in forecast.lines:
        best = "" if line.floor is None else percent(line.floor)
        most = "" if line.nine_in_ten is None else percent(line.nine_in_ten.middle)
        typical = percent(line.typical.middle), span(line.typical)
        table.add_row(size(line), f"{line.rows:,.0f}", *typical, most, best)
    console().print(table)
    console().print()


def _compare(promises: Promises, facts: Facts) -> None:
    from rich.table import Table

    from ripost.planning.plan_text import compared, percent, promise_name

    table = Table("typical error", box=None, pad_edge=False, header_style="bold")
    for line in promises.lines:
        table.add_column(percent(line.share), justify="right")
    for delta, errors in (
        (Fraction(0), [line.pure for line in promises.lines]),
        (promises.delta, [line.with_delta for line in promises.lines]),
    ):
        table.add_row(promise_name(promises.epsilon, delta), *map(percent, errors))
    out = console()
    out.print(f"\nThe same questions under two promises (--option delta={float(promises.delta):g} makes the second):\n")
    out.print(table)
    out.print()
    for text in compared(promises, facts):
        out.print(text)


def _protected(gain: Protection) -> None:
    from rich.table import Table

    from ripost.planning.plan_text import percent, protected

    out = console()
    if gain.lines:
        table = Table("pair", box=None, pad_edge=False, header_style="bold")
        for title in ("without --protect", "with it"):
            table.add_column(title, justify="right")
        for line in gain.lines:
            name = " x ".join(line.attributes) if line.attributes else "other pairs"
            table.add_row(name, percent(line.without), percent(line.protected))
        out.print(f"\nCounts by two attributes that hold about {percent(gain.share)} of the rows, typical errors:\n")
        out.print(table)
    out.print()
    for text in protected(gain):
        out.print(text)


def _described(facts: Facts) -> str:
    size = f"{len(facts.domain)} attributes, {facts.domain.size_in_words} cells, {facts.rows:,} rows expected"
    return f"{size}, {facts.measure.title}, protects {facts.unit}"
