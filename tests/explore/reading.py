"""What a reader sees of a page and does to it."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

SETTLED = "() => ripost.settled()"
AXE = Path(__file__).parents[2] / "explorer" / "node_modules" / "axe-core" / "axe.min.js"
VIOLATIONS = """() => axe.run().then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`)))"""
OPEN = "() => document.querySelectorAll('details').forEach((one) => { one.open = true; })"


def number(text: str) -> float:
    """The first number in a text."""
    return float(re.findall(r"-?[\d,]*\.?\d+", text)[0].replace(",", ""))


def shown_count(tab: Any) -> float:
    tab.evaluate(SETTLED)
    return number(tab.locator("#count").inner_text())


def card(tab: Any, title: str) -> Any:
    return tab.locator("section.card", has=tab.get_by_role("heading", name=title))


def heights(chart: Any) -> list[float]:
    return chart.locator("rect.column").evaluate_all("bars => bars.map((bar) => Number(bar.getAttribute('height')))")


def drag(tab: Any, chart: Any, start: float, stop: float) -> None:
    """Drag over a chart, from one share of its plot to another."""
    box = chart.locator(".brush-area").bounding_box()
    y = box["y"] + box["height"] / 2
    tab.mouse.move(box["x"] + start * box["width"], y)
    tab.mouse.down()
    tab.mouse.move(box["x"] + (start + stop) / 2 * box["width"], y)
    tab.mouse.move(box["x"] + stop * box["width"], y)
    tab.mouse.up()
    tab.evaluate(SETTLED)


def says(part: Any, words: str) -> None:
    """Wait until a part of the page says something; the test fails if it never does."""
    from playwright.sync_api import expect

    expect(part).to_contain_text(words)


def state_of(tab: Any, *words: str) -> str:
    """The state in the address, once it tells all of these; it is written a moment after a change."""
    tab.wait_for_url(lambda url: all(word in unquote(url) for word in words))  # the page forbids functions from text
    return str(tab.evaluate("() => location.hash"))


def save(chart: Any, end: str) -> None:
    """Press Save of a chart, and one of its formats."""
    chart.locator(".menu summary").click()
    chart.locator(".menu").get_by_text(end, exact=True).click()


def read_csv(download: Any) -> list[list[str]]:
    """The rows of a file that was downloaded."""
    with download.path().open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))
