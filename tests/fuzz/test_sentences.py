"""No question crashes SQL or a condition: a slice of `python -m tests.fuzz`; and what is nested deep or huge."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from ripost.errors import QueryError
from ripost.query.condition import parse_condition
from tests.answering.making import make_view
from tests.fuzz.cases import Cases

CASES = 1000


def test_odd_questions() -> None:
    cases, ends = Cases(), Counter[str]()
    for number in range(CASES):
        verdict = cases.judge("queries", number)
        assert not verdict.is_fault, (cases.question(number), verdict)
        ends[verdict.end] += 1
    assert ends["answered"] > CASES / 20
    assert ends["refused"] > CASES / 4


@pytest.mark.parametrize(
    ("kind", "cases"), [("deep", 100), ("heavy", 12), ("names", 200), ("wide", 6), ("overflow", 60)]
)
def test_hostile_classes(kind: str, cases: int) -> None:
    judge, ends = Cases(), Counter[str]()
    for number in range(cases):
        verdict = judge.judge(kind, number)
        assert not verdict.is_fault, (kind, number, verdict)
        ends[verdict.end] += 1
    assert ends["answered"]


def test_the_fuzzer_prints_its_slowest_case_and_ends_one_that_takes_too_long() -> None:
    """The limit is of processor time, so a busy machine makes no case a fault."""
    command = [sys.executable, "-m", "tests.fuzz", "--deep", "2"]
    root = Path(__file__).parents[2]
    sound = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert sound.returncode == 0 and re.search(r"slowest \w+: case [01], \d+\.\d\d s of processor time", sound.stdout)
    long = [
        sys.executable,
        "-m",
        "tests.fuzz",
        "--heavy",
        "2",
        "--limit",
        "0.000001",
    ]  # longer than a tick of the clock
    ended = subprocess.run(long, cwd=root, capture_output=True, text=True, check=False)
    assert ended.returncode == 1 and re.search(r"case [01] ended its process with", ended.stdout)


@pytest.mark.parametrize(
    "condition",
    [
        "(" * 10_000 + "x0 = 1" + ")" * 10_000,
        "NOT " * 10_000 + "x0 = 1",
        "x0 = " + "(" * 10_000 + "1" + ")" * 10_000,
        "FLOOR(" * 5_000 + "x0" + ")" * 5_000 + " = 1",
        "x0 = " + "9" * 40_000,
        "x0 = '" + "9" * 40_000 + "'",
        " AND ".join(f"(x0 = {i % 12} OR x1 = {i % 7})" for i in range(1000)),
        "x0 = 1e",
        "x0 IN (" + ", ".join("1" for _ in range(10_000)) + ")",
        "x0 = 1 " * 6_000,
        "x" * 60_000,
    ],
    ids=lambda text: text[:12],
)
def test_what_nobody_would_write(condition: str) -> None:
    """A sentence, in a moment; some of it is a question after all."""
    view, started = make_view(), time.process_time()
    for ask in (
        lambda: view.answer_regions([parse_condition(condition, view.domain)]),
        lambda: view.sql(f"SELECT COUNT(*) FROM view WHERE {condition}"),
    ):
        try:
            ask()
        except QueryError as error:
            assert len(str(error)) < 600 and str(error).isprintable()
    assert time.process_time() - started < 10


def test_quantiles_of_a_dimension_with_billions_of_codes() -> None:
    view = make_view((2**31 - 3, 2), leaves=9)
    with pytest.raises(QueryError, match="bins in all groups"):
        view.sql("SELECT MEDIAN(x0) FROM view")
    assert len(view.sql("SELECT MEDIAN(x0) FROM view WHERE x0 < 1000"))


def test_warnings_of_the_parser_do_not_quote_the_question(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(QueryError):
        make_view().sql("SET Zaphod FROM view SET Zaphod FROM view")
    assert "Zaphod" not in capfd.readouterr().err
