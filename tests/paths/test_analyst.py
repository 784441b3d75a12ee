"""The analyst's path: SQL, Python and a database, from the view alone."""

from __future__ import annotations

import re

import pytest

from tests.marks import slow
from tests.paths.conftest import Office

KEPT = "Note: only kept rows count, at most 5 of each Reader ID"
WORDS = {"centre": "Centre", "préville": "Préville", "port": "Port", "bus": "Mobile"}


def number(text: str) -> float:
    return float(text.replace(",", ""))


def near(value: float, low: float, high: float, truth: float) -> bool:
    """Within ten times the interval of 95 %: noise leaves it less than once in a billion times."""
    return abs(value - truth) <= 10 * (high - low)


def test_sql_on_the_command_line(reader_office: Office) -> None:
    printed = reader_office.run(
        "query", "loans.ripost.parquet", "SELECT branch, COUNT(*) AS n FROM loans GROUP BY branch"
    )
    head, rule, *rows, note = printed.splitlines()
    assert head.split() == ["branch", "n", "n_low", "n_high"] and set(rule) == {"─"} and note.startswith(KEPT)
    for name, *figures in map(str.split, rows):
        assert near(*map(number, figures), reader_office.table.branches[WORDS[name]]), name
    month = reader_office.run("query", "loans.ripost.parquet", "lent between '2024-06-01' and '2024-06-30'")
    figures = re.match(r"COUNT\(\*\): ([\d,]+) \(95 %: ([\d,]+) to ([\d,]+)\)\n", month)
    assert figures and near(*map(number, figures.groups()), reader_office.table.june)
    same = reader_office.run("query", "loans.ripost.parquet", "EXTRACT(month FROM lent) = 6")
    assert same == month, "June 30 is in June"
    ranges = reader_office.run("query", "loans.ripost.parquet", "SELECT fee, COUNT(*) FROM loans GROUP BY fee")
    assert " 0 to 1 " in ranges and "(missing) " in ranges and "NULL" not in ranges


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("SELECT EXTRACT(hour FROM lent), COUNT(*) FROM loans GROUP BY 1", "lent is a date without a time of day"),
        ("brnach = 'port'", "did you mean 'branch'?"),
        slow("branch = 'Port'", "branch has no value 'Port'; did you mean 'port'?"),
        slow("fee = NULL", "ask IS NULL or IS NOT NULL"),
        slow("SELECT * FROM loans", "the view holds no rows"),
        slow("SELECT COUNT(DISTINCT branch) FROM loans", "the view holds no distinct values"),
    ],
)
def test_questions_that_are_refused_say_what_to_ask(reader_office: Office, question: str, sentence: str) -> None:
    assert sentence in reader_office.refuse("query", "loans.ripost.parquet", question)


PROGRAM = """
import ripost
view = ripost.open("loans.ripost.parquet")
print(view.title, view.columns, len(view), sep=" | ")
late = view.count("days > 28") / view.count()
print(late)
print(view.mean("days", branch="port"))
print(view.compare("branch = 'centre'", "branch = 'bus'"))
print(view.pivot("branch", ("days", 20), intervals=True))
try:
    view.count(branch="Prague")
except ripost.RipostError as error:
    print(error)
"""


def test_python(reader_office: Office) -> None:
    title, share, mean, verdict, _, head, *rows, error = reader_office.compute(PROGRAM).splitlines()
    assert title == "Loans of a town's library | ['branch', 'lent', 'fee', 'days'] | 4"
    assert re.fullmatch(r"0\.\d+ \(95 %: 0\.\d+ to 0\.\d+\)", share)
    value, low, high = map(float, re.fullmatch(r"([\d.]+) \(95 %: ([\d.]+) to ([\d.]+)\)", mean).groups())  # type: ignore[union-attr]
    assert low <= value <= high and near(value, low, high, 30)
    assert re.fullmatch(
        r"branch = 'centre' has more rows than branch = 'bus': [\d,]+ more \([\d,]+ to [\d,]+, 95 %\)\.", verdict
    )
    assert re.split(" {2,}", head.strip())[:4] == ["branch", "0 to 19", "0 to 19_low", "0 to 19_high"]
    assert [row.split()[0] for row in rows[:4]] == list(WORDS)
    assert error == "branch has no value 'Prague'; known: centre, préville, port, bus"


DATABASE = """
import duckdb
connection = duckdb.connect("loans.duckdb", read_only=True)
for row in connection.sql("SELECT * FROM loans_by(['branch'])").fetchall():
    print(*row[:2], sep=";")
print(connection.sql("SELECT * FROM loans_by(['branch', 'fee'])").columns)
"""


def test_a_database_without_ripost(reader_office: Office) -> None:
    assert "SELECT * FROM loans_by(['branch'])" in reader_office.run("export", "loans.ripost.parquet", "loans.duckdb")
    *rows, columns = reader_office.compute(DATABASE).splitlines()
    csv = reader_office.run(
        "query", "loans.ripost.parquet", "SELECT branch, COUNT(*) FROM loans GROUP BY branch", "--csv"
    )
    told = {name: float(count) for name, count, *_ in (line.split(",") for line in csv.splitlines()[1:])}
    assert {name: float(count) for name, count in (row.split(";") for row in rows)} == pytest.approx(told, rel=1e-9)
    assert columns == "['branch', 'fee', 'count', 'count_stderr', 'count_low', 'count_high', 'count_note']"
