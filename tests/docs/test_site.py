"""The site: it builds without a warning, has every page in its menu, and asks nothing of the network."""

from __future__ import annotations

import functools
import http.server
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ripost
from tests.conftest import ROOT

ASSET = re.compile(r"""<(?:script|img|iframe|source)[^>]+src=["']?([^"'\s>]+)|<link[^>]+href=["']?([^"'\s>]+)""")
OF_A_VIEW = "answer stderr count sql quantile groupby sample blocks privacy save explore plot"
NAMES = {"publish", "Schema.load", "Tensor.from_arrays", "Tensor.from_table", "Tensor.answer", "open", "METHODS"}
NAMES |= {f"View.{name}" for name in OF_A_VIEW.split()}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` does."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return folder


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def test_every_page_is_in_the_menu(site: Path) -> None:
    menu = (site / "index.html").read_text("utf-8")
    listed = set(re.findall(r'<a href="([^"#]+)" class="md-nav__link', menu)) | {"index.html"}
    sources = [path.relative_to(ROOT / "docs") for path in ROOT.glob("docs/**/*.md")]
    wanted = {re.sub(r"(README)?\.md$", lambda end: "index.html" if end[1] else ".html", str(path)) for path in sources}
    assert wanted - listed == set()


def test_no_asset_comes_from_the_network(site: Path) -> None:
    for page in pages(site):
        for found in ASSET.findall(page.read_text("utf-8")):
            asset = "".join(found)
            assert not re.match(r"(https?:)?//", asset), f"{page.name} loads {asset}"
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(https?:)?//|@import", style.read_text("utf-8")), style.name


def test_every_link_of_the_site_leads_somewhere(site: Path) -> None:
    for page in pages(site):
        if page.name == "404.html":
            continue  # its links begin at the root of a server
        for target in re.findall(r'(?:href|src)="([^"#?]+)', page.read_text("utf-8")):
            if not re.match(r"[a-z]+:|//", target):
                assert (page.parent / target).exists(), f"{page.relative_to(site)} links to {target}"


def test_lists_and_tables_are_not_swallowed_by_a_paragraph(site: Path) -> None:
    """The site's Markdown wants an empty line before a list, where that of a repository does not."""
    for page in pages(site):
        swallowed = re.findall(r"<p>[^<]*\n(?:- |\d+\. |\|)[^<]*", page.read_text("utf-8"))
        assert swallowed == [], page.relative_to(site)


def test_the_reference_has_every_public_name(site: Path) -> None:
    told = set(re.findall(r' id="ripost\.([\w.]+)"', (site / "reference" / "python.html").read_text("utf-8")))
    assert NAMES - told == set()
    assert {name for name in ripost.__all__ if name not in told and f"errors.{name}" not in told} == set()


def test_the_reference_has_every_command(site: Path) -> None:
    from ripost.cli.app import app

    told = (site / "reference" / "commands.html").read_text("utf-8")
    for command in app.registered_commands:
        assert command.callback is not None
        assert f"<code>ripost {command.name or command.callback.__name__}</code>" in told


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """The site, served on this machine."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_search_finds_and_nothing_is_asked_of_others(address: str, browser: Any) -> None:
    tab = browser.new_page()
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(f"{address}/explanation/epsilon.html")
    tab.wait_for_load_state("networkidle")  # words that are typed before the search is ready are lost
    tab.locator("input.md-search__input").press_sequentially("max_rows")
    tab.wait_for_selector(".md-search-result__link", state="attached", timeout=60_000)
    assert asked and all(url.startswith((address, "data:", "blob:")) for url in asked)
