"""Releases of schemas that leave something open: promise, ledger, file, commands, and what fails before the debit."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ripost
from ripost.budget_ledger.operations import read_ledger
from ripost.errors import InputError, RipostError
from ripost.explore.packing import _privacy as pack_privacy
from ripost.privacy.ledger import DISCOVERED, PURE, Currency
from ripost.privacy.zcdp import rho_for
from ripost.publishing.publication import Publication
from ripost.reestimating import reestimate
from ripost.release.promise import plain_words, promise
from ripost.release.verify import verify_view
from ripost.schema.discovery import NOTHING_FOUND
from ripost.schema.schema import Schema
from tests.budget_ledger.making import open_ledger
from tests.release.forging import Manifest, forge

VALUES = '[attributes.place]\ntype = "category"\nvalues = "discover"\n'
BOUNDS = '[attributes.size]\ntype = "integer"\nmin = 0\nmax = "discover"\nmax_bins = 10\n'
PEOPLE = 'unit = "person"\nmax_rows = "discover"\n'
MONTHS = 'period = "month(day)"\n'


def table(rows: int = 900) -> pa.Table:
    """Three frequent places, one that a single row has, sizes from 50 to 89, people with three rows."""
    names = np.array(["Rome", "Oslo", "Bonn"])[np.arange(rows) % 3].tolist()
    return pa.table(
        {
            "person": [f"p{number // 3}" for number in range(rows)],
            "place": [*names[:-1], "Only One"],
            "size": [50 + number % 40 for number in range(rows)],
            "day": pa.array([f"2026-{10 + number % 2}-05 00:00:00" for number in range(rows)]).cast(pa.timestamp("us")),
        }
    )


def publish(text: str, source: Any = None, **more: Any) -> ripost.View:
    options = {"epsilon": 2, "method": "identity", "delta": 1e-9, **more}
    options = {name: value for name, value in options.items() if value is not None}
    schema, rows = Schema.parse(text), table() if source is None else source
    people = schema.unit is None and isinstance(rows, pa.Table)  # else a column that looks like people is warned of
    return ripost.publish(rows.drop_columns("person") if people else rows, schema, **options)


def test_values_are_found_and_the_promise_says_delta(tmp_path: Path) -> None:
    view = publish(VALUES + BOUNDS)
    assert view.domain.attributes["place"].names == ("Bonn", "Oslo", "Rome")  # type: ignore[attr-defined]
    assert view.domain.attributes["size"].max == 99  # type: ignore[attr-defined]
    privacy = view.privacy
    assert privacy.discovery is not None
    assert (privacy.epsilon, privacy.delta, privacy.definition) == (2, Fraction(1, 10**9), DISCOVERED)
    assert privacy.currency is Currency.EPSILON and privacy.spent == privacy.method_epsilon == Fraction(13, 10)
    assert privacy.epsilon_spent == 2 and privacy.method_delta == 0
    assert "adds at most 0.000000001" in promise(privacy) and "values of place (0.6)" in " ".join(plain_words(privacy))
    path = tmp_path / "view.ripost.parquet"
    view.save(path)
    again = ripost.open(path)
    assert again.privacy == privacy and again.domain == view.domain
    assert all(check.ok for check in verify_view(path))
    packed = pack_privacy(again)
    assert packed["delta"] == 1e-9 and any("Discovered" in one for one in packed["words"])


def test_without_values_the_promise_stays_pure() -> None:
    view = publish(PEOPLE + BOUNDS, delta=None, seed=3)
    assert (view.privacy.definition, view.privacy.delta) == (PURE, 0)
    assert view.privacy.unit.max_rows == 5 and view.privacy.discovery is not None
    assert view.privacy.spent + view.privacy.discovery.epsilon == 2
    assert [entry.what for entry in view.privacy.discovery.entries] == ["bounds", "max_rows"]


def test_a_schema_without_discovery_is_published_as_before() -> None:
    text = '[attributes.place]\ntype = "category"\nvalues = ["Rome"]\n'
    view = publish(text, delta=None)
    assert view.privacy.discovery is None and view.privacy.definition == PURE
    assert "discovery" not in view.privacy.to_json() and view.file.manifest.version < 5


def test_a_method_with_delta_gets_the_other_half() -> None:
    view = publish(VALUES, method="ripost+", seed=1)
    privacy = view.privacy
    assert privacy.discovery is not None and privacy.currency is Currency.RHO
    assert privacy.method_delta == privacy.discovery.delta == Fraction(1, 2 * 10**9)
    assert privacy.spent <= rho_for(Fraction(14, 10), Fraction(1, 2 * 10**9))
    assert view.parameters["delta"] == "1/2000000000"
    pure = publish(VALUES, method="ripost+", discover_delta_share=1, discover_share="1/4", seed=1)
    assert pure.privacy.currency is Currency.EPSILON and pure.privacy.method_epsilon == Fraction(3, 2)


@pytest.mark.slow
def test_an_accounted_method_spends_the_rest() -> None:
    pytest.importorskip("dp_accounting")
    view = publish(VALUES, method="p3gm", steps=2, iterations=2, seed=1)
    assert view.privacy.currency is Currency.ACCOUNTED and view.privacy.epsilon_spent == 2


def test_an_instance_of_a_method_leaves_delta_to_discovery() -> None:
    from ripost.methods.identity import Identity

    view = publish(VALUES, method=Identity())
    assert view.privacy.discovery is not None and view.privacy.discovery.delta == view.privacy.delta


def test_nothing_found_is_a_sound_release() -> None:
    view = publish(VALUES + BOUNDS, table(6), method="ripost+", seed=2)
    assert view.domain.attributes["place"].names == (NOTHING_FOUND,)  # type: ignore[attr-defined]
    dropped = publish(VALUES + 'outside = "drop"\nmissing = "drop"\n', table(6))
    assert dropped.domain.shape == (1,)


@pytest.mark.parametrize("method", ["ripost", "privtree", "dawa", "hdmm", "ahp", "privbayes", "mst"])
def test_every_kind_of_method_publishes_what_was_found(method: str) -> None:
    view = publish(VALUES + BOUNDS, method=method, seed=3, delta=1e-6)
    assert view.privacy.delta == Fraction(1, 10**6) and "Rome" in view.domain.attributes["place"].names  # type: ignore[attr-defined]


def test_a_seeded_release_repeats_and_says_so() -> None:
    one, two = (publish(VALUES + BOUNDS, seed=9) for _ in range(2))
    assert one.domain == two.domain and one.privacy.warning is not None
    assert bytes(one.file.encoded or b"1") == bytes(two.file.encoded or b"2")


def test_a_reestimate_keeps_the_promise() -> None:
    view = publish(VALUES + BOUNDS, method="ripost+", seed=4)
    again = reestimate(view)
    assert again.privacy == view.privacy and again.domain == view.domain and again.file.manifest.version == 5


def test_a_release_of_a_period_is_debited_whole_and_counts_its_own_votes(tmp_path: Path) -> None:
    ledger = open_ledger(tmp_path, delta="1/1000000")
    rows = table()
    late = pa.concat_tables([rows.filter(pa.compute.equal(rows["place"], "Rome"))] * 3)
    november = pa.array(["2026-11-07 00:00:00"] * len(late)).cast(pa.timestamp("us"))
    late = late.set_column(3, "day", november).set_column(1, "place", pa.array(["Late"] * len(late)))
    source = pa.concat_tables([rows, late])
    views = [publish(MONTHS + VALUES, source, period=label, ledger=ledger, epsilon="1/4", discover_share="1/2")
             for label in ("2026-10", "2026-11")]  # fmt: skip
    assert "Late" in views[1].domain.attributes["place"].names  # type: ignore[attr-defined]
    assert "Late" not in views[0].domain.attributes["place"].names  # type: ignore[attr-defined]
    state = read_ledger(ledger)
    assert state.spent == (Fraction(1, 4), Fraction(1, 10**9))  # rows of two months are disjoint
    assert views[0].debit is not None and views[0].debit.number == 1


def test_the_debit_comes_before_the_first_vote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger, seen = open_ledger(tmp_path, delta="1/1000000"), []
    read = Publication.read

    def look(self: Publication) -> Any:
        state = read_ledger(ledger)
        seen.append(state.spent)
        return read(self)

    monkeypatch.setattr(Publication, "read", look)
    monkeypatch.setattr("ripost.data.votes.read_votes", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        publish(VALUES, epsilon="1/2", ledger=ledger)
    assert seen == [(Fraction(1, 2), Fraction(1, 10**9))]


def test_how_many_values_have_votes_is_told_to_nobody() -> None:
    told: list[tuple[str, int]] = []
    publish(VALUES + BOUNDS, watch=lambda purpose, number: told.append((purpose, number)))
    assert told[:2] == [("values of place", 1), ("bounds of size", 1)]


@pytest.mark.parametrize(
    ("text", "more", "says"),
    [
        (VALUES, {"delta": None}, 'values = "discover" costs delta'),
        (VALUES, {"delta": 0}, "must be above 0"),
        (VALUES, {"delta": 0.5}, "delta must be 0, or lie between"),
        (VALUES, {"discover_share": 2}, "discover_share must lie strictly between 0 and 1"),
        (VALUES, {"discover_share": "1e-400"}, "discover_share must lie between 0.001 and 0.999"),
        (
            PEOPLE + BOUNDS,
            {"delta": None, "discover_share": "1e-18"},
            "discover_share must lie between 0.001 and 0.999",
        ),
        (VALUES, {"discover_share": "0." + "9" * 400}, "discover_share must lie between 0.001 and 0.999"),
        (VALUES, {"discover_delta_share": "1/2"}, "this method is pure"),
        (BOUNDS, {"delta": None, "discover_delta_share": 1}, "is for values"),
        (BOUNDS, {}, "has no option 'delta'"),
        (VALUES, {"workload": ([[0]], [[1]])}, "a workload is in codes of a known domain"),
        (VALUES + "max_values = 100000\n" + BOUNDS.replace("10", "1000000"), {"method": "hdmm"}, "stops at"),
        (PEOPLE + BOUNDS, {"delta": 1e-9, "method": "p3gm"}, "p3gm"),
        ('[attributes.day]\ntype = "category"\nvalues = "discover"\ncolumn = "none"\n', {}, "has no column 'none'"),
    ],
)
def test_public_mistakes_are_found_before_the_debit(
    text: str, more: dict[str, Any], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Publication, "debit", lambda _: pytest.fail("debited"))
    with pytest.raises(RipostError, match=says):
        publish(text, **more)


def test_a_stream_is_refused_before_the_debit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Publication, "debit", lambda _: pytest.fail("debited"))
    with pytest.raises(InputError, match="discovery reads a table more than once"):
        publish(VALUES, table().drop_columns("person").to_reader())


def row(manifest: Manifest, number: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = manifest["privacy"]["discovery"][number]
    return found


CONTRADICTIONS: dict[str, Callable[[Manifest, Any], Any]] = {
    "less noise": lambda m, _: row(m).update(scale=row(m)["scale"] / 2),
    "a lower threshold": lambda m, _: row(m).update(threshold=row(m)["threshold"] - 5),
    "a lower price": lambda m, _: row(m).update(epsilon="1/10"),
    "a lower delta": lambda m, _: row(m).update(delta="1/10000000000"),
    "no delta": lambda m, _: row(m).update(delta="0"),
    "bounds with delta": lambda m, _: row(m, 1).update(delta="1/10000000000"),
    "the promise forgets delta": lambda m, _: m["privacy"].pop("delta"),
    "the promise forgets discovery": lambda m, _: m["privacy"].pop("discovery"),
    "discovery in an old format": lambda m, _: m.update(version=3),
    "a draw left out": lambda m, _: m["privacy"]["discovery"].pop(0),
    "a draw twice": lambda m, _: m["privacy"]["discovery"].append(copy.deepcopy(row(m))),
    "an attribute that is not there": lambda m, _: row(m).update(attribute="x"),
    "values of a number": lambda m, _: row(m).update(attribute="size"),
    "more values than are listed": lambda m, _: row(m).update(cells=2),
    "values out of order": lambda m, _: m["domain"][0]["attribute"].update(values=["Rome", "Bonn", "Oslo"]),
    "a bound off the grid": lambda m, _: m["domain"][1]["attribute"].update(min=3, max=97),
    "a larger epsilon for the method": lambda m, _: m["privacy"].update(epsilon="9/5"),
}


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("honest") / "view.ripost.parquet"
    publish(VALUES + BOUNDS).save(path)
    return path.read_bytes()


@pytest.mark.parametrize("change", CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_contradiction_is_refused(change: Callable[[Manifest, Any], Any], honest: bytes, tmp_path: Path) -> None:
    path = tmp_path / "view.ripost.parquet"
    path.write_bytes(honest)

    def forge_file(manifest: Manifest, columns: Any) -> None:
        change(manifest, columns)

    forge(path, forge_file)
    assert not all(check.ok for check in verify_view(path))
    with pytest.raises(RipostError):
        ripost.open(path)


def test_the_commands_tell_what_was_discovered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from typer.testing import CliRunner

    from ripost.cli.app import app

    monkeypatch.chdir(tmp_path)
    pq.write_table(table(), "t.parquet")
    Path("s.toml").write_text(PEOPLE + VALUES + BOUNDS, "utf-8")

    def run(*words: str) -> str:
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, done.output
        return " ".join(done.output.split())

    assert "will be discovered from noisy votes" in run("check", "t.parquet", "s.toml")
    told = run("publish", "t.parquet", "s.toml", "-e", "2", "--method", "identity", "--option", "delta=1e-9")
    assert "delta 1e-09" in told
    assert "Discovered from the data first" in run("info", "s.ripost.parquet")
    assert "of it on discovery" in run("verify", "s.ripost.parquet")
    facts = json.loads(run("info", "s.ripost.parquet", "--json"))["privacy"]
    assert facts["delta"] == "1/1000000000" and len(facts["discovery"]) == 3
    text = " ".join(Path("s.certificate.txt").read_text("utf-8").split())
    for words in ("discover_values.md", "votes of units", "Discovered from the data", "delta 1e-09"):
        assert words in text, words
    run("init", "t.parquet", "--discover", "--unit", "person", "-o", "draft.toml")
    draft = Path("draft.toml").read_text("utf-8")
    assert draft.count('= "discover"') == 4 and "Oslo" not in draft
