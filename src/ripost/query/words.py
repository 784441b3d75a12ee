"""What the refusals of questions share: each is one sentence that says what can be asked."""

from __future__ import annotations

import logging
from typing import Any

from sqlglot import exp

logging.getLogger("sqlglot").addHandler(logging.NullHandler())  # else it prints warnings that quote the question
LONGEST = 50_000  # characters of a question
CONDITIONS = (
    "ask for conditions joined by AND, OR and NOT, each on one attribute, "
    "with =, !=, <, <=, >, >=, BETWEEN, IN or IS NULL"
)
MEASURES = "COUNT(*), SHARE(*), or AVG, MEDIAN, SUM and QUANTILE_CONT of a dimension that has an order"
KEYS = (
    "a dimension, width(dimension, 10), FLOOR(dimension / 10) * 10, EXTRACT(month FROM dimension) or "
    "DATE_TRUNC('month', dimension)"
)


def quoted(text: Any) -> str:
    """A piece of a question as a refusal shows it: in quotes, and short."""
    shown = repr(text.sql("duckdb") if isinstance(text, exp.Expr) else str(text))
    return shown if len(shown) <= 80 else shown[:79] + "…"


def bare(node: Any) -> Any:
    """An expression without the brackets around it."""
    while isinstance(node, exp.Paren):
        node = node.this
    return node
