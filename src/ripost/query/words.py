"""What the refusals of questions share: each is one sentence that says what can be asked."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlglot import TokenType, exp, tokenize
from sqlglot.errors import SqlglotError
from sqlglot.parser import Parser

from ripost.errors import QueryError
from ripost.space.work_limit import count_work

logging.getLogger("sqlglot").addHandler(logging.NullHandler())  # else it prints warnings that quote the question
LONGEST = 50_000  # characters of a question
DEEPEST = 40  # brackets and CASEs inside each other: the parser calls itself for each
DEEPEST_TYPE = 4  # types inside each other, as in STRUCT(a STRUCT(b INT))
LONGEST_CHAIN = 200  # words and signs without a comma, AND or OR between them, for the same reason
OPENING = {TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE}
CLOSING = {TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END}
JOINS = {TokenType.JOIN, TokenType.STRAIGHT_JOIN}
TYPES = Parser.TYPE_TOKENS
APART = {TokenType.COMMA, TokenType.AND, TokenType.OR}
CONDITIONS = (
    "ask for conditions joined by AND, OR and NOT, each on one attribute, "
    "with =, !=, <, <=, >, >=, BETWEEN, IN, LIKE or IS NULL"
)
CAN = "ask one SELECT of keys and measures FROM view, with WHERE, GROUP BY, HAVING, ORDER BY and LIMIT"
MEASURES = "COUNT(*), SHARE(*), or AVG, MEDIAN, SUM, MIN, MAX and QUANTILE_CONT of a dimension that has an order"
KEYS = (
    "a dimension, width(dimension, 10), FLOOR(dimension / 10) * 10, EXTRACT(month FROM dimension) or "
    "DATE_TRUNC('month', dimension)"
)


def quote(text: Any) -> str:
    """A piece of a question as a refusal shows it: in quotes, and short."""
    shown = repr(text.sql("duckdb") if isinstance(text, exp.Expr) else str(text))
    return shown if len(shown) <= 80 else shown[:79] + "…"


def bare(node: Any) -> Any:
    """An expression without the brackets around it."""
    while isinstance(node, exp.Paren):
        node = node.this
    return node


@contextmanager
def parse_safely(text: str, what: str, can: str) -> Iterator[None]:
    """Read and answer a text inside: what the parser cannot read, is nested too deeply, or is too much work, is a
    QueryError.
    """
    if len(text) > LONGEST:
        raise QueryError(f"{what} is too long: {len(text):,} characters, at most {LONGEST:,}")
    try:
        with count_work():
            _check_nesting(text, what, can)
            yield
    except SqlglotError:
        raise QueryError(f"cannot read {what} {quote(text)}; {can}") from None
    except RecursionError:
        raise QueryError(f"{what} is nested too deeply; {can}") from None


def _check_nesting(text: str, what: str, can: str) -> None:
    """QueryError for what the parser would run out of stack on, whoever calls it from wherever, or would try in
    exponentially many ways, as it does with JOINs and with types in types.
    """
    opened: list[bool] = []  # of each bracket that is open, whether the name of a type stands before it
    chain, before = 0, None
    for token in tokenize(text, dialect="duckdb"):
        kind = token.token_type
        if kind in JOINS:
            raise QueryError(f"cannot answer {token.text.upper()[:20]}; {can}")
        if kind in OPENING:
            opened.append(before in TYPES)
        elif kind in CLOSING and opened:
            opened.pop()
        chain, before = 0 if kind in APART else chain + 1, kind
        if len(opened) > DEEPEST or sum(opened) > DEEPEST_TYPE or chain > LONGEST_CHAIN:
            raise QueryError(f"{what} is nested too deeply; {can}")
