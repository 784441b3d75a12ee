"""Prose follows the guide: phrases that readers could not understand do not come back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import ROOT

PHRASES = (
    "for ever",
    "the only door",
    "a row a block",
    "a toss of a coin",
    "comes of blocks that the question cuts",
    "where who keeps the ledger cannot change",
    "called like something that tells people apart",
    "takes its share by length",
    "no figure speaks by more than the factor",
    "middle half",
)
FOLDERS = ("docs", "examples", "src")
ENDINGS = (".md", ".py", ".ipynb", ".html", ".j2")
INSIDE = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in ENDINGS)
TEXTS = sorted([*ROOT.glob("*.md"), *INSIDE])


def find_phrase(phrase: str, texts: list[Path]) -> list[str]:
    """Names of the files that contain a phrase, whatever its line breaks."""
    words = re.compile(r"\b" + r"\s+".join(map(re.escape, phrase.split())) + r"\b", re.IGNORECASE)
    return [path.relative_to(ROOT).as_posix() for path in texts if words.search(path.read_text("utf-8"))]


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_phrase_is_not_used(phrase: str) -> None:
    assert find_phrase(phrase, [path for path in TEXTS if path.name != "CHANGELOG.md"]) == []


def test_a_phrase_that_crosses_lines_is_found() -> None:
    page = ROOT / "docs" / "index.md"
    end, start = re.findall(r"(\w+)\n(\w+)", page.read_text("utf-8"))[0]
    assert find_phrase(f"{end} {start}", [page]) == ["docs/index.md"]


def test_the_map_lists_every_package() -> None:
    listing = (ROOT / "README.md").read_text("utf-8").split("```\nsrc/ripost/\n")[1].split("\nexplorer/")[0]
    packages = {path.parent.name for path in (ROOT / "src" / "ripost").glob("*/__init__.py")}
    starts = [re.findall(r"(\w+)/ ", re.split(" {3,}", line.strip() + "   ")[0] + " ") for line in listing.splitlines()]
    assert packages == {name for names in starts for name in names}
