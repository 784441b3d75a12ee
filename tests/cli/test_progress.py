"""What is shown while a table is published: how much was read, what is left, what is drawn."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from ripost.cli import output


@pytest.fixture
def progress_lines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    lines: list[str] = []
    clock = iter(range(100))

    @contextmanager
    def steps(_: str):  # type: ignore[no-untyped-def]
        yield lines.append

    monkeypatch.setattr(output, "show_status", steps)
    monkeypatch.setattr(output, "monotonic", lambda: float(next(clock)))
    return lines


def test_an_estimate_goes_by_the_pace_of_the_reading(progress_lines: list[str]) -> None:
    with output.progress("Publishing") as (_, read):
        for share in (0.1, 0.3, 0.5, 1.0):  # a second between looks
            read(share)
    assert progress_lines == [
        "reading the table: 10%",
        "reading the table: 30%, about 4 s left",
        "reading the table: 50%, about 3 s left",
        "reading the table: 100%",
    ]


def test_a_reading_that_stands_still_has_no_estimate(progress_lines: list[str]) -> None:
    with output.progress("Publishing") as (_, read):
        read(0.5)
        read(0.5)
    assert progress_lines == ["reading the table: 50%"] * 2


def test_draws(progress_lines: list[str]) -> None:
    with output.progress("Publishing") as (draw, _):
        draw("total", 1)
        draw("depth 3", 65536)
    assert progress_lines == ["total: 1 block, 1 s so far", "depth 3: 65,536 blocks, 2 s so far"]
