"""Judge: what became of one case. Only ripost's own errors, in one sentence, are no fault; and no answer comes from a file
that `verify` rejects.
"""

from __future__ import annotations

import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from ripost.certify.certificate_text import format_certificate
from ripost.certify.certified_release import CertifiedRelease
from ripost.cli.release_claims import read_files
from ripost.errors import InputError, ReleaseError
from ripost.explore.page import page
from ripost.export.formats import FORMATS
from ripost.export.wanted import Wanted
from ripost.query.condition import answer_condition
from ripost.reestimating import reestimate
from ripost.release.promise import list_charges, promise
from ripost.release.verify import FileCheck, verify_file
from ripost.series import Series
from ripost.view import View, open_view
from tests.fuzz.hostile import check_names, wide

LONGEST = 600  # characters of a sentence
AT_ONCE = 4  # questions put to a file
SLOW = 10.0  # seconds of processor time


@dataclass(frozen=True)
class Verdict:
    """How a case ended: `answered`, `refused`, or one of the faults."""

    end: str
    detail: str = ""
    seconds: float = 0.0  # of processor time

    @property
    def is_fault(self) -> bool:
        return self.end not in ("answered", "refused")


@dataclass(frozen=True)
class Known:
    """What was found of a file before: its checks, and the uses that were made of it."""

    checks: Sequence[FileCheck]
    uses: set[str] = field(default_factory=set)


def judged(case: Callable[[], Verdict]) -> Verdict:
    """The verdict on a case, with its time; warnings count as errors."""
    started = time.process_time()
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("error")
            found = case()
    except Exception as error:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if "/ripost/" in f.filename]
        where = f"{Path(frames[-1].filename).name}:{frames[-1].name}" if frames else "?"
        found = Verdict("crash", f"{type(error).__name__} in {where}: {str(error)[:100]}")
    seconds = time.process_time() - started
    if seconds > SLOW and not found.is_fault:
        found = Verdict("slow", f"{found.end} in {seconds:.1f} s")
    return replace(found, seconds=seconds)


def check_files(path: Path) -> list[FileCheck]:
    """The checks of `ripost verify`: of a release file, or of each in a series."""
    try:
        return [check for file in read_files(path).values() for check in verify_file(file)]
    except ReleaseError as error:
        return [FileCheck("structure", False, str(error))]


def judge_file(path: Path, rng: Random, known: Known | None = None) -> Verdict:
    """Verify a file, ask it what a view can be asked, and export it; what is known of its content is not done again."""
    known = known or Known(check_files(path))
    wrong = [check for check in known.checks if not check.ok]
    if any(not _is_sentence(check.detail) for check in wrong):
        return Verdict("no sentence", wrong[0].detail[:200])
    try:
        view = open_view(path)
        str(view), view._repr_html_()
    except ReleaseError as error:
        if not _is_sentence(str(error)):
            return Verdict("no sentence", str(error)[:200])
        return Verdict("refused", "open") if wrong else Verdict("refused though verified", str(error))
    answers = 0
    for ask in questions(view, rng):
        try:
            ask()
            answers += 1
        except ReleaseError as error:
            if not wrong:
                return Verdict("refused though verified", str(error))
            if not _is_sentence(str(error)):
                return Verdict("no sentence", str(error)[:200])
        except InputError:
            continue
    if not wrong and (fault := _used(view, path, rng, known.uses)):
        return fault
    if wrong and answers:
        return Verdict("answered a file that verify rejects", f"{wrong[0].name}: {wrong[0].detail}"[:200])
    return Verdict("refused", "first question") if wrong else Verdict("answered")


def _used(view: View, path: Path, rng: Random, done: set[str]) -> Verdict | None:
    """Make of a view that verify accepts what can be made of it, the dearer the more seldom; a fault, if there is one."""
    uses: list[tuple[float, str, Callable[[], Any]]] = [
        (0.5, "csv", lambda: FORMATS["csv"].made(Wanted(view), "t")),
        (0.5, "json-stat", lambda: FORMATS["json-stat"].made(Wanted(view), "t")),
        (0.1, "estimate again", lambda: _estimate_again(path)),
        (0.05, "xlsx", lambda: FORMATS["xlsx"].made(Wanted(view), "t")),
        (0.01, "duckdb", lambda: FORMATS["duckdb"].made(Wanted(view), "t")),
        (0.01, "plot", lambda: view.plot(view.domain.names[0])),
    ]
    if not isinstance(view, Series):  # each of its files has a page and a certificate of its own
        uses.append((0.5, "explore", lambda: page(view, title="t")))
        uses.append((0.2, "certificate", lambda: format_certificate(CertifiedRelease.open(path))))
    for often, name, use in uses:
        try:
            if rng.random() < often and name not in done:
                done.add(name)
                use()
        except ReleaseError as error:
            return Verdict("refused though verified", f"{name}: {error}"[:200])
        except InputError as error:
            if not _is_sentence(str(error)):
                return Verdict("no sentence", f"{name}: {error}"[:200])
    return None


def _estimate_again(path: Path) -> None:
    """Estimate a file again; a forger may state a method that does not fit the measurements, which is refused."""
    try:
        reestimate(path)
    except ReleaseError as error:
        raise InputError(str(error)) from None


def questions(view: View, rng: Random) -> list[Callable[[], Any]]:
    """Some of what a view can be asked."""
    shape = view.domain.shape
    low = [rng.choice([0, rng.randrange(size)]) for size in shape]
    high = [rng.choice([size, rng.randrange(start, size) + 1]) for start, size in zip(low, shape, strict=True)]
    name = rng.choice(view.domain.names)
    column = '"' + name.replace('"', '""') + '"'
    asked: list[Callable[[], Any]] = [
        lambda: view.total,
        lambda: view.answer([low, low], [high, shape]),
        lambda: view.answer([low] * 40, [high] * 40),
        lambda: view.stderr(low, high),
        lambda: str(view.count()),
        lambda: view.sql(f"SELECT {column}, COUNT(*), SHARE(*) FROM view GROUP BY {column}"),
        lambda: view.sql(f"SELECT MEDIAN({column}), AVG({column}) FROM view"),
        lambda: view.sample(3, 0),
        lambda: len(view.blocks),
        view.to_arrow,
        *_named_questions(view, rng),
    ]
    _ = promise(view.privacy), list_charges(view), view.privacy.to_json()  # what info tells beside
    return rng.sample(asked, AT_ONCE)


def _named_questions(view: View, rng: Random) -> list[Callable[[], Any]]:
    """Questions about measures, levels and what is derived, if the view has any."""
    found: list[Callable[[], Any]] = []
    key = rng.choice(view.domain.asked_names)
    if view.measures:
        name = rng.choice([*view.measures])
        found += [
            lambda: (str(view.sum(name)), str(view.mean(name))),
            lambda: view.groupby(key, agg={name: ["sum", "mean"]}).format_rows(),
        ]
    if view.domain.mapped:
        mapped = rng.choice([*view.domain.mapped])
        found += [lambda: view.groupby(mapped, key).format_rows(), lambda: view.rollup(mapped, simultaneous=True)]
    return found


def judge_query(view: View, text: str, *, condition: bool) -> Verdict:
    """Put a question to a view, as SQL or as a condition on the command line."""
    try:
        if condition:
            str(answer_condition(view, text))
        else:
            view.sql(text).format_rows()
    except InputError as error:
        return Verdict("refused") if _is_sentence(str(error)) else Verdict("no sentence", str(error)[:200])
    return Verdict("answered")


def judge_names(rng: Random) -> Verdict:
    """Publish categories with hostile names, and export them."""
    try:
        wrong = check_names(rng)
    except InputError as error:
        return Verdict("refused") if _is_sentence(str(error)) else Verdict("no sentence", str(error)[:200])
    return Verdict("hostile name", wrong) if wrong else Verdict("answered")


def judge_wide(path: Path, rng: Random) -> Verdict:
    """Verify, show and export a saved view of very many dimensions."""
    content = wide(rng)
    path.write_bytes(content)
    return judge_file(path, rng, _known(content, path))


@cache
def _known(content: bytes, path: Path) -> Known:
    """What is known of a file that has this content: wide views recur, and each is verified and exported once."""
    return Known(check_files(path))


def _is_sentence(text: str) -> bool:
    return 0 < len(text) <= LONGEST and text.isprintable()
