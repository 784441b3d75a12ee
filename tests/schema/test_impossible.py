"""Conditions of impossible cells become boxes whose rows all satisfy them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

import ripost
from ripost.cli.app import app
from ripost.errors import ReleaseError, SchemaError
from ripost.release.domain_facts import ImpossibleFacts
from ripost.schema.schema import Schema

SCHEMA = """
title = "t"
impossible = ["{condition}"]
[attributes.x]
type = "number"
min = 0.0
max = 100.0
width = 10.0
missing = "drop"
[attributes.n]
type = "integer"
min = 0
max = 9
outside = "other"
missing = "drop"
[attributes.at]
type = "timestamp"
min = "2024-01-01 00:00"
max = "2024-01-05 00:00"
unit = "day"
missing = "drop"
"""


def read(condition: str) -> Schema:
    return Schema.parse(SCHEMA.format(condition=condition))


@pytest.mark.parametrize(
    ("condition", "axis", "codes"),
    [
        ("x < 10", 0, (0, 1)),
        ("x between 90 and 100", 0, (9, 10)),
        ("n = 7", 1, (7, 8)),
        ("n > 7", 1, (8, 10)),
        ("not n < 3", 1, (3, 10)),  # 20 is among other values, and so is -20, which is below 3
        ("n = '(other)'", 1, (10, 11)),
        ("at > '2024-01-02'", 2, (2, 4)),
        ("at = '2024-01-02'", 2, (1, 2)),
    ],
)
def test_a_condition_becomes_a_box(condition: str, axis: int, codes: tuple[int, int]) -> None:
    found = read(condition).domain.impossible
    assert found is not None and [box[axis] for box in found.boxes] == [codes]


@pytest.mark.parametrize(
    ("condition", "refusal"),
    [
        ("x >= 100", "holds nowhere"),  # the last bin holds its end, so 100 is no bin of its own
        ("n = 5.5", "holds nowhere"),
        ("x = 5", "cut inside one of its bins"),  # rows with other values of the bin would be dropped
        ("x in (5, 15)", "cut inside one of its bins"),
        ("x > 90", "compare by < or >="),  # 90 lies in the bin that begins there
        ("not x <= 90", "compare by < or >="),
        ("not x between 0 and 90", "compare by < or >="),
        ("at > '2024-01-02 00:00'", "compare by < or >="),
    ],
)
def test_a_condition_that_is_no_set_of_cells_is_refused(condition: str, refusal: str) -> None:
    with pytest.raises(SchemaError, match=refusal):
        read(condition)


def test_rows_where_no_condition_holds_are_counted() -> None:
    table = pd.DataFrame({"x": [95.0] * 300, "n": [1, 4, -20] * 100, "at": ["2024-01-01"] * 300})
    view = ripost.publish(table, read("x >= 90 and not n < 5"), epsilon=10)
    assert view.total == pytest.approx(300, abs=50)  # noise passes 50 once in 1e+20 runs


def test_a_file_whose_impossible_boxes_leave_no_cell_is_refused() -> None:
    facts = ImpossibleFacts(conditions=["n < 3"], boxes=[[(0, 2), (0, 3)], [(2, 4), (0, 3)]])
    with pytest.raises(ReleaseError, match="leave no cell"):
        facts.read((4, 3))


def test_info_and_certificates_tell_levels_and_impossible_cells(tmp_path: Path) -> None:
    file = Path(__file__).parents[1] / "release" / "golden" / "v5-levels.ripost.parquet"
    told = CliRunner().invoke(app, ["info", str(file)]).output
    assert "Levels of town: region (2 groups), county (4 groups).\nDerived from town: letter (2 groups).\n" in told
    assert "Impossible, exactly 0: sex = 'm' and pregnant; age < 10 and pregnant.\n" in told
    CliRunner().invoke(app, ["certificate", str(file), "-o", str(tmp_path / "c.html")])
    text = (tmp_path / "c.txt").read_text("utf-8")
    assert "levels of town" in text and "age < 10 and pregnant" in text
