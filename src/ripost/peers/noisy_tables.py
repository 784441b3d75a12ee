"""Shared by methods that publish noisy tables of a few attributes each, and nothing else."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from ripost.arrays import Ints
from ripost.errors import InputError
from ripost.estimate.table_union import CompletedTables, Part, TableUnion
from ripost.methods.method import Tables
from ripost.privacy.account import Account
from ripost.privacy.ledger import Currency
from ripost.privacy.mechanisms import Gaussian, Laplace
from ripost.schema.domain import format_count
from ripost.space.query_parameters import Margin
from ripost.statistics.totals import TOTAL_OF_PART

MOST_CELLS = 2**21  # of all tables
MOST_TABLES = 2**12


def list_tables(shape: Sequence[int], degree: int) -> tuple[Part, ...]:
    """The sets of `degree` axes with more than one code; one set of all such axes if there are fewer."""
    axes = [axis for axis, size in enumerate(shape) if size > 1]
    return tuple(combinations(axes, min(degree, len(axes))))


def check_tables(name: str, shape: Sequence[int], degree: int) -> None:
    """InputError if there are too many tables, or too many cells."""
    axes = sum(size > 1 for size in shape)
    if (number := math.comb(axes, min(degree, axes))) > MOST_TABLES:
        raise InputError(f"{name} needs {number:,} tables and stops at {MOST_TABLES:,}; choose another method")
    cells = sum(math.prod(shape[axis] for axis in table) for table in list_tables(shape, degree))
    if cells > MOST_CELLS:
        raise InputError(
            f"{name} needs tables of {format_count(cells)} cells and stops at {MOST_CELLS:,}; choose another method"
        )


def draw_table(account: Account, purpose: str, margin: Margin, cost: Fraction) -> tuple[Ints, float]:
    """A noisy table and the variance of its noise: Laplace if the account counts epsilon, Gaussian if it counts rho."""
    kind = Laplace if account.currency is Currency.EPSILON else Gaussian
    mechanism = kind(TOTAL_OF_PART, cost)
    return account.charge_query(purpose, mechanism, account.root).measure(margin), mechanism.variance(account.bound)


def publish_tables(account: Account, degree: int) -> Tables:
    """All tables of so many axes, with an even part of the budget each."""
    shape, variance = account.shape, math.inf
    tables, seen = list_tables(shape, degree), []
    for table in tables:
        sizes = tuple(shape[axis] for axis in table)
        purpose = "table of axes " + ", ".join(str(axis + 1) for axis in table) if table else "total"
        noisy, variance = draw_table(account, purpose, Margin(table, sizes), account.epsilon / len(tables))
        seen.append(noisy.astype(np.float64).reshape(sizes))
    union = TableUnion(tuple(np.eye(size) for size in shape), tables, np.ones(len(tables)))
    return Tables(CompletedTables.of(shape, union.solve(seen)), union, variance)
