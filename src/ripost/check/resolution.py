"""Resolution: whether a schema has more codes or cells than the expected number of rows can fill.

The owner states the number of rows: the table is not counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from ripost.check.finding import Finding
from ripost.schema.domain import format_count
from ripost.schema.schema import Schema

NOISES = 20  # rows a bin needs, in units of 1/epsilon, to stand out of its noise when it is one of many things measured
SPARSE = 10_000  # cells a row, in the same units, beyond which questions about all attributes at once are guesses


def count_visible(schema: Schema, *, rows: float, epsilon: float) -> int:
    """About how many codes of an attribute exceed the noise, if rows are spread over them evenly."""
    return max(math.floor(rows * epsilon / schema.row_unit.max_rows / NOISES), 1)


def check_resolution(schema: Schema, *, rows: float, epsilon: float) -> Iterator[Finding]:
    """Warnings for attributes and domains that are too fine; unreviewed ones are skipped: their sizes are private."""
    strength = rows * epsilon / schema.row_unit.max_rows
    most = count_visible(schema, rows=rows, epsilon=epsilon)
    for name, attribute in schema.domain:
        if name not in schema.unreviewed and name not in schema.open.attributes and attribute.size > most:
            says = (
                f"{attribute.size:,} codes are many for {rows:,.0f} rows at epsilon {epsilon:g}: most will be lost in "
                f"noise; about {most:,} would show"
            )
            yield Finding("warning", "fineness", says, name)
    if schema.unreviewed or schema.open:
        return
    cells = schema.domain.size
    if cells > SPARSE * strength:
        yield Finding(
            "warning",
            "fineness",
            f"{format_count(cells)} cells for {rows:,.0f} rows: answers about few attributes can be accurate, answers "
            "about all of them together cannot; remove attributes, or widen bins",
        )
    else:
        yield Finding("ok", "fineness", f"{format_count(cells)} cells for {rows:,.0f} rows at epsilon {epsilon:g}")
