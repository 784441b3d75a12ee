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
    "the costliest path",
    "middle half",
)
TEXTS = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("docs/**/*.ipynb"), *ROOT.glob("docs/**/*.py")]
    + [*ROOT.glob("examples/*.py"), *ROOT.glob("src/**/*.py"), *ROOT.glob("src/**/*.md"), *ROOT.glob("src/**/*.html")]
)


def find_phrase(phrase: str, texts: list[Path]) -> list[str]:
    """Names of the files that contain a phrase, whatever its line breaks."""
    words = re.compile(r"\s+".join(map(re.escape, phrase.split())), re.IGNORECASE)
    return [path.relative_to(ROOT).as_posix() for path in texts if words.search(path.read_text("utf-8"))]


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_phrase_is_not_used(phrase: str) -> None:
    assert find_phrase(phrase, [path for path in TEXTS if path.name != "CHANGELOG.md"]) == []


def test_a_phrase_across_lines_is_found(tmp_path: Path) -> None:
    page = ROOT / "docs" / "index.md"
    first, second = page.read_text("utf-8").split()[4:6]
    assert find_phrase(f"{first} {second}", [page]) == ["docs/index.md"]
