"""Metadata that an owner has already: what it states is imported as it is, what it does not is left to fill in."""

from __future__ import annotations

import datetime as dt
import json
import re
from pathlib import Path
from typing import Any

import pytest

from ripost.draft.draft_schema import draft_schema
from ripost.draft.format_draft import format_draft
from ripost.draft.metadata.load_metadata import load_metadata
from ripost.errors import InputError, SchemaError
from ripost.schema.schema import Schema

CSVW = {
    "@context": "http://www.w3.org/ns/csvw",
    "url": "visits.csv",
    "dc:title": "Visits",
    "tableSchema": {
        "columns": [
            {"name": "pid", "titles": "Patient"},
            {"name": "age", "titles": "Age", "datatype": {"base": "integer", "minimum": "0", "maxExclusive": 130}},
            {"name": "score", "required": True,
             "datatype": {"base": "decimal", "minInclusive": 0, "maxInclusive": 10.5}},
            {"name": "ward", "datatype": {"base": "string", "format": "^(north|south|far east)$"}},
            {"name": "day", "datatype": {"base": "date", "minimum": "2024-01-01", "maximum": "2024-12-31"}},
            {"name": "left", "datatype": {"base": "dateTime", "minimum": "2024-01-01T00:00:00Z",
                                          "maxExclusive": "2025-01-01T00:00:00Z"}},
            {"name": "ok", "datatype": {"base": "boolean", "format": "Y|N"}},
            {"name": "said", "datatype": {"base": "boolean", "format": "oui|non"}},
            {"name": "level", "datatype": "unsignedByte"},
            {"name": "colour"},
            {"name": "shape", "datatype": "geojson"},
            {"name": "hidden", "virtual": True},
        ],
        "primaryKey": "pid",
    },
}  # fmt: skip
FRICTIONLESS = {
    "title": "Hospital",
    "resources": [
        {"name": "beds", "path": "beds.csv", "schema": {"fields": [{"name": "n", "type": "integer"}]}},
        {
            "name": "visits",
            "path": "data/visits.csv",
            "schema": {
                "fields": [
                    {"name": "pid", "type": "string", "constraints": {"unique": True}},
                    {"name": "age", "type": "integer", "title": "Age in years",
                     "constraints": {"minimum": 0, "exclusiveMaximum": "130", "required": True}},
                    {"name": "score", "type": "number", "constraints": {"minimum": 0, "maximum": 10.5}},
                    {"name": "ward", "type": "string", "constraints": {"enum": ["north", "south", "far east"]}},
                    {"name": "grade", "type": "integer", "categories": [{"value": 1, "label": "low"}, {"value": 2}]},
                    {"name": "day", "type": "date", "constraints": {"minimum": "2024-01-01", "maximum": "2024-12-31"}},
                    {"name": "ok", "type": "boolean"},
                    {"name": "said", "type": "boolean", "trueValues": ["oui"], "falseValues": ["non"]},
                    {"name": "income", "type": "number", "constraints": {"minimum": 0}},
                    {"name": "mail", "type": "string", "format": "email"},
                    {"name": "blob", "type": "object"},
                ]
            },
        },
    ],
}  # fmt: skip
SMARTNOISE = """
"":
  Clinic:
    Visits:
      max_ids: 4
      rows: 103000
      pid: {type: string, private_id: True}
      age: {type: int, lower: 0, upper: 129, nullable: False}
      score: {type: float, lower: 0.0, upper: 10.5}
      ward: {type: string, cardinality: 3}
      seen: {type: datetime}
      ok: {type: boolean}
      secret: {type: unknown}
"""


def save_metadata(folder: Path, content: Any, name: str = "meta.json") -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def draft_keys(path: Path, **options: Any) -> dict[str, Any]:
    draft = draft_schema(None, stated=load_metadata(path, **options))
    assert not any(one.unreviewed for one in draft.attributes)
    return {one.column: one.keys | ({"gaps": one.gaps} if one.gaps else {}) for one in draft.attributes}


def test_csvw(tmp_path: Path) -> None:
    found = draft_keys(save_metadata(tmp_path, CSVW))
    assert found["Age"] == {"type": "integer", "min": 0, "max": 129, "label": "Age"}
    assert found["score"] == {"type": "number", "min": 0.0, "max": 10.5, "missing": "drop", "bins": 50}
    assert found["ward"] == {"type": "category", "values": ["north", "south", "far east"]}
    assert found["day"] == {"type": "date", "min": dt.date(2024, 1, 1), "max": dt.date(2024, 12, 31), "width": "1 week"}
    assert found["left"]["max"] == dt.datetime(2025, 1, 1)
    assert found["ok"] == {"type": "boolean"} and found["said"]["values"] == ["oui", "non"]
    assert found["level"]["max"] == 255
    assert found["colour"] == {"type": "category", "gaps": ("values",)}
    assert not {"pid", "Patient", "shape", "hidden"} & set(found)


def test_frictionless(tmp_path: Path) -> None:
    path = save_metadata(tmp_path, FRICTIONLESS, "datapackage.json")
    found = draft_keys(path, resource="visits")
    assert found == draft_keys(path, source="/somewhere/visits.csv")
    assert found["age"] == {"type": "integer", "min": 0, "max": 129, "missing": "drop", "label": "Age in years"}
    assert found["ward"]["values"] == ["north", "south", "far east"] and found["grade"]["values"] == ["1", "2"]
    assert found["said"] == {"type": "category", "values": ["non", "oui"]}
    assert found["income"] == {"type": "number", "min": 0.0, "gaps": ("max", "bins")}
    assert not {"pid", "mail", "blob"} & set(found)
    alone = save_metadata(tmp_path, FRICTIONLESS["resources"][1]["schema"], "schema.json")  # type: ignore[index]
    assert draft_keys(alone) == found


def test_smartnoise(tmp_path: Path) -> None:
    stated = load_metadata(save_metadata(tmp_path, SMARTNOISE, "meta.yaml"))
    assert (stated.unit, stated.max_rows) == ("pid", 4)
    text = format_draft(draft_schema(None, stated=stated))
    assert 'unit = "pid"\nmax_rows = 4' in text and "103000" not in text
    assert text.startswith("# Draft of a schema") and "Nothing in it was read off the data" in text
    assert ": fill in values, of which nothing is known" in text and "secret" in text
    with pytest.raises(SchemaError, match="ward: values is missing"):
        Schema.parse(text)
    rows = SMARTNOISE.replace("max_ids: 4", "row_privacy: True")
    each = draft_schema(None, stated=load_metadata(save_metadata(tmp_path, rows, "rows.yaml")))
    assert each.unit is None and each.row_stated and not each.must_choose_unit


def test_what_metadata_do_not_state_is_drafted_from_the_data_and_marked(tmp_path: Path) -> None:
    rows = [f"p{n},{n % 90},{n % 500},{('north', 'south')[n % 2]}" for n in range(1000)]
    source = tmp_path / "visits.csv"
    source.write_text("pid,age,income,town\n" + "\n".join(rows), "utf-8")
    stated = load_metadata(save_metadata(tmp_path, FRICTIONLESS), source=str(source))
    draft = draft_schema(str(source), stated=stated)
    marks = {one.column: one.unreviewed for one in draft.attributes}
    assert marks == {"age": (), "income": ("max", "bins"), "town": ("type", "values")}
    text = format_draft(draft)
    assert Schema.parse(re.sub(r"^unreviewed = .*$", "", text, flags=re.MULTILINE)).attributes["age"].count == 130


WRONG = {
    "nowhere.json": (None, "there is no such metadata file"),
    "latin.json": (b"\xe9", "is not UTF-8 text"),
    "broken.json": (b"{", r"is not JSON \(line 1\)"),
    "list.json": (b"[1]", "must be an object"),
    "other.json": (b'{"a": {"b": 1}}', "describes no table; known are CSVW, Frictionless and SmartNoise"),
    "broken.yaml": (b"a: [", "is not YAML"),
    "code.yaml": (b"a: !!python/object/apply:os.system ['true']", "is not YAML"),
    "loop.yaml": (b"a: &a [*a]", "describes no table"),
    "deep.json": (b"[" * 100_000, "is nested too deep"),
    "two.json": (b'{"resources": [{"name": "a", "schema": {"fields": [{"name": "x"}]}}, '
                 b'{"name": "b", "schema": {"fields": [{"name": "x"}]}}]}', r"choose one with --resource \(a, b\)"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_bad_metadata_are_refused_in_a_sentence(name: str, tmp_path: Path) -> None:
    content, words = WRONG[name]
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=words) as caught:
        load_metadata(tmp_path / name)
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match=r"describes no table 'c'|metadata file|UTF-8|JSON|YAML|object|deep|no table"):
        load_metadata(tmp_path / name, resource="c")
