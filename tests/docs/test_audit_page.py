"""The audit's page holds every method, no bound above what was asked, and no fault that was missed."""

from __future__ import annotations

from ripost.methods import METHODS
from tests.audit.table import EPSILON, FAULTS, PATHS
from tests.conftest import ROOT


def rows(number: int) -> list[list[str]]:
    """The cells of one of the page's tables, without its head."""
    text = (ROOT / "docs" / "audit.md").read_text("utf-8")
    tables = [part for part in text.split("\n\n") if part.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in tables[number].splitlines()[2:]]


def test_every_method_is_there_and_keeps_its_promise() -> None:
    found = rows(0)
    assert [row[0].strip("`") for row in found] == list(METHODS)
    for name, asked, exact, _, runs, bound in found:
        assert asked == EPSILON, name
        assert float(bound) <= float(asked) and 0 < float(exact) <= float(asked), name
        assert int(runs.replace(",", "")) >= 100


def test_other_ways_keep_it_too() -> None:
    found = rows(1)
    assert [row[0] for row in found] == [case.title for case in PATHS]
    assert all(float(bound) <= float(asked) for _, asked, _, bound in found)


def test_faults_were_seen() -> None:
    found = rows(2)
    assert [row[0] for row in found] == [case.title for case in FAULTS]
    assert all(float(bound) > float(asked) for _, asked, _, bound in found)
