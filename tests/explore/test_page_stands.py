"""What a page must stand, in a real browser: dark and small screens, hostile labels, many attributes and few."""

from __future__ import annotations

import re
import sys
from typing import Any

import pytest

from ripost.schema.domain import Domain
from ripost.schema.measure import Measure
from ripost.view import View
from tests.answering.making import make_view, promise
from tests.explore.browser import opened
from tests.explore.conftest import Page
from tests.explore.hostile_names import HOSTILE
from tests.explore.reading import SETTLED, card, drag, number, says, shown_count, state_of
from tests.explore.views import EVERY_TYPE, view_of_kind


def test_dark_and_light(view: View, browser: Any, page: Page) -> None:
    path, paper = page(view), "() => getComputedStyle(document.body).backgroundColor"
    with opened(browser, path, color_scheme="light") as tab:
        assert tab.evaluate(paper) == "rgb(255, 255, 255)"
    with opened(browser, path, color_scheme="dark") as tab:
        assert max(map(int, re.findall(r"\d+", tab.evaluate(paper)))) < 64


def test_a_phone(view: View, browser: Any, page: Page) -> None:
    phone = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
    with opened(browser, page(view), **phone) as tab:
        tab.evaluate(SETTLED)
        assert tab.evaluate("() => document.documentElement.scrollWidth") == 360
        tab.locator("svg.map").scroll_into_view_if_needed()
        box = tab.locator("#count").bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] < 200  # always in sight
        hours = card(tab, "scheduled hour")
        hours.scroll_into_view_if_needed()
        area = hours.locator(".brush-area").bounding_box()
        tab.touchscreen.tap(area["x"] + 8.5 / 24 * area["width"], area["y"] + area["height"] / 2)
        assert shown_count(tab) == pytest.approx(view.count(hour=8).value, abs=1)


def test_labels_are_text(browser: Any, tmp_path: Any) -> None:
    domain = {
        "</script><b>": {"type": "category", "values": HOSTILE, "label": HOSTILE[0], "unit": HOSTILE[1]},
        "in.x=1&y": {"type": "integer", "min": 0, "max": 9, "label": "__proto__"},
    }
    view = make_view(Domain.from_json(domain), leaves=20, method=HOSTILE[0], software=HOSTILE[1])
    path = tmp_path / "view.html"
    view.explore(path, title=HOSTILE[2])
    with opened(browser, path) as tab:
        tab.evaluate(SETTLED)
        names = tab.locator("section.card .name").all_inner_texts()
        assert {" ".join(name.split()) for name in HOSTILE[:-1]} <= set(names)
        assert tab.get_by_role("heading", level=1).inner_text() == HOSTILE[2]
        assert tab.title() == HOSTILE[2]
        tab.locator("section.card").first.get_by_role("checkbox").first.check()
        tab.evaluate(SETTLED)
        state = state_of(tab, "in.")
        tab.get_by_role("button", name="Use the filters above").click()
        tab.get_by_role("button", name="Run").click()
        assert tab.locator(".panel .problem:visible").count() == 0
        with tab.expect_download() as downloading:
            tab.get_by_role("button", name="Download CSV").last.click()
        tab.evaluate(SETTLED)
        assert tab.evaluate("() => [window.hurt, document.scripts.length, document.images.length]") == [None, 2, 0]
    with opened(browser, path, state=state) as tab:
        assert tab.locator("section.card").first.get_by_role("checkbox").first.is_checked()
        tab.get_by_role("button", name="Clear all").click()
        tab.evaluate(SETTLED)
        with tab.expect_download() as downloading:
            tab.get_by_role("button", name="Download CSV").first.click()
        text = downloading.value.path().read_text("utf-8")
    assert "'=HYPERLINK" in text and "\n=HYPERLINK" not in text


def test_fifty_attributes(browser: Any, page: Page) -> None:
    view = make_view((4,) * 50, leaves=2000)
    with opened(browser, page(view)) as tab:
        tab.evaluate(SETTLED)
        assert tab.locator("section.card").count() == 6
        tab.get_by_text("Options: 6 of 50 attributes shown").click()
        tab.get_by_label("Find an attribute").fill("x49")
        tab.get_by_role("checkbox", name="x49").check()
        tab.evaluate(SETTLED)
        assert tab.locator("section.card").count() == 7
        tab.get_by_label("x49 from").fill("2")
        tab.keyboard.press("Tab")
        assert shown_count(tab) == pytest.approx(view.count(x49=(2, 3)).value, abs=1)
        assert "about 10^30" in tab.locator(".privacy").inner_text()


def test_one_cell(browser: Any, page: Page) -> None:
    view = make_view((1,), leaves=1)
    with opened(browser, page(view)) as tab:
        assert shown_count(tab) == pytest.approx(view.total, abs=0.1)
        assert tab.locator("section.card").count() == 1
        assert tab.locator("svg.map").count() == 0


def test_an_unknown_error_is_not_made_up(browser: Any, page: Page) -> None:
    view = view_of_kind("sample")
    with opened(browser, page(view)) as tab:
        assert shown_count(tab) == pytest.approx(view.total, abs=1)
        assert tab.locator("#range").inner_text() == "error unknown"
        assert tab.locator(".card path.band[d]").count() == 0
        assert tab.get_by_role("region", name="Totals by group").locator("td", has_text="unknown").count() == 2 * 6
        assert "errors are unknown" in tab.locator(".legend").inner_text()
        assert "(" not in tab.locator("#quantiles tbody").inner_text()


def test_a_sum_many_names_and_a_long_axis(browser: Any, page: Page) -> None:
    streets = {"type": "category", "values": [f"Street {i}" for i in range(1500)]}
    domain = {"street": streets, "ip": {"type": "integer", "min": 0, "max": 2**31 - 10, "missing": "drop"}}
    view = make_view(Domain.from_json(domain), leaves=300, measure=Measure(column="pay", step=0.5, bound=10))
    with opened(browser, page(view)) as tab:
        tab.evaluate(SETTLED)
        assert "The sum of pay is about" in tab.locator(".bar").inner_text()
        assert card(tab, "street").locator(".name").count() == 1002  # with other and missing
        card(tab, "street").get_by_label("Find a name of street").fill("Street 77")
        card(tab, "street").get_by_role("checkbox", name="Street 777").check()
        tab.get_by_label("ip to", exact=True).fill("1000000")
        tab.keyboard.press("Tab")
        wanted = view.count(street="Street 777", ip=(0, 1_000_000))
        assert shown_count(tab) == pytest.approx(wanted.value, abs=1)
        tab.locator("#sql").fill("SELECT SUM(pay) AS total FROM view WHERE street = 'Street 1400'")
        tab.keyboard.press("Control+Enter")
        tab.evaluate(SETTLED)
        told = tab.get_by_role("region", name="Answer to the question in SQL").locator("td").first.inner_text()
        assert number(told) == pytest.approx(view.count(street="Street 1400").value, abs=0.6)


def test_privacy_is_told(view: View, browser: Any, page: Page) -> None:
    with opened(browser, page(view)) as tab:
        tab.get_by_text("What the budget was spent on").first.click()
        told = tab.locator(".privacy").inner_text()
        assert "by a factor of at most 1.65 (epsilon 0.5, pure" in told and "This holds for every reader" in told
        assert "leaf" in told and "one row" in told
        assert tab.locator(".warning").count() == 0
    seeded = make_view((3, 3), leaves=5, privacy=promise(5, entropy="seed 7"))
    with opened(browser, page(seeded)) as tab:
        assert "NOT PRIVATE: the noise comes from seed 7" in tab.locator(".warning").inner_text()
        assert "noise that protects nobody" in tab.locator("header.title").inner_text()
        assert "protects nobody" in tab.locator(".privacy").inner_text()
        assert "every reader" not in tab.locator(".privacy").inner_text()


def test_what_assistive_tools_need(view: View, browser: Any, page: Page) -> None:
    """Every control has a name, every focus can be seen, headings go down in order."""
    nameless = """() => [...document.querySelectorAll("button, input, select, textarea, [role=slider], svg[tabindex]")]
      .filter((one) => !(one.textContent.trim() || one.getAttribute("aria-label") || one.getAttribute("aria-labelledby")
        || one.labels?.length)).map((one) => one.outerHTML.slice(0, 80))"""
    with opened(browser, page(view)) as tab:
        tab.evaluate(SETTLED)
        assert tab.evaluate(nameless) == []
        levels = tab.evaluate("() => [...document.querySelectorAll('h1, h2, h3')].map((h) => Number(h.tagName[1]))")
        assert levels[0] == 1 and levels.count(1) == 1
        assert tab.locator("[aria-live=polite]").count() >= 1
        says(tab.get_by_role("status").first, "selected, between")
        tab.keyboard.press("Tab")
        assert tab.evaluate("() => document.activeElement.matches(':focus-visible')")


def test_a_page_of_five_thousand_blocks_is_small_and_quick(
    browser: Any, page: Page, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("hour", "origin", "delay", "day", "at", "share")
    view = make_view(
        Domain.from_json({name: EVERY_TYPE[name] for name in names}), leaves=5000, marginals=True, inner=0.5
    )
    path = page(view)
    size = path.stat().st_size
    assert size < 6_000_000
    with opened(browser, path) as tab:
        tab.evaluate(SETTLED)
        before = tab.evaluate("() => ripost.times.length")
        drag(tab, card(tab, "scheduled hour"), 3.5 / 24, 15.5 / 24)
        drag(tab, card(tab, "delay"), 0.1, 0.6)
        card(tab, "origin").get_by_label("JFK").check()
        tab.evaluate(SETTLED)
        times = tab.evaluate("() => ripost.times")[before:]
    told = ", ".join(f"{time:.0f}" for time in times)
    with capsys.disabled():
        sys.stdout.write(f"\nexplorer, 5,000 blocks, 6 attributes: {size / 1024:,.0f} KiB, redraws in {told} ms\n")
    assert sorted(times)[len(times) // 2] < 1000  # loose: other work may keep the machine busy
