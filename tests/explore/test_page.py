"""The explorer as a reader uses it, in a real browser: nothing is fetched and nothing is complained about."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from ripost.view import View
from tests.explore.browser import opened
from tests.explore.conftest import Page
from tests.explore.reading import SETTLED, card, drag, heights, number, says, shown_count, state_of


def test_brushing_moves_the_count_and_all_other_charts(view: View, browser: Any, page: Page) -> None:
    with opened(browser, page(view)) as tab:
        assert shown_count(tab) == pytest.approx(view.total, abs=1)
        hours, delays = card(tab, "scheduled hour"), card(tab, "delay")
        own, other = heights(hours), heights(delays)
        drag(tab, hours, 6.2 / 24, 9.8 / 24)
        wanted = view.count(hour=(6, 9))
        assert shown_count(tab) == pytest.approx(wanted.value, abs=1)
        says(tab.locator("#range"), f"{wanted.low:,.0f} to {wanted.high:,.0f}")
        assert heights(hours) == pytest.approx(own, abs=0.6)
        assert heights(delays) != other
        assert hours.locator("rect.column:not(.out)").count() == 4
        assert [hours.get_by_label(f"scheduled hour {end}", exact=True).input_value() for end in ("from", "to")] == [
            "6",
            "9",
        ]
        card(tab, "origin").get_by_label("JFK").check()
        assert shown_count(tab) == pytest.approx(view.count(hour=(6, 9), origin="JFK").value, abs=1)
        tab.get_by_role("button", name="Remove the filter on scheduled hour").click()
        assert shown_count(tab) == pytest.approx(view.count(origin="JFK").value, abs=1)
        tab.get_by_role("button", name="Clear all").click()
        assert shown_count(tab) == pytest.approx(view.total, abs=1)


def test_a_brush_is_moved_resized_and_let_go(view: View, browser: Any, page: Page) -> None:
    with opened(browser, page(view)) as tab:
        hours = card(tab, "scheduled hour")
        drag(tab, hours, 6.5 / 24, 9.5 / 24)
        drag(tab, hours, 7.5 / 24, 9.5 / 24)  # from inside: it moves
        assert shown_count(tab) == pytest.approx(view.count(hour=(8, 11)).value, abs=1)
        grip = hours.get_by_role("slider", name="scheduled hour, high end of the range")
        grip.focus()
        for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "PageUp"):
            tab.keyboard.press(key)
        assert shown_count(tab) == pytest.approx(view.count(hour=(8, 22)).value, abs=1)
        assert grip.get_attribute("aria-valuetext") == "22"
        tab.keyboard.press("Escape")
        assert shown_count(tab) == pytest.approx(view.total, abs=1)
        box = hours.locator(".brush-area").bounding_box()
        tab.mouse.click(box["x"] + 8.5 / 24 * box["width"], box["y"] + 20)
        assert shown_count(tab) == pytest.approx(view.count(hour=8).value, abs=1)


def test_ends_can_be_typed(view: View, browser: Any, page: Page) -> None:
    with opened(browser, page(view)) as tab:
        tab.get_by_label("delay from").fill("15")
        tab.keyboard.press("Tab")
        assert shown_count(tab) == pytest.approx(view.count(delay=(15, 299)).value, abs=1)
        card(tab, "delay").get_by_label("(missing)").check()
        wanted = view.count(delay=(15, 299)).value + view.count(delay=None).value
        assert shown_count(tab) == pytest.approx(wanted, abs=1)
        tab.get_by_label("delay from").fill("1000")
        tab.keyboard.press("Tab")
        says(card(tab, "delay").get_by_role("alert"), "range is reversed, 1000 is above 299")
        tab.get_by_label("day to", exact=True).fill("2013-03-15")
        tab.keyboard.press("Tab")
        says(tab.locator(".chips"), "day 2013-01-01 to 2013-03-15")


def test_error_bands_are_the_intervals(view: View, browser: Any, page: Page) -> None:
    with opened(browser, page(view)) as tab:
        tab.evaluate(SETTLED)
        assert card(tab, "scheduled hour").locator("path.band").get_attribute("d").startswith("M")
        box = card(tab, "scheduled hour").locator(".brush-area").bounding_box()
        tab.mouse.move(box["x"] + 8.5 / 24 * box["width"], box["y"] + 20)
        answer = view.count(hour=8)
        told = card(tab, "scheduled hour").locator(".told")
        says(told, "8: ")
        says(told, f"{answer.low:,.0f}")
        says(told, f"{answer.high:,.0f}")
        assert told.inner_text().startswith("8: ")


def test_the_heat_map_is_brushed_and_read_by_keys(view: View, browser: Any, page: Page) -> None:
    with opened(browser, page(view)) as tab:
        *_, smallest = largest, *_ = sorted(("EWR", "JFK", "LGA"), key=lambda name: -view.count(origin=name).value)
        tab.get_by_label("Across").select_option(label="scheduled hour")
        tab.get_by_label("Up", exact=True).select_option(label="origin")
        tab.evaluate(SETTLED)
        picture = tab.locator("svg.map")
        assert picture.get_attribute("data-cells") == str(24 * 4)
        picture.focus()
        for key in ("ArrowRight", "ArrowRight", "ArrowUp"):
            tab.keyboard.press(key)
        told = tab.locator("#page .panel", has=tab.get_by_role("heading", name="Heat map")).locator(".told")
        answer = view.count(hour=2, origin=smallest)  # the largest name is on top, other values are at the bottom
        says(told, f"scheduled hour 2, origin {smallest}")
        says(told, f"{answer.high:,.0f}")
        tab.keyboard.press("Enter")
        assert shown_count(tab) == pytest.approx(answer.value, abs=1)
        tab.keyboard.press("Escape")
        box = picture.bounding_box()
        cell = (box["width"] - 100) / 24
        tab.mouse.move(box["x"] + 92 + 4.5 * cell, box["y"] + 20)
        tab.mouse.down()
        tab.mouse.move(box["x"] + 92 + 6.5 * cell, box["y"] + 22)
        tab.mouse.move(box["x"] + 92 + 9.5 * cell, box["y"] + 22)
        tab.mouse.up()
        tab.evaluate(SETTLED)
        says(tab.locator(".chips"), "scheduled hour 4 to 9")
        says(tab.locator(".chips"), f"origin {largest}")


def test_the_table_is_sorted_and_downloaded(view: View, browser: Any, page: Page) -> None:
    with opened(browser, page(view)) as tab:
        card(tab, "scheduled hour").get_by_label("scheduled hour from").fill("12")
        tab.keyboard.press("Tab")
        tab.get_by_label("Group by").select_option(label="origin")
        tab.evaluate(SETTLED)
        table = tab.get_by_role("region", name="Totals by group")
        table.get_by_role("button", name="rows").click()
        tab.evaluate(SETTLED)
        head = table.get_by_role("columnheader", name="rows")
        assert head.get_attribute("aria-sort") == "descending"
        totals = [number(text) for text in table.locator("tbody td:nth-child(2)").all_inner_texts()]
        assert totals == sorted(totals, reverse=True) and len(totals) == 4
        with tab.expect_download() as downloading:
            tab.get_by_role("button", name="Download CSV").first.click()
        assert downloading.value.suggested_filename == "groups.csv"
        rows = list(csv.reader(io.StringIO(downloading.value.path().read_text("utf-8"))))
    assert rows[0] == ["origin", "rows", "low", "high"]
    for name, *figures in rows[1:]:
        if name == "(other)":
            continue
        answer = view.count(hour=(12, 23), origin=name)
        assert [float(figure) for figure in figures] == pytest.approx([answer.value, answer.low, answer.high], rel=1e-9)


def test_the_sql_box(view: View, browser: Any, page: Page) -> None:
    with opened(browser, page(view)) as tab:
        tab.locator("#sql").fill(
            "SELECT origin, COUNT(*) FROM view WHERE hour BETWEEN 6 AND 9 GROUP BY origin ORDER BY 2"
        )
        tab.get_by_role("button", name="Run").click()
        tab.evaluate(SETTLED)
        table = tab.get_by_role("region", name="Answer to the question in SQL")
        assert table.locator("tbody tr").count() == 4
        says(table, "JFK")
        state_of(tab, "sql=SELECT")
        for wrong, words in {
            "SELECT * FROM view": "ask for COUNT(*)",
            "SELECT COUNT(*) FROM flights": "there is no table",
            "SELECT AVG(origin) FROM view": "has no order, so it has no mean",
            "SELECT SUM(day) FROM view": "is a date",
            "SELECT COUNT(DISTINCT hour) FROM view": "no distinct values",
            "SELECT SHARE(*) FILTER (WHERE late) FROM view": "SHARE takes no FILTER",
            "SELECT COUNT(*) * COUNT(*) FROM view": "the difference or the ratio of two totals",
            "SELECT 2 * COUNT(*) - COUNT(*) FROM view": "the difference or the ratio of two totals",
            "SELECT COUNT(*) / AVG(hour) FROM view": "the difference or the ratio of two totals",
            "SELECT COUNT(*) - SUM(hour) FROM view": "the difference or the ratio of two totals",
            "SELECT NULLIF(COUNT(*), 0) FROM view": "ask for attributes in GROUP BY",
            "SELECT AVG(hour) / SUM(AVG(hour)) OVER () FROM view": "the difference or the ratio of two totals",
            "SELECT SHARE(*) OVER (PARTITION BY hour) FROM view": "takes what stands in GROUP BY",
            "SELECT hour, COUNT(*) FROM view GROUP BY hour HAVING COUNT(*) > 'JFK'": "compared with a number",
            "SELECT hour, COUNT(*) FROM view GROUP BY hour HAVING delay > 3": "must be in GROUP BY",
            "SELECT COUNT(*) FROM view WHERE COUNT(*) > 3": "into HAVING",
            "SELECT COUNT(*) FROM view WHERE hour": "no condition by itself",
            "SELECT hour, COUNT(*) / SUM(COUNT(*)) OVER () FROM view GROUP BY hour HAVING COUNT(*) > 3": "ask SHARE(*)",
            "SELECT COUNT(*) FROM view WHERE airport = 'JFK'": 'no attribute "airport"',
            "SELECT COUNT(*) FROM view WHERE origin = JFK": "put text in single quotes",
            "SELECT COUNT(*) FROM view WHERE origin < 'JFK'": "has no order",
            "SELECT hour, COUNT(*) FROM view": "must be in GROUP BY",
            "SELECT COUNT(*) FROM view HAVING 1 = 1": "compare what stands in SELECT or GROUP BY",
            "DROP TABLE view": "expected SELECT",
            "SELECT COUNT(*) FROM view WHERE hour = 99": "lies in 0 to 23",
            "SELECT COUNT(*) FROM view WHERE hour ~ 3": "cannot read the question",
        }.items():
            tab.locator("#sql").fill(wrong)
            tab.keyboard.press("Control+Enter")
            says(tab.locator(".panel .problem:visible"), words)
        card(tab, "origin").get_by_label("LGA").check()
        card(tab, "origin").get_by_label("(other)").check()
        tab.get_by_label("at from").fill("2013-01-01 06:00:00")
        tab.keyboard.press("Tab")
        count = shown_count(tab)
        tab.get_by_role("button", name="Use the filters above").click()
        tab.get_by_role("button", name="Run").click()
        tab.evaluate(SETTLED)
        cells = table.locator("tbody tr td:nth-child(2)").all_inner_texts()
        assert sum(map(number, cells)) == pytest.approx(count, abs=0.51 * len(cells) + 1)


def test_a_link_brings_the_state_back(view: View, browser: Any, page: Page) -> None:
    path = page(view)
    with opened(browser, path) as tab:
        drag(tab, card(tab, "scheduled hour"), 6.2 / 24, 9.8 / 24)
        card(tab, "origin").get_by_label("JFK").check()
        tab.get_by_label("Group by").select_option(label="origin")
        tab.get_by_label("Percent below").fill("5, 95")
        tab.keyboard.press("Tab")
        count = shown_count(tab)
        state = state_of(tab, "in.origin", "shares=")
    with opened(browser, path, state=state) as tab:
        assert shown_count(tab) == count
        assert card(tab, "origin").get_by_label("JFK").is_checked()
        assert tab.get_by_label("Group by").input_value() == "1"
        assert tab.get_by_label("Percent below").input_value() == "5, 95"
        tab.evaluate("() => { location.hash = 'in.origin=2~3' }")
        says(tab.locator(".chips"), "LGA")
        assert shown_count(tab) == pytest.approx(view.count(origin="LGA").value, abs=1)
    nonsense = "#in.nobody=1~2&in.hour=9~3&in.origin=a~b&in.delay=0~1e9&map=[1]&shown={&shares=7&sql=%00"
    with opened(browser, path, state=nonsense) as tab:
        assert shown_count(tab) == pytest.approx(view.total, abs=1)


def test_intervals_that_hold_together(view: View, browser: Any, page: Page) -> None:
    """The switch makes the intervals of charts, map, table and SQL simultaneous; the count is alone and stays."""
    rows = view.groupby("origin", simultaneous=True)
    wanted = {row["origin"]: (row["count_low"], row["count_high"]) for row in rows}
    with opened(browser, page(view), viewport={"width": 360, "height": 740}) as tab:
        tab.evaluate(SETTLED)
        before = tab.locator("#range").inner_text()
        tab.get_by_text("Options:").click()
        tab.get_by_role("checkbox", name="Simultaneous intervals").check()
        state = state_of(tab, "simultaneous=true")
        sql = "SELECT origin, COUNT(*) AS n FROM view GROUP BY origin"
        tab.locator("#sql").fill(sql)
        tab.get_by_role("button", name="Run").click()
        tab.evaluate(SETTLED)
        assert tab.locator("#range").inner_text() == before
        assert tab.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        table = tab.get_by_role("region", name="Answer to the question in SQL")
        for line in table.locator("tbody tr").all():
            name, _, *ends = line.locator("th, td").all_inner_texts()
            assert [number(end) for end in ends] == pytest.approx(wanted[name], abs=1)
    with opened(browser, page(view), state=state) as tab:
        says(tab.locator(".options summary"), "simultaneous intervals")
        tab.get_by_text("Options:").click()
        assert tab.get_by_role("checkbox", name="Simultaneous intervals").is_checked()
