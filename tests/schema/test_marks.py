"""Unreviewed marks: visible in the file, refused by every way to publish, and never part of a release."""

from __future__ import annotations

import tomllib
from pathlib import Path

import jsonschema
import pytest

import ripost
from ripost.data.read import read_tensor
from ripost.errors import SchemaError
from ripost.schema.schema import Schema

DRAFT = """
unreviewed = ["unit"]
[attributes.hour]
unreviewed = ["min", "max"]
type = "integer"
min = 17
max = 4711
[attributes.night]
type = "boolean"
"""
CONFIRMED = DRAFT.replace('unreviewed = ["unit"]', "").replace('unreviewed = ["min", "max"]', "unreviewed = []")


@pytest.fixture
def table(tmp_path: Path) -> str:
    (tmp_path / "t.csv").write_text("hour,night\n17,yes\n", "utf-8")
    return str(tmp_path / "t.csv")


def test_marks_are_gathered_by_attribute_and_leave_the_attributes_as_they_are() -> None:
    draft = Schema.parse(DRAFT)
    assert draft.unreviewed == {"": ("unit",), "hour": ("min", "max")}
    assert draft.attributes == Schema.parse(CONFIRMED).attributes
    assert "unreviewed" not in str(draft.domain.to_json())
    assert Schema.from_dict(draft.model_dump(by_alias=True)).unreviewed == draft.unreviewed


def test_every_way_to_publish_refuses_a_draft_and_shows_no_value(table: str) -> None:
    draft = Schema.parse(DRAFT)
    ways = [
        lambda: ripost.publish(table, draft, epsilon=1),
        lambda: ripost.Tensor.from_table(table, draft),
        lambda: read_tensor(table, draft),
        lambda: ripost.publish("nowhere.csv", draft, epsilon=1),
    ]
    for way in ways:
        with pytest.raises(SchemaError, match="min, max of 'hour'") as caught:
            way()
        assert "unit of the file" in str(caught.value) and "4711" not in str(caught.value)
    assert ripost.publish(table, Schema.parse(CONFIRMED), epsilon=1).domain.names == ("hour", "night")


def test_one_key_left_is_enough_to_refuse(table: str) -> None:
    for text in (CONFIRMED.replace("[]", '["max"]'), CONFIRMED.replace("[]", '["a word nobody knows"]')):
        with pytest.raises(SchemaError, match="is a draft"):
            read_tensor(table, Schema.parse(text))


def test_many_marks_are_one_sentence() -> None:
    text = "".join(f"[attributes.a{n}]\nunreviewed = ['type']\ntype = 'boolean'\n" for n in range(500))
    with pytest.raises(SchemaError, match="and those of 497 more") as caught:
        Schema.parse(text).require_reviewed()
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("value", ["true", "'min'", "[1]", "3", "{min = true}"])
def test_a_mark_that_is_no_list_is_refused(value: str) -> None:
    with pytest.raises(SchemaError, match="attribute hour: unreviewed must be a list of keys"):
        Schema.parse(f"[attributes.hour]\ntype = 'boolean'\nunreviewed = {value}")
    if not value.startswith("{"):
        with pytest.raises(SchemaError, match=r"s\.toml: unreviewed must be a list of keys"):
            Schema.parse(f"unreviewed = {value}\n[attributes.hour]\ntype = 'boolean'", name="s.toml")


def test_the_json_schema_knows_the_marks() -> None:
    jsonschema.validate(tomllib.loads(DRAFT), Schema.json_schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(tomllib.loads(DRAFT.replace('["unit"]', "3")), Schema.json_schema())
