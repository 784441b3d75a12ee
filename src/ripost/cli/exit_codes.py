"""guarded: every way a command can end, as one sentence and an exit code.

2: the input cannot be used. 1: a fault of ripost. 130: stopped. Tracebacks are shown only on request, because they
may quote private data.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from ripost.errors import InputError, RipostError, redact_passwords


class Interrupted(Exception):
    """Somebody pressed Ctrl-C, with something to say about it; the library of commands would end without a word."""


@contextmanager
def keep_interrupt_notes() -> Iterator[None]:
    """Let what was noted about an interruption be heard."""
    try:
        yield
    except KeyboardInterrupt as error:
        stopped = Interrupted()
        for note in getattr(error, "__notes__", []):
            stopped.add_note(note)
        raise stopped from None


def run_guarded(run: Callable[[], Any]) -> NoReturn:
    try:
        code = run()
    except InputError as error:
        _end(_add_notes(str(error), error), 2)
    except (KeyboardInterrupt, Interrupted) as error:
        _end(_add_notes("stopped; nothing is left half written", error), 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has gone, as with `| head`
        sys.exit(0)
    except Exception as error:
        if hasattr(error, "format_message"):  # of the library of commands: an option or an argument is wrong
            _end_usage(error)
        if os.environ.get("RIPOST_DEBUG"):
            raise
        kind = "the privacy rules stopped this" if isinstance(error, RipostError) else "this is a fault of ripost"
        what = f"{kind} ({type(error).__name__}); set RIPOST_DEBUG=1 to see where, for your eyes only"
        _end(_add_notes(what, error), 1)
    sys.exit(code if isinstance(code, int) else 0)


def _add_notes(sentence: str, error: BaseException) -> str:
    """The sentence, and what was noted on the way out, such as a debit that stays."""
    return "; ".join([sentence, *getattr(error, "__notes__", [])])


def _end_usage(error: Any) -> NoReturn:
    """End with what is wrong with the command line; without a command, with help."""
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        sys.exit(2)
    said, command = error.format_message(), error.ctx.command_path if error.ctx else "ripost"
    if getattr(error, "option_name", None) == "--delta":
        said = "give delta as a parameter of the method: --option delta=1e-9"
    help_at = f" See {command} -h" if said.endswith("?") else f"; see {command} -h"
    _end(f"{said[:1].lower()}{said[1:].rstrip('.')}{help_at}", 2)


def _end(sentence: str, code: int) -> NoReturn:
    from ripost.cli.output import escape_unprintable

    sys.stderr.write(f"ripost: {escape_unprintable(redact_passwords(sentence))}\n")
    sys.exit(code)
