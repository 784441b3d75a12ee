"""Methods of the trials: those of ripost, and readings of the paper that only these experiments know."""

from __future__ import annotations

import inspect
from functools import cache
from pathlib import Path

from experiments.digest import SOURCE, code_digest, digest_of
from experiments.paper.readings import reading_run, statistics, without_noise
from experiments.paper.readings.cells import CellPrivTree
from experiments.paper.readings.reading import Reading
from experiments.spec import parse_spec
from ripost import METHODS
from ripost.methods.method import Method

HERE = Path(__file__).parent
MEASURE = tuple(  # what is asked of a view, and how it is scored
    HERE / name for name in ("subject.py", "trial.py", "readings/trial.py", "readings/workloads.py")
)
OURS: dict[str, type[Method]] = {kind.name: kind for kind in (CellPrivTree, Reading)}
THEIRS = tuple(Path(str(module.__file__)) for module in (reading_run, statistics, without_noise))


def method_of(spec: str) -> Method:
    """The method that a spec names, with its options."""
    name, options = parse_spec(spec)
    return (OURS[name] if name in OURS else METHODS[name]).configure(options)


@cache
def method_digest(name: str) -> str:
    """A digest of the code that decides the outcomes of a method, whatever its options."""
    if name not in OURS:
        return code_digest(name, MEASURE)
    files = (Path(inspect.getfile(OURS[name])), *THEIRS, *MEASURE)
    return digest_of(OURS[name].__mro__[1].__module__, SOURCE, files)
