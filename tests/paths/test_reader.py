"""The reader's path: the page of a view in a browser, on a desk and on a phone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.explore.browser import opened
from tests.explore.reading import SETTLED, card, number, says
from tests.paths.conftest import Office


@pytest.fixture(scope="module")
def total_count(reader_office: Office) -> float:
    """The count of everything, once the page is written."""
    printed = reader_office.run("explore", "loans.ripost.parquet")
    assert printed.startswith("Wrote loans.html (") and "it needs no server and no network" in printed
    return number(reader_office.run("query", "loans.ripost.parquet", "").removeprefix("COUNT(*):"))


@pytest.mark.parametrize("width", [1440, 390])
def test_the_page_tells_what_the_view_tells(
    reader_office: Office, total_count: float, browser: Any, width: int
) -> None:
    with opened(browser, reader_office.folder / "loans.html", viewport={"width": width, "height": 900}) as tab:
        tab.evaluate(SETTLED)
        assert tab.get_by_role("heading", name="Loans of a town's library").count() == 1
        words = tab.locator(".bar .count").inner_text()
        about, reach = (number(part) for part in words.split("give or take"))
        assert words.startswith("About ") and abs(about - total_count) <= reach
        says(tab.locator("body"), "at most 5 of each Reader ID")
        names = card(tab, "branch").locator(".name").all_inner_texts()
        assert sorted(names) == ["bus", "centre", "port", "préville"] and names[0] == "centre"
        for side, name in (("A", "centre"), ("B", "bus")):
            box = card(tab, "branch").get_by_label(name)
            box.check()
            tab.locator(".compare").get_by_role("button", name=f"Use the selection as {side}").click()
            box.uncheck()
        says(tab.locator(".compare .verdict"), "branch centre has more rows than branch bus")
        assert tab.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
