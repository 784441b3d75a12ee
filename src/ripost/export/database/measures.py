"""The table of measures in a database: their sums and means for each value of each attribute, with intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ripost.export.crossed import Crossed, can_list
from ripost.export.database.axis import text

if TYPE_CHECKING:
    from ripost.view import View

COLUMNS = "measure VARCHAR, figure VARCHAR, attribute VARCHAR, value VARCHAR, estimate DOUBLE, low DOUBLE, high DOUBLE"
SAYS = "Sums and means of measures by each value of each attribute; ripost answers them by several attributes too."


def list_measures(connection: Any, view: View) -> None:
    """Write the table, if the view has measures."""
    if not view.measures:
        return
    connection.execute(f"CREATE TABLE measures ({COLUMNS})")
    for name in view.domain.names:
        if not can_list(view, name):
            continue
        crossed = Crossed.of(view, [name])
        for figure, found in crossed.measured:
            rows = [
                [figure.name, figure.what, name, crossed.words(0, code), *map(_finite, row)]
                for (code,), row in zip(crossed.codes, found.rows, strict=True)
            ]
            connection.executemany("INSERT INTO measures VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    connection.execute(f"COMMENT ON TABLE measures IS {text(SAYS)}")


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
