"""People who count in their first periods alone, from the schema to the certificate of a series."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import ripost
from ripost.certify.certificate_text import format_certificate
from ripost.certify.certified_release import CertifiedRelease
from ripost.certify.csvw import build_csvw
from ripost.check.fit import measure_fit
from ripost.check.schema_check import check_schema
from ripost.cli.fit import describe_periods
from ripost.errors import InputError, ReleaseError, SchemaError
from ripost.release.promise import plain_words, promise
from ripost.release.verify import verify_view
from ripost.schema.measure import HISTORY_STAYS, Unit
from tests.conftest import Run
from tests.release.forging import forge

TEXT = """unit = "who"
max_rows = 1
max_periods = 2
period = "month(day)"
[attributes.x]
type = "integer"
min = 0
max = 3
"""
MONTHS = ["2026-01", "2026-02", "2026-03"]
ROWS = [(f"p{who}", dt.date(2026, month, 5), month) for who in range(300) for month in (1, 2, 3) if who % month == 0]
TABLE = pa.table(dict(zip(("who", "day", "x"), map(list, zip(*ROWS, strict=True)), strict=True)))
KEPT = [300, 150, 50]  # p0, p6, …, with rows in all months, are left out of March


def publish(month: str | None, *, epsilon: float | str = 1, text: str = TEXT, **options: object) -> ripost.View:
    return ripost.publish(TABLE, ripost.Schema.parse(text), epsilon=epsilon, period=month, **options)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("first")
    pyarrow.parquet.write_table(TABLE, made / "t.parquet")
    (made / "s.toml").write_text(TEXT, "utf-8")
    return made


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (('unit = "who"\nmax_rows = 1\n', ""), "max_periods needs unit: name the column that identifies people"),
        (('period = "month(day)"\n', ""), "max_periods needs period: say which period a row belongs to"),
        (("max_periods = 2", "max_periods = 0"), "max_periods"),
        (("max_periods = 2", "max_periods = true"), "max_periods"),
        (("max_periods = 2", "max_periods = 1.5"), "max_periods"),
    ],
)
def test_the_schema_needs_a_unit_a_period_and_a_whole_number(change: tuple[str, str], sentence: str) -> None:
    with pytest.raises(SchemaError) as error:
        ripost.Schema.parse(TEXT.replace(*change))
    assert sentence in str(error.value) and "\n" not in str(error.value)


def test_each_month_counts_those_who_are_in_their_first_two() -> None:
    views = [publish(month, epsilon=900, method="identity", seed=1) for month in MONTHS]
    expected = [300, 150, 100 - sum(who % 6 == 0 for who in range(300))]
    assert [round(view.total) for view in views] == expected
    assert round(publish(None, epsilon=900, method="identity", seed=1).total) == 300  # of all rows one of each counts


def test_a_series_promises_the_costliest_periods(tmp_path: Path) -> None:
    parts = [publish(month, epsilon=price) for month, price in zip(MONTHS, ("1/2", "1", "1/4"), strict=True)]
    series = ripost.union(parts)
    assert series.privacy.epsilon == ripost.union(parts[:2]).privacy.epsilon == parts[0].privacy.epsilon * 3
    assert series.privacy.epsilon_spent == pytest.approx(1.5)
    assert promise(series.privacy).endswith(HISTORY_STAYS)
    assert "at most 1 is used in each of its first 2 periods" in promise(series.privacy)
    assert HISTORY_STAYS not in promise(ripost.union(parts[:2]).privacy)  # two months cost what two months cost
    assert HISTORY_STAYS in plain_words(parts[0].privacy)[-1]
    assert "none after its first 2 periods" in parts[0].describe_limits()
    path = tmp_path / "s.ripost.zip"
    series.save(path)
    opened = ripost.open(path)
    assert opened.privacy == series.privacy
    words = " ".join(format_certificate(CertifiedRelease.open(path)).split())
    assert "has the sum of their 2 largest epsilons and deltas" in words and HISTORY_STAYS in words
    assert build_csvw(CertifiedRelease.open(path))["maxContributions"] == 2


def test_parts_of_a_series_agree_in_max_periods() -> None:
    other = publish(MONTHS[1], text=TEXT.replace("max_periods = 2", "max_periods = 1"))
    plain = publish(MONTHS[1], text=TEXT.replace("max_periods = 2\n", ""))
    for part in (other, plain):
        with pytest.raises(InputError, match="have different privacy units; publish them by one schema"):
            ripost.union([publish(MONTHS[0]), part])


def test_the_file_states_it_and_others_are_as_before(tmp_path: Path) -> None:
    view, path = publish(MONTHS[0]), tmp_path / "v.ripost.parquet"
    view.save(path)
    manifest = view.file.manifest
    assert manifest.version == 5 and manifest.privacy.unit.max_periods == 2
    opened = ripost.open(path)
    assert opened.privacy == view.privacy and opened.privacy.unit == Unit("who", 1, 2)
    assert all(check.ok for check in verify_view(path))
    assert any("where it is in the first 2 periods of a who" in check.detail for check in verify_view(path))
    assert ripost.reestimate(path).privacy == view.privacy
    plain = publish(MONTHS[0], text=TEXT.replace("max_periods = 2\n", ""))
    assert plain.file.manifest.version == 4 and "max_periods" not in plain.file.text
    everything = publish(None)
    assert everything.file.manifest.version == 3 and everything.privacy.unit == Unit("who", 1)


@pytest.mark.parametrize(
    ("version", "period", "sentence"),
    [(4, True, "a file is of format 5 if, and only if"), (5, False, "a file with max_periods is of one period")],
)
def test_a_forged_max_periods_is_refused(version: int, period: bool, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "v.parquet"
    publish(MONTHS[0]).save(path)

    def change(manifest: dict[str, object], _: object) -> None:
        manifest["version"] = version
        if not period:
            del manifest["period"]

    forge(path, change)
    with pytest.raises(ReleaseError) as error:
        ripost.open(path)
    assert sentence in str(error.value)


def test_check_says_what_the_steward_vouches_for_and_fit_shows_what_is_dropped(folder: Path) -> None:
    schema = ripost.Schema.parse(TEXT)
    [found] = [one for one in check_schema(str(folder / "t.parquet"), schema) if one.about == "periods"]
    assert found.level == "ok" and "you vouch that the table holds all rows of earlier periods" in found.says
    report = measure_fit(str(folder / "t.parquet"), schema)
    assert report.periods is not None
    assert describe_periods(report.periods, report.rows) == (
        "month(day): 3 periods with rows, 2026-01 to 2026-03; 9.1 % (50) of rows, of 50 units, are beyond max_periods"
    )


def test_commands_count_the_costliest_periods(folder: Path, run: Run) -> None:
    made = run("ledger", "init", "b.sqlite", "--dataset", "d", "--epsilon", "2", "--unit", "who", cwd=folder)
    assert made.returncode == 0, made.stderr
    for month in (MONTHS[2], MONTHS[0], MONTHS[1]):  # in any order
        done = run("publish", "t.parquet", "s.toml", "-e", "1", "--period", month, "--ledger", "b.sqlite", cwd=folder)
        assert done.returncode == 0, done.stderr
    shown = run("ledger", "status", "b.sqlite", cwd=folder).stdout
    assert "Epsilon 2 spent, 0 left." in shown and "max_periods 2" in shown and HISTORY_STAYS in shown
    debits = json.loads(run("ledger", "status", "b.sqlite", "--json", cwd=folder).stdout)["debits"]
    assert {debit["period"]["max_periods"] for debit in debits} == {2}
    views = [f"s-{month}.ripost.parquet" for month in MONTHS]
    assert run("ledger", "audit", "b.sqlite", *views, cwd=folder).returncode == 0
    joined = run("append", "all.ripost.zip", *views, cwd=folder)
    assert joined.returncode == 0 and HISTORY_STAYS in joined.stdout and "(epsilon 2," in joined.stdout
    assert HISTORY_STAYS in run("info", views[0], cwd=folder).stdout
    wider = TEXT.replace("max_periods = 2", "max_periods = 3")
    (folder / "wide.toml").write_text(wider, "utf-8")
    refused = run("publish", "t.parquet", "wide.toml", "-e", "1/100", "--period", "2026-04", "--ledger", "b.sqlite",
                  cwd=folder)  # fmt: skip
    assert refused.returncode == 2 and "keep the max_periods that they had" in refused.stderr


def test_measures_of_those_who_do_not_count_are_not_added() -> None:
    text = f'{TEXT}[measures.paid]\ncolumn = "x"\nmin = 0.0\nmax = 4.0\n'
    view = publish(MONTHS[2], epsilon=900, text=text, seed=1)
    assert view.sum("paid").value == pytest.approx(3 * KEPT[2], abs=2)
    assert np.isclose(view.total, KEPT[2], atol=1)
