"""Pages of views with a mixture: the shared vectors, totals of groups, and the note where no table tells of it."""

from __future__ import annotations

import sys
from itertools import product
from typing import Any

import numpy as np
import pytest

from ripost.answering.answer import UNMEASURED
from ripost.query.condition import parse_condition
from ripost.schema.domain import Domain
from ripost.view import View, open_view
from tests.answering.mixing import mixed_view
from tests.explore.browser import opened
from tests.explore.comparing import as_keys, same
from tests.explore.conftest import Page
from tests.explore.reading import SETTLED, card, says
from tests.explore.views import EVERY_TYPE, random_selections
from tests.vectors.make import FOLDER, VIEWS, read

FIGURES = ("value", "stderr", "low", "high")
NAMES = ("hour", "origin", "delay", "late")


def named_view() -> View:
    """Hours, origins, delays and whether late; hours and origins were not measured together."""
    return mixed_view(Domain.from_json({name: EVERY_TYPE[name] for name in NAMES}), seed=4, unmeasured=((0, 1),))


@pytest.mark.parametrize("name", VIEWS)
def test_the_page_gives_the_vectors(name: str, browser: Any, page: Page) -> None:
    questions = read(name)
    boxes = [
        [{str(axis): spans for axis, spans in enumerate(box) if spans is not None} for box in question["boxes"]]
        for question in questions
    ]
    with opened(browser, page(open_view(FOLDER / f"{name}.ripost.parquet"))) as tab:
        found = tab.evaluate("list => list.map((boxes) => ripost.answer(boxes))", boxes)
    assert len(found) >= 1000
    for answer, question in zip(found, questions, strict=True):
        assert answer["note"] == question["note"], question["boxes"]
        scale = max(1.0, abs(question["value"]))
        for figure in FIGURES:
            assert abs(answer[figure] - question[figure]) <= 1e-9 * scale, (figure, question["boxes"])


def test_bars_are_answers(browser: Any, page: Page) -> None:
    """Bars have bins inside those of the mixture and around them."""
    view, rng = mixed_view((12, 7, 5), seed=5, unmeasured=((0, 2),)), np.random.default_rng(8)
    filters = random_selections((12, 7, 5), 20, rng)
    bins = [[[0, 1], [1, 6], [6, 8], [8, 12]], [[0, 4], [4, 5], [5, 7]], [[code, code + 1] for code in range(5)]]
    with opened(browser, page(view)) as tab:
        bars = tab.evaluate(
            "([list, bins]) => list.map((s) => bins.map((b, axis) => [...ripost.histogram(axis, b, s)]))",
            [[as_keys(selection) for selection in filters], bins],
        )
    for selection, by_axis in zip(filters, bars, strict=True):
        for axis, totals in enumerate(by_axis):
            for (low, high), total in zip(bins[axis], totals, strict=True):
                wanted = view.answer_selection({**selection, axis: [(low, high)]}).value
                assert total == pytest.approx(wanted, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("where", ["delay >= 7", "late OR delay BETWEEN 12 AND 95"])
def test_groups_are_answers(where: str, browser: Any, page: Page) -> None:
    """Errors of groups, whose totals are known first, are those of each group asked by itself."""
    view = named_view()
    sql = f"SELECT hour, origin, COUNT(*) AS n FROM view WHERE {where} GROUP BY hour, origin"
    with opened(browser, page(view)) as tab:
        found = {(hour, origin): answer for hour, origin, answer in tab.evaluate("s => ripost.sql(s)", sql)["rows"]}
    origins = ["EWR", "JFK", "LGA"]
    for hour, origin in product(range(24), origins):
        condition = parse_condition(f"({where}) AND hour = {hour} AND origin = '{origin}'", view.domain)
        wanted = view.answer_regions([condition])[0]
        assert same(found[str(hour), origin], wanted), (hour, origin)
        assert found[str(hour), origin]["note"] == wanted.note


def test_quantiles_follow_the_mixture(browser: Any, page: Page) -> None:
    view = named_view()
    with opened(browser, page(view)) as tab:
        found = tab.evaluate("() => ripost.quantiles(0, [0.1, 0.5, 0.9], {1: [[1, 2]]})")
    masses = [max(view.count(hour=hour, origin="JFK").value, 0.0) for hour in range(24)]
    for share, quantile in zip([0.1, 0.5, 0.9], found, strict=True):
        assert quantile["low"] <= quantile["value"] <= quantile["high"]
        hour = int(quantile["value"])
        assert sum(masses[:hour]) <= share * sum(masses) + 1e-6
        assert sum(masses[: hour + 1]) >= share * sum(masses) - 1e-6


PHONE = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}


@pytest.mark.parametrize("screen", [{}, PHONE])
def test_words_where_no_table_tells(screen: dict[str, Any], browser: Any, page: Page) -> None:
    """A line beside the numbers names the attributes whose dependence was not measured."""
    words = (
        "How scheduled hour and origin depend on each other was not measured closely enough here: "
        "the numbers mostly assume that they are independent."
    )
    with opened(browser, page(named_view()), **screen) as tab:
        line = tab.locator(".bar .unmeasured")
        card(tab, "origin").get_by_label("JFK").check()
        tab.evaluate(SETTLED)
        assert not line.is_visible()
        assert card(tab, "scheduled hour").locator(".unmeasured").inner_text() == words
        assert not card(tab, "delay").locator(".unmeasured").is_visible()
        tab.get_by_label("scheduled hour from").fill("6")
        tab.keyboard.press("Tab")
        tab.evaluate(SETTLED)
        assert line.inner_text() == words
        assert tab.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        says(tab.locator(".result .unmeasured").first, UNMEASURED[1:])
        says(tab.locator("#quantiles .unmeasured"), words)
        tab.get_by_label("delay from").fill("20")  # measured with both
        tab.keyboard.press("Tab")
        tab.evaluate(SETTLED)
        assert tab.locator(".unmeasured:visible").count() == 0


def test_words_where_blocks_tell_little(browser: Any, page: Page) -> None:
    """The same line without a mixture: on what most of lies in blocks that the filters cut."""
    with opened(browser, page(open_view(FOLDER / "levels-noted.ripost.parquet"))) as tab:
        assert tab.locator(".unmeasured:visible").count() <= 2  # of the map and of a table by two attributes
        card(tab, "place").get_by_label("JFK").check()
        tab.evaluate(SETTLED)
        assert not tab.locator(".bar .unmeasured").is_visible()
        says(card(tab, "school").locator(".unmeasured"), "ow place and school depend on each other")
        tab.get_by_label("school from").fill("14")
        tab.keyboard.press("Tab")
        tab.evaluate(SETTLED)
        says(tab.locator(".bar .unmeasured"), "ow place and school depend on each other")


def test_many_groups_are_quick(browser: Any, page: Page, capsys: pytest.CaptureFixture[str]) -> None:
    view = mixed_view((50, 34, 24, 12, 31, 20, 16), leaves=60_000, components=200, total=336_776.0)
    sql = "SELECT x0, x1, COUNT(*) FROM view GROUP BY x0, x1"
    run = "q => { const t = performance.now(); const { rows } = ripost.sql(q); return [rows, performance.now() - t] }"
    with opened(browser, page(view)) as tab:
        tab.evaluate(SETTLED)
        times = [tab.evaluate(run, sql)[1] for _ in range(3)]
        rows, _ = tab.evaluate(run, sql)
    assert len(rows) == 50 * 34
    assert sum(answer["value"] for *_, answer in rows) == pytest.approx(view.total)
    with capsys.disabled():
        told = ", ".join(f"{time:.0f}" for time in times)
        sys.stdout.write(f"\nexplorer, 60,000 blocks, 200 components: 1,700 groups with intervals in {told} ms\n")
    assert min(times) < 2000  # loose: other work may keep the machine busy
