"""The glossary defines every term once, briefly, and the other pages link to it."""

from __future__ import annotations

import re

import pytest

from tests.conftest import ROOT

GLOSSARY = ROOT / "docs" / "glossary.md"
ENTRY = re.compile(r"^### (.+)\n((?:.+\n)+)", re.MULTILINE)
TERMS = (
    "View", "Release file", "Attribute", "Domain", "Cell", "Block", "Marginal", "Noisy measurement", "Estimate",
    "Confidence interval", "Standard error", "Coverage", "Privacy budget", "Privacy loss", "Neighboring tables",
    "Privacy unit", "Contribution bound", "Post-processing", "Workload", "Range query", "Partition", "Block data",
    "Paid query", "Mixture", "Correction", "Account", "Ledger", "Mechanism", "Sensitivity", "Period",
)  # fmt: skip
CONCEPTS = ("promise", "epsilon", "unit", "blocks", "errors", "intervals", "guarantee")
LINKING = ("README.md", "docs/index.md", "docs/format.md", "docs/tutorial/quickstart.md", "docs/reference/schema.md")


def anchor(term: str) -> str:
    return re.sub(r"[^\w]+", "-", term.lower())


def test_every_term_is_defined_once() -> None:
    defined = [term for term, _ in ENTRY.findall(GLOSSARY.read_text("utf-8"))]
    assert len(defined) == len(set(defined))
    assert set(TERMS) - set(defined) == set()


@pytest.mark.parametrize(("term", "text"), ENTRY.findall(GLOSSARY.read_text("utf-8")), ids=lambda value: value[:20])
def test_an_entry_has_at_most_two_lines(term: str, text: str) -> None:
    lines = text.splitlines()
    assert len(lines) <= 2 and max(map(len, lines)) <= 160, term


def test_links_to_the_glossary_lead_to_a_term() -> None:
    known = {anchor(term) for term, _ in ENTRY.findall(GLOSSARY.read_text("utf-8"))}
    for page in (ROOT / "README.md", *ROOT.glob("docs/**/*.md")):
        for found in re.findall(r"\]\([^)]*glossary\.md#([^)]+)\)", page.read_text("utf-8")):
            assert found in known, f"{page.name} links to #{found}"


@pytest.mark.parametrize("name", [*LINKING, *(f"docs/explanation/{page}.md" for page in CONCEPTS)])
def test_pages_that_introduce_terms_link_to_the_glossary(name: str) -> None:
    assert "glossary.md" in (ROOT / name).read_text("utf-8")
