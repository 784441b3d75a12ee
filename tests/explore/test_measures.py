"""Sums and means of measures on the page, in a real browser: the choice, what it changes, and the library's figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ripost.explore.packing import facts_of
from ripost.view import View, open_view
from tests.explore.browser import opened
from tests.explore.conftest import Page
from tests.explore.reading import AXE, OPEN, SETTLED, VIOLATIONS, card, heights, number, read_csv, save, says, state_of
from tests.features import combine
from tests.vectors.make import FOLDER

NAMES = ["measures-mixture", "measures-blocks"]
SHOW = "Show the"


@pytest.fixture(scope="module", params=NAMES)
def measured_view(request: pytest.FixtureRequest) -> View:
    return open_view(FOLDER / f"{request.param}.ripost.parquet")


@pytest.fixture(scope="module")
def mixed_view() -> View:
    return open_view(FOLDER / "measures-mixture.ripost.parquet")


def show(tab: Any, quantity: str) -> None:
    tab.get_by_label(SHOW).select_option(label=quantity)
    tab.evaluate(SETTLED)


def test_rows_are_shown_until_a_measure_is_chosen(measured_view: View, browser: Any, page: Page) -> None:
    with opened(browser, page(measured_view)) as tab:
        tab.evaluate(SETTLED)
        choices = tab.get_by_label(SHOW).locator("option").all_inner_texts()
        figures = [f"{what} of {name}" for name in ("delay", "seats", "loss") for what in ("sum", "mean")]
        assert choices == ["number of rows", *figures]
        assert tab.get_by_label(SHOW).input_value() == "rows"
        says(tab.locator(".count"), "rows, give or take")
        rows = heights(card(tab, "hour"))
        show(tab, "sum of delay")
        assert heights(card(tab, "hour")) != rows
        show(tab, "number of rows")
        assert heights(card(tab, "hour")) == pytest.approx(rows, abs=0.1)
        says(tab.locator(".count"), "rows, give or take")


def test_the_headline_is_the_librarys(measured_view: View, browser: Any, page: Page) -> None:
    with opened(browser, page(measured_view)) as tab:
        for name in measured_view.measures:
            for what, ask in (("sum", measured_view.sum), ("mean", measured_view.mean)):
                show(tab, f"{what} of {name}")
                answer = ask(name)
                says(tab.locator(".count"), f"The {what} of {name} is about")
                says(
                    tab.locator("#range"), f"{answer.format_number(answer.low)} to {answer.format_number(answer.high)}"
                )
                assert tab.locator("#count").inner_text() == answer.format_number(answer.value)
        says(tab.locator("p.chooser.quantity"), "Values from -8 to -2; others count as the nearer end")
        card(tab, "hour").get_by_label("hour from").fill("12")
        tab.keyboard.press("Tab")
        tab.evaluate(SETTLED)
        answer = measured_view.mean("loss", hour=(12, 23))
        assert tab.locator("#count").inner_text() == answer.format_number(answer.value)
        says(tab.locator(".part"), f"over about {measured_view.count(hour=(12, 23)).value:,.0f} rows")


@pytest.mark.parametrize(("what", "word"), [("sum", "SUM"), ("mean", "AVG")])
def test_charts_and_tables_have_the_librarys_figures(
    what: str, word: str, measured_view: View, browser: Any, page: Page
) -> None:
    """Saved charts, the map and the table, with simultaneous intervals too."""
    state = f"#quantity={what}.delay&group=[%22hour%22]&in.kind=0~2"
    sql = f"SELECT hour, {word}(delay) AS f FROM view{{}} WHERE kind <> 'z' GROUP BY hour"
    for simultaneous in ("", "&simultaneous=true"):
        wanted = measured_view.sql(sql.format("(simultaneous)" if simultaneous else ""))
        with opened(browser, page(measured_view), state=state + simultaneous) as tab:
            tab.evaluate(SETTLED)
            downloads = []
            for button in (
                lambda: save(card(tab, "hour"), "CSV"),
                tab.get_by_role("button", name="Download CSV").first.click,
            ):
                with tab.expect_download() as downloading:
                    button()
                downloads.append(read_csv(downloading.value))
        for head, *rows in downloads:
            assert head == ["hour", f"{what} of delay", "low", "high"]
            for row, theirs in zip(rows, wanted, strict=True):
                found = [float(cell) if cell else None for cell in row[1:]]
                assert row[0] == str(theirs["hour"])
                assert found == pytest.approx([theirs["f"], theirs["f_low"], theirs["f_high"]], rel=1e-9, abs=1e-9)


def test_the_heat_map_shows_means(mixed_view: View, browser: Any, page: Page) -> None:
    state = "#quantity=mean.seats&map=[%22hour%22,%22place%22]"
    with opened(browser, page(mixed_view), state=state) as tab:
        tab.evaluate(SETTLED)
        panel = tab.locator("#page .panel", has=tab.get_by_role("heading", name="Heat map"))
        says(panel.locator(".legend"), "blank: too few rows to tell")
        table = mixed_view.sql("SELECT hour, place, AVG(seats) AS m FROM view GROUP BY hour, place")
        told = [row for row in table if not (row["m_low"] == 0 and row["m_high"] == 300)]
        assert 0 < len(told) < len(table)
        assert panel.locator("rect.cell").count() == len(told)
        with tab.expect_download() as downloading:
            save(panel, "CSV")
        head, *rows = read_csv(downloading.value)
    assert head == ["hour", "place", "mean of seats", "low", "high"]
    found = {(hour, place): float(low) for hour, place, _, low, _ in rows}
    assert all(found[str(row["hour"]), row["place"]] == pytest.approx(row["m_low"]) for row in told if row["place"])


def test_means_of_too_few_rows_say_so(measured_view: View, browser: Any, page: Page) -> None:
    """Their bars are as high as the chart, and the scale is that of the others."""
    with opened(browser, page(measured_view), state="#quantity=mean.delay&group=[%22hour%22,%22place%22]") as tab:
        tab.evaluate(SETTLED)
        place = card(tab, "place").locator("label", has_text="(missing)")
        assert place.locator(".total").inner_text() == "too few rows"
        assert place.locator(".total").get_attribute("title") == "too few rows (95 %: -30 to 90)"
        assert place.locator(".whisker").is_hidden()
        table = tab.get_by_role("region", name="Totals by group")
        cells = [line.locator("td").all_inner_texts() for line in table.locator("tbody tr").all()]
        wanted = measured_view.groupby("hour", "place", agg={"delay": "mean"})
        untold = [(row["avg_delay_low"], row["avg_delay_high"]) == (-30, 90) for row in wanted]
        assert [value == "too few rows" for value, *_ in cells] == untold[: len(cells)]
        assert any(untold[: len(cells)])
        card(tab, "place").get_by_label("(missing)").check()
        tab.evaluate(SETTLED)
        says(tab.locator(".count"), "Too few rows to tell the mean of delay")
        says(tab.locator("#range"), "-30 to 90")
        hours = card(tab, "hour")
        assert hours.locator("rect.column.untold").count() == 24
        assert len(set(heights(hours))) == 1
        box = hours.locator(".brush-area").bounding_box()
        tab.mouse.move(box["x"] + 8.5 / 24 * box["width"], box["y"] + 20)
        says(hours.locator(".told"), "8: too few rows (95 %: -30 to 90)")


def test_bars_below_zero_hang_from_the_line(mixed_view: View, browser: Any, page: Page) -> None:
    with opened(browser, page(mixed_view), state="#quantity=mean.delay") as tab:
        tab.evaluate(SETTLED)
        bars = (
            card(tab, "hour")
            .locator("rect.column")
            .evaluate_all(
                "(all) => all.map((one) => [Number(one.getAttribute('y')), Number(one.getAttribute('height'))])"
            )
        )
        means = [mixed_view.mean("delay", hour=hour).value for hour in range(24)]
        below = [i for i, mean in enumerate(means) if mean < -3]
        above = [i for i, mean in enumerate(means) if mean > 3]
        assert len(below) > 3 and len(above) > 10
        [zero] = {round(bars[i][0], 3) for i in below}  # where the bars below 0 begin
        assert all(round(y + height, 3) == zero for y, height in (bars[i] for i in above))
        scale = bars[above[-1]][1] / means[above[-1]]
        assert [bars[i][1] for i in below] == pytest.approx([-means[i] * scale for i in below], rel=1e-3)
        show(tab, "sum of loss")
        assert card(tab, "place").locator(".named.signed").count() == 1


def test_two_means_are_compared(mixed_view: View, browser: Any, page: Page) -> None:
    state = "#quantity=mean.seats&compared=true&a.place=0~1&b.place=2~3"
    with opened(browser, page(mixed_view), state=state) as tab:
        tab.evaluate(SETTLED)
        panel = tab.locator(".compare")
        says(panel.locator(".verdict"), "place a has a smaller mean of seats than place c")
        shown = [number(text) for text in panel.locator("tbody tr td:nth-child(3)").all_inner_texts()]
        ends = [number(end) for end in panel.locator("tbody tr:last-child td").last.inner_text().split(" to ")]
    one, other = (mixed_view.at(0.975).mean("seats", place=place) for place in ("a", "c"))
    assert shown == pytest.approx([one.value, other.value, one.value - other.value], abs=0.6)
    assert ends == pytest.approx([one.low - other.high, one.high - other.low], abs=0.6)


def test_the_choice_is_in_the_link_and_in_sql(mixed_view: View, browser: Any, page: Page) -> None:
    path = page(mixed_view)
    with opened(browser, path) as tab:
        show(tab, "mean of seats")
        state = state_of(tab, "quantity=mean.seats")
        tab.get_by_role("button", name="Use the filters above").click()
        assert tab.locator("#sql").input_value().startswith("SELECT hour, AVG(seats)")
        tab.get_by_role("button", name="Run").click()
        tab.evaluate(SETTLED)
        answer = tab.get_by_role("region", name="Answer to the question in SQL")
        says(answer.locator("thead"), "avg_seats")
        for wrong, words in {
            "SELECT MEDIAN(seats) FROM view": "seats is a measure, of which the view knows SUM(seats) and AVG(seats)",
            "SELECT seats, COUNT(*) FROM view": "seats must be in GROUP BY",
        }.items():
            tab.locator("#sql").fill(wrong)
            tab.keyboard.press("Control+Enter")
            says(tab.locator(".panel .problem:visible"), words)
    with opened(browser, path, state=state) as tab:
        assert tab.get_by_label(SHOW).input_value() == "mean.seats"
        says(tab.locator(".count"), "The mean of seats is about")
    with opened(browser, path, state="#quantity=median.seats") as tab:
        assert tab.get_by_label(SHOW).input_value() == "rows"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_is_accessible_and_fits(mixed_view: View, width: int, scheme: str, browser: Any, page: Page) -> None:
    if not AXE.exists():
        pytest.skip("needs axe-core: make explorer")
    options = {"viewport": {"width": width, "height": 844}, "color_scheme": scheme, "bypass_csp": True}
    with opened(browser, page(mixed_view), state="#quantity=mean.delay", **options) as tab:
        tab.evaluate(SETTLED)
        tab.evaluate(OPEN)
        assert tab.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        tab.add_script_tag(path=AXE)
        assert tab.evaluate(VIOLATIONS) == []


def test_means_where_no_row_can_lie_are_none(browser: Any, page: Page) -> None:
    """The scale of bars and the shades of the heat map are those of the other cells."""
    view = combine(("measures", "impossible", "period")).publish(period="2026-10")
    facts = facts_of(view, title="A view")
    assert facts["notes"][0] == f"Counts only the rows of the period {view.period}."
    name = next(iter(view.measures))
    state = f"#quantity=mean.{name}&map=[%22hour%22,%22place%22]"
    with opened(browser, page(view), state=state) as tab:
        tab.evaluate(SETTLED)
        says(tab.locator("#page header.title"), str(view.period))
        panel = tab.locator("#page .panel", has=tab.get_by_role("heading", name="Heat map"))
        legend = panel.locator(".legend").inner_text()
        assert "NaN" not in legend and "unknown" not in legend
        card(tab, "place").get_by_role("checkbox", name="d").first.check()
        tab.evaluate(SETTLED)
        found = heights(card(tab, "hour"))
        assert all(height == height for height in found) and max(found) > 0


def test_a_view_without_measures_has_nothing_of_them(view: View, browser: Any, page: Page, tmp_path: Path) -> None:
    facts = facts_of(view, title="A view")
    assert "measures" not in facts and "measures" not in json.dumps(facts)
    with opened(browser, page(view)) as tab:
        tab.evaluate(SETTLED)
        assert tab.get_by_label(SHOW).count() == 0
        assert "measure" not in tab.locator("#page header.title").inner_text()
        assert tab.get_by_label("Legend of the charts").locator("li").count() == 3
