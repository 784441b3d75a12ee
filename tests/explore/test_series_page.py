"""The page of a series: periods in the order of time, answers across them, and what each was published with."""

from __future__ import annotations

from typing import Any

import pytest

from ripost.series import Series
from ripost.view import open_view
from tests.explore.browser import opened
from tests.explore.conftest import Page
from tests.explore.reading import SETTLED, card, read_csv, save, says
from tests.vectors import series_measures
from tests.vectors.series import FILE, PARTS


@pytest.mark.parametrize("width", [1280, 390])
def test_a_series_in_the_browser(width: int, browser: Any, page: Page) -> None:
    series = open_view(FILE)
    assert isinstance(series, Series)
    with opened(browser, page(series), viewport={"width": width, "height": 900}) as tab:
        tab.evaluate("() => ripost.settled()")
        assert tab.evaluate("() => document.documentElement.scrollWidth") <= width
        names = tab.locator(".card").first.locator("ul.named .name").all_inner_texts()
        assert names == list(PARTS)
        for sql in ("SELECT period, COUNT(*) AS n FROM view GROUP BY period", "SELECT COUNT(*) AS n FROM view"):
            found = tab.evaluate("sql => ripost.sql(sql)", sql)["rows"]
            for row, wanted in zip(found, series.sql(sql), strict=True):
                figure = row[-1]
                told = [figure["value"], figure["low"], figure["high"]]
                assert told == pytest.approx([wanted["n"], wanted["n_low"], wanted["n_high"]], rel=1e-9)
        tab.get_by_label("2026-02").first.check()
        tab.evaluate("() => ripost.settled()")
        chosen = series.count(period="2026-02")
        assert f"{chosen.value:,.0f}" in tab.locator("#count").inner_text()
        listed = tab.locator("details", has_text="The 6 periods of month(day)")
        listed.locator("summary").click()
        text = listed.inner_text()
        for line in series.list_periods():
            assert line["period"] in text and line["digest"][:16] in text


@pytest.mark.parametrize("width", [1280, 390])
def test_measures_of_a_series_in_the_browser(width: int, browser: Any, page: Page) -> None:
    series = open_view(series_measures.FILE)
    state = "#quantity=mean.delay&group=[%22period%22,%22place%22]&map=[%22period%22,%22hour%22]"
    with opened(browser, page(series), state=state, viewport={"width": width, "height": 900}) as tab:
        tab.evaluate(SETTLED)
        assert tab.evaluate("() => document.documentElement.scrollWidth") <= width
        assert "NaN" not in tab.locator("#page").inner_text()
        answer = series.mean("delay")
        says(tab.locator(".count"), "The mean of delay is about")
        assert tab.locator("#count").inner_text() == answer.format_number(answer.value)
        says(tab.locator("#range"), f"{answer.format_number(answer.low)} to {answer.format_number(answer.high)}")
        downloads = []
        for button in (
            lambda: save(card(tab, "period"), "CSV"),
            tab.get_by_role("button", name="Download CSV").first.click,
        ):
            with tab.expect_download() as downloading:
                button()
            downloads.append(read_csv(downloading.value))
        for (head, *lines), keys in zip(downloads, ("period", "period, place"), strict=True):
            assert head == [*keys.split(", "), "mean of delay", "low", "high"]
            wanted = series.sql(f"SELECT {keys}, AVG(delay) AS m FROM view GROUP BY {keys}").rows
            figures = [[float(cell) for cell in line[-3:]] for line in lines]
            assert figures == [pytest.approx(row[-3:], rel=1e-9, abs=1e-9) for row in wanted]
