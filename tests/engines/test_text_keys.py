"""One exam for all engines and collations: keys that say how text spells values, on hostile text.

The expected cells come from a loop that reads one text at a time with Python's own parsers.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ripost.data.read import read_tensor
from ripost.schema.schema import Schema
from tests.engines.stores import EACH_STORE, STORES, Store
from tests.sources.twin import cells_of, slow_code

pytestmark = pytest.mark.filterwarnings("ignore")  # sockets of Py4J; what DuckDB 2 deprecates
ENGINES = [store for store in STORES if store.collation in (None, "text", "STRING COLLATE UTF8_BINARY")]
ODD = [
    *("x", "NA", "-", "+", ".", ",", "e5", "nan", "inf", "-Infinity", "1e999", "1e-999", "9" * 400, "0x10", "1_0", "٣"),
    *("１", "1\u00a0", "a\nb", "1\n", "\t1", "1 2", "1;2", "--1", "1-", "%d", "\\1", "$1", "'", '"', "😀", "NULL", "𝟙"),
    *("1\x00", "\x00", "[", "(", "1\u2028", "1\r", "\u2028", "1\x85"),
]
NUMBERS = [
    *(
        "1.234,50",
        "1234,5",
        "1.234",
        "1.23",
        "12.34.567",
        "1.234.567,8",
        "1,5",
        "-1,5",
        "+1,5",
        " 1,5 ",
        ",5",
        "5,",
        "1.5",
    ),
    *("2,5e3", "1e2", "1E+2", "100e-2", "1e", "0", "-0", "-0,0", "999", "999,0", "-1", "1.000.000", "10.00", "1,2,3"),
    *("0,1", "0,2", "0,30000000000000004", "99,99999999999999999", "0,6", "0,7", "1,1", "4,35", "100", "1.5"),
]
MOMENTS = [
    *("31/01/2020", "1/2/2020", "01/02/2020", "31/02/2020", "29/02/2020", "29/02/2019", "29/02/2000", "29/02/1900"),
    *("31/04/2020", "30/04/2020", "00/01/2020", "01/00/2020", "01/13/2020", "32/01/2020", "2020-01-31", "31-01-2020"),
    *("31/01/20", "31/01/20200", " 31/01/2020 ", "31/01/2020x", "31/1/2020", "31//2020", "9/9/0000", "9/9/0001"),
    *("9/9/9999", "31/12/1999", "01/01/1970", "31/12/1969", "01/01/1900", "31/01/2020 08:00", "31/01/2020\n"),
]
CLOCKS = [
    *("Jan 5, 20 8:05 PM", "jan 31, 20 12:00 am", "FEB 29, 20 12:59 pm", "Feb 29, 21 1:00 AM", "Feb 30, 20 1:00 AM"),
    *("Dec 31, 68 11:59 PM", "Dec 31, 69 11:59 PM", "Sep 9, 99 01:01 AM", "Sept 9, 99 01:01 AM", "May 1, 20 0:00 AM"),
    *("May 1, 20 13:00 PM", "May 1, 20 1:60 PM", "May 1, 20 1:00 XM", "May 1, 20 1:00", "may 1, 20  1:00 PM"),
]
NAMES = [
    *("Zürich", "ZÜRICH", "zürich", "zu\u0308rich", "Zurich", "New York", "NEW YORK", "new york ", "NYC", "nyc", "Nyc"),
    *(
        "ΑΘΉΝΑΣ",
        "αθήνας",
        "Αθήνασ",
        "Kiel",
        "\u212aiel",
        "KIEL",
        "straße",
        "STRASSE",
        "STRAẞE",
        "İ",
        "i",
        "I",
        "ı",
        "ſ",
    ),
    *(
        "n/a",
        "N/A",
        "n/A",
        "-",
        "missing",
        "ǅ",
        "ǆ",
        "Ǆ",
        "s",
        "S",
        "日本",
        "Kie\x00l",
        "kiel\x00",
        "KIEL%",
        "a\\b",
        "A\\B",
    ),
]


@pytest.fixture(params=EACH_STORE, ids=str)
def store(request: pytest.FixtureRequest) -> Store:
    return request.param  # type: ignore[no-any-return]


def compare(
    store: Store,
    texts: list[str],
    keys: dict[str, Any],
    read: Callable[[str], Any],
    folder: Path,
    request: pytest.FixtureRequest,
) -> None:
    """Read texts, the second twice and so on, and compare with what a loop makes of them."""
    if store.engine in ("postgres", "csv"):
        texts = [text for text in texts if "\0" not in text]
    texts = [text for text in texts if len(text) <= 80] if store.pads else texts
    column = [text for number, text in enumerate(dict.fromkeys(texts)) for _ in range(number % 7 + 1)]
    schema = Schema.from_dict({"attributes": {"x": keys}})
    attribute = schema.attributes["x"]
    expected: Counter[tuple[int, ...]] = Counter()
    for text in [*column, None]:
        value = None if text is None else read(text.rstrip(" ") if store.pads else text)
        code = value if isinstance(value, Coded) else slow_code(value, attribute)
        if code is not None:
            expected[int(code),] += 1
    with store.holds(
        pa.table({"x": pa.array([*column, None], pa.string())}), folder, request.getfixturevalue
    ) as source:
        assert cells_of(read_tensor(source[0], schema, table=source[1])) == expected


class Coded(int):
    """A code, as opposed to a value."""


def read_comma(text: str) -> float | None:
    text = text.strip(" \t\n\r\v\f")
    if not re.fullmatch(r"[+-]?([0-9]{1,3}(\.[0-9]{3})+|[0-9]{1,200})?(,[0-9]{0,200})?([eE][+-]?[0-9]{1,2})?", text):
        return None
    with suppress(ValueError):
        found = float(text.replace(".", "").replace(",", "."))
        return None if found == 999 else found
    return None


@pytest.mark.parametrize("outside", ["clamp", "other", "drop"])
def test_decimal_commas_are_read_alike(
    store: Store, outside: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    keys = {"type": "number", "min": -2, "max": 100, "width": 0.1, "outside": outside}
    keys |= {"decimal": ",", "thousands": ".", "missing_values": ["NA", 999]}
    compare(store, [*NUMBERS, *ODD], keys, read_comma, tmp_path, request)


def test_whole_numbers_with_thousands_are_read_alike(
    store: Store, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    keys = {"type": "integer", "min": -10, "max": 2000, "width": 7, "decimal": ",", "thousands": "."}
    compare(store, [*NUMBERS, *ODD], {**keys, "missing_values": ["999"]}, read_comma, tmp_path, request)


def read_day(text: str) -> dt.datetime | None:
    text = text.strip(" \t\n\r\v\f")
    if not re.fullmatch(r"[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}", text):
        return None
    with suppress(ValueError):
        found = dt.datetime.strptime(text, "%d/%m/%Y")
        return None if found == dt.datetime(1900, 1, 1) else found
    return None


@pytest.mark.parametrize("kind", ["date", "timestamp"])
def test_days_in_a_format_are_read_alike(
    store: Store, kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    ends: dict[str, Any] = {"min": dt.date(1950, 1, 1), "max": dt.date(2021, 12, 31)}
    if kind == "timestamp":
        ends = {"min": dt.datetime(1950, 1, 1), "max": dt.datetime(2022, 1, 1)}
    keys = {"type": kind, **ends, "width": "1 month", "format": "%d/%m/%Y", "missing_values": ["01/01/1900", "-"]}
    compare(store, [*MOMENTS, *ODD], keys, read_day, tmp_path, request)


def read_clock(text: str) -> dt.datetime | None:
    text = text.strip(" \t\n\r\v\f")
    if not re.fullmatch(r"[A-Za-z]{3} [0-9]{1,2}, [0-9]{2} [0-9]{1,2}:[0-9]{2} [AaPp][Mm]", text):
        return None
    with suppress(ValueError):
        return dt.datetime.strptime(text, "%b %d, %y %I:%M %p")
    return None


@pytest.mark.parametrize(("first", "last", "width"), [(1960, 2070, "1 year"), (2020, 2021, "6 hours")])
def test_names_of_months_and_halves_of_days_are_read_alike(
    store: Store, first: int, last: int, width: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    keys = {"type": "timestamp", "min": dt.datetime(first, 1, 1), "max": dt.datetime(last, 1, 1), "width": width}
    keys |= {"format": "%b %d, %y %I:%M %p", "outside": "other"}
    compare(store, [*CLOCKS, *MOMENTS, *ODD], keys, read_clock, tmp_path, request)


@pytest.mark.parametrize("listed", ["many", "few"])
@pytest.mark.parametrize("fold_case", [False, True])
@pytest.mark.parametrize("missing", ["bin", "drop"])
def test_cases_and_aliases_are_read_alike(
    store: Store, listed: str, fold_case: bool, missing: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    values = ["Zürich", "New York", "Αθήνας", "Kiel", "straße", "ǆ", "s", "a\\b"]
    values += [f"place {number}" for number in range(12)] if listed == "many" else []
    aliases = {"NYC": "New York", "日本": "Kiel"}
    absent = ["n/a", "-"]
    keys = {"type": "category", "values": values, "aliases": aliases, "missing_values": absent, "missing": missing}

    def same(one: str, other: str) -> bool:
        """Letters that are one letter in either case; Python's casefold knows more than one letter for ß and İ."""
        if not fold_case or len(one) != len(other):
            return one == other
        return all(
            a == b or (a.casefold() == b.casefold() and len(a.casefold()) == 1) or (a + b in ("ßẞ", "ẞß"))
            for a, b in zip(one, other, strict=True)
        )

    def read(text: str) -> Any:
        if any(same(text, one) for one in absent):
            return None
        spelled = {**{value: value for value in values}, **aliases}
        found = next((value for one, value in spelled.items() if same(text, one)), None)
        return Coded(len(values) if found is None else values.index(found))

    compare(store, [*NAMES, *ODD], {**keys, "fold_case": fold_case}, read, tmp_path, request)


def test_a_boolean_has_spellings_of_missing(store: Store, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    codes = {"yes": 1, "Y": 1, "no": 0, "N": None, "n": None, "0": 0, "1": 1, "?": None}
    compare(
        store, list(codes), {"type": "boolean", "missing_values": ["N", "?"]},
        lambda text: None if codes[text] is None else Coded(codes[text]), tmp_path, request,
    )  # fmt: skip
