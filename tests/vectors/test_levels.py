"""Readers give the vectors of views with levels and impossible cells: the library, its file and a database."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from ripost.answering.answer import UNMEASURED
from ripost.explore.packing import facts_of
from ripost.release.verify import verify_view
from ripost.view import open_view
from tests.export.exporting import exported
from tests.marks import slow
from tests.vectors.agreement import FIGURES, alike, close
from tests.vectors.compare import region_of
from tests.vectors.levels import SQL, VIEWS, is_impossible, publish, rows
from tests.vectors.make import FOLDER, answered, read
from tests.vectors.sql import answer_sql


@pytest.mark.parametrize("name", VIEWS)
def test_the_file_gives_the_vectors(name: str) -> None:
    path, wanted = FOLDER / f"{name}.ripost.parquet", read(name)
    assert all(check.ok for check in verify_view(path))
    view = open_view(path)
    for found, one in zip(answered(view, [question["boxes"] for question in wanted]), wanted, strict=True):
        close(found, one, one["boxes"])
    assert (view.content.mixture is not None) == (name == "levels-mixture")  # type: ignore[attr-defined]
    noted = sum(one["note"] == UNMEASURED for one in wanted)
    assert 30 < noted < 150 if name == "levels-noted" else noted == 0
    answers = [answer_sql(view, sql) for sql in SQL]
    alike(json.loads(json.dumps(answers)), read(f"{name}.sql"))
    page = json.loads((FOLDER / f"{name}.page.json").read_text("utf-8"))
    alike(json.loads(json.dumps(facts_of(view, title=name))), page)


def test_an_answer_from_cut_blocks_has_a_note() -> None:
    """Where most of it lies in them; blocks of this view are of one sex and few ages."""
    noted, old = (open_view(FOLDER / f"levels-{name}.ripost.parquet") for name in ("noted", "blocks"))
    school = "SELECT school, COUNT(*) AS n FROM view WHERE place = 'EWR' GROUP BY school"
    assert noted.count("place = 'EWR' and school >= 14").note == noted.sql(school).note == UNMEASURED
    assert noted.quantile("school", 0.5, place="EWR").note == UNMEASURED
    whole = ("sex = 'male' and age > 50", "place = 'EWR'", "pregnant and sex = 'male'", "school < 5 and place = 'LGA'")
    assert [noted.count(question).note for question in whole] == [""] * 4
    assert old.count("place = 'EWR' and school >= 14").note == old.sql(school).note == ""


@pytest.mark.parametrize("name", VIEWS)
def test_impossible_cells_are_exactly_zero(name: str) -> None:
    """Every cell by itself, and every third of one, in answers and in synthetic rows; the total is that of the rest."""
    view = open_view(FOLDER / f"{name}.ripost.parquet")
    shape, table = view.domain.shape, rows(VIEWS[name])
    cells = np.stack(np.meshgrid(*map(np.arange, shape), indexing="ij"), axis=-1).reshape(-1, len(shape))
    inside = (cells[:, 2] == 1) & ((cells[:, 1] == 0) | (cells[:, 3] < 2))
    lower = cells[inside].astype(float)
    assert len(lower) > 1000
    for low, high in ((lower, lower + 1), (lower + 1 / 3, lower + 2 / 3)):
        assert not view.answer(low, high).any() and not view.stderr(low, high).any()
    assert view.answer(cells, cells + 1).sum() == pytest.approx(view.count().value, rel=1e-9)
    zeros = [one for one in read(name) if one["high"] == 0]
    assert len(zeros) > 30 and all(one[figure] == 0 for one in zeros for figure in FIGURES)
    drawn = view.sample(20_000, seed=1).to_pandas()
    assert not [row for row in drawn.itertuples() if is_impossible(row)]
    kept = sum(not is_impossible(row) for row in table.itertuples())
    assert kept < len(table) and abs(view.count().value - kept) < 60


@pytest.mark.parametrize("name", VIEWS)
def test_groups_of_a_level_add_up(name: str) -> None:
    view = open_view(FOLDER / f"{name}.ripost.parquet")
    places = {row["place"]: row["count"] for row in view.groupby("place", where="school > 6")}
    mapped = view.domain.mapped
    for level in ("region", "state", "hub"):
        for row in view.groupby(level, where="school > 6"):
            group = mapped[level].groups.missing_name if row[level] is None else row[level]
            [(low, _), *_] = mapped[level].groups.select(group)
            codes = [code for start, stop in mapped[level].parts[int(low)] for code in range(int(start), int(stop))]
            names = [view.domain.attributes["place"].describe(code) for code in codes]
            total = sum(places[None if one == "(missing)" else one] for one in names)
            assert row["count"] == pytest.approx(total, rel=1e-9, abs=1e-6)


@pytest.mark.parametrize("each", [24, slow(8)])
@pytest.mark.parametrize("name", VIEWS)
def test_a_database_gives_the_vectors(name: str, each: int, tmp_path: Path) -> None:
    """One question of so many is asked."""
    view = open_view(FOLDER / f"{name}.ripost.parquet")
    with exported(view, tmp_path) as connection:
        zeros = 0
        for question in [one for one in read(name) if len(one["boxes"]) == 1][::each]:
            given = ", ".join(
                f"{name} := {[end for span in spans for end in span]}"
                for name, spans in zip(view.domain.names, question["boxes"][0], strict=True)
                if spans is not None
            )
            note = "count_note" if name != "levels-blocks" else "''"  # a file without notes has no such column
            sql = f"SELECT count, count_stderr, count_low, count_high, {note} FROM ripost_count({given})"
            [(*found, told)] = connection.execute(sql).fetchall()
            assert told == question["note"]
            zeros += question["high"] == 0
            for figure, one in zip(FIGURES, found, strict=True):
                assert one == 0 or question["high"] > 0
                assert math.isclose(one, question[figure], rel_tol=1e-9, abs_tol=1e-9)
        assert zeros * each > 24
        for keys, where, given in (
            (["state"], "", ""),
            (["state", "sex"], "pregnant", ", pregnant := ['true']"),
            (["hub", "sex", "pregnant"], "state IN ('NY', 'NJ')", ", state := ['NY', 'NJ']"),
            (["region", "place"], "hub = 'yes'", ", hub := ['yes']"),
        ):
            wanted = {row[: len(keys)]: row[len(keys) :] for row in view.groupby(*keys, where=where).rows}
            shown = ", ".join([*keys, "count", "count_low", "count_high"])
            for row in connection.execute(f"SELECT {shown} FROM flights_by({keys}{given})").fetchall():
                assert row[len(keys) :] == pytest.approx(wanted.pop(row[: len(keys)]), rel=1e-9, abs=1e-9)
            assert not wanted
        with pytest.raises(Exception, match="state has no value XX"):
            connection.execute("FROM flights_by(['sex'], state := ['XX'])").fetchall()
        found = connection.execute("SELECT value FROM levels WHERE level = 'state' AND \"group\" = 'NY'").fetchall()
        assert sorted(found) == [("JFK",), ("LGA",)]


@pytest.mark.slow
@pytest.mark.parametrize("name", VIEWS)
def test_the_command_makes_the_views(name: str) -> None:
    view, stored = publish(name), open_view(FOLDER / f"{name}.ripost.parquet")
    for question in read(name)[::10]:
        region = region_of(question["boxes"])
        assert view.answer_region(region).value == pytest.approx(stored.answer_region(region).value, rel=0.05, abs=20)
