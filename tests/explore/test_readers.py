"""What readers meet, in a real browser: the first screen, comparisons, periods, places, downloads, assistive tools."""

from __future__ import annotations

import re
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
from tests.explore.reading import AXE, OPEN, SETTLED, VIOLATIONS, card, number, read_csv, save, says
from tests.marks import slow

PHONE = {"width": 390, "height": 844}
PLACES = {
    "pickup_lat": {"type": "number", "min": 40.0, "max": 41.0, "bins": 20, "missing": "drop"},
    "pickup_lon": {"type": "number", "min": -74.0, "max": -73.0, "bins": 20, "missing": "drop"},
    "day": {"type": "date", "min": "2013-01-01", "max": "2013-12-31", "width": "1 day", "missing": "drop"},
}
WRITTEN = "(texts) => texts.map((text) => text.firstChild.data)"
OVERLAPS = """() => [...document.querySelectorAll("svg .axis")].flatMap((axis) => {
  const texts = [...axis.querySelectorAll("text:not([transform])")];
  const boxes = texts.map((text) => text.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right + 2 && b.left < a.right + 2 && a.top + 3 < b.bottom && b.top + 3 < a.bottom;
  return texts.flatMap((text, i) => texts.slice(0, i).flatMap((other, j) =>
    meet(boxes[i], boxes[j]) ? [`${text.textContent} and ${other.textContent}`] : []));
})"""


@pytest.fixture(scope="module")
def places() -> View:
    return make_view(Domain.from_json(PLACES), leaves=300, seed=5)


@pytest.fixture(scope="module")
def trips() -> View:
    """Hours of three days, names that need room, and labels in place of the names of columns."""
    domain = {
        "start_time": {
            "type": "timestamp",
            "min": "2024-03-01",
            "max": "2024-03-04",
            "width": "1 hour",
            "label": "start",
        },
        "bike_kind": {
            "type": "category",
            "values": [f"a bike with a long name {i}" for i in range(30)],
            "label": "kind",
        },
        "fee": {"type": "number", "min": 0.0, "max": 50.0, "bins": 100, "unit": "euros", "missing": "drop"},
    }
    return make_view(Domain.from_json(domain), leaves=300, seed=6, marginals=True)


SCREEN = {"width": 1440, "height": 900}
SHOWN = [(kind, screen, colors) for kind in ("view", "places", "trips") for screen in (SCREEN, PHONE)
         for colors in ("light", "dark")]  # fmt: skip
QUICK = [("view", SCREEN, "light"), ("view", PHONE, "dark"), ("places", SCREEN, "dark"), ("trips", PHONE, "light")]


@pytest.mark.parametrize(("kind", "screen", "colors"), [one if one in QUICK else slow(*one) for one in SHOWN])
def test_axe_finds_no_violation(
    kind: str, screen: dict[str, int], colors: str, browser: Any, page: Page, request: pytest.FixtureRequest
) -> None:
    """As the page opens, and with everything open that opens: menus, options, a selection, results, a problem."""
    if not AXE.exists():
        pytest.skip("needs axe-core: npm --prefix explorer install")
    view = request.getfixturevalue(kind)
    with opened(browser, page(view), viewport=screen, color_scheme=colors) as tab:
        tab.evaluate(SETTLED)
        tab.evaluate(AXE.read_text("utf-8"))
        assert tab.evaluate(VIOLATIONS) == []
        tab.evaluate(OPEN)
        for box in tab.locator(".card input[type=checkbox]").all()[:1]:
            box.check()
        tab.locator(".ends input").first.fill("17")
        tab.keyboard.press("Tab")
        tab.get_by_role("button", name="Use the selection as B").click()
        tab.get_by_role("button", name="Run").click()
        tab.evaluate(SETTLED)
        assert tab.evaluate(VIOLATIONS) == []
        tab.locator("#sql").fill("SELECT * FROM view")
        tab.get_by_role("button", name="Run").click()
        tab.locator("svg.map").last.focus()
        tab.keyboard.press("ArrowRight")
        tab.evaluate(SETTLED)
        assert tab.evaluate(VIOLATIONS) == []
        tab.evaluate("() => document.querySelector('select').removeAttribute('id')")  # now a label is lost
        assert any("select-name" in found for found in tab.evaluate(VIOLATIONS))


@pytest.mark.parametrize("kind", ["view", "places", "trips"])
def test_the_page_speaks_as_readers_do(kind: str, browser: Any, page: Page, request: pytest.FixtureRequest) -> None:
    """Outside SQL there is no code, and no name of a column that has a label."""
    view = request.getfixturevalue(kind)
    with opened(browser, page(view)) as tab:
        tab.evaluate(SETTLED)
        tab.evaluate(OPEN)
        tab.evaluate(
            "() => [...document.querySelectorAll('h2')].find((h) => h.innerText === 'SQL').closest('section').remove()"
        )
        words = tab.locator("main").inner_text()
    labels = {name: attribute.label for name, attribute in view.domain if attribute.label}
    assert not re.findall(r"COUNT\(|dimension|undefined|NaN|null|\[object", words)
    assert not [name for name, label in labels.items() if name not in label and re.search(rf"\b{name}\b", words)]


def test_what_rows_are_called(view: View, browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "flights.html"
    view.explore(path, rows="flights")
    with opened(browser, path) as tab:
        tab.evaluate(SETTLED)
        assert re.match(r"About [\d,]+ flights, give or take [\d,]+$", tab.locator(".bar .count").inner_text())
        says(tab.locator(".compare .verdict"), " flights")
        assert tab.get_by_role("region", name="Totals by group").get_by_role("button", name="flights").count() == 1


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
@pytest.mark.parametrize("kind", ["view", "places", "trips"])
def test_numbers_stay_on_the_screen(
    kind: str, width: int, browser: Any, page: Page, request: pytest.FixtureRequest
) -> None:
    view = request.getfixturevalue(kind)
    outside = """() => [...document.querySelectorAll("td, .total, .count, #range")]
      .filter((one) => one.offsetParent && one.getBoundingClientRect().right > innerWidth)
      .map((one) => one.innerText)"""
    with opened(browser, page(view), viewport={"width": width, "height": 844}) as tab:
        tab.get_by_role("button", name="Run").click()
        tab.evaluate(SETTLED)
        assert tab.evaluate(outside) == []
        assert tab.evaluate(OVERLAPS) == []
        assert tab.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("width", [390, 700, 1440])
def test_names_below_the_heat_map_keep_apart(width: int, browser: Any, page: Page) -> None:
    names = [f"{one}{other}" for one in "UMWQ" for other in "AWEN"]
    domain = {"carrier": {"type": "category", "values": names}, "hour": {"type": "integer", "min": 0, "max": 23}}
    view = make_view(Domain.from_json(domain), leaves=100, seed=4)
    with opened(browser, page(view), viewport={"width": width, "height": 844}) as tab:
        for across in ("carrier", "hour"):
            tab.get_by_label("Across").select_option(label=across)
            tab.evaluate(SETTLED)
            assert tab.evaluate(OVERLAPS) == []
            assert set(names) <= set(tab.locator("svg.map .axis text").evaluate_all(WRITTEN))


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
        tab.wait_for_timeout(500)  # the address is written a moment later
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


def test_hours_and_partial_periods(trips: View, places: View, browser: Any, page: Page) -> None:
    with opened(browser, page(trips)) as tab:
        start = card(tab, "start")
        start.get_by_label("Bars of start").select_option("hour")
        tab.evaluate(SETTLED)
        with tab.expect_download() as downloading:
            save(start, "CSV")
        rows = read_csv(downloading.value)
        wanted = trips.count("start_time >= '2024-03-02 05:00:00' and start_time < '2024-03-02 06:00:00'")
        assert len(rows) == 1 + 72 + 1 and rows[0] == ["start", "rows", "low", "high"]
        assert rows[30][0] == "2024-03-02 05:00" and float(rows[30][1]) == pytest.approx(wanted.value, rel=1e-9)
    with opened(browser, page(places)) as tab:  # 2013 begins on a Tuesday and ends on one
        day = card(tab, "day")
        assert day.locator("rect.column").count() == 12 and "only part" not in day.inner_text()
        day.get_by_label("Bars of day").select_option("week")
        says(day, "The first and the last bar hold only part of a week.")


def test_many_names_are_folded(trips: View, browser: Any, page: Page) -> None:
    with opened(browser, page(trips)) as tab:
        kind = card(tab, "kind")
        assert kind.locator("li:visible").count() == 12  # ten, and other and missing values
        kind.get_by_role("button", name="Show all 30").click()
        assert kind.locator("li:visible").count() == 32
        kind.locator("li").nth(20).get_by_role("checkbox").check()
        kind.get_by_role("button", name="Show the 10 largest").click()
        assert kind.locator("li:visible").count() == 13  # what is ticked stays


def test_sql_is_that_of_the_library(trips: View, browser: Any, page: Page) -> None:
    sql = (
        "WITH t AS (SELECT DATE_TRUNC('day', start_time) AS day, "
        "ROUND(100.0 * SUM(CASE WHEN fee > 20 THEN 1 ELSE 0 END) / COUNT(*), 1) AS dear "
        "FROM view WHERE bike_kind LIKE '%1%' GROUP BY day) SELECT * FROM t WHERE day IS NOT NULL"
    )
    with opened(browser, page(trips)) as tab:
        tab.locator("#sql").fill(sql)
        tab.get_by_role("button", name="Run").click()
        tab.evaluate(SETTLED)
        answer = tab.get_by_role("region", name="Answer to the question in SQL")
        shown = [row.split("\t") for row in answer.locator("tbody tr").all_inner_texts()]
        tab.get_by_text("Columns, and what can be asked").click()
        says(tab.locator("section", has=tab.locator("#sql")), "does not answer SELECT *, JOIN")
    wanted = [
        [str(row["day"].date()), *(f"{row[f'dear{end}']:.1f}" for end in ("", "_low", "_high"))]
        for row in trips.sql(sql)
    ]
    assert shown == wanted and wanted


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
