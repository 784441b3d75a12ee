"""What the page is made of, without a browser: the sources, the policy, the data, the file."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ripost.errors import ReleaseError
from ripost.explore.page import assets, page
from ripost.release.file import stem
from ripost.schema.domain import Domain
from tests.answering.making import make_view
from tests.explore.views import KINDS, every_type, view_of_kind

SOURCES = Path(__file__).parents[2] / "explorer" / "src"


class Parts(HTMLParser):
    """Contents of scripts and styles, the policy, and every attribute of every tag."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.inside: list[tuple[str, str]] = []
        self.found: dict[str, str] = {}
        self.attributes: list[tuple[str, str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.attributes += [(tag, name, value) for name, value in attrs]
        if given.get("http-equiv") == "Content-Security-Policy":
            self.found["policy"] = given["content"] or ""
        if tag in ("script", "style"):
            self.inside.append((tag, given.get("type") or tag))

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.found[self.inside[-1][1]] = data


def digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_the_policy_allows_this_script_and_this_style_and_nothing_else() -> None:
    parts = Parts(page(every_type(), title="A view"))
    policy = parts.found["policy"]
    assert policy.startswith("default-src 'none'; ")
    assert f"script-src 'sha256-{digest(parts.found['module'])}';" in policy
    assert f"style-src 'sha256-{digest(parts.found['style'])}';" in policy
    assert "unsafe" not in policy and "http" not in policy and "*" not in policy
    assert [value for _, name, value in parts.attributes if name in ("src", "href")] == ["data:,"]
    assert not [name for _, name, _ in parts.attributes if name.startswith("on") or name == "style"]


def test_the_data_cannot_be_taken_for_markup() -> None:
    values = ["</script><script>alert(1)</script>", "<!--", "{{script}}", "]]>", "\u2028"]
    domain = Domain.from_json({"<b>": {"type": "category", "values": values}})
    text = page(make_view(domain, leaves=3), title="</title>&{{view}}")
    parts = Parts(text)
    assert json.loads(parts.found["application/json"])["axes"][0]["names"] == values
    assert text.count("<script") == 2 and text.count("</script>") == 2
    assert "<title>&lt;/title&gt;&amp;{{view}}</title>" in text


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_view_gives_the_same_page(kind: str) -> None:
    assert page(view_of_kind(kind), title="x") == page(view_of_kind(kind), title="x")


def test_sources_make_elements_and_never_markup() -> None:
    sources = sorted(SOURCES.rglob("*.ts"))
    assert len(sources) > 50
    for path in [*sources, Path(str(assets())) / "explorer.js"]:
        text = path.read_text("utf-8")
        for banned in (
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "fetch(",
        ):
            assert banned not in text, f"{path.name} has {banned}"
        assert "https://" not in text and re.sub(r'"http://www.w3.org/2000/svg"', "", text).count("http://") == 0


def test_a_page_is_not_overwritten(tmp_path: Path) -> None:
    view, path = make_view((3,), leaves=2), tmp_path / "v.html"
    view.explore(path)
    with pytest.raises(ReleaseError, match="exists already"):
        view.explore(path)
    view.explore(path, title="Another", force=True)
    assert "<title>Another</title>" in path.read_text("utf-8")


def test_names_of_pages() -> None:
    assert [stem(f"a/{name}") for name in ("flights.ripost.parquet", "flights.html", "v")] == [
        "flights",
        "flights",
        "v",
    ]
