"""Work limit: the number of steps that one question may take.

Code counts its steps before it takes them: intervals to compare, pairs of a box and a block to visit, rows of a result.
So the limit depends neither on the speed of a machine nor on the text of a question.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ripost.errors import QueryError

MOST_WORK = 10_000_000  # steps of one question, all its measures together; each takes less than a microsecond
TOO_MUCH = (
    f"the question is too much work: its groups, measures and conditions need more than {MOST_WORK:,} steps; "
    "ask for fewer groups or measures, or in several questions"
)

_done: ContextVar[list[float] | None] = ContextVar("steps of the question that is being answered", default=None)


@contextmanager
def count_work() -> Iterator[list[float]]:
    """Count the steps of one question. A question inside a question is part of it."""
    done = _done.get()
    if done is not None:
        yield done
        return
    token = _done.set([0.0])
    try:
        yield _done.get() or []
    finally:
        _done.reset(token)


def charge(steps: float) -> None:
    """Count steps before they are taken; QueryError if they are too many. Outside a question there is no limit."""
    done = _done.get()
    if done is not None:
        done[0] += steps
        if done[0] > MOST_WORK:
            raise QueryError(TOO_MUCH)


def check_affordable(steps: float) -> None:
    """Refuse a question that needs at least this many further steps, before it takes any of them."""
    done = _done.get()
    if done is not None and done[0] + steps > MOST_WORK:
        raise QueryError(TOO_MUCH)
