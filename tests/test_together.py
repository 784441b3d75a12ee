"""One release holds every pair of features, and all of them at once: it publishes, verifies and answers.

Noise is seeded and epsilon is large, so intervals of level 99.99 % hold the truth unless something is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import ripost
from ripost.budget_ledger.operations import read_ledger
from ripost.cli.app import app
from ripost.errors import InputError, QueryError, RipostError
from ripost.privacy.zcdp import rho_for
from ripost.release.verify import verify_view
from ripost.view import View
from tests.budget_ledger.making import open_ledger
from tests.features import EPSILON, EVERYTHING, FEATURES, LEVEL, MEASURES, PAIRS, PLAIN, TABLE, Wanted, combine
from tests.marks import slow


def rows_of(view: View) -> pd.DataFrame:
    """The rows that count."""
    return TABLE if view.period is None else TABLE[TABLE["day"].dt.month == 11]


def check_promise(view: View, wanted: Wanted) -> None:
    """The ledgers add up to the promise exactly; with rho, to what the promise allows."""
    privacy, found = view.privacy, view.privacy.discovery
    spent_before = Fraction(0) if found is None else found.epsilon
    assert privacy.epsilon == EPSILON and privacy.method_epsilon + spent_before == EPSILON
    assert privacy.delta == (Fraction(1, 10**6) if "delta" in wanted.options else 0)
    if privacy.method_delta:
        assert privacy.spent <= rho_for(privacy.method_epsilon, privacy.method_delta)
        assert float(privacy.epsilon_spent) == pytest.approx(EPSILON, rel=1e-3)
    else:
        assert privacy.spent + spent_before == EPSILON


def check_answers(view: View, names: tuple[str, ...]) -> None:
    """Some totals, sums and means lie in their intervals, and those of impossible cells are exactly 0."""
    rows, sure = rows_of(view), view.at(LEVEL)
    asked: list[tuple[str, Any]] = [
        ("place = 'b'", rows["place"] == "b"),
        ("hour between 2 and 5 and place = 'c'", rows["hour"].between(2, 5) & (rows["place"] == "c")),
        ("shop = 'Oslo' and age < 7", (rows["shop"] == "Oslo") & (rows["age"] < 7)),
    ]
    for name, group in {"levels": "zone", "derived": "side"}.items():
        if name in names:
            asked.append((f"{group} = 'south'", rows["place"].isin(["c", "d"])))
    for condition, here in asked:
        count = sure.count(condition)
        assert count.low <= here.sum() <= count.high, condition
        for name, column, low, high in MEASURED if "measures" in names else ():
            added = rows.loc[here, column].clip(low, high)
            total, mean = sure.sum(name, where=condition), sure.mean(name, where=condition)
            assert total.low <= added.sum() <= total.high, (name, condition)
            assert mean.low <= added.mean() <= mean.high, (name, condition)
            assert float(mean) == pytest.approx(added.mean(), abs=(high - low) / 5)
    if "impossible" in names:
        nothing = {"place": "d", "hour": (0, 1)}
        none = view.count(**nothing)
        assert (none.value, none.low, none.high) == (0, 0, 0)
        for name in view.measures:
            zero, mean = view.sum(name, **nothing), view.mean(name, **nothing)
            assert (zero.value, zero.stderr, zero.low, zero.high) == (0, 0, 0, 0)
            assert np.isnan([mean.value, mean.low, mean.high]).all()


MEASURED = [("delay", "delay", -30.0, 90.0), ("seats", "chairs", 0.0, 300.0)]
QUESTIONS = [
    "SELECT place, COUNT(*) FROM view GROUP BY place",
    "SELECT shop, COUNT(*) FROM view WHERE hour >= 4 GROUP BY shop",
]
OF_MEASURES = "SELECT place, hour, SUM(delay), AVG(seats) FROM view WHERE hour < 4 GROUP BY place, hour"


def ask_all(view: View) -> list[Any]:
    """Figures as text, which tells missing ones alike."""
    return [repr(view.sql(question).rows) for question in [*QUESTIONS, *([OF_MEASURES] if view.measures else [])]]


def is_quick(pair: tuple[str, ...]) -> bool:
    """Whether not all of a pair is in EVERYTHING, which one quick release holds at once."""
    return not set(pair) <= set(EVERYTHING)


@pytest.fixture(scope="module", params=[one if is_quick(one) else slow(one) for one in PAIRS], ids="-".join)
def pair(request: pytest.FixtureRequest) -> tuple[tuple[str, ...], Wanted, View]:
    wanted = combine(request.param)
    return request.param, wanted, wanted.publish()


def test_a_pair_publishes_verifies_and_answers(pair: tuple[tuple[str, ...], Wanted, View], tmp_path: Path) -> None:
    names, wanted, view = pair
    check_promise(view, wanted)
    check_answers(view, names)
    path = tmp_path / "pair.ripost.parquet"
    view.save(path)
    assert [check.detail for check in verify_view(path) if not check.ok] == []
    opened = ripost.open(path)
    assert ask_all(opened) == ask_all(view)
    assert opened.privacy == view.privacy and opened.domain == view.domain


@pytest.mark.slow
def test_a_pair_is_estimated_again(pair: tuple[tuple[str, ...], Wanted, View]) -> None:
    names, _, view = pair
    if "without" in names:
        with pytest.raises(InputError, match="holds no noisy measurements"):
            ripost.reestimate(view)
        return
    again = ripost.reestimate(view)
    assert again.to_arrow().equals(view.to_arrow())
    assert again.measurements().equals(view.measurements())
    assert ask_all(again) == ask_all(view)


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> tuple[View, Path]:
    view, path = combine(EVERYTHING).publish(), tmp_path_factory.mktemp("all") / "all.ripost.parquet"
    view.save(path)
    return view, path


def run(*words: object) -> Any:
    found = CliRunner().invoke(app, [*map(str, words), "--json"])
    assert found.exit_code == 0, found.output
    return json.loads(found.stdout)


def test_everything_at_once_is_answered(everything: tuple[View, Path]) -> None:
    view, path = everything
    check_promise(view, combine(EVERYTHING))
    check_answers(view, EVERYTHING)
    assert [check.detail for check in verify_view(path) if not check.ok] == []
    again = ripost.reestimate(path)
    assert again.to_arrow().equals(view.to_arrow()) and ask_all(again) == ask_all(view)
    facts = view.privacy.discovery
    assert facts is not None and [one.what for one in facts.entries] == ["values", "bounds", "max_rows"]
    assert view.privacy.unit.max_rows == 2 and set(view.privacy.measures) == set(MEASURES)
    assert set(view.measurements()["measure"].to_pylist()) == {None, *MEASURES}


def check_outputs(view: View, path: Path, folder: Path) -> None:
    """Commands and exports hold what the view answers."""
    facts = run("info", path)
    assert list(facts.get("measures", {})) == list(view.measures)
    assert facts["privacy"]["spent"] == str(view.privacy.spent)
    assert all(check["ok"] for check in run("verify", path)["checks"])
    question = "SELECT place, COUNT(*) FROM view GROUP BY place"
    assert [row["count"] for row in run("query", path, question)["rows"]] == view.sql(question).to_pandas()[
        "count"
    ].tolist()
    run("certificate", path, "--output", folder / "view.certificate.html")
    words = (folder / "view.certificate.html").read_text("utf-8")
    assert all(name in words for name in view.measures)
    assert f"All {len(view.privacy.all_entries):,} entries" in words and all(
        f"sums of {name}, total" in words for name in view.measures
    )
    view.export(folder / "view.csv", by="place,hour")
    table = pd.read_csv(folder / "view.csv", encoding="utf-8-sig")
    zero = table[(table["place"] == "d") & (table["hour"].astype(str).isin(["0", "1"]))]
    assert len(zero) == 2
    if view.domain.impossible is not None:
        ends = [name for name in table.columns if name.startswith(("count", "sum_"))]
        assert (zero[ends] == 0).all().all()
        assert zero[[name for name in table.columns if name.startswith("avg_")]].isna().all().all()
    view.export(folder / "view.duckdb")
    with duckdb.connect(str(folder / "view.duckdb"), read_only=True) as connection:
        names = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
        assert ("measures" in names) == bool(view.measures)
        for name in view.measures:
            found = dict(connection.execute(f"SELECT place, sum_{name} FROM view_{name}_by(['place'])").fetchall())
            assert found["b"] == pytest.approx(float(view.sum(name, place="b")))
    view.explore(folder / "view.html")
    assert (folder / "view.html").stat().st_size > 10_000


def test_everything_at_once_is_exported(everything: tuple[View, Path], tmp_path: Path) -> None:
    check_outputs(*everything, tmp_path)


@pytest.mark.slow
def test_a_pair_is_exported(pair: tuple[tuple[str, ...], Wanted, View], tmp_path: Path) -> None:
    pair[2].save(tmp_path / "pair.ripost.parquet")
    check_outputs(pair[2], tmp_path / "pair.ripost.parquet", tmp_path)


def test_a_series_of_everything_adds_up() -> None:
    """All but discovery, which may find other domains in each period."""
    wanted = combine(("measures", "levels", "derived", "impossible", "period", "unit", "delta", "protect"))
    parts = [wanted.publish(period=label) for label in ("2026-10", "2026-11")]
    series = ripost.union(parts)
    for name in MEASURES:
        assert float(series.sum(name, zone="north")) == pytest.approx(
            sum(float(p.sum(name, zone="north")) for p in parts)
        )
        zero, mean = series.sum(name, place="d", hour=0), series.mean(name, place="d", hour=0)
        assert (zero.value, zero.low, zero.high) == (0, 0, 0) and np.isnan(mean.low)
        assert str(mean) == "none (no row can be there)"
        least = max(part.find_min_sum_width(name) for part in parts)
        assert series.find_min_sum_width(name) == least > 0


def test_units_are_counted_where_each_has_one_row_of_one_release() -> None:
    wanted = combine(("measures", "impossible", "period")).add(unit="person", max_rows=1)
    parts = [wanted.publish(period=label) for label in ("2026-10", "2026-11")]
    question = "SELECT COUNT(DISTINCT person) FROM view"
    assert parts[0].sql(question).rows[0][0] == pytest.approx(
        TABLE.loc[TABLE["day"].dt.month == 10, "person"].nunique(), abs=5
    )
    with pytest.raises(QueryError, match="in several periods; ask the view of one period, with max_rows = 1"):
        ripost.union(parts).sql(question)
    for name, says in {
        "unit": "up to 2 rows of each count; publish a view with max_rows = 1 to count them",
        "measures": "publish with this column as unit and max_rows = 1 to count each of its values once",
    }.items():
        with pytest.raises(QueryError, match=says):
            combine((name,)).publish().sql(question)


def test_least_squares_of_the_counts_beside_measures() -> None:
    """Without smoothing, the blocks are the least-squares solution of the measured totals, as without measures."""
    known = PLAIN.schema["attributes"]
    plain = dict.fromkeys(("shrink", "joint", "refit", "leeway"), False)
    view = (
        replace(PLAIN.add(attributes={name: known[name] for name in ("place", "hour")}), options=plain)
        .add(measures=MEASURES)
        .publish()
    )
    found, blocks = view.measurements().to_pandas(), view.blocks
    counts = found[found["measure"].isna()]
    totals = counts[counts["statistic"] == "total"]
    lower, upper = (totals[[f"{name}_{end}" for name in view.domain.names]].to_numpy() for end in ("lo", "hi"))
    inside = ((lower[:, None] <= blocks.lower) & (blocks.upper <= upper[:, None])).all(axis=2)
    whole = counts[counts["statistic"] == "total of part"].groupby("entry").agg({"value": "sum", "variance": "sum"})
    inside = np.vstack([inside, np.ones((len(whole), len(blocks)), bool)])  # what a histogram says of the total
    values, variances = (np.concatenate([totals[name], whole[name]]) for name in ("value", "variance"))
    weight = 1 / np.sqrt(variances)
    solution, *_ = np.linalg.lstsq(inside * weight[:, None], values * weight, rcond=None)
    assert len(blocks) > 20 and solution.min() > 0
    assert np.allclose(solution, blocks.value, rtol=1e-6)


def test_a_release_is_judged_by_what_was_discovered(tmp_path: Path) -> None:
    """Not by the largest max_rows that can be found, with which 20 ages would be lost in noise."""
    TABLE.to_parquet(tmp_path / "visits.parquet")
    (tmp_path / "visits.toml").write_text(
        'unit = "person"\nmax_rows = "discover"\n'
        '[attributes.age]\ntype = "integer"\nmin = 0\nmax = 19\n'
        "[measures.delay]\nmin = -30\nmax = 90\n"
    )
    table, schema, view = (tmp_path / f"visits.{ending}" for ending in ("parquet", "toml", "ripost.parquet"))
    found = run("publish", table, schema, "--epsilon", 9, "--output", view, "--no-certificate")
    assert found["warnings"] == []


REFUSED: dict[str, tuple[Callable[[Wanted], Wanted], str]] = {
    "a sum and measures": (
        lambda one: FEATURES["measures"](one).add(measure={"sum": "chairs", "max": 300.0}),
        r"takes either \[measure\] or \[measures.NAME\]; write",
    ),
    "measures and another method": (
        lambda one: replace(FEATURES["measures"](one), options={"method": "quadtree"}),
        "releases counts alone; use ripost",
    ),
    "impossible cells and another method": (
        lambda one: replace(FEATURES["impossible"](one), options={"method": "quadtree"}),
        "use method='ripost\\+', or leave impossible out",
    ),
    "an impossible cell of what is to be discovered": (
        lambda one: FEATURES["values"](one).add(impossible=["shop = 'Rome' and hour = 1"]),
        "shop is to be discovered; state its values or bounds, or compare another attribute",
    ),
    "levels of what is to be discovered": (
        lambda one: FEATURES["values"](one).change("shop", levels={"land": {"Italy": ["Rome"]}}),
        "levels needs the values of each group; list the values, or leave out levels",
    ),
    "bounds of a measure": (
        lambda one: one.add(measures={"delay": {"min": 0.0, "max": "discover"}}),
        "max must be a number",
    ),
    "a workload and discovery": (
        lambda one: replace(FEATURES["bounds"](one), options={"workload": ([[0] * 4], [[1] * 4])}),
        "list what the schema discovers, or leave it out",
    ),
    "a discovered value without delta": (lambda one: replace(FEATURES["values"](one), options={}), "give one, such as"),
    "protected attributes and another method": (
        lambda one: replace(FEATURES["protect"](one), options={"protect": ["place,hour"], "method": "quadtree"}),
        "leave out protect, or use ripost",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_says_what_to_do_before_the_debit(case: str, tmp_path: Path) -> None:
    change, says = REFUSED[case]
    ledger = open_ledger(tmp_path, delta="1/1000")
    with pytest.raises(RipostError, match=says) as refused:
        change(PLAIN).publish(seed=None, epsilon=1, ledger=ledger)
    assert "\n" not in str(refused.value)
    assert read_ledger(ledger).spent == (0, 0)
