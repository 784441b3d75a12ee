"""However deep a question nests, and however deep the stack it is asked from, a refusal is one sentence of ripost."""

from __future__ import annotations

import inspect
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ripost.draft.metadata.load_metadata import load_metadata
from ripost.errors import InputError, QueryError, SchemaError
from ripost.query.condition import parse_condition
from ripost.schema.schema import Schema
from tests.answering.making import make_view
from tests.fuzz.nesting import DEPTHS, FAMILIES, PLACES
from tests.marks import slow

VIEW = make_view()


def _asked(ask: Callable[[], object]) -> bool:
    try:
        ask()
    except QueryError as error:
        assert len(str(error)) < 600 and str(error).isprintable()
        return False
    return True


@pytest.mark.parametrize("deepest", [DEPTHS[-2], slow(DEPTHS[-1])])
@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_at_every_depth_is_answered_or_refused(family: str, deepest: int) -> None:
    """Each depth in some of the places, all of them in all by turns."""
    started = time.process_time()
    for number, depth in enumerate(DEPTHS[: DEPTHS.index(deepest) + 1]):
        text = FAMILIES[family](depth)
        for place in PLACES[number % 5 :: 5]:
            _asked(lambda: VIEW.sql(place.replace("{}", text)))  # noqa: B023
        _asked(lambda: parse_condition(text, VIEW.domain))  # noqa: B023
    assert time.process_time() - started < 20


@pytest.mark.parametrize("place", PLACES[:4])
@pytest.mark.parametrize("parts", [300, 400, 900, 2000])
def test_many_dots(parts: int, place: str) -> None:
    assert not _asked(lambda: VIEW.sql(place.replace("{}", ".".join(["a"] * parts))))


def test_what_people_write_is_answered() -> None:
    assert _asked(lambda: parse_condition("(" * 30 + "x0 = 1" + ")" * 30, VIEW.domain))
    assert _asked(lambda: parse_condition("x0 IN (" + ", ".join(["1"] * 10_000) + ")", VIEW.domain))
    assert _asked(lambda: parse_condition(" OR ".join(["x0 = 1"] * 3_000), VIEW.domain))


def test_a_question_from_deep_in_the_stack() -> None:
    """Code that is called from deep inside other code has less stack left: it is answered or refused."""

    def down(frames: int) -> bool:
        if frames:
            return down(frames - 1)
        return _asked(lambda: parse_condition("((((x0 = 1))))", VIEW.domain))

    room = sys.getrecursionlimit() - len(inspect.stack(0))
    assert down(room // 4)
    assert not all(down(frames) for frames in range(room // 2, room - 40, 20))  # refused, and no RecursionError


@pytest.mark.parametrize("depth", [100, 3_000, 100_000])
@pytest.mark.parametrize(
    "text",
    [
        lambda n: "x = " + "[" * n + "]" * n,
        lambda n: "x = " + "{a = " * n + "1" + "}" * n,
        lambda n: "x" + ".x" * n + " = 1",
        lambda n: "[" + "x." * n + "x]",
        lambda n: "[attributes.a]\ntype = 'integer'\nmin = 0\nmax = " + "9" * n,
        lambda n: "title = 1" + "0" * n,
    ],
)
def test_a_schema_that_nests(text: Callable[[int], str], depth: int) -> None:
    with pytest.raises(SchemaError) as caught:
        Schema.parse(text(depth))
    assert len(str(caught.value)) < 600 and str(caught.value).isprintable()


@pytest.mark.parametrize("depth", [100, 3_000, 100_000])
@pytest.mark.parametrize(
    "text", [lambda n: "[" * n, lambda n: '{"a":' * n, lambda n: "9" * n, lambda n: "- " * n + "a"]
)
@pytest.mark.parametrize("ending", ["json", "yaml"])
def test_metadata_that_nests(tmp_path: Path, text: Callable[[int], str], depth: int, ending: str) -> None:
    path = tmp_path / f"t.{ending}"
    path.write_text(text(depth))
    with pytest.raises(InputError):
        load_metadata(path)
