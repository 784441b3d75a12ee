"""Hidden: names of the machinery's own columns that no dimension has.

A parameter of a macro hides every column of its name, and the parameters are called like the dimensions. So the names
that the SQL of this package uses for its own columns get underscores in front, one more than any dimension has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

OWN = (
    "axis", "before", "begun", "bin", "block", "bound", "bounds", "box", "bucket", "cells", "code", "codes",
    "common", "component", "correction", "covered", "dependence", "ended", "even", "factor", "first", "fitted", "flat",
    "given", "hidden", "high", "high_at", "histogram", "histograms", "inner_reach", "inner_value", "inside",
    "interval_id", "inverse", "key", "known", "label", "lacking", "leaf", "low", "low_at", "mass", "middle",
    "model", "moved", "node", "noise", "note", "one", "other", "others", "outer_reach", "outer_value", "own",
    "pair", "part", "place", "places", "possible", "products", "reach", "rest", "rounded", "rounding", "second",
    "share", "shared", "size", "spread", "start", "stop", "t", "total", "uneven", "value", "vector", "weight",
    "weighted", "width", "within", "withins", "words", "y",
)  # fmt: skip
NAME = re.compile(rf"""'(?:[^']|'')*'|"(?:[^"]|"")*"|\b(?:{"|".join(OWN)}|[kcsb]\d+|map_\d+)\b""")


def prefix_of(names: Sequence[str]) -> str:
    """Underscores that no name begins with."""
    return "_" * (1 + max((len(name) - len(name.lstrip("_")) for name in names), default=0))


def prefix_names(sql: str, prefix: str) -> str:
    """SQL in which own names, where they are not quoted, have the prefix."""
    return NAME.sub(lambda found: found[0] if found[0][0] in "'\"" else prefix + found[0], sql)
