"""What a schema leaves open, the largest domain in its stead, and every schema that can be found."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ripost.errors import SchemaError
from ripost.schema.discovery import (
    LONGEST_VALUE,
    MAX_ROWS,
    MOST_VALUES,
    NOTHING_FOUND,
    OpenBounds,
    OpenValues,
    is_listable,
    list_edges,
    widen,
)
from ripost.schema.schema import Schema

VALUES = '[attributes.x]\ntype = "category"\nvalues = "discover"\n'
WHOLE = '[attributes.x]\ntype = "integer"\n'
REAL = '[attributes.x]\ntype = "number"\n'


def open_part(text: str) -> tuple[Schema, Any]:
    schema = Schema.parse(text)
    return schema, schema.open.attributes["x"]


def test_a_schema_without_discovery_leaves_nothing_open() -> None:
    schema = Schema.parse('[attributes.x]\ntype = "category"\nvalues = ["discover"]\n')
    assert not schema.open and schema.attributes["x"].names == ("discover",)


def test_until_values_are_found_the_domain_is_the_largest() -> None:
    schema, part = open_part(VALUES)
    assert schema.domain.shape == (MOST_VALUES + 2,) and schema.open.needs_delta
    found = schema.resolve({"x": part.resolve(schema.attributes["x"], ["a", "b"])}, None)
    assert found.domain.shape == (4,) and not found.open and schema.domain.shape == (MOST_VALUES + 2,)


def test_nothing_found_is_one_value() -> None:
    schema, part = open_part(VALUES + 'outside = "drop"\nmissing = "drop"\n')
    attribute = part.resolve(schema.attributes["x"], ())
    assert attribute.values == (NOTHING_FOUND,) and attribute.size == 1


def test_aliases_case_and_missing_values_come_first() -> None:
    text = 'fold_case = true\nmissing_values = ["NA"]\naliases = { "N.Y." = "New York", "gone" = "lost" }\n'
    schema, part = open_part(VALUES + text)
    found = [part.find_value(one) for one in ("n.y.", "NEW YORK", "na", "NA", "Boston", "", "a\nb")]
    assert found == ["new york", "new york", None, None, "boston", None, None]
    attribute = part.resolve(schema.attributes["x"], ["boston", "new york"])
    assert attribute.lookup == {"boston": 0, "new york": 1, "n.y.": 1, "na": None}


@given(st.text(max_size=6), st.lists(st.sampled_from(["a", "A", "b", "NA", "(other)", "á"]), max_size=4), st.booleans())
def test_a_text_is_encoded_as_the_value_that_it_voted_for(text: str, more: list[str], folds: bool) -> None:
    keys = 'missing_values = ["NA"]\naliases = { "b" = "c" }\n' + ("fold_case = true\n" if folds else "")
    schema, part = open_part(VALUES + keys)
    values = sorted({value for one in [text, *more] if (value := part.find_value(one)) is not None}, key=str.encode)
    attribute: Any = part.resolve(schema.attributes["x"], values)
    voted = part.find_value(text)
    found = attribute.lookup.get(part._fold(text), "other")
    if voted is None:
        assert found in (None, "other")
    else:
        assert found is not None and attribute.values[int(found)] == voted


@pytest.mark.parametrize("text", ["", "(other)", "(missing)", NOTHING_FOUND, "a\x00b", "a\u2028b", "\ud800", "x" * 257])
def test_what_no_file_can_hold_is_never_listed(text: str) -> None:
    assert not is_listable(text)


@pytest.mark.parametrize("text", ["x" * LONGEST_VALUE, "=1+1", "São\u00a0Paulo", "a,b;'\"c", "\u200dé", " "])
def test_other_text_can_be_listed(text: str) -> None:
    assert is_listable(text)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        (WHOLE + 'min = "discover"\nmax = "discover"\nmax_bins = 7\n', None, None),
        (WHOLE + 'min = 3\nmax = "discover"\nwidth = 4\n', 3, None),
        (WHOLE + 'min = "discover"\nmax = -9\n', None, -9),
        (WHOLE + 'min = 7\nmax = "discover"\nmax_bins = 3\n', 7, None),
        (WHOLE + 'min = "discover"\nmax = "discover"\nmax_bins = 2\n', None, None),
        (REAL + 'min = "discover"\nmax = "discover"\nbins = 1000000\n', None, None),
        (REAL + 'min = 999999.5\nmax = "discover"\nbins = 20\n', 999999.5, None),
        (REAL + 'min = "discover"\nmax = 0\nbins = 20\n', None, 0),
    ],
)
def test_every_pair_of_bounds_is_a_sound_attribute_within_the_largest_domain(text: str, low: Any, high: Any) -> None:
    schema, part = open_part(text)
    attribute: Any = schema.attributes["x"]
    assert isinstance(part, OpenBounds) and list(part.edges) == sorted(set(part.edges))
    cells = range(part.cells)
    pairs = [(a, b) for a, b in itertools.combinations_with_replacement(cells, 2) if len(part.sides) == 2]
    least: Any = part.resolve(attribute, *part.find_least(attribute))
    for first, last in (pairs or [(one, one) for one in cells])[:: max(1, len(pairs) // 500)]:
        found: Any = part.resolve(attribute, first, last)
        assert least.size <= found.size <= attribute.size
        assert low is None or found.min == low
        assert high is None or found.max == high


@given(st.integers(1, 100), st.integers(1, 2**53), st.integers(1, 5000))
def test_bins_are_widened_to_fit(width: int, values: int, most: int) -> None:
    wide = widen(width, values, most)
    assert -(-values // wide) <= most and wide % width == 0
    assert str(wide // width).rstrip("0") in ("1", "2", "5")


def test_the_grid_is_round_and_exact() -> None:
    whole, real = list_edges(whole=True), list_edges(whole=False)
    assert all(isinstance(edge, int) and abs(edge) <= 2**52 for edge in whole) and 0 in whole and 500 in whole
    assert 0.2 in real and -5e-06 in real and real == tuple(-edge for edge in reversed(real))


def test_max_rows() -> None:
    schema = Schema.parse('unit = "p"\nmax_rows = "discover"\n' + WHOLE + "min = 0\nmax = 3\n")
    assert schema.row_unit.max_rows == MAX_ROWS[-1] and schema.resolve({}, 5).row_unit.max_rows == 5


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('max_rows = "discover"\n' + WHOLE + "min = 0\nmax = 3\n", "max_rows needs unit"),
        (VALUES + "max_values = 0\n", "max_values must lie between 1 and 100,000, got 0"),
        (VALUES + 'max_values = "all"\n', "max_values must be a whole number"),
        (VALUES + "missing = 3\n", "missing must be 'bin' or 'drop', got 3"),
        (VALUES + 'aliases = { a = "b", b = "c" }\n', "'b' stands for a value and is one"),
        (VALUES + 'aliases = { a = "b" }\nmissing_values = ["b"]\n', "means missing too"),
        (VALUES + 'aliases = { a = "b", A = "c" }\nfold_case = true\n', "stands for two values"),
        (VALUES + 'aliases = { a = "(other)" }\n', "can never be discovered"),
        ('[attributes.x]\ntype = "category"\nvalues = ["a"]\nmax_values = 3\n', "max_values is for values"),
        (WHOLE + "min = 0\nmax = 3\nmax_bins = 3\n", "max_bins is for bounds"),
        (WHOLE + 'min = "discover"\nmax = 2.5\n', "max must be a whole number"),
        (WHOLE + 'min = "discover"\nmax = 3\nmax_bins = 0\n', "max_bins must lie between"),
        (WHOLE + 'min = "discover"\nmax = 3\nmax_bins = 1\n', "max_bins are too few for the widest range"),
        (WHOLE + f'min = {-(4 * 10**15)}\nmax = "discover"\nmax_bins = 2\n', "max_bins are too few"),
        (WHOLE + 'min = "discover"\nmax = 3\nwidth = 0\n', "width must be a whole number from 1"),
        (REAL + 'min = "discover"\nmax = 3\n', "needs bins where a bound"),
        (REAL + 'min = "discover"\nmax = 3\nbins = 5\nmax_bins = 3\n', "max_bins is for whole numbers"),
        (REAL + 'min = "discover"\nbins = 5\n', "needs min and max"),
        (REAL + 'min = 1e16\nmax = "discover"\nbins = 5\n', "leaves no room"),
        (REAL + 'min = 0.99999999999999\nmax = "discover"\nbins = 1000\n', "bins are too many"),
        ('[attributes.x]\ntype = "date"\nmin = "discover"\nmax = 2020-01-01\n', "cannot be discovered for type 'date'"),
        ('[attributes.x]\ntype = "boolean"\nvalues = "discover"\n', "cannot be discovered for type 'boolean'"),
        ("open = 1\n" + WHOLE + "min = 0\nmax = 3\n", "unknown key 'open'"),
    ],
)
def test_mistakes_are_said_in_one_sentence(text: str, says: str) -> None:
    with pytest.raises(SchemaError, match=says) as error:
        Schema.parse(text)
    assert "\n" not in str(error.value)


def test_the_json_schema_knows_discovery() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    rules, data = Schema.json_schema(), {"type": "category", "values": "discover", "max_values": 5}
    jsonschema.validate({"unit": "p", "max_rows": "discover", "attributes": {"x": data}}, rules)
    jsonschema.validate({"attributes": {"x": {"type": "integer", "min": 0, "max": "discover", "max_bins": 9}}}, rules)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"attributes": {"x": {**data, "values": "find"}}}, rules)


def test_an_open_part_is_no_stated_attribute() -> None:
    schema = Schema.parse(VALUES + '[attributes.y]\ntype = "boolean"\n')
    assert list(schema.keep_stated().attributes) == ["y"] and isinstance(schema.open.attributes["x"], OpenValues)
    with pytest.raises(SchemaError, match="nothing to hold against the rows"):
        Schema.parse(VALUES).keep_stated()
