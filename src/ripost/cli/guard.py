"""guarded: every way a command can end, as one sentence and an exit code.

2: the input cannot be used. 1: a fault of ripost. 130: stopped. Tracebacks are shown only on request, because they
may quote private data.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from ripost.errors import InputError, RipostError


def guarded(run: Callable[[], Any]) -> NoReturn:
    try:
        run()
    except InputError as error:
        _end(str(error), 2)
    except KeyboardInterrupt:
        _end("stopped; nothing was written", 130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has gone, as with `| head`
        sys.exit(0)
    except Exception as error:
        if os.environ.get("RIPOST_DEBUG"):
            raise
        kind = "the privacy rules stopped this" if isinstance(error, RipostError) else "this is a fault of ripost"
        _end(f"{kind} ({type(error).__name__}); set RIPOST_DEBUG=1 to see where, for your eyes only", 1)
    sys.exit(0)


def _end(sentence: str, code: int) -> NoReturn:
    from ripost.cli.output import visible

    sys.stderr.write(f"ripost: {visible(sentence)}\n")
    sys.exit(code)
