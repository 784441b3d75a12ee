"""Hostile tables and schemas, through the whole flow: draft, publish, ask, explore, verify."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

import ripost
from ripost.data.read import read_tensor
from ripost.draft.draft_schema import draft_schema
from ripost.draft.format_draft import format_draft
from ripost.errors import ReleaseWarning, SourceError
from ripost.release.verify import verify_view
from ripost.schema.schema import Schema

NAMES = (
    'it\'s "quoted"',
    "two\nlines",
    "'; DROP TABLE view; --",
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "\u202egnp.exe",  # the other direction
    "e\u0301",  # the same letter, spelled in two ways
    "\u00e9",
    "\u0430",  # Cyrillic
    "a",
    "[attributes.x]\ntype = 'boolean' #",
    "COUNT(*)",
    "${HOME} `id` %s {0}",
)


def test_hostile_names_and_values_go_through_the_whole_flow(tmp_path: Path) -> None:
    values = [*NAMES, "missing", "other", ""]
    table = {name: [values[(n + place) % len(values)] for n in range(600)] for place, name in enumerate(NAMES)}
    source = tmp_path / "t.parquet"
    pa.parquet.write_table(pa.table(table), source)
    text = format_draft(draft_schema(str(source)))
    schema = Schema.parse(re.sub(r"^unreviewed = .*$", "", text, flags=re.MULTILINE))
    assert [attribute.column or name for name, attribute in schema.domain] == list(NAMES)
    names = schema.domain.names
    assert all(name.isprintable() for name in names) and len({name.casefold() for name in names}) == len(names)

    path, page = tmp_path / "v.ripost.parquet", tmp_path / "v.html"
    with pytest.warns(ReleaseWarning, match="epsilon 100 is above 10"):
        ripost.publish(source, schema, epsilon=100).save(path)
    view = ripost.open(path)
    assert all(check.ok for check in verify_view(path))
    for name in names:
        quoted = '"' + name.replace('"', '""') + '"'
        counted = view.sql(f"SELECT {quoted}, COUNT(*) AS n FROM view GROUP BY {quoted}")
        assert abs(sum(row["n"] for row in counted) - 600) < 100, name
        value = schema.attributes[name].values[0]  # type: ignore[union-attr]
        literal = "'" + value.replace("'", "''") + "'"
        assert abs(view.sql(f"SELECT COUNT(*) AS n FROM view WHERE {quoted} = {literal}").rows[0][0] - 35) < 40
    view.explore(page)
    html = page.read_text("utf-8")
    assert "<script>alert(1)" not in html and "<img src=x" not in html


def test_names_that_differ_in_case_alone_are_refused_and_never_mixed_up(tmp_path: Path) -> None:
    pa.parquet.write_table(pa.table({"a": ["x"] * 20, "A": ["y"] * 20, "b": ["z"] * 20}), tmp_path / "t.parquet")
    draft = draft_schema(str(tmp_path / "t.parquet"))
    assert [one.column for one in draft.attributes] == ["b"]
    listed = Schema.from_dict({"attributes": {"A": {"type": "category", "values": ["y"]}}})
    (tmp_path / "t.csv").write_text("a,A\nx,y\n", "utf-8")
    assert read_tensor(tmp_path / "t.csv", listed).coords.tolist() == [[0]]  # of a CSV, needed columns alone are read
    for source in (tmp_path / "t.parquet", pa.table({"a": ["x"], "A": ["y"]})):
        with pytest.raises(SourceError, match="differs from 'A' only in case"):
            read_tensor(source, listed)


def test_a_hundred_thousand_categories(tmp_path: Path) -> None:
    number = 100_000
    names = [f"town {n}" for n in range(number)]
    pa.parquet.write_table(
        pa.table({"town": names * 2, "month": [n % 12 + 1 for n in range(2 * number)]}), tmp_path / "t.parquet"
    )
    draft = draft_schema(str(tmp_path / "t.parquet"))
    assert [one.column for one in draft.attributes] == ["month"] and len(format_draft(draft)) < 3000
    listed = {"town": {"type": "category", "values": names}, "month": {"type": "integer", "min": 1, "max": 12}}
    tensor = read_tensor(tmp_path / "t.parquet", Schema.from_dict({"attributes": listed}))
    assert tensor.counts.sum() == 2 * number and tensor.domain.shape[0] == number + 2


def test_ten_thousand_columns(tmp_path: Path) -> None:
    names = [f"col{n}" for n in range(10_000)]
    rows = "\n".join(",".join(str(n * row % 7) for n in range(10_000)) for row in range(30))
    (tmp_path / "t.csv").write_text(",".join(names) + "\n" + rows + "\n", "utf-8")
    chosen = {name: {"type": "integer", "min": 0, "max": 6} for name in ("col3", "col5000", "col9999")}
    assert read_tensor(tmp_path / "t.csv", Schema.from_dict({"attributes": chosen})).counts.sum() == 30


@pytest.mark.slow
def test_a_draft_of_many_columns(tmp_path: Path) -> None:
    """Several samples, since a sample holds some hundred columns at once."""
    names = [f"col{n}" for n in range(450)]
    rows = "\n".join(",".join(str(n * row % 7) for n in range(450)) for row in range(30))
    (tmp_path / "t.csv").write_text(",".join(names) + "\n" + rows + "\n", "utf-8")
    draft = draft_schema(str(tmp_path / "t.csv"))
    assert [one.column for one in draft.attributes] == names
    assert len(Schema.parse(format_draft(draft)).unreviewed) == len(names)
