"""A real browser for the tests of the explorer: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def running_browser() -> Iterator[Any]:
    """One browser; the test is skipped, with the reason, where there is none."""
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        pytest.skip("needs playwright: pip install 'ripost[dev]'")
    if not Path(CHROMIUM).exists():
        pytest.skip("needs chromium: apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def opened(browser: Any, path: Path, *, state: str = "", **options: Any) -> Iterator[Any]:
    """A page from disk, ready to be used; in the end nothing was fetched and nothing was complained about."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
    tab = context.new_page()
    asked: list[str] = []
    complaints: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("console", lambda message: complaints.append(message.text) if message.type != "info" else None)
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("dialog", lambda dialog: complaints.append(f"dialog {dialog.message}"))
    address = path.as_uri()
    tab.goto(address + state)
    tab.locator("#count:not(:empty)").wait_for(state="attached")
    yield tab
    tab.evaluate("() => window.ripost.settled()")
    assert complaints == []
    assert [url for url in asked if not url.startswith((address, "blob:", "data:"))] == []
    context.close()
