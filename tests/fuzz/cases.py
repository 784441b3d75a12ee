"""Cases: the file or the question of a number, and the verdict on it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from random import Random
from tempfile import mkdtemp

from ripost.view import View
from tests.fuzz.archives import mutated_archive
from tests.fuzz.corpus import Archive, Sound, archives, series_views, sounds, views
from tests.fuzz.hostile import deep, heavy, large_views, near_overflow, small_views
from tests.fuzz.judge import Verdict, judge_file, judge_names, judge_query, judge_wide, judged
from tests.fuzz.mutate import mutated
from tests.fuzz.sentences import sentence

ASKED = (
    "every type",
    "smoothed",
    "mixture",
    "dawa",
    "hdmm",
    "privbayes",
    "long",
    "residual-planner",
    "measures",
    "measures and mixture",
    "levels",
    "discovery",
    "months",
    "months of measures",
)  # every kind of content, of dimension and of what can be asked by name

LARGE = 250  # one heavy question of so many is as large as it can be


def asked_names(view: View) -> tuple[str, ...]:
    """The names that a question may use: attributes, levels, what is derived, and measures."""
    return (*view.domain.asked_names, *view.measures)


class Cases:
    """All that a number stands for; files and views of the corpus are made when a case needs them."""

    def __init__(self) -> None:
        self.path = Path(mkdtemp(prefix="ripost-fuzz-")) / "view"

    @cached_property
    def starts(self) -> tuple[Sound | Archive, ...]:
        """What is mutated."""
        return (*sounds(), *archives())

    @cached_property
    def views(self) -> dict[str, View]:
        """What is asked by name."""
        return {name: one for name, one in {**views(), **series_views()}.items() if name in ASKED}

    def file(self, number: int) -> tuple[bytes, Random]:
        """A mutated file: methods, formats and series take turns."""
        rng, start = Random(f"file {number}"), self.starts[number % len(self.starts)]
        change = mutated if isinstance(start, Sound) else mutated_archive
        return change(start, sounds(), rng), rng

    def question(self, number: int) -> tuple[str, str, bool]:
        """The name of a view, a question, and whether it is a bare condition."""
        rng = Random(f"question {number}")
        name = ASKED[number % len(ASKED)]
        condition = rng.random() < 0.4
        return name, sentence(asked_names(self.views[name]), rng, condition=condition), condition

    def judge(self, kind: str, number: int) -> Verdict:
        if kind == "files":
            content, rng = self.file(number)
            self.path.write_bytes(content)
            return judged(lambda: judge_file(self.path, rng))
        if kind == "queries":
            name, text, condition = self.question(number)
            return judged(lambda: judge_query(self.views[name], text, condition=condition))
        rng = Random(f"{kind} {number}")
        match kind:
            case "deep":
                view = rng.choice(small_views())
                text = deep(asked_names(view), rng)
                return judged(lambda: judge_query(view, text, condition=number % 5 == 0))
            case "heavy":
                large = number % LARGE == 0
                view = rng.choice(large_views() if large else small_views())
                text = heavy(view, rng, large=large)
                return judged(lambda: judge_query(view, text, condition=False))
            case "names":
                return judged(lambda: judge_names(rng))
            case "wide":
                return judged(lambda: judge_wide(self.path, rng))
            case _:
                self.path.write_bytes(near_overflow(sounds()[number % len(sounds())], rng))
                return judged(lambda: judge_file(self.path, rng))
