"""A shield between engines and people: what an engine says may quote rows, so it never passes."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TypeVar

from ripost.errors import RipostError, SourceError

T = TypeVar("T")


def redact_errors(work: Callable[[], T], *, say: str | Callable[[Exception], str]) -> T:
    """The result of some work with data; whatever it raises becomes one public sentence, warnings are dropped.

    The sentence is raised outside the handler, so that the engine's error is not even attached as a context.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return work()
        except RipostError:
            raise
        except BaseException as error:
            if type(error).__name__ == "InterruptException":  # what DuckDB makes of Ctrl-C
                raise KeyboardInterrupt from None
            if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
                raise  # all but what libraries in Rust raise where they break
            sentence = say if isinstance(say, str) else say(error if isinstance(error, Exception) else RuntimeError())
    raise SourceError(sentence)
