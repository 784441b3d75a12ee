"""Random SELECTs, one generator for everyone who answers SQL: the library, an exported database and the explorer."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np

WIDE_KEYS = (
    "a", "c", "b", "EXTRACT(month FROM d)", "EXTRACT(dow FROM d)", "DATE_TRUNC('week', d)", "FLOOR(a / 4) * 4", "d",
)  # fmt: skip
PLAIN_KEYS = ("a", "c", "b", "d")
SHARE = "COUNT(*) / SUM(COUNT(*)) OVER ()"
Pick = np.random.Generator


def condition(rng: Pick, depth: int, *, wide: bool = True) -> str:
    if depth and rng.random() < 0.6:
        word = rng.choice(["AND", "OR"])
        text = f"({condition(rng, depth - 1, wide=wide)} {word} {condition(rng, depth - 1, wide=wide)})"
        return f"NOT {text}" if rng.random() < 0.3 else text
    n, day = int(rng.integers(-2, 8)), dt.date(2013, 1, 21) + dt.timedelta(days=int(rng.integers(0, 37)))
    compare = rng.choice(["=", "<>", "<", "<=", ">", ">="])
    atoms = [
        f"a {compare} {n}",
        f"{n} {compare} a",
        f"a BETWEEN {n - 1} AND {n + 1}",
        f"a NOT BETWEEN {n - 1} AND {n + 1}",
        f"a IN ({n}, 3, -1)",
        f"a NOT IN ({n}, 2)",
        "a IS NULL",
        "c IS NOT NULL",
        f"c {rng.choice(['=', '<>'])} '{rng.choice([*'xyz'])}'",
        f"c IN ('x', '{rng.choice([*'yz'])}')",
        "b",
        "b = false",
        f"d {compare} DATE '{day}'",
        f"d BETWEEN '{day - dt.timedelta(days=1)}' AND '{day}'",
    ]
    if wide:
        atoms += [f"EXTRACT(month FROM d) {compare} 2", f"FLOOR(a / 4) * 4 {compare} 4"]
        atoms += ["c LIKE 'x%'", "c NOT LIKE '_'", "c ILIKE '%Y'", "NOT c ILIKE 'Z'"]
    return str(rng.choice(atoms))


def grouping(rng: Pick, keys: list[str]) -> str:
    text = ", ".join(keys)
    shapes = [text, f"ROLLUP ({text})", f"CUBE ({text})", f"GROUPING SETS (({text}), ({keys[0]}), ())"]
    if len(keys) > 1:
        shapes += [f"{keys[0]}, ROLLUP ({', '.join(keys[1:])})"]
    return str(rng.choice(shapes))


def wide_query(rng: Pick) -> str:
    """All that the library knows."""
    keys = [str(key) for key in rng.choice(WIDE_KEYS, int(rng.integers(0, 4)), replace=False)]
    keys = keys[:2] if "d" in keys else keys
    one, other = (condition(rng, 1) for _ in range(2))
    measures = _some(
        rng,
        "COUNT(a) AS m", "AVG(a) AS mean", "SUM(a) AS total", "QUANTILE_DISC(a, 0.3) AS q",
        "COUNT(*) FILTER (WHERE b) AS f", "MEDIAN(a) AS mid", "MIN(a) AS least", f"MAX(a) FILTER (WHERE {one}) AS most",
        f"SUM(CASE WHEN {one} THEN 1 ELSE 0 END) * 1.0 / COUNT(*) AS r1", f"AVG(IF({one}, 1, 0)) AS r2",
        f"COUNT(CASE WHEN {one} THEN a WHEN {other} THEN 5 END) AS c1", f"COUNT_IF({one}) / 12 AS c2",
        f"SUM(CASE WHEN {one} THEN 0 WHEN {other} THEN 3 ELSE 0 END) AS s1", f"SUM(CAST(({one}) AS INT)) AS s2",
        "AVG(CASE c WHEN 'x' THEN a WHEN 'y' THEN NULL ELSE a END) AS m1", "SUM(a) / COUNT(a) AS m2",
        f"COUNT(*) FILTER (WHERE {one}) - COUNT_IF({other}) AS d1", "SUM(IF(b, a, NULL)) AS s3", "MIN(d) AS first",
    )  # fmt: skip
    where = f" WHERE {condition(rng, 2)}" if rng.random() < 0.8 else ""
    if not keys:
        return f"SELECT {', '.join(measures)} FROM view{where}"
    if rng.random() < 0.4:
        measures.append(f"GROUPING({', '.join(keys)}) AS g")
    by = grouping(rng, keys)
    text = _grouped(rng, keys, measures, where, by, [f"GROUPING({', '.join(keys)})"])
    return over_result(rng, text) if rng.random() < 0.3 else text


def over_result(rng: Pick, inner: str) -> str:
    """A SELECT over the result of another, which has columns k0 and n."""
    shape = rng.choice(["WITH t AS ({0}) SELECT {1} FROM t", "SELECT {1} FROM ({0}) AS u", "SELECT {1} FROM ({0})"])
    where = f" WHERE n > {rng.integers(1, 99)}" + rng.choice(["", " AND k0 IS NOT NULL", " OR NOT k0 IS NULL"])
    if rng.random() < 0.2:
        return shape.format(inner, "MAX(n) AS most, MIN(n) AS least") + where
    shown = rng.choice(["*", "k0, n", "n AS rows, k0"])
    return shape.format(inner, shown) + where + rng.choice(["", " LIMIT 4", " LIMIT 3 OFFSET 1"])


def plain_query(rng: Pick) -> str:
    """What the library, a database and the explorer all know."""
    keys = [str(key) for key in rng.choice(PLAIN_KEYS, int(rng.integers(0, 4)), replace=False)]
    keys = keys[:2] if "d" in keys else keys
    measures = _some(rng, "COUNT(a) AS m", "AVG(a) AS mean", "SUM(a) AS total")
    where = f" WHERE {condition(rng, 2, wide=False)}" if rng.random() < 0.8 else ""
    if not keys:
        return f"SELECT {', '.join(measures)} FROM view{where}"
    if rng.random() < 0.3:
        over = "" if rng.random() < 0.5 else f"PARTITION BY {keys[0]}"
        factor = "" if rng.random() < 0.5 else "100.0 * "
        measures.append(f"{factor}{SHARE.replace('()', f'({over})')} AS share")
        shown = [f"{key} AS k{i}" for i, key in enumerate(keys)]
        return f"SELECT {', '.join([*shown, *measures])} FROM view{where} GROUP BY {', '.join(keys)}"
    return _grouped(rng, keys, measures, where, ", ".join(keys), [])


def _some(rng: Pick, *others: str) -> list[str]:
    return ["COUNT(*) AS n", *(one for one in others if rng.random() < 0.3)]


def _grouped(rng: Pick, keys: list[str], measures: list[str], where: str, by: str, last: list[str]) -> str:
    shown = [f"{key} AS k{i}" for i, key in enumerate(keys)]
    having = "COUNT(*) > 0"
    if rng.random() < 0.5:
        having += f" {rng.choice(['AND', 'AND NOT'])} (n > {rng.integers(1, 200)} OR AVG(a) < {rng.integers(-2, 6)})"
    order = ["n DESC", *(f"k{i} {rng.choice(['ASC', 'DESC NULLS FIRST', 'DESC'])}" for i in range(len(keys))), *last]
    limit = f" LIMIT {rng.integers(1, 20)} OFFSET {rng.integers(0, 3)}" if rng.random() < 0.3 else ""
    return (
        f"SELECT {', '.join([*shown, *measures])} FROM view{where} GROUP BY {by} HAVING {having} "
        f"ORDER BY {', '.join(order)}{limit}"
    )


def plain(value: Any) -> Any:
    """A value that compares alike whoever gives it."""
    if isinstance(value, dt.datetime):
        return value.date()
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value
