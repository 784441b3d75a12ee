"""`ripost certificate`, and the certificate that `ripost publish` writes, run as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ripost.cli.certificate import certificate
from ripost.cli.publish import publish
from ripost.errors import InputError, ReleaseError
from tests.answering.making import make_view, promise
from tests.cli.flights import SCHEMA
from tests.conftest import Run
from tests.release.forging import forge

NAMES = ("t.certificate.html", "t.certificate.txt")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "t.toml").write_text(SCHEMA, "utf-8")
    lines = [f"{i % 24},{('EWR', 'JFK', 'LGA')[i % 3]}" for i in range(400)]
    (tmp_path / "t.csv").write_text("\n".join(["hour,origin", *lines]), "utf-8")
    return tmp_path


def test_publish_writes_a_certificate(run: Run, table: Path) -> None:
    files = ["--registry", "r.yaml", "--csvw", "c.json"]
    done = run("publish", "t.csv", "t.toml", "-e", "1", *files, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["certificate"] == [*NAMES, "r.yaml", "c.json"]
    text = (table / "t.certificate.txt").read_text("utf-8")
    assert "OpenDP 0." in text and "by a factor of at most 2.72" in " ".join(text.split())
    assert json.loads((table / "c.json").read_text("utf-8"))["maxContributions"] == 1
    assert (table / "r.yaml").read_text("utf-8").startswith("url_slug: t\n")

    (table / "t.ripost.parquet").rename(table / "kept.parquet")
    again = run(
        "publish", "missing.csv", "t.toml", "-e", "1"
    )  # the certificate is in the way, and seen before the table
    assert again.returncode == 2 and "t.certificate.html exists already" in again.stderr
    told = run("certificate", "kept.parquet", "-o", "t.certificate.html", *files, "--force")
    assert told.returncode == 0 and "Fill in what only you know in r.yaml: data_curator_name" in told.stdout
    assert "not recorded in the view" in (table / "t.certificate.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("field", "value"), [("scale", 1e-9), ("scale", -5.0), ("sensitivity", 0), ("mechanism", "no noise at all")]
)
def test_no_certificate_for_a_ledger_that_contradicts_itself(
    tmp_path: Path, run: Run, field: str, value: object
) -> None:
    view = tmp_path / "t.ripost.parquet"
    make_view((4, 3), leaves=5).save(view)
    forge(view, lambda manifest, _: manifest["privacy"]["ledger"]["entries"][0].update({field: value}))
    for command in ("certificate", "info", "verify"):
        done = run(command, view.name)
        assert done.returncode != 0 and "ledger" in done.stdout + done.stderr, command
        assert "Traceback" not in done.stderr
    assert run("certificate", view.name).returncode == 2
    assert not any((tmp_path / name).exists() for name in NAMES)


def test_a_certificate_that_fails_leaves_the_view(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The budget is spent by then: the view must stay, and the way to a certificate be told."""

    def full(*_: Any, **__: Any) -> None:
        raise ReleaseError("cannot write t.certificate.html: the disk is full")

    monkeypatch.chdir(table)
    monkeypatch.setattr("ripost.certify.certificate_files.write_files", full)
    with pytest.raises(ReleaseError, match=r"disk is full; the view is there, so run: ripost certificate t.ripost"):
        publish("t.csv", Path("t.toml"), "1", insecure_seed=1)
    assert (table / "t.ripost.parquet").exists()


def test_a_registry_takes_no_seed(run: Run, table: Path) -> None:
    done = run("publish", "t.csv", "t.toml", "-e", "1", "--insecure-seed", "7", "--registry", "r.yaml")
    assert done.returncode == 2 and "leave out --registry" in done.stderr
    assert not (table / "t.ripost.parquet").exists()


def test_a_certificate_of_any_view(run: Run, tmp_path: Path) -> None:
    make_view((4, 3), leaves=6, privacy=promise(6, entropy="seed 7")).save(tmp_path / "t.ripost.parquet")
    done = run("certificate", "t.ripost.parquet")
    assert done.returncode == 0 and "Wrote t.certificate.html, t.certificate.txt." in done.stdout
    assert "NOT PRIVATE" in done.stderr
    assert all("NOT PRIVATE" in (tmp_path / name).read_text("utf-8") for name in NAMES)
    told = json.loads(run("certificate", "t.ripost.parquet", "-o", "other.html", "--json").stdout)
    assert told == {"files": ["other.html", "other.txt"], "private": False}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"view": "nowhere.parquet"}, "nowhere.parquet"),
        ({"output": "nowhere/x.html"}, "its folder does not exist"),
        ({"csvw": "x.json", "registry": "x.json"}, "named twice"),
        ({"output": "x.txt"}, "named twice"),
        ({"view": "torn.parquet"}, "cannot certify"),
        ({"csvw": "t.ripost.parquet"}, "this command reads it"),
        ({"csvw": "torn.parquet"}, "exists already"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(tmp_path: Path, given: dict[str, str], words: str) -> None:
    make_view((4, 3), leaves=6).save(tmp_path / "t.ripost.parquet")
    (tmp_path / "torn.parquet").write_bytes((tmp_path / "t.ripost.parquet").read_bytes()[:-40])
    with pytest.raises(InputError, match=words):
        certificate(**{name: tmp_path / place for name, place in {"view": "t.ripost.parquet", **given}.items()})
    assert {path.name for path in tmp_path.iterdir()} == {"t.ripost.parquet", "torn.parquet"}
