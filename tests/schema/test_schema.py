"""The schema file: what it says, and one sentence for each way to get it wrong."""

from __future__ import annotations

import datetime as dt
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from ripost.errors import SchemaError
from ripost.schema.attribute import Boolean, Category, Date, Integer, Number, Timestamp
from ripost.schema.measure import COUNT, ROW, Measure, Unit
from ripost.schema.schema import Schema
from tests.conftest import ROOT
from tests.sources.conftest import SCHEMA

HOUR = "[attributes.hour]\ntype = 'integer'\nmin = 0\nmax = 23\n"


def complaint(text: str) -> str:
    """What is said of a wrong schema: one sentence that begins with the file."""
    with pytest.raises(SchemaError) as caught:
        Schema.parse(text, name="flights.toml")
    message = str(caught.value)
    assert message.startswith("flights.toml: ") and "\n" not in message and len(message) < 250
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return message.removeprefix("flights.toml: ")


def test_a_schema_has_its_attributes_in_the_order_of_the_file(schema: Schema) -> None:
    assert schema.domain.names == ("hour", "delay", "origin", "airport", "day", "left", "night")
    assert [type(attribute) for _, attribute in schema.domain] == [
        Integer, Number, Category, Category, Date, Timestamp, Boolean,
    ]  # fmt: skip
    assert schema.domain.shape == (6 + 1, 8 + 2, 3 + 1, 14 + 2, 12 + 1, 4 + 1, 2 + 1)
    assert schema.columns == ("hour", "delay", "origin", "day", "left", "night", "person", "distance")


def test_a_schema_says_whom_it_protects_and_what_it_adds_up(schema: Schema) -> None:
    assert schema.row_unit == Unit("person", 2)
    assert schema.measure == Measure("distance", 0.5, 200)
    plain = Schema.parse(HOUR)
    assert (plain.row_unit, plain.measure, plain.title) == (ROW, COUNT, None)


@pytest.mark.parametrize(("total", "bound"), [({"max": 5000}, 5000), ({"max": 2.1}, 3), ({"max": 1, "step": 0.3}, 4)])
def test_the_bound_is_in_whole_steps(total: dict[str, float], bound: int) -> None:
    schema = Schema.from_dict({"measure": {"sum": "x", **total}, "attributes": {"b": {"type": "boolean"}}})
    assert schema.measure.bound == bound


def test_a_schema_is_loaded_from_a_file(tmp_path: Path, schema: Schema) -> None:
    path = tmp_path / "s.toml"
    path.write_bytes(b"\xef\xbb\xbf" + SCHEMA.encode())
    assert Schema.load(path) == Schema.load(str(path)) == schema


def test_a_schema_cannot_be_changed(schema: Schema) -> None:
    with pytest.raises(ValueError, match="frozen"):
        schema.title = "another"  # type: ignore[misc]


def test_a_thousand_attributes_are_fine() -> None:
    text = "".join(f"[attributes.a{n}]\ntype = 'boolean'\n" for n in range(1500))
    assert Schema.parse(text).domain.size == 3**1500


def test_norway_stays_a_country() -> None:
    schema = Schema.parse("[attributes.land]\ntype = 'category'\nvalues = ['NO', 'SE', 10]")
    assert schema.attributes["land"].values == ("NO", "SE", "10")  # type: ignore[union-attr]


FILES: dict[str, tuple[bytes | None, str]] = {
    "nowhere.toml": (None, "nowhere.toml: there is no such schema file; `ripost init` drafts one from a table"),
    "latin.toml": ("title = 'é'".encode("latin-1"), "latin.toml: is not UTF-8 text"),
    "t.parquet": (b"PAR1\xff", "t.parquet: is not UTF-8 text; give the table first, then the schema, a TOML file"),
    "broken.toml": (b"title = ", "broken.toml: is not valid TOML: invalid value (at end of document)"),
    "deep.toml": (b"a = " + b"[" * 100_000, "deep.toml: is nested too deep"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_bad_file_is_refused(name: str, tmp_path: Path) -> None:
    content, expected = FILES[name]
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(SchemaError) as caught:
        Schema.load(tmp_path / name)
    assert str(caught.value).endswith(expected)


def test_a_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="is a directory; give the schema file in it"):
        Schema.load(tmp_path)


NAME = "a name must be printable text without space around it"
WRONG = {
    "": "attributes is missing",
    "[attributes]": "attributes must not be empty",
    "attributes = 3": "attributes must be a table, got 3",
    "[attributes]\nhour = 3": "attribute hour: it must be a table, got 3",
    "titel = 'x'\n" + HOUR: "unknown key 'titel'; did you mean 'title'?",
    "title = 5\n" + HOUR: "title must be text, got 5",
    HOUR + HOUR: "attribute hour is defined twice (at line 5, column 17)",
    HOUR + "min = 1": "a key is given twice (at end of document)",
    HOUR + "[attributes.Hour]\ntype = 'boolean'": "attribute Hour: its name differs from hour only in case",
    "[attributes.'']\ntype = 'boolean'": "attribute '': " + NAME,
    "[attributes.'a ']\ntype = 'boolean'": "attribute 'a ': " + NAME,
    '[attributes."a\\tb"]\ntype = "boolean"': "attribute 'a\\tb': " + NAME,
    "max_rows = 3\n" + HOUR: "max_rows needs unit: name the column that identifies people",
    "unit = 'p'\n" + HOUR: "unit needs max_rows: say how many rows of one p are kept at most",
    "unit = ''\nmax_rows = 1\n" + HOUR: "unit must not be empty",
    "unit = 'p'\nmax_rows = 0\n" + HOUR: "max_rows must be at least 1, got 0",
    "unit = 'p'\nmax_rows = 1.5\n" + HOUR: "max_rows must be a whole number, got 1.5",
    "unit = 'p'\nmax_rows = true\n" + HOUR: "max_rows must be a whole number, got true",
    "unit = 'hour'\nmax_rows = 1\n" + HOUR: "attribute hour: is the unit; a view is not split by whom it protects",
    "measure = 3\n" + HOUR: "measure: it must be a table, got 3",
    "[measure]\nmax = 3\n" + HOUR: "measure: sum is missing",
    "[measure]\nsum = 'x'\n" + HOUR: "measure: max is missing",
    "[measure]\nsum = 'x'\nmax = 0\n" + HOUR: "measure: max must be above 0.0, got 0",
    "[measure]\nsum = 'x'\nmax = inf\n" + HOUR: "measure: max must be finite, got inf",
    "[measure]\nsum = 'x'\nmax = 5\nstp = 1\n" + HOUR: "measure: unknown key 'stp'; did you mean 'step'?",
    "[measure]\nsum = 'x'\nmax = 0.5\n" + HOUR: "measure: step must not be above max, got step 1 and max 0.5",
    "[measure]\nsum = 'x'\nmax = 1e12\n"
    + HOUR: "measure: step must be larger: max may be 2147483647 steps, got step 1",
}
INTEGER, NUMBER, CATEGORY = "type = 'integer'\nmin = 0\n", "type = 'number'\n", "type = 'category'\n"
DATE, MOMENT = "type = 'date'\n", "type = 'timestamp'\n"
YEAR = "min = 2013-01-01\nmax = 2014-01-01\n"
KEYS = {
    "min = 3": "type is missing; it is one of integer, number, date, timestamp, category, boolean",
    "type = 'intger'": "unknown type 'intger'; did you mean 'integer'?",
    "type = 3": "unknown type '3'; known: integer, number, date, timestamp, category, boolean",
    "type = 'integer'\nmin = 9\nmax = 3": "min must not be above max, got min 9 and max 3",
    "type = 'integer'\nmin = '9'\nmax = 10": "min must be a whole number, got '9'",
    INTEGER: "max is missing",
    INTEGER + "max = 0.5": "max must be a whole number, got 0.5",
    INTEGER + "max = 5\nwidth = 0": "width must be at least 1, got 0",
    INTEGER + "max = 5\nwdth = 1": "unknown key 'wdth'; did you mean 'width'?",
    INTEGER + "max = 5\nmissing = 'keep'": "missing must be 'bin' or 'drop', got 'keep'",
    INTEGER + "max = 5\noutside = 'x'": "outside must be 'clamp', 'other' or 'drop', got 'x'",
    INTEGER + "max = 5\ncolumn = ''": "column must not be empty",
    INTEGER + "max = 99999999999": "must have between 1 and 2147483645 bins, got 100000000000",
    INTEGER + "max = 99999999999999999": "min, max and width must lie within 2^52 of zero",
    NUMBER: "needs min, max and one of bins and width, or edges",
    NUMBER + "min = 0\nmax = 1": "needs min, max and one of bins and width, or edges",
    NUMBER + "min = 1\nmax = 1\nbins = 2": "min must be below max, got min 1 and max 1",
    NUMBER + "min = 0\nmax = 1\nbins = 0": "bins must be at least 1, got 0",
    NUMBER + "min = nan\nmax = 1\nbins = 2": "min must be finite, got nan",
    NUMBER + "min = 0\nmax = 1e301\nbins = 2": "must lie within 1e+300 of zero",
    NUMBER + "min = 1e15\nmax = 1.000000000000001e15\nbins = 9": (
        "must have wider bins, these are too many to tell numbers apart"
    ),
    NUMBER + "min = 0\nmax = 1\nedges = [0, 1]": "takes either edges, or min, max and one of bins and width",
    NUMBER + "edges = [3]": "edges must be two or more and rise",
    NUMBER + "edges = [3, 3]": "edges must be two or more and rise",
    NUMBER + "edges = [3, inf]": "edges[1] must be finite, got inf",
    NUMBER + "edges = 3": "edges must be a list, got 3",
    CATEGORY: "values is missing",
    CATEGORY + "values = []": "values must not be empty",
    CATEGORY + "values = 'abc'": "values must be a list, got 'abc'",
    CATEGORY + "values = ['a', 'a']": "value 'a' is listed twice",
    CATEGORY + "values = ['1', 1]": "value '1' is listed twice",
    CATEGORY + "values = [true]": "values[0] must be text or a whole number, got True",
    CATEGORY + "values = ['a']\noutside = 'clamp'": "outside must be 'other' or 'drop', got 'clamp'",
    "type = 'boolean'\noutside = 'drop'": (
        "unknown key 'outside'; known: column, expression, label, description, unit, missing, missing_values, type"
    ),
    DATE + "min = 5\nmax = 2013-01-01": "min must be a date such as 2013-01-31, got '5'",
    DATE + "min = 'soon'\nmax = 2013-01-01": "min must be a date such as 2013-01-31, got 'soon'",
    DATE + "min = 2013-02-01\nmax = 2013-01-01": ("min must not be above max, got min 2013-02-01 and max 2013-01-01"),
    DATE + "min = 2013-01-01\nmax = 9999-12-31": "max must not be after the year 9998, got 9999-12-31",
    DATE + YEAR + "width = '1 hour'": "a date has bins of whole days; use type timestamp for shorter ones",
    DATE + "min = 2013-01-02\nmax = 2014-01-01\nwidth = '1 month'": (
        "bins of 1 month need a min on the first of a month at midnight"
    ),
    MOMENT + "min = 2013-01-01\nmax = 2013-01-01": (
        "min must be below max, got min 2013-01-01 00:00:00 and max 2013-01-01 00:00:00"
    ),
    MOMENT + "min = 2013-01-01T00:00:00Z\nmax = 2014-01-01": (
        "min must have no time zone, got 2013-01-01 00:00:00+00:00"
    ),
    MOMENT + "min = 2013-01-01T00:00:00.5\nmax = 2014-01-01": (
        "min must be a whole second, got 2013-01-01 00:00:00.500000"
    ),
    MOMENT + "min = 0\nmax = 2014-01-01": "min must be a moment such as 2013-01-31T08:00:00, got '0'",
    NUMBER + "min = 0\nmax = 1\nbins = 2\nwidth = 0.5": "needs min, max and one of bins and width, or edges",
    NUMBER + "min = 0\nmax = 1\nwidth = 0": "width must be above 0.0, got 0",
    NUMBER + "min = 0\nmax = 1\nwidth = 1\ndecimal = ';'": "decimal must be ',' or '.', got ';'",
    NUMBER + "min = 0\nmax = 1\nwidth = 1\nthousands = '.'": (
        "thousands must differ from decimal, which is '.' unless you set it"
    ),
    NUMBER + "min = 0\nmax = 1\nwidth = 1\nmissing_values = ['1e999']": (
        "missing_values may not list '1e999': infinity is outside the range, not missing"
    ),
    NUMBER + "min = 0\nmax = 1\nwidth = 1\nmissing_values = [true]": (
        "missing_values[0] must be text or a number, got True"
    ),
    DATE + YEAR + "format = '%d/%m'": "format needs a year, a month and a day, such as %d/%m/%Y",
    DATE + YEAR + "format = '%d/%m/%Y %d'": "format reads the day twice",
    DATE + YEAR + "format = '%I %d/%m/%Y'": "format needs %I and %p together",
    DATE + YEAR + "format = '%d[%m]%Y'": "format may not contain '['",
    CATEGORY + "values = ['a', 'A']\nfold_case = true": (
        "'a' and 'A' are the same once case is folded; list one of them"
    ),
    CATEGORY + "values = ['a']\nfold_case = 1": "fold_case must be true or false, got 1",
    CATEGORY + "values = ['a']\naliases = { x = 'b' }": (
        "aliases: 'x' stands for 'b', which values does not list; known: a"
    ),
    CATEGORY + "values = ['a', 'b']\naliases = { a = 'b' }": "'a' is listed with two meanings; leave one of them out",
    CATEGORY + "values = ['a']\nmissing_values = ['a']": "'a' is listed with two meanings; leave one of them out",
    CATEGORY + "values = ['a']\nvalues_file = 'x.csv'": "takes either values or values_file",
    CATEGORY + "values_file = 'x.csv'": (
        "values_file is relative to the schema file; load the schema from a file, or give its folder"
    ),
    INTEGER + "max = 5\nvalues_file = 'x.csv'": "values_file is for categories; leave it out",
}
BOOKS = {
    "a.txt": ("code;name\n1;One\n2;Two\n", ("One", "Two"), {"1": "One", "2": "Two"}),
    "b.csv": ('\ufeffname\r\n"a,b"\r\nc\r\n', ("a,b", "c"), None),
    "c.tsv": ("name\tlabel\nx\tx\ny\tY,y\n", ("x", "Y,y"), {"y": "Y,y"}),
}
BAD_BOOKS = {
    "code\n": "needs a header and at least one value",
    "code\na\na\n": "value 'a' is listed twice",
    "code,name\na,x\nb,x\n": "label 'x' is listed twice",
    "a,b,c\n1,2,3\n": "has 3 columns; keep the values and, if you want, their labels",
    "code,name\na\n": "each line needs 2 values, got ['a']",
    'code\n"a\n': "is not well-formed CSV",
}


@pytest.mark.parametrize("name", BOOKS)
def test_a_code_book_becomes_values_and_aliases(name: str, tmp_path: Path) -> None:
    text, values, aliases = BOOKS[name]
    (tmp_path / name).write_bytes(text.encode())
    (tmp_path / "s.toml").write_text(f"[attributes.c]\ntype = 'category'\nvalues_file = '{name}'", "utf-8")
    attribute = Schema.load(tmp_path / "s.toml").attributes["c"]
    assert isinstance(attribute, Category) and attribute.values == values and (attribute.aliases or None) == aliases


@pytest.mark.parametrize("text", BAD_BOOKS)
def test_a_bad_code_book_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "book.csv").write_text(text, "utf-8")
    (tmp_path / "s.toml").write_text("[attributes.c]\ntype = 'category'\nvalues_file = 'book.csv'", "utf-8")
    with pytest.raises(SchemaError) as caught:
        Schema.load(tmp_path / "s.toml")
    assert str(caught.value) == f"s.toml: attribute c: values_file book.csv: {BAD_BOOKS[text]}"


def test_a_width_gives_as_many_bins_as_its_decimals_say() -> None:
    for last, width, count in (
        (0.9, 0.3, 3),
        (1, 0.3, 4),
        (0.3, 0.1, 3),
        (0.30000000000000004, 0.1, 3),
        (5000, 250, 20),
    ):
        keys = {"type": "number", "min": 0, "max": last, "width": width}
        attribute = Schema.from_dict({"attributes": {"x": keys}}).attributes["x"]
        assert attribute.count == count


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_schema_is_refused(text: str) -> None:
    assert complaint(text) == WRONG[text]


@pytest.mark.parametrize("keys", KEYS)
def test_a_wrong_attribute_is_refused_by_name_and_rule(keys: str) -> None:
    assert complaint(f"[attributes.'my delay']\n{keys}") == f"attribute my delay: {KEYS[keys]}"


@pytest.mark.parametrize("width", ["5 parsecs", "day", "0 days", "1.5 hours", "-1 day", "", "1 day day"])
def test_a_wrong_width_is_refused(width: str) -> None:
    said = complaint(f"[attributes.d]\ntype = 'date'\nmin = 2013-01-01\nmax = 2014-01-01\nwidth = '{width}'")
    assert said.startswith("attribute d: width must read like '1 day'") and said.endswith(f"got {width!r}")


def test_long_values_are_cut_short() -> None:
    assert len(complaint("title = " + str(["x" * 1000]) + "\n" + HOUR)) < 120


def test_a_dictionary_is_checked_like_a_file() -> None:
    with pytest.raises(SchemaError, match=r"^schema: attributes is missing$"):
        Schema.from_dict({})


def test_the_json_schema_in_the_docs_is_up_to_date() -> None:
    """Write it anew with: python -m tests.schema.test_schema"""
    assert json.loads((ROOT / "docs" / "schema.json").read_text("utf-8")) == Schema.json_schema()


def test_the_schemas_in_the_docs_are_schemas(tmp_path: Path) -> None:
    (tmp_path / "states.csv").write_text("state\nAlabama\nAlaska\n", "utf-8")
    page = (ROOT / "docs" / "reference" / "schema.md").read_text("utf-8")
    kinds = {
        type(attribute)
        for block in re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
        for attribute in Schema.parse(block, folder=tmp_path).attributes.values()
    }
    assert kinds == {Integer, Number, Category, Date, Timestamp, Boolean}
    assert "flights.toml: " + complaint(HOUR.replace("0", "9").replace("23", "3")) in page


@pytest.mark.parametrize("text", [SCHEMA, HOUR])
def test_the_json_schema_accepts_what_the_model_does(text: str) -> None:
    jsonschema.validate(plain(text), Schema.json_schema())


@pytest.mark.parametrize(
    "text", ["title = 'x'", HOUR + "wdth = 1", "[attributes.h]\ntype = 'x'", "max_rows = 0\n" + HOUR]
)
def test_the_json_schema_refuses_what_the_model_does(text: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(plain(text), Schema.json_schema())


def plain(text: str) -> Any:
    """A TOML text as JSON has it, dates as text."""
    import tomllib

    def iso(value: object) -> str:
        assert isinstance(value, dt.date)
        return value.isoformat()

    return json.loads(json.dumps(tomllib.loads(text), default=iso))


def test_reading_a_schema_starts_no_engine() -> None:
    code = (
        "import sys, ripost.schema.schema; print(*{'ibis', 'duckdb', 'pyarrow', 'numpy', 'pandas'} & set(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"


if __name__ == "__main__":
    (ROOT / "docs" / "schema.json").write_text(json.dumps(Schema.json_schema(), indent=2) + "\n", "utf-8")
