"""What readers meet, in a real browser: the first screen, comparisons, periods, places, downloads, assistive tools."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas as pd
import pytest

import ripost
from ripost.schema.domain import Domain
from ripost.view import View
from tests.answering.making import make_view
from tests.explore.browser import opened
from tests.explore.conftest import Page
from tests.explore.reading import SETTLED, card, number, says

AXE = Path(__file__).parents[2] / "explorer" / "node_modules" / "axe-core" / "axe.min.js"
PHONE = {"width": 390, "height": 844}
PLACES = {
    "pickup_lat": {"type": "number", "min": 40.0, "max": 41.0, "bins": 20, "missing": "drop"},
    "pickup_lon": {"type": "number", "min": -74.0, "max": -73.0, "bins": 20, "missing": "drop"},
    "day": {"type": "date", "min": "2013-01-01", "max": "2013-12-31", "width": "1 day", "missing": "drop"},
}
VIOLATIONS = """() => axe.run().then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`)))"""


@pytest.fixture(scope="module")
def places() -> View:
    return make_view(Domain.from_json(PLACES), leaves=300, seed=5)


@pytest.mark.parametrize("colors", ["light", "dark"])
@pytest.mark.parametrize("screen", [{"width": 1440, "height": 900}, PHONE])
@pytest.mark.parametrize("kind", ["view", "places"])
def test_axe_finds_no_violation(
    kind: str, screen: dict[str, int], colors: str, browser: Any, page: Page, request: pytest.FixtureRequest
) -> None:
    if not AXE.exists():
        pytest.skip("needs axe-core: npm --prefix explorer install")
    view = request.getfixturevalue(kind)
    with opened(browser, page(view), viewport=screen, color_scheme=colors) as tab:
        tab.evaluate(SETTLED)
        tab.get_by_role("button", name="Run").click()
        tab.get_by_label("Save", exact=False).first.click()
        tab.evaluate(SETTLED)
        tab.evaluate(AXE.read_text("utf-8"))
        assert tab.evaluate(VIOLATIONS) == []
        tab.evaluate("() => document.querySelector('select').removeAttribute('id')")  # now a label is lost
        assert any("select-name" in found for found in tab.evaluate(VIOLATIONS))


def test_the_first_screen(view: View, browser: Any, page: Page) -> None:
    """The count in words covers the interval, and names come largest first."""
    whole = view.count()
    with opened(browser, page(view)) as tab:
        tab.evaluate(SETTLED)
        words = tab.locator(".bar .count").inner_text()
        about, reach = (number(part) for part in words.split("give or take"))
        assert words.startswith("About ") and " rows, " in words
        assert about - reach <= whole.low <= whole.high <= about + reach
        says(tab.locator("header.title p").first, "every number is an estimate with a 95 % interval")
        says(tab.get_by_label("Legend of the charts"), "95 of 100 cases")
        names = card(tab, "origin").locator(".name").all_inner_texts()[:3]
    assert names == sorted(("EWR", "JFK", "LGA"), key=lambda name: -view.count(origin=name).value)


@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_numbers_stay_on_the_screen(width: int, view: View, browser: Any, page: Page) -> None:
    outside = """() => [...document.querySelectorAll("td, .total, .count, #range")]
      .filter((one) => one.offsetParent && one.getBoundingClientRect().right > innerWidth)
      .map((one) => one.innerText)"""
    with opened(browser, page(view), viewport={"width": width, "height": 844}) as tab:
        tab.evaluate(SETTLED)
        assert tab.evaluate(outside) == []
        assert tab.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_two_selections_are_compared(view: View, browser: Any, page: Page) -> None:
    with opened(browser, page(view)) as tab:
        panel = tab.locator(".compare")
        for side, name in (("A", "JFK"), ("B", "LGA")):
            box = card(tab, "origin").get_by_label(name)
            box.check()
            panel.get_by_role("button", name=f"Use the selection as {side}").click()
            box.uncheck()
        tab.evaluate(SETTLED)
        verdict = panel.locator(".verdict").inner_text()
        shown = [number(text) for text in panel.locator("tbody tr td:nth-child(3)").all_inner_texts()]
        low, high = (number(end) for end in panel.locator("tbody tr:last-child td").last.inner_text().split(" to "))
        address = tab.evaluate("() => location.hash")
        panel.get_by_role("button", name="Swap").click()
        says(panel.locator("tbody tr").first, "origin LGA")
    one, other = view.count(origin="JFK"), view.count(origin="LGA")
    assert shown[:2] == pytest.approx([one.value, other.value], abs=1)
    difference = one - other
    assert [low, high] == pytest.approx([difference.low, difference.high], abs=1)
    assert verdict == view.compare({"origin": "JFK"}, {"origin": "LGA"}).verdict
    with opened(browser, page(view), state=address) as tab:
        says(tab.locator(".compare .verdict"), verdict)


def test_dates_by_month_and_week(places: View, browser: Any, page: Page) -> None:
    with opened(browser, page(places)) as tab:
        day = card(tab, "day")
        for unit, count in (("month", 12), ("week", 53), ("quarter", 4)):
            day.get_by_label("Bars of day").select_option(unit)
            tab.evaluate(SETTLED)
            with tab.expect_download() as downloading:
                save(day, "CSV")
            rows = read_csv(downloading.value)
            assert len(rows) == count + 1
        label, value, low, high = rows[2]
    wanted = places.count(day=("2013-04-01", "2013-06-30"))
    assert label == "2013 Q2"
    assert [float(value), float(low), float(high)] == pytest.approx([wanted.value, wanted.low, wanted.high], rel=1e-9)


def test_places_have_a_map(places: View, view: View, browser: Any, page: Page) -> None:
    with opened(browser, page(places)) as tab:
        tab.evaluate(SETTLED)
        panel = tab.locator(".panel", has=tab.get_by_role("heading", name="Map", exact=True))
        assert panel.locator("svg.map").get_attribute("data-cells") == "400"
        says(panel, "km")
    with opened(browser, page(view)) as tab:
        assert tab.get_by_role("heading", name="Map", exact=True).count() == 0


def test_charts_are_saved(view: View, browser: Any, page: Page) -> None:
    with opened(browser, page(view)) as tab:
        tab.evaluate(SETTLED)
        for chart in (card(tab, "scheduled hour"), card(tab, "origin"), tab.locator(".panel", has=tab.locator(".map"))):
            with tab.expect_download() as downloading:
                save(chart, "SVG")
            picture = ElementTree.fromstring(downloading.value.path().read_text("utf-8"))
            assert picture.tag == "{http://www.w3.org/2000/svg}svg"
            assert not [one for one in picture.iter() if one.tag.endswith(("script", "image", "foreignObject"))]
            with tab.expect_download() as downloading:
                save(chart, "PNG")
            assert downloading.value.path().read_bytes().startswith(b"\x89PNG")
        with tab.expect_download() as downloading:
            save(card(tab, "origin"), "CSV")
        rows = {name: [float(figure) for figure in rest] for name, *rest in read_csv(downloading.value)[1:]}
    wanted = view.count(origin="JFK")
    assert rows["JFK"] == pytest.approx([wanted.value, wanted.low, wanted.high], rel=1e-9)


def test_the_heat_map_begins_with_the_most_dependent_pair(browser: Any, page: Page) -> None:
    """x1 and x2 are equal in every row, and x0 has nothing to do with them."""
    same = [i // 5 % 4 for i in range(5000)]
    table = pd.DataFrame({"x0": [i % 5 for i in range(5000)], "x1": same, "x2": same})
    domain = {name: {"type": "integer", "min": 0, "max": 4, "missing": "drop"} for name in table}
    view = ripost.publish(table, ripost.Schema.model_validate({"attributes": domain}), epsilon=10, seed=1)
    with opened(browser, page(view)) as tab:
        choosers = [tab.get_by_label(label, exact=True) for label in ("Across", "Up")]
        shown = {chooser.evaluate("one => one.selectedOptions[0].text") for chooser in choosers}
    assert shown == {"x1", "x2"}


def save(chart: Any, end: str) -> None:
    chart.locator(".menu summary").click()
    chart.locator(".menu").get_by_text(end, exact=True).click()


def read_csv(download: Any) -> list[list[str]]:
    with download.path().open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))
