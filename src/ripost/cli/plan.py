"""`ripost plan`: the error to expect, or the epsilon for a wanted error, from public facts alone."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ripost.cli.output import console, print_json, print_table, show_status
from ripost.cli.publish import parse_options
from ripost.cli.source_options import MethodOptions
from ripost.errors import InputError

if TYPE_CHECKING:
    from ripost.planning.compare_delta import DeltaComparison
    from ripost.planning.compare_protection import ProtectionComparison
    from ripost.planning.find_epsilon import EpsilonSearch
    from ripost.planning.forecast import Forecast
    from ripost.planning.group_forecast import GroupForecast
    from ripost.planning.public_facts import PublicFacts
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
    option: MethodOptions = None,
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
    from ripost.planning.compare_delta import compare_delta
    from ripost.planning.compare_protection import USUAL_SHARE as PAIR_SHARE
    from ripost.planning.compare_protection import compare_protection
    from ripost.planning.discovery_plan import DiscoveryPlan
    from ripost.planning.forecast import shares_for
    from ripost.planning.group_forecast import forecast_groups
    from ripost.planning.plan_text import describe_promise
    from ripost.planning.plot import draw, format_of
    from ripost.planning.public_facts import PublicFacts
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
        check_target(plot, force=force, reads=(schema,))
    facts = PublicFacts.of(description := Schema.load(schema), rows=parse_rows(rows))
    resolve_attribute_sets(protect or [], facts.domain)
    target = (wanted or [USUAL_SHARE])[0]
    shares = shares_for(facts.rows, wanted if asked is not None else [*wanted, target])
    with show_status("Planning:") as tell:
        options = parse_options(option or [])
        discovery = DiscoveryPlan(description, method, options) if description.open else None
        own = discovery.method_options if discovery else options
        simulation = Simulation(facts, shares, method, own, seed, tell, tuple(protect or ()))
        found = _search(simulation, discovery.leave(asked) if discovery and asked else asked, target, bound)
        promises = compare_delta(simulation, found.forecast)
        groups = forecast_groups(simulation, found.forecast.epsilon)
        gain = compare_protection(simulation, found.forecast.epsilon, wanted[0] if wanted else PAIR_SHARE)
    if plot is not None:
        at = describe_promise(found.forecast.epsilon, simulation.delta)
        title = f"{schema.name}: error to expect at {at}, {facts.rows:,} rows"
        write_whole(plot, draw(found.forecast, title=title, ending=ending), force=force)
    if as_json:
        told = _to_json(schema, simulation, found, promises, plot) | {"group_by": groups.to_json()}
        told |= discovery.to_json(found.forecast.epsilon) if discovery else {}
        print_json(told | ({"protect": gain.to_json()} if gain else {}))
        return
    console().print(
        "".join(f"{one}\n" for one in discovery.describe(found.forecast.epsilon)) if discovery else "", end=""
    )
    _print_plan(schema, simulation, found, target if bound is not None else None, bound)
    _print_details(groups, gain, promises, facts)
    if plot is not None:
        console().print(f"\nDrew {plot}.")


def _search(simulation: Simulation, asked: Fraction | None, share: float, bound: float | None) -> EpsilonSearch:
    """The forecast at an epsilon, or at the least epsilon that brings the error of a share to a bound."""
    from ripost.planning.find_epsilon import EpsilonSearch, find_epsilon
    from ripost.planning.forecast import forecast

    if asked is not None:
        return EpsilonSearch(forecast(simulation, asked), ())
    assert bound is not None
    return find_epsilon(simulation, share=share, error=bound)


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


def _to_json(
    schema: Path, simulation: Simulation, found: EpsilonSearch, promises: DeltaComparison | None, plot: Path | None
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


def _print_plan(
    schema: Path, simulation: Simulation, found: EpsilonSearch, share: float | None, bound: float | None
) -> None:
    from ripost.planning.plan_text import READ_NOTHING, describe_line, describe_promise, draw_chart, format_percent
    from ripost.planning.stand_in import MOST_DRAWS, is_thinned

    out, facts, forecast = console(), simulation.facts, found.forecast
    out.print(f"Plan for {schema.name}: {_describe_facts(facts)}.")
    for name, words in facts.domain.describe_structure():
        out.print(f"{name[:1].upper()}{name[1:]}: {words}.")
    promise = describe_promise(forecast.epsilon, simulation.delta).capitalize()
    out.print(f"{promise}, method {simulation.method}. {READ_NOTHING}\n", style="bold")
    if share is not None and bound is not None:
        line = forecast.line(share)
        assert line is not None
        out.print(
            f"Epsilon {float(forecast.epsilon):g} is about the least that brings the typical error of counts of about "
            f"{line.rows:,.0f} rows to {format_percent(bound)}: at it, {format_percent(line.typical.middle)}."
        )
        tried = ", ".join(f"{epsilon:g} gives {format_percent(typical)}" for epsilon, typical in found.tried)
        out.print(f"Tried: {tried}. Another --seed moves these by about a quarter.\n")
    _print_forecast(forecast)
    for text in draw_chart(forecast):
        out.print(f"  {text}")
    spoken = forecast.line(share or USUAL_SHARE) or forecast.lines[-1]
    out.print(f"\n{describe_line(spoken, facts)}")
    if spoken.floor is not None:
        out.print("At best: one count that has the whole budget to itself; no method can be expected to come nearer.")
    out.print("Your table may lie outside the range: docs/how-to/plan.md says how near plans came on real tables.")
    if is_thinned(facts):
        out.print(
            f"{facts.rows:,} rows are more than a simulation draws: {MOST_DRAWS:,} drawn cells share them, which makes "
            "small questions look harder than they will be."
        )


def _print_forecast(forecast: Forecast) -> None:
    from ripost.planning.plan_text import describe_size, format_percent, format_range

    rows = []
    for line in forecast.lines:
        best = "" if line.floor is None else format_percent(line.floor)
        most = "" if line.nine_in_ten is None else format_percent(line.nine_in_ten.middle)
        typical = format_percent(line.typical.middle), format_range(line.typical)
        rows.append((describe_size(line), f"{line.rows:,.0f}", *typical, most, best))
    head = ("questions of", "rows", "off by", "over stand-ins", "9 in 10 below", "at best")
    print_table(head, rows, right=range(1, len(head)))
    console().print()


def _print_delta(promises: DeltaComparison, facts: PublicFacts) -> None:
    from ripost.planning.plan_text import describe_delta, describe_promise, format_percent

    out, lines = console(), promises.lines
    both = (Fraction(0), [line.pure for line in lines]), (promises.delta, [line.with_delta for line in lines])
    rows = [(describe_promise(promises.epsilon, delta), *map(format_percent, errors)) for delta, errors in both]
    head = ("typical error", *(format_percent(line.share) for line in lines))
    out.print(f"\nThe same questions under two promises (--option delta={float(promises.delta):g} makes the second):\n")
    print_table(head, rows, right=range(1, len(head)))
    out.print()
    for text in describe_delta(promises, facts):
        out.print(text)


def _print_details(
    groups: GroupForecast, gain: ProtectionComparison | None, promises: DeltaComparison | None, facts: PublicFacts
) -> None:
    _print_groups(groups, protects=gain is not None)
    if gain is not None:
        _print_protection(gain)
    if promises is not None:
        _print_delta(promises, facts)


def _print_groups(groups: GroupForecast, *, protects: bool) -> None:
    from ripost.planning.plan_text import describe_groups, format_percent, two_digits

    out = console()
    out.print("\nGroup-bys, on two of the stand-in tables:\n")
    lines = [*groups.single, *groups.pairs]
    rows = [
        (
            " x ".join(line.attributes),
            f"{line.groups:,}",
            f"{line.rows:,.0f}" if line.rows >= 10 else two_digits(line.rows),
            format_percent(line.typical),
            "" if line.cost is None else f"{two_digits(line.cost)} times",
        )
        for line in lines
    ]
    head = ("by", "groups", "rows a group", "off by", "cost")
    wide = len(head) if any(line.cost is not None for line in lines) else len(head) - 1
    print_table(head[:wide], [row[:wide] for row in rows], right=range(1, wide))
    out.print()
    for text in describe_groups(groups, protects=protects):
        out.print(text)


def _print_protection(gain: ProtectionComparison) -> None:
    from ripost.planning.plan_text import describe_protection, format_percent

    out = console()
    if gain.lines:
        out.print(
            f"\nCounts by two attributes that hold about {format_percent(gain.share)} of the rows, typical errors:\n"
        )
        rows = [
            (
                " x ".join(line.attributes) if line.attributes else "other pairs",
                format_percent(line.without),
                format_percent(line.protected),
            )
            for line in gain.lines
        ]
        print_table(("pair", "without --protect", "with it"), rows, right={1, 2})
    out.print()
    for text in describe_protection(gain):
        out.print(text)


def _describe_facts(facts: PublicFacts) -> str:
    size = f"{len(facts.domain)} attributes, {facts.domain.size_in_words} cells, {facts.rows:,} rows expected"
    part = "" if facts.share == 1 else f"; forecasts are of counts, which get {float(facts.share):.0%} of the budget"
    return f"{size}, {facts.measure.title}, protects {facts.unit}{part}"
