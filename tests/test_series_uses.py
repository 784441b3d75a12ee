"""What is made of a series: pages, tables, certificates, synthetic rows, and new estimates."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import ripost
from ripost.answering.content.union import CORRELATION
from ripost.certify.certificate_text import format_certificate
from ripost.certify.certified_release import CertifiedRelease
from ripost.certify.csvw import build_csvw
from ripost.certify.registry import build_registry_entry
from ripost.cli.app import app
from ripost.errors import InputError, QueryError, ReleaseError
from ripost.explore.charts import MarginalChart
from ripost.explore.packing import facts_of
from ripost.series import Series, union
from tests.vectors.series import FILE
from tests.visits import MONTHS, SCHEMA, TABLE, publish


@pytest.fixture(scope="module")
def series() -> Series:
    return union([publish(month) for month in MONTHS[:4]])


@pytest.fixture(scope="module")
def mixed_series() -> Series:
    """A series whose first two parts have a mixture."""
    found = ripost.open(FILE)
    assert isinstance(found, Series)
    return found


@pytest.fixture(scope="module")
def people() -> Series:
    schema = ripost.Schema.from_dict({**SCHEMA, "unit": "who", "max_rows": 2})
    prices = {"2026-01": "1/2", "2026-02": "1/4"}
    return union([ripost.publish(TABLE, schema, epsilon=price, period=month) for month, price in prices.items()])


def test_synthetic_rows_have_the_totals_of_the_periods(series: Series) -> None:
    """Shares of 20,000 rows, each within six standard deviations: a sound draw fails once in a hundred million runs."""
    drawn = series.sample(20_000, seed=3)
    assert drawn.columns == list(series.domain.names) and drawn.warning == series.privacy.warning
    assert drawn.rows == series.sample(20_000, seed=3).rows != series.sample(20_000, seed=4).rows
    labels = np.array(drawn["period"])
    for part in series.parts:
        assert part.period is not None
        share = part.total / series.total
        assert abs((labels == part.period.label).mean() - share) < 6 * np.sqrt(share * (1 - share) / 20_000)
    assert len(set(drawn["period"][:50])) > 1  # rows of all periods are mixed
    wards = np.array(drawn["ward"])[labels == "2026-02"]
    expected = series.count("period = '2026-02' and ward = 'B'").value / series.parts[1].total
    assert abs((wards == "B").mean() - expected) < 0.05
    assert len(series.head()) == 5 and len(series.sample(0)) == 0


def test_rows_of_a_period_without_rows_are_not_drawn(series: Series) -> None:
    empty = replace(series.parts[0], content=_scale(series.parts[0], 0.0))
    drawn = union([empty, *series.parts[1:]]).sample(200, seed=1)
    assert MONTHS[0] not in drawn["period"]
    with pytest.raises(QueryError, match="the series holds no total above 0"):
        union([empty]).sample(1)


def _scale(view: Any, factor: float) -> Any:
    from ripost.answering.content.tree import TreeContent

    content = view.content
    return TreeContent(
        content.shape,
        tree=content.tree,
        values=content.values * factor,
        variances=content.node_variances,
        density=content.density,
        error_model=content.error_model,
    )


def test_tables_of_all_release_files(series: Series) -> None:
    table, blocks = series.to_arrow(), series.blocks
    assert table.column_names[0] == "period" and len(table) == len(blocks)
    assert table["value"].to_numpy() == pytest.approx(blocks.value)
    assert table["period"].to_pylist() == [MONTHS[code] for code in blocks.lower[:, 0]]
    assert table.schema.metadata == {b"ripost": series.privacy.warning.encode()}  # type: ignore[union-attr]
    assert len(series.to_pandas()) == len(pa.table(series)) == len(table)
    measured = series.measurements()
    assert len(measured) == sum(len(part.measurements()) for part in series.parts)
    assert set(measured["period"].to_pylist()) == set(MONTHS[:4])


def test_a_series_is_estimated_again_part_by_part(tmp_path: Path, series: Series) -> None:
    again = ripost.reestimate(series)
    assert isinstance(again, Series) and again.digest != series.digest
    for part, old in zip(again.parts, series.parts, strict=True):
        assert part.origin is not None and part.origin.digest == old.file.manifest.digest
        assert part.privacy == old.privacy and part.period == old.period
    assert again.count("hour < 9").value == pytest.approx(series.count("hour < 9").value)
    series.save(tmp_path / "s.ripost.zip")
    found = CliRunner().invoke(
        app, ["reestimate", str(tmp_path / "s.ripost.zip"), "-o", str(tmp_path / "n.ripost.zip")]
    )
    assert found.exit_code == 0 and "with 4 periods" in found.stdout and "cost no privacy" in found.stdout
    opened = ripost.open(tmp_path / "n.ripost.zip")
    assert isinstance(opened, Series) and all(part.origin is not None for part in opened.parts)
    bare = union([series.parts[0], publish(MONTHS[5], measurements=False)])
    with pytest.raises(InputError, match="of 2026-06: this view holds no noisy measurements"):
        ripost.reestimate(bare)


def test_a_release_is_not_written_over_a_series_by_mistake(tmp_path: Path, series: Series) -> None:
    series.save(tmp_path / "s.ripost.zip")
    wrong = CliRunner().invoke(app, ["reestimate", str(tmp_path / "s.ripost.zip"), "-o", str(tmp_path / "n.parquet")])
    assert wrong.exit_code != 0 and isinstance(wrong.exception, ReleaseError)
    assert "end its name with .zip" in str(wrong.exception) and not (tmp_path / "n.parquet").exists()


def test_standard_errors_that_cover_the_model_are_correlated(mixed_series: Series) -> None:
    """With a mixture they cover noise and model; without one they are noise alone, and squares add up."""
    parts = [part.count("hour < 9").stderr for part in mixed_series.parts]
    told = mixed_series.count("hour < 9").stderr
    squares = sum(one**2 for one in parts)
    assert told == pytest.approx(np.sqrt(squares + CORRELATION * 2 * parts[0] * parts[1]))
    first = mixed_series.count("hour < 9 and period in ('2026-01', '2026-02')").stderr
    assert np.hypot(*parts[:2]) < first < sum(parts[:2])
    noise = mixed_series.count("hour < 9 and period not in ('2026-01', '2026-02')").stderr
    assert noise == pytest.approx(np.sqrt(sum(one**2 for one in parts[2:])))
    lower, upper = np.zeros((1, 6)), np.array([[*mixed_series.domain.shape]])
    upper[0, 1] = 4
    each = [part.stderr(lower[:, 1:], upper[:, 1:])[0] for part in mixed_series.parts]
    total = sum(one**2 for one in each) + CORRELATION * 2 * each[0] * each[1]
    assert mixed_series.stderr(lower, upper) == pytest.approx(np.sqrt(total))


def test_impossible_cells_are_those_of_each_period() -> None:
    schema = ripost.Schema.from_dict({**SCHEMA, "impossible": ["ward = 'A' and hour > 20"]})
    views = [ripost.publish(TABLE, schema, epsilon=1, seed=1, period=month) for month in MONTHS[:2]]
    both = union(views)
    assert both.domain.impossible is not None and both.domain.impossible.boxes[0][0] == (0, 2)
    assert both.count("ward = 'A' and hour > 20").high == 0
    assert facts_of(both, title="")["impossible"] == both.domain.impossible.boxes
    with pytest.raises(InputError, match="different impossible cells"):
        union([views[0], publish(MONTHS[1])])


def test_json_stat_and_sheets_have_the_figures_of_the_series(tmp_path: Path, series: Series) -> None:
    series.export(tmp_path / "s.json", by="period,ward")
    cube = json.loads((tmp_path / "s.json").read_text("utf-8"))
    assert cube["id"] == ["period", "ward", "figure"] and cube["role"]["time"] == ["period"]
    assert cube["dimension"]["period"]["category"]["index"] == MONTHS[:4]
    rows = series.groupby("period", "ward").rows
    figures = np.array([row[2:] for row in rows], float)
    assert np.array(cube["value"]).reshape(-1, 3)[: len(rows)] == pytest.approx(figures)
    assert "the ledger is that of 2026-01" in cube["extension"]["ripost"]["about"]["periods"]
    series.export(tmp_path / "s.xlsx")
    openpyxl = pytest.importorskip("openpyxl")
    sheet = openpyxl.load_workbook(tmp_path / "s.xlsx")["period"]
    shown = {row[0]: row[1:4] for row in sheet.iter_rows(values_only=True) if row[0] in MONTHS}
    for label, value, low, high in series.groupby("period").rows:
        assert shown[label] == pytest.approx((value, low, high))


def test_bars_of_periods_are_in_the_order_of_time(series: Series) -> None:
    chart = MarginalChart.of(series, "period")
    assert [*chart.axis.labels] == MONTHS[:4]
    assert chart.values == pytest.approx([part.total for part in series.parts])
    few = MarginalChart.of(series, "period", names=2).axis
    assert [*few.labels] == sorted(few.labels) and "2 largest of 4" in few.title
    wards = MarginalChart.of(series, "ward").values
    assert [*wards[:3]] == sorted(wards[:3], reverse=True)


def test_a_certificate_lists_every_period(tmp_path: Path, series: Series, people: Series) -> None:
    for name, one in (("s", series), ("p", people)):
        one.save(tmp_path / f"{name}.ripost.zip")
    subject = CertifiedRelease.open(tmp_path / "p.ripost.zip")
    text = format_certificate(subject)
    assert people.privacy.epsilon == Fraction(3, 4) and "epsilon 0.75, pure" in " ".join(text.split())
    assert "has the sum of their epsilons and deltas" in " ".join(text.split())
    for part in people.parts:
        [line] = [line for line in text.splitlines() if part.file.manifest.digest in line]
        assert part.period is not None and line.startswith(part.period.label)
        assert re.search(rf"^{part.period.label} +ripost\+ .* {float(part.privacy.epsilon):g} ", text, re.MULTILINE)
    assert "periods.md" in text and "unit.md" in text and "digest" in text
    assert "what the costliest promises" not in text
    spent = sum(part.privacy.epsilon_spent for part in people.parts)
    assert f"{spent:.6g} of epsilon 0.75" in text
    csvw = build_csvw(subject)
    assert [column["name"] for column in csvw["tableSchema"]["columns"]] == ["hour", "ward", "who"]
    assert csvw["maxContributions"] == 4
    with pytest.raises(InputError, match="one entry for each release"):
        build_registry_entry(subject)
    seeded = format_certificate(CertifiedRelease.open(tmp_path / "s.ripost.zip"))
    assert seeded.startswith("NOT PRIVATE") and "costliest promises" not in seeded


def test_a_certificate_of_rows_promises_the_costliest_period(tmp_path: Path) -> None:
    parts = [publish(month, epsilon=price, seed=None) for month, price in zip(MONTHS, ("1/2", 2), strict=False)]
    union(parts).save(tmp_path / "s.ripost.zip")
    text = " ".join(format_certificate(CertifiedRelease.open(tmp_path / "s.ripost.zip")).split())
    assert "(epsilon 2, pure differential privacy)" in text and "what the costliest promises" in text
    assert "the costliest period, 2026-02" in text


def test_a_damaged_part_is_not_certified(tmp_path: Path, series: Series) -> None:
    path = tmp_path / "s.ripost.zip"
    series.save(path)
    content = bytearray(path.read_bytes())
    place = content.index(b'"method":"ripost+"')
    content[place + 10 : place + 17] = b"identit"
    path.write_bytes(content)
    with pytest.raises(ReleaseError):
        CertifiedRelease.open(path)


def test_commands_name_what_they_make_after_the_series(tmp_path: Path, series: Series) -> None:
    path = tmp_path / "visits.ripost.zip"
    series.save(path)
    for command, made in (("explore", "visits.html"), ("certificate", "visits.certificate.html")):
        found = CliRunner().invoke(app, [command, str(path)])
        assert found.exit_code == 0, found.exception
        assert (tmp_path / made).exists()
    checked = CliRunner().invoke(app, ["verify", str(path)])
    assert checked.exit_code == 0 and checked.stdout.count("digest") == 4
