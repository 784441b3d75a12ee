"""docs/format.md is true: its snippets run on a file and give what the view gives."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from ripost import Tensor, publish
from ripost.estimate.error_model import ErrorModel
from ripost.privacy.ledger import Debit
from ripost.release.manifest import manifest_schema
from ripost.schema.domain import Domain
from ripost.schema.period import ReleasePeriod
from ripost.view import View
from tests.answering.making import make_view

PAID = {"debit": Debit("0f" * 16, 7, "ab" * 32)}
DOCS = Path(__file__).parents[2] / "docs"
FLIGHTS = Domain.from_json(
    {
        "month": {"type": "integer", "min": 1, "max": 12, "missing": "drop"},
        "hour": {"type": "integer", "min": 0, "max": 23},
        "origin": {"type": "category", "values": ["EWR", "JFK", "LGA"]},
    }
)


def snippets(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", (DOCS / "format.md").read_text("utf-8"), re.M | re.S)


@pytest.fixture
def view(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> View:
    """A view saved under the name that the page uses, in the folder in which its snippets run."""
    monkeypatch.chdir(tmp_path)
    made = make_view(FLIGHTS, leaves=60)
    made.save("flights.ripost.parquet")
    return made


BOX = [[0, 6, 1]], [[12, 9, 2]]  # what the page asks


def test_sql_alone_answers_a_range_count(view: View) -> None:
    import duckdb

    count = snippets("sql")[1]
    ((flights,),) = duckdb.sql(count).fetchall()
    assert flights == pytest.approx(view.answer(*BOX)[0])
    squared = re.sub(r"\* (.*)", r"* (\1) ** 2", count).replace("value", "variance")
    ((variance,),) = duckdb.sql(squared).fetchall()
    assert variance**0.5 == pytest.approx(view.stderr(*BOX)[0])


def test_sql_alone_answers_by_marginals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a view made by hand, and of a release by the default method."""
    import duckdb

    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    counts = rng.poisson(20, FLIGHTS.shape)
    tensor = Tensor.from_arrays(FLIGHTS, np.argwhere(counts >= 0), counts.ravel())
    density = [rng.random(size) + 0.1 for size in FLIGHTS.shape]
    for view in (make_view(FLIGHTS, leaves=60, density=density), publish(tensor, epsilon=1, seed=1)):
        view.save("flights.ripost.parquet", force=True)
        ((flights,),) = duckdb.sql(snippets("sql")[0]).fetchall()
        assert flights == pytest.approx(view.answer(*BOX)[0])


def test_sql_reads_the_manifest(view: View) -> None:
    import duckdb

    ((text,),) = duckdb.sql(snippets("sql")[2]).fetchall()
    assert [axis["name"] for axis in json.loads(text)["domain"]] == list(view.domain.names)


@pytest.mark.parametrize("snippet", snippets("python"))
def test_python_without_ripost(view: View, snippet: str) -> None:
    assert "ripost." not in snippet.replace("flights.ripost.parquet", "")
    exec(snippet, {})


def publish_flights(**options: Any) -> View:
    rng = np.random.default_rng(0)
    counts = rng.poisson(20, FLIGHTS.shape)
    tensor = Tensor.from_arrays(FLIGHTS, np.argwhere(counts >= 0), counts.ravel())
    return publish(tensor, epsilon=1, seed=1, **options)


def test_sql_alone_reads_the_measurements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks and histograms, with the boxes that `view.measurements()` gives them."""
    import duckdb

    monkeypatch.chdir(tmp_path)
    view = publish_flights()
    view.save("flights.ripost.parquet")
    expected = view.measurements().to_pylist()
    blocks, histograms = (duckdb.sql(text).fetchall() for text in snippets("sql")[3:])
    sides = ("hour_lo", "hour_hi", "origin_lo", "origin_hi")
    assert sorted(blocks) == sorted(
        (row["entry"], row["value"], row["scale"], *(row[side] for side in sides))
        for row in expected
        if row["statistic"] == "total"
    )
    found = [(entry, value, view.domain.names[axis], lo, hi) for axis, entry, value, lo, hi in histograms]
    tables = [row for row in expected if row["statistic"] == "total of part"]
    assert len(found) == len(tables) > 30
    for entry, value, name, lo, hi in found:
        assert any(
            (row["entry"], row["value"], row[f"{name}_lo"], row[f"{name}_hi"]) == (entry, value, lo, hi)
            for row in tables
        )


def test_the_documented_digest_covers_measurements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    publish_flights().save("flights.ripost.parquet")
    [snippet] = [code for code in snippets("python") if "hexdigest" in code]
    exec(snippet, {})


def test_manifests_with_measurements_obey_the_schema(tmp_path: Path) -> None:
    from ripost.reestimating import reestimate

    schema = json.loads((DOCS / "manifest.schema.json").read_text("utf-8"))
    published = publish_flights()
    dated = replace(published, period=ReleasePeriod("month(date)", "2026-10"))
    for view in (published, reestimate(published), publish_flights(measurements=False), dated):
        jsonschema.validate(json.loads(view.file.text), schema)


def test_json_schema_is_up_to_date() -> None:
    """Versions of Pydantic differ in writing 0 or 0.0, and in writing that further names are allowed, the default."""
    written = (DOCS / "manifest.schema.json").read_text("utf-8")
    assert written == json.dumps(json.loads(written), indent=2) + "\n"
    assert _in_order(json.loads(written)) == _in_order(manifest_schema()), (
        'run: python -c "import json; from ripost.release.manifest import manifest_schema as s; '
        'print(json.dumps(s(), indent=2))" > docs/manifest.schema.json'
    )


def _in_order(value: Any) -> Any:
    """A JSON value with its names in their order, without what is the default of JSON Schema."""
    if isinstance(value, dict):
        return [(k, _in_order(v)) for k, v in value.items() if (k, v) != ("additionalProperties", True)]
    return [_in_order(inner) for inner in value] if isinstance(value, list) else value


SMOOTHED = {"error_model": ErrorModel(0.5, (20.0,) * 3)}


@pytest.mark.parametrize("given", [{}, {"inner": 0.6, "marginals": True}, SMOOTHED, PAID])
def test_saved_manifests_obey_the_schema(tmp_path: Path, given: dict[str, Any]) -> None:
    import pyarrow.parquet as pq

    make_view(FLIGHTS, leaves=30, **given).save(tmp_path / "v.parquet")
    manifest = json.loads(pq.read_schema(tmp_path / "v.parquet").metadata[b"ripost"])
    schema = json.loads((DOCS / "manifest.schema.json").read_text("utf-8"))
    jsonschema.validate(manifest, schema, jsonschema.Draft202012Validator)  # which checks the schema too
    assert set(schema["properties"]) - set(schema["required"]) == {
        "debit",
        "title",
        "description",
        "kind",
        "matrix",
        "smoothing",
        "error_model",
        "mixture",
        "measures",
        "measurements",
        "origin",
        "period",
        "impossible",
    }
    for member in schema["required"]:
        broken = {key: value for key, value in manifest.items() if key != member}
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(broken, schema)


def test_every_member_is_described() -> None:
    page = (DOCS / "format.md").read_text("utf-8")
    assert all(f"`{member}`" in page for member in manifest_schema()["properties"])
