"""The audit's page: every method shows some of its loss, no bound exceeds epsilon, and no fault was missed."""

from __future__ import annotations

from ripost.methods import METHODS
from tests.audit.engines import ENGINES, FAULTS, SHOWN, SOUND, TOLD
from tests.audit.methods import CASES
from tests.conftest import ROOT

CLEARLY = 0.1  # above 0


def table(number: int) -> list[list[str]]:
    """The cells of one of the page's tables, its head first."""
    text = (ROOT / "docs" / "explanation" / "audit.md").read_text("utf-8")
    lines = [part for part in text.split("\n\n") if part.startswith("|")][number].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in (lines[0], *lines[2:])]


def test_every_method_shows_some_of_its_loss_and_keeps_its_promise() -> None:
    _, *found = table(0)
    assert [row[0].strip("`") for row in found] == list(METHODS)
    for (name, asked, _, exact, _, runs, bound), case in zip(found, CASES, strict=True):
        assert (asked, runs) == (f"{case.epsilon}", f"{case.runs:,}"), name
        assert CLEARLY <= float(bound) <= case.epsilon, name
        assert 0 < float(exact.rstrip("%")) <= 100, name


def test_every_engine_keeps_its_promise() -> None:
    (_, *head), *found = table(1)
    assert head == list(ENGINES)
    for (title, *bounds), trial in zip(found, SOUND, strict=True):
        assert title.endswith(trial.policy) and title.startswith("a person" if trial.unit else "a row")
        assert all((CLEARLY if trial.shows else 0) <= float(bound) <= SHOWN for bound in bounds), title


def test_every_fault_was_seen_on_every_engine() -> None:
    (_, *head), *found = table(2)
    assert head == list(ENGINES)
    assert [title for title, *_ in found] == list(FAULTS)
    assert all(float(bound) > TOLD for _, *bounds in found for bound in bounds)
