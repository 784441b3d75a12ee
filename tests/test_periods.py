"""One period of a series, from the command to the certificate: only its rows count, and everything says so."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

import ripost
from ripost.certify.certificate_text import format_certificate
from ripost.certify.certified_release import CertifiedRelease
from ripost.data.tensor import Tensor
from ripost.errors import InputError, ReleaseError, SchemaError
from ripost.release.verify import verify_view
from ripost.schema.period import ReleasePeriod
from tests.conftest import Run
from tests.release.forging import forge

RULE = "month(strptime(day, '%d/%m/%Y'))"
SCHEMA = f'period = "{RULE}"\n[attributes.x]\ntype = "integer"\nmin = 0\nmax = 9\n'
DAYS = ["01/10/2026", "31/10/2026", "01/11/2026", "soon", None]
TABLE = pa.table({"day": DAYS * 200, "x": [number % 5 for number in range(1000)]})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("periods")
    pyarrow.parquet.write_table(TABLE, made / "t.parquet")
    (made / "s.toml").write_text(SCHEMA, "utf-8")
    return made


def publish(**options: object) -> ripost.View:
    given = {"epsilon": 1, "seed": 1, "period": "2026-10", **options}
    return ripost.publish(TABLE, ripost.Schema.parse(SCHEMA), **given)


def test_only_rows_of_the_period_count() -> None:
    periods = ("2026-10", "2026-11", "2026-12", None)
    exact = [publish(epsilon=900, method="identity", period=period) for period in periods]
    assert [[round(view.count(x=x).value) for x in range(5)] for view in exact] == [
        [200, 200, 0, 0, 0], [0, 0, 200, 0, 0], [0] * 5, [200] * 5,
    ]  # fmt: skip
    assert tuple(view.period and view.period.label for view in exact) == periods


def test_the_caller_cannot_say_which_rows_are_of_a_period() -> None:
    plain = ripost.Schema.from_dict({"attributes": {"x": {"type": "integer", "min": 0, "max": 9}}})
    with pytest.raises(InputError, match=r"a period needs a rule in the schema .* such as period = \"month\(date\)\""):
        ripost.publish(TABLE, plain, epsilon=1, period="2026-10")
    with pytest.raises(InputError, match="a period needs a rule in the schema"):
        ripost.publish(Tensor.from_arrays((4,), [[0]], [3]), epsilon=1, period="2026-10")
    with pytest.raises(InputError, match="a tensor has none"):
        ripost.publish(Tensor.from_arrays((4,), [[0]], [3]), ripost.Schema.parse(SCHEMA), epsilon=1, period="2026-10")
    with pytest.raises(InputError, match="period must be text such as '2026-10', got int"):
        publish(period=202610)
    with pytest.raises(SchemaError, match="period must read like"):
        ripost.Schema.parse(SCHEMA.replace("month(", "second("))


@pytest.mark.parametrize("measurements", [True, False])
def test_the_file_states_the_period(measurements: bool, tmp_path: Path) -> None:
    view, path = publish(measurements=measurements), tmp_path / "v.parquet"
    view.save(path)
    opened = ripost.open(path)
    assert opened.period == view.period == ReleasePeriod(RULE, "2026-10")
    assert view.file.manifest.version == 4 and (opened.measured is not None) is measurements
    assert opened.privacy == view.privacy  # the promise of one release is what it was
    assert ("period", True, f"counts only the rows of 2026-10 of {RULE}") in verify_view(path)
    assert publish(period=None).file.manifest.version == 3
    if measurements:
        assert ripost.reestimate(path).period == view.period


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"label": "2026-13", "rule": RULE}, "reads like 2026-10, got '2026-13'"),
        ({"label": "2026-10", "rule": "date"}, "period must read like"),
        ({"label": "2026-10"}, "wrong at period.rule"),
        (None, "if, and only if, it is of format 4"),
    ],
)
def test_a_forged_period_is_refused(change: object, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "v.parquet"
    publish().save(path)
    forge(path, lambda manifest, _: manifest.update(period=change) if change else manifest.pop("period"))
    with pytest.raises(ReleaseError) as error:
        ripost.open(path)
    assert sentence in str(error.value)


def test_commands_say_which_period(folder: Path, run: Run) -> None:
    assert run("ledger", "init", "b.sqlite", "--dataset", "visits", "--epsilon", "1", cwd=folder).returncode == 0
    for month in ("2026-10", "2026-11"):
        done = run("publish", "t.parquet", "s.toml", "-e", "1", "--period", month, "--ledger", "b.sqlite", cwd=folder)
        assert done.returncode == 0, done.stderr
        view = f"s-{month}.ripost.parquet"
        assert f"Counts only the rows of the period {month} of {RULE}." in run("info", view, cwd=folder).stdout
        assert json.loads(run("info", view, "--json", cwd=folder).stdout)["period"]["label"] == month
        checked = run("verify", view, "--ledger", "b.sqlite", cwd=folder)
        assert checked.returncode == 0 and f"ok   period: counts only the rows of {month} of {RULE}" in checked.stdout
        words = format_certificate(CertifiedRelease.open(folder / view))
        assert f"{month} of {RULE}" in words
    again = run("publish", "t.parquet", "s.toml", "-e", "1", "--period", "2026-10", "--ledger", "b.sqlite",
                "-o", "again.ripost.parquet", cwd=folder)  # fmt: skip
    assert again.returncode == 2 and "has epsilon 0 left of 1 for 2026-10" in again.stderr
    shown = run("ledger", "status", "b.sqlite", cwd=folder).stdout
    assert "Epsilon 1 spent, 0 left." in shown and f"2026-11 of {RULE}" in shown
    assert "of each rule the costliest period counts" in shown
    told = json.loads(run("ledger", "status", "b.sqlite", "--json", cwd=folder).stdout)
    assert [debit["period"]["label"] for debit in told["debits"]] == ["2026-10", "2026-11"]
    views = [f"s-{month}.ripost.parquet" for month in ("2026-10", "2026-11")]
    assert run("ledger", "audit", "b.sqlite", *views, cwd=folder).returncode == 0
    _ask_for_the_series(folder, run, views)


def _ask_for_the_series(folder: Path, run: Run, views: list[str]) -> None:
    """A series is made, grows, is asked, described, verified and audited; what it is not is said in one sentence."""
    for number, view in enumerate(views, 1):
        done = run("append", "s.ripost.zip", view, "--json", cwd=folder)
        assert done.returncode == 0 and len(json.loads(done.stdout)["periods"]) == number, done.stderr
    twice = run("append", "s.ripost.zip", views[0], cwd=folder)
    assert twice.returncode == 2 and "two views are of 2026-10, so its rows would count twice" in twice.stderr
    parts = [json.loads(run("query", view, "x < 3", "--json", cwd=folder).stdout)["value"] for view in views]
    asked = json.loads(run("query", "s.ripost.zip", "x < 3", "--json", cwd=folder).stdout)
    assert asked["value"] == pytest.approx(sum(parts))
    table = run("query", "s.ripost.zip", "SELECT period, COUNT(*) FROM view GROUP BY period", "--csv", cwd=folder)
    assert [line.split(",")[0] for line in table.stdout.splitlines()] == ["period", "2026-10", "2026-11"]
    shown = run("info", "s.ripost.zip", cwd=folder).stdout
    assert "2 periods" in shown and f"2026-11 of {RULE}" in shown and "factor of at most 2.72 (epsilon 1," in shown
    facts = json.loads(run("info", "s.ripost.zip", "--json", cwd=folder).stdout)
    assert facts["epsilon"] == "1" and [one["debit"]["number"] for one in facts["periods"]] == [1, 3]
    checked = run("verify", "s.ripost.zip", "--ledger", "b.sqlite", cwd=folder)
    assert checked.returncode == 0 and "ok   2026-11 ledger release: 2026-11 is paid for by debit 3" in checked.stdout
    audited = run("ledger", "audit", "b.sqlite", "s.ripost.zip", cwd=folder)
    assert audited.returncode == 0 and "s.ripost.zip 2026-10 is paid for by debit 1" in audited.stdout
    for command in (["certificate", "--registry", "r.yaml"], ["reestimate", "-o", "x.parquet"]):
        done = run(*command, "s.ripost.zip", cwd=folder)
        assert done.returncode == 2 and "series" in done.stderr and done.stderr.count("\n") == 1, (command, done.stderr)
    plain = run("publish", "t.parquet", "s.toml", "-e", "1", "-o", "all.ripost.parquet", "--no-certificate", cwd=folder)
    assert plain.returncode == 0
    assert (
        "with a period, and one of these was not" in run("append", "new.zip", "all.ripost.parquet", cwd=folder).stderr
    )
    (folder / "s.ripost.zip").write_bytes((folder / "s.ripost.zip").read_bytes()[:-40])
    broken = run("verify", "s.ripost.zip", cwd=folder)
    assert broken.returncode != 0 and "FAIL structure: it is a damaged ZIP archive" in broken.stdout.replace("  ", " ")


def test_a_period_that_is_none_costs_nothing(folder: Path, run: Run) -> None:
    done = run("publish", "t.parquet", "s.toml", "-e", "1", "--period", "October", "-o", "x.ripost.parquet", cwd=folder)
    assert done.returncode == 2 and "reads like 2026-10, got 'October'" in done.stderr
    assert not (folder / "x.ripost.parquet").exists()
