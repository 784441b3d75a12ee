"""Drafts of messy text: the keys that say how it is spelled, marked, so that the confirmed draft reads every value."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import Any

import pytest

from ripost.check.fit import measure_fit
from ripost.draft.draft_schema import draft_schema
from ripost.draft.format_draft import format_draft
from ripost.draft.names_of_people import look_like_people
from ripost.draft.text_spelling import find_format, find_signs
from ripost.schema.schema import Schema

ROWS = 600


def messy() -> dict[str, list[str]]:
    """Text as people type it: other dates, decimal commas, any case, spaces, several words for missing."""
    days = [dt.date(1950 + n % 60, n % 12 + 1, n % 28 + 1) for n in range(ROWS)]
    return {
        "idNum": [str(n // 3) for n in range(ROWS)],
        "doctor_name": [("Ann Lee", "Bo Chen")[n % 2] for n in range(ROWS)],
        "referrer": [("Dr. Lee", "Prof. Chen", "Dr Roe")[n % 3] for n in range(ROWS)],
        "born": [f"{day:%d/%m/%Y}" for day in days],
        "seen": [f"{day.day}.{day.month}.2024 {n % 24:02d}:30" for n, day in enumerate(days)],
        "paid": ["NA" if n % 4 == 0 else f"{n % 9}.{n % 1000:03d},{n % 100:02d}" for n in range(ROWS)],
        "weight": ["-" if n % 5 == 0 else f"{50 + n % 40},5" for n in range(ROWS)],
        "town": [("Lyon", "LYON", "lyon ", "Paris", "n/a", "paris", "Lyon", "Paris")[n % 8] for n in range(ROWS)],
        "sex": [("F", "m", "f", "M")[n % 4] for n in range(ROWS)],
        "visits": ["" if n % 7 == 0 else str(n % 5) for n in range(ROWS)],
    }


def write(folder: Path, table: dict[str, list[str]]) -> str:
    lines = [";".join(table), *(";".join(f'"{one}"' for one in row) for row in zip(*table.values(), strict=True))]
    (folder / "t.csv").write_text("\n".join([*lines, ""]), "utf-8")
    return str(folder / "t.csv")


def test_every_spelling_is_drafted_and_marked_and_the_confirmed_draft_fits_every_row(tmp_path: Path) -> None:
    source = write(tmp_path, messy())
    text = format_draft(draft_schema(source))
    draft = Schema.parse(text)
    keys = {name: attribute.model_dump(exclude_none=True) for name, attribute in draft.attributes.items()}
    assert list(keys) == ["born", "seen", "paid", "weight", "town", "sex", "visits"]
    assert (keys["born"]["type"], keys["born"]["format"]) == ("date", "%d/%m/%Y")
    assert (keys["seen"]["type"], keys["seen"]["format"]) == ("timestamp", "%d.%m.%Y %H:%M")
    assert (keys["paid"]["decimal"], keys["paid"]["thousands"]) == (",", ".")
    assert (keys["weight"]["type"], keys["weight"]["decimal"]) == ("number", ",")
    assert keys["town"]["values"] == ("Lyon", "Paris")
    assert keys["town"]["fold_case"] and keys["town"]["aliases"] == {"lyon ": "Lyon"}
    assert keys["town"]["missing_values"] == ("n/a",)
    assert keys["sex"]["fold_case"] and keys["sex"]["values"] == ("F", "M")
    assert keys["visits"]["type"] == "integer" and "missing_values" not in keys["visits"]
    assert (keys["paid"]["missing_values"], keys["weight"]["missing_values"]) == (("NA",), ("-",))
    for name, spelled in (("born", "format"), ("paid", "thousands"), ("town", "aliases"), ("sex", "fold_case")):
        assert spelled in draft.unreviewed[name]
    assert draft.unreviewed[""] == ("unit",) and '#   unit = "idNum"' in text

    confirmed = Schema.parse(re.sub(r"(?m)^unreviewed = .*$", "", text))
    for fit in measure_fit(source, confirmed).columns:
        assert (fit.outside, fit.unparsed) == (0, 0), fit


def test_names_of_people_are_in_no_draft(tmp_path: Path) -> None:
    text = format_draft(draft_schema(write(tmp_path, messy())))
    for name in ("Ann Lee", "Bo Chen", "Dr. Lee", "Prof. Chen"):
        assert name not in text
    assert 'Left out, "referrer": its values look like names of people.' in text


@pytest.mark.parametrize(
    ("values", "people"),
    [
        (["Anna Müller"], True),
        (["José García", "Marie-Claire Dubois"], True),
        (["Jürgen", "Petra", "Lyon"], True),
        (["Lee, Bo", "Dr. Chen"], True),
        (["New York", "Los Angeles", "Sofia", "Milan", "San José"], False),
        (["Anna's flower shop on the hill road", "JFK", "LGA"], False),
        (["HR", "Sales"], False),
        ([], False),
    ],
)
def test_what_looks_like_names_of_people(values: list[str], people: bool) -> None:
    assert look_like_people(values) is people


def test_a_draft_has_one_block_of_comments_at_its_top(tmp_path: Path) -> None:
    text = format_draft(draft_schema(write(tmp_path, messy())))
    lines = text.splitlines()
    first = next(number for number, line in enumerate(lines) if not line.startswith("#"))
    assert first > 5 and not any("#" in line for line in lines[first:])
    assert 'values_file = "codes.csv"' in "\n".join(lines[:first])


@pytest.mark.parametrize(
    ("texts", "format", "unsure"),
    [
        (["31/01/2020", "1/2/2020"], "%d/%m/%Y", False),
        (["01/31/2020", "1/2/2020"], "%m/%d/%Y", False),
        (["01/02/2020", "03/04/2020"], "%d/%m/%Y", True),
        (["31-Jan-2020", "1-feb-2020"], "%d-%b-%Y", False),
        (["Jan 5, 2020 8:05 PM"], "%b %d, %Y %I:%M %p", False),
        (["20200131", "20200229"], "%Y%m%d", False),
        (["31/01/2020", "31/02/2020"], None, False),
        (["north", "south"], None, False),
    ],
)
def test_formats(texts: list[str], format: str | None, unsure: bool) -> None:
    assert find_format([(text, 10) for text in texts], 0.95) == (format, unsure)


@pytest.mark.parametrize(
    ("texts", "signs"),
    [
        (["1,5", "2,25"], (",", None)),
        (["1.234,50", "7,5"], (",", ".")),
        (["1,234", "5,678"], (".", ",")),
        (["1,234.5", "7"], (".", ",")),
        (["0,125", "0,250"], (",", None)),
        (["1 234,5"], (",", " ")),
        (["1'234.50"], (".", "'")),
        (["x", "y"], (None, None)),
    ],
)
def test_signs(texts: list[str], signs: tuple[Any, Any]) -> None:
    assert find_signs([(text, 10) for text in texts], 0.95) == signs


def test_a_guess_of_day_and_month_is_told(tmp_path: Path) -> None:
    table = {"day": [f"0{n % 9 + 1}/0{n % 7 + 1}/2020" for n in range(200)], "x": ["1"] * 200}
    text = format_draft(draft_schema(write(tmp_path, table)))
    assert "day: the format of its dates is a guess, since day and month can be read either way." in text
