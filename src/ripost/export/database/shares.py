"""Shares in SQL: which part of each interval of an axis a question covers, and for which group.

Each axis has its own few intervals, so the work is done on those and looked up by row. A group has a key on every axis:
the code that it is about, or -1 for all of what was asked. A question with an end inside a code is asked three times:
as it is (rounding 0), and with all ends moved to whole codes, inward (1) and outward (2). Other questions have one
rounding alone, so they cost no more.
"""

from __future__ import annotations

from collections.abc import Sequence

from ripost.answering.axis_index import ROUNDING
from ripost.answering.query_batch import WHOLE
from ripost.export.database.axis import SqlAxis, ident, text
from ripost.schema.attribute import OrderedAttribute

BY = '"by"'  # the parameter that lists dimensions to group by


def is_grouped(axis: SqlAxis) -> str:
    """Whether the question groups by an axis, whose name may be written in any case."""
    return _is_named(axis.name)


def _is_named(name: str) -> str:
    names = f"string_split(lower(array_to_string(CAST({BY} AS VARCHAR[]), chr(31))), chr(31))"
    return f"coalesce(list_contains({names}, lower({text(name)})), false)"


def is_split(axis: SqlAxis) -> str:
    """Whether the question groups by an axis, by a level of it or by what is derived from it."""
    return f"({' OR '.join([is_grouped(axis), *(_is_named(one.name) for one in axis.maps)])})"


def _group_key(axis: SqlAxis) -> str:
    """The key of each code: itself, or the first code that is alike in all levels that the question groups by."""
    alike = ", ".join(f"CASE WHEN {_is_named(one.name)} THEN map_{i} END" for i, one in enumerate(axis.maps))
    return f"CASE WHEN {is_grouped(axis)} THEN code ELSE min(code) OVER (PARTITION BY {alike}) END"


def grouped_columns(figures: Sequence[str]) -> str:
    """The columns of a question: the dimensions it groups by, and figures. A name that is none of these is refused."""
    return f"COLUMNS(list_concat(CAST({BY} AS VARCHAR[]), [{', '.join(map(text, figures))}]))"


def asked_in_codes(axis: SqlAxis) -> str:
    """Positions that pairs of codes ask for, the second of each not in, and where the pair before ends; NULL asks for
    all.
    """
    given = f"coalesce(CAST({axis.given} AS DOUBLE[]), [0.0, {float(axis.attribute.size)!r}])"
    refusal = text(f"{axis.name} needs pairs of codes that rise, as [6, 10] or [6, 10, 16, 20]")
    rising = "len(given) = 2 OR (len(given) % 2 = 0 AND list_sort(given) = given)"
    checked = f"SELECT CASE WHEN {rising} THEN given ELSE error({refusal}) END AS given FROM (SELECT {given} AS given)"
    pairs = f"SELECT given, unnest(range(1, len(given) + 1, 2)) AS place FROM ({checked})"
    ends = "given[place] AS low, given[place + 1] AS high, coalesce(given[place - 1], 0.0) AS before"
    return f"SELECT low, high, before FROM (SELECT {ends} FROM ({pairs})) WHERE low < high"


def asked_in_units(axis: SqlAxis) -> str:
    """Positions that a range of values or a list of names asks for; NULL asks for all."""
    given, size = axis.given, float(axis.attribute.size)
    everything = f"SELECT 0.0::DOUBLE AS low, {size!r}::DOUBLE AS high WHERE {given} IS NULL"
    if isinstance(axis.attribute, OrderedAttribute):
        chosen = f"SELECT low, high FROM ({axis.range_sql()}) WHERE {given} IS NOT NULL AND low < high"
    else:
        asked = [(given, axis.name, "words"), *((ident(m.name), m.name, f"map_{i}") for i, m in enumerate(axis.maps))]
        nothing = " AND ".join(f"{parameter} IS NULL" for parameter, _, _ in asked)
        everything = f"SELECT 0.0::DOUBLE AS low, {size!r}::DOUBLE AS high WHERE {nothing}"
        kept = " AND ".join(
            f"({parameter} IS NULL OR list_contains(CAST({parameter} AS VARCHAR[]), {column}))"
            for parameter, _, column in asked
        )
        chosen = (
            f"SELECT CAST(code AS DOUBLE), CAST(code + 1 AS DOUBLE) FROM ripost.codes_{axis.number} "
            f"WHERE NOT ({nothing}) AND {kept}"
        )
        chosen += "".join(_refuse_others(axis, *one) for one in asked)
    return f"{everything} UNION ALL {chosen}"


def _refuse_others(axis: SqlAxis, parameter: str, name: str, column: str) -> str:
    """The error for a name that an axis does not have as a value, or a level as a group."""
    listed, refusal = f"CAST({parameter} AS VARCHAR[])", text(f"{name} has no value ")
    words, instead = f"SELECT {column} FROM ripost.codes_{axis.number}", text("NULL; write '(missing)'")
    return (
        f" UNION ALL SELECT CAST(error({refusal} || coalesce(other, {instead})) AS DOUBLE), 0.0 "
        f"FROM (SELECT unnest({listed}) AS other) WHERE other IS NULL OR other NOT IN ({words})"
    )


def of_axes(axes: Sequence[SqlAxis], *, by: bool, rounded: bool) -> list[str]:
    """The common table expressions asked_i, roundings, ends_i, pieces_i, keys_i and shares_i of all axes.

    `rounded` says whether there are intervals, which need the question with rounded ends.
    """
    asked = [f"asked_{a.number} AS ({asked_in_units(a) if by else asked_in_codes(a)})" for a in axes]
    inside = " OR ".join(f"abs({end} - round({end})) > {WHOLE!r}" for end in ("low", "high"))
    ends = " UNION ALL ".join(f"SELECT low, high FROM asked_{axis.number}" for axis in axes)
    roundings = "SELECT 0 AS rounding"
    if rounded:
        roundings += (
            f" UNION ALL SELECT unnest([1, 2]) FROM (SELECT bool_or({inside}) AS part FROM ({ends})) WHERE part"
        )
    return [*asked, f"roundings AS ({roundings})", *(step for axis in axes for step in _of_axis(axis, by=by))]


def _of_axis(axis: SqlAxis, *, by: bool) -> list[str]:
    i = axis.number
    apart = f"NOT {is_split(axis)}" if by else "true"
    pieces = f"SELECT rounding, -1 AS key, low, high FROM ends_{i} WHERE {apart}"
    keys = f"SELECT DISTINCT rounding, key FROM pieces_{i} UNION SELECT rounding, -1 FROM roundings WHERE {apart}"
    if by and axis.maps:
        pieces += (
            f" UNION ALL SELECT a.rounding, c.key, greatest(a.low, c.code), least(a.high, c.code + 1.0) "
            f"FROM (SELECT code, {_group_key(axis)} AS key FROM ripost.codes_{i}) c "
            f"JOIN ends_{i} a ON a.low < c.code + 1 AND a.high > c.code WHERE {is_split(axis)}"
        )
    elif by and axis.is_listed:
        pieces += (
            f" UNION ALL SELECT a.rounding, c.code, greatest(a.low, c.code), least(a.high, c.code + 1.0) "
            f"FROM ripost.codes_{i} c JOIN ends_{i} a ON a.low < c.code + 1 AND a.high > c.code "
            f"WHERE {is_grouped(axis)}"
        )
    elif by:
        refusal = text(f"{axis.name} has {axis.attribute.size} codes, too many to group by; give it a range")
        pieces += f" UNION ALL SELECT 0, CAST(error({refusal}) AS INTEGER), 0.0, 0.0 WHERE {is_grouped(axis)}"
    return [
        f"ends_{i} AS ({_ends(axis, by=by)})",
        f"pieces_{i} AS ({pieces})",
        f"keys_{i} AS ({keys})",
        share_intervals(axis),
    ]


def _ends(axis: SqlAxis, *, by: bool) -> str:
    """The ends of what was asked in each rounding. Intervals that overlap then are made disjoint."""
    down, up = (f"floor({{0}} + {WHOLE!r})", f"ceil({{0}} - {WHOLE!r})")
    outer = down.format("low") if by else f"greatest({down.format('low')}, {up.format('before')})"
    low = f"CASE rounding WHEN 0 THEN low WHEN 1 THEN {up.format('low')} ELSE {outer} END"
    high = f"CASE rounding WHEN 0 THEN high WHEN 1 THEN {down.format('high')} ELSE {up.format('high')} END"
    rounded = f"SELECT rounding, {low} AS low, {high} AS high FROM asked_{axis.number} CROSS JOIN roundings"
    return f"SELECT rounding, low, high FROM ({rounded}) WHERE low < high"


def share_intervals(axis: SqlAxis) -> str:
    """The expression shares_i: the share of each interval by key. 0 and 1 must not hang on how masses were summed."""
    i = axis.number
    along = "(least(p.high, s.high) - greatest(p.low, s.low)) / (s.high - s.low)"
    source = f"{axis.home}.intervals_{i} s JOIN pieces_{i} p ON p.low < s.high AND p.high > s.low"
    if axis.has_mass:
        last = axis.attribute.size - 1
        ends = [
            f"JOIN {axis.home}.mass_{i} {end}_at ON {end}_at.code = least(CAST(floor(p.{end}) AS INTEGER), {last})"
            for end in ("low", "high")
        ]
        low, high = (f"{end}_at.before + (p.{end} - {end}_at.code) * {end}_at.mass" for end in ("low", "high"))
        mass = f"(least({high}, s.stop) - greatest({low}, s.start)) / (s.stop - s.start)"
        along = f"CASE WHEN s.flat THEN {along} ELSE {mass} END"
        source += " " + " ".join(ends)
    whole = f"CASE WHEN p.low <= s.low AND p.high >= s.high THEN 1.0 ELSE {along} END"
    return (
        f"shares_{i} AS (SELECT interval_id, rounding, key, "
        f"CASE WHEN share > {1 - ROUNDING!r} THEN 1.0 ELSE share END AS share "
        f"FROM (SELECT s.interval_id, p.rounding, p.key, sum({whole}) AS share FROM {source} GROUP BY ALL) "
        f"WHERE share > {ROUNDING!r})"
    )


def join_rows(axes: Sequence[SqlAxis]) -> str:
    """The expression met: pairs of a row of the view and a group: keys, the share, and the intervals that are cut."""
    keys = [f"shares_{a.number}.key AS k{a.number}" for a in axes]
    cuts = [
        f"CASE WHEN shares_{a.number}.share < 1 THEN shares_{a.number}.interval_id ELSE -1 END AS c{a.number}"
        for a in axes
    ]
    share = " * ".join(f"shares_{a.number}.share" for a in axes)
    on = "shares_{0}.interval_id = b.s{0} AND shares_{0}.rounding = r.rounding"
    joins = " ".join(f"JOIN shares_{a.number} ON {on.format(a.number)}" for a in axes)
    columns = ", ".join(["b.*", "r.rounding", *keys, *cuts, f"{share} AS share"])
    return f"met AS (SELECT {columns} FROM {axes[0].home}.blocks b CROSS JOIN roundings r {joins})"
