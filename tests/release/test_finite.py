"""A file that verify accepts can be explored, exported and asked: figures that would overflow are refused before."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from ripost.errors import SchemaError
from ripost.release import node_packing as nodes
from ripost.release.verify import verify_view
from ripost.schema.schema import Schema
from tests.fuzz.corpus import sounds
from tests.fuzz.judge import judge_file
from tests.fuzz.mutate import sealed_file

Change = Callable[[Any, Any], None]


def _step(manifest: Any, _: Any) -> None:
    manifest["measure"] |= {"step": 1.7e308, "bound": 2**52}


def _tiny(manifest: Any, _: Any) -> None:
    manifest["measure"]["step"] = 5e-324


@pytest.mark.parametrize("name", ["hdmm", "identity", "dawa", "privbayes", "smoothed", "every type"])
@pytest.mark.parametrize("change", [_step, _tiny])
def test_what_one_row_adds_must_leave_figures_finite(name: str, change: Change, tmp_path: Path) -> None:
    sound = next(one for one in sounds() if one.name == name)
    manifest, columns = json.loads(sound.manifest), dict(sound.columns)
    change(manifest, columns)
    path = tmp_path / "v"
    path.write_bytes(sealed_file(manifest, columns, Random(0)))
    assert any("finite" in check.detail for check in verify_view(path) if not check.ok)
    assert judge_file(path, Random(0)).end == "refused"


@pytest.mark.parametrize("figure", [1e-300, 1e-250, 1e-120])
def test_a_crafted_matrix_is_refused(figure: float, tmp_path: Path) -> None:
    sound = next(one for one in sounds() if one.name == "hdmm")
    manifest, columns = json.loads(sound.manifest), dict(sound.columns)
    shape = [len(set(columns[f"{part['name']}_lo"].tolist())) for part in manifest["domain"]]
    manifest["matrix"]["grams"] = [nodes.pack_floats(np.eye(size) * figure) for size in shape]
    path = tmp_path / "v"
    path.write_bytes(sealed_file(manifest, columns, Random(0)))
    assert any("finite" in check.detail for check in verify_view(path) if not check.ok)


@pytest.mark.parametrize(
    "measure", [{"sum": "pay", "max": 1e200, "step": 1e195}, {"sum": "pay", "max": 1e-50, "step": 1e-51}]
)
def test_a_schema_does_not_ask_for_such_sums(measure: dict[str, Any]) -> None:
    with pytest.raises(SchemaError, match="use other units"):
        Schema.from_dict({"measure": measure, "attributes": {"a": {"type": "boolean"}}})
