"""Spill: the private folder where the embedded DuckDB puts rows that do not fit in memory.

By itself DuckDB takes the current folder, with files that anyone may read. This one is its owner's alone, goes when the
process ends, and if the process is killed the next one sweeps it away.
"""

from __future__ import annotations

import atexit
import os
import tempfile
from pathlib import Path

from ripost.temporary import TemporaryPath, claim_temporary, sweep_temporary

PREFIX = "ripost-spill-"
_claims: dict[int, TemporaryPath] = {}  # by process, since a fork must have its own


def spill_folder() -> Path:
    """The folder of this process, made when first asked for."""
    process = os.getpid()
    if process not in _claims:
        place = Path(tempfile.gettempdir())
        sweep_temporary(place, PREFIX)
        held = claim_temporary(place, PREFIX)
        held.path.mkdir(mode=0o700)
        _claims[process] = held
        atexit.register(_release, process)
    return _claims[process].path


def _release(process: int) -> None:
    if process == os.getpid():
        _claims.pop(process).release()
