"""A series: one view over all periods, whose answers are the sums of those of its parts."""

from __future__ import annotations

import contextlib
import sys
import threading
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import ripost
from ripost.answering.content.union import CORRELATION, UnionContent
from ripost.cli.append import append
from ripost.errors import InputError, QueryError, ReleaseError
from ripost.methods import METHODS
from ripost.release.promise import promise
from ripost.schema.period import ReleasePeriod
from ripost.series import Series, union
from ripost.view import View
from tests.visits import MONTHS, SCHEMA, TABLE, publish

QUESTIONS = ["", "hour < 9", "ward = 'B'", "hour between 8 and 17 and ward <> 'A'", "hour < 4 or ward = 'C'"]


@pytest.fixture(scope="module")
def views() -> list[View]:
    return [publish(month) for month in MONTHS]


@pytest.fixture(scope="module")
def series(views: list[View]) -> Series:
    return union(views[::-1])


@pytest.mark.parametrize("where", QUESTIONS)
def test_sql_across_twelve_periods_is_the_sum_of_the_parts(where: str, views: list[View], series: Series) -> None:
    counts = [view.count(where or None) for view in views]
    clause = f" WHERE {where}" if where else ""
    [[value, low, high]] = series.sql(f"SELECT COUNT(*) FROM view{clause}").rows
    assert value == pytest.approx(sum(one.value for one in counts))
    found = series.count(where or None)
    assert (found.value, found.low, found.high) == pytest.approx((value, low, high))
    assert found.stderr == pytest.approx(np.sqrt(sum(one.stderr**2 for one in counts)))
    reach = np.array([view.answer_regions([view.cube.filter(where or None).where]).reach[0] for view in views])
    alike = reach.sum() ** 2 - np.square(reach).sum()
    assert found.high - found.value == pytest.approx(np.sqrt(np.square(reach).sum() + CORRELATION * alike))
    rows = series.sql(f"SELECT period, COUNT(*) FROM view{clause} GROUP BY period").rows
    assert [row[0] for row in rows] == MONTHS
    assert [row[1:] for row in rows] == [pytest.approx((one.value, one.low, one.high)) for one in counts]


@pytest.mark.parametrize("level", [0.5, 0.99])
def test_one_period_is_answered_as_by_its_view(level: float, views: list[View], series: Series) -> None:
    for month, view in zip(MONTHS[::5], views[::5], strict=True):
        one, other = series.filter(period=month), view.cube
        assert str(one.count(hour=(3, 7), level=level)) == str(other.count(hour=(3, 7), level=level))
        assert str(one.mean("hour", level=level)) == str(other.mean("hour", level=level))
        assert one.quantile("hour", level=level).rows == other.quantile("hour", level=level).rows
        assert str(one.ratio("ward = 'A'", "hour < 12")) == str(other.ratio("ward = 'A'", "hour < 12"))
        assert one.groupby("ward", simultaneous=True).rows == other.groupby("ward", simultaneous=True).rows


def test_several_periods_are_chosen_as_values_of_an_attribute(views: list[View], series: Series) -> None:
    summer = sum(view.count(ward="B").value for view in views[5:8])
    chosen = "period IN ('2026-06', '2026-07', '2026-08') AND ward = 'B'"
    assert series.count(chosen).value == pytest.approx(summer)
    last = series.count("period LIKE '2026-1%'").value
    assert last == pytest.approx(sum(view.count().value for view in views[9:]))
    assert series.total == pytest.approx(sum(view.total for view in views))
    more = series.count(period="2026-06") - series.count(period="2026-01")
    assert more.value == pytest.approx(views[5].count().value - views[0].count().value)
    assert more.stderr == pytest.approx(np.hypot(views[5].count().stderr, views[0].count().stderr))
    pivot = series.pivot("period", "ward")
    assert len(pivot) == 12 and pivot.rows[3][1] == pytest.approx(views[3].count(ward="A").value)


def test_boxes_of_codes_have_the_period_first(views: list[View], series: Series) -> None:
    lower, upper = np.array([[2, 5, 0], [0, 0, 1], [4, 3, 0]]), np.array([[4, 9, 2], [12, 24, 3], [4, 8, 2]])
    boxes = [(low, high, views[low[0] : high[0]]) for low, high in zip(lower, upper, strict=True)]
    parts = [sum(view.answer(low[1:], high[1:])[0] for view in some) for low, high, some in boxes]
    noise = [sum(view.stderr(low[1:], high[1:])[0] ** 2 for view in some) for low, high, some in boxes]
    assert series.answer(lower, upper) == pytest.approx(parts)
    assert series.stderr(lower, upper) == pytest.approx(np.sqrt(noise))
    assert len(series.blocks) == sum(len(view.blocks) for view in views)
    assert series.blocks.value.sum() == pytest.approx(sum(view.blocks.value.sum() for view in views))


def test_intervals_hold_the_true_totals(series: Series) -> None:
    """Of 5 x 13 intervals of level 95 %; a sound release fails this less than once in a million runs."""
    inside = []
    for where in QUESTIONS:
        for month in [None, *MONTHS]:
            mask = [month is None or f"{day:%Y-%m}" == month for day in TABLE["day"].to_pylist()]
            kept = TABLE.filter(pa.array(mask)).to_pylist()
            holds = {
                "": lambda _: True,
                "hour < 9": lambda row: row["hour"] < 9,
                "ward = 'B'": lambda row: row["ward"] == "B",
                QUESTIONS[3]: lambda row: 8 <= row["hour"] <= 17 and row["ward"] != "A",
                QUESTIONS[4]: lambda row: row["hour"] < 4 or row["ward"] == "C",
            }[where]
            told = (series if month is None else series.filter(period=month)).count(where or None)
            inside.append(told.low <= sum(map(holds, kept)) <= told.high)
    assert sum(inside) >= 52


def test_rows_lose_the_costliest_period_and_people_the_sum() -> None:
    rows = union([publish("2026-01", epsilon=2, seed=None), publish("2026-02", epsilon="1/2", seed=None)])
    assert rows.privacy.epsilon == 2 and rows.privacy.is_private
    people = ripost.Schema.from_dict({**SCHEMA, "unit": "who", "max_rows": 2})
    both = [ripost.publish(TABLE, people, epsilon="1/2", period=month) for month in MONTHS[:2]]
    assert union(both).privacy.epsilon == 1
    assert union(both).min_interval_width == both[0].min_interval_width
    assert rows.min_interval_width == rows.parts[1].min_interval_width  # of the view with the smaller epsilon
    assert [part.privacy.epsilon for part in rows.parts] == [2, Fraction(1, 2)]
    mixed = union([publish("2026-01", seed=None), publish("2026-02")])
    assert mixed.privacy.warning == "NOT PRIVATE: the noise comes from seed 2"


def test_a_series_of_two_definitions_says_what_its_ledger_counts() -> None:
    """The costliest view counts epsilon, and the other adds a delta."""
    pure, rho = publish("2026-01", epsilon=2, seed=None), publish("2026-02", delta=1e-6, seed=None)
    both = union([pure, rho])
    assert (both.privacy.epsilon, both.privacy.delta) == (2, Fraction("0.000001"))
    assert both.privacy.currency == pure.privacy.currency == "epsilon"
    assert "different definitions" in both.privacy.definition
    assert both.privacy.spent == pure.privacy.spent
    assert both.epsilon_spent == both.privacy.epsilon_spent == pure.epsilon_spent
    alike = union([rho, publish("2026-03", delta=1e-9, seed=None)])
    assert alike.privacy.currency == "rho" and alike.privacy.definition == rho.privacy.definition
    assert alike.privacy.delta == Fraction("0.000001") and alike.privacy.epsilon_spent == alike.epsilon_spent


def test_the_rows_of_a_person_are_bounded_in_each_period() -> None:
    people = ripost.Schema.from_dict({**SCHEMA, "unit": "who", "max_rows": 2})
    both = union([ripost.publish(TABLE, people, epsilon=1, period=month) for month in MONTHS[:2]])
    assert both.privacy.epsilon_spent == sum(part.privacy.epsilon_spent for part in both.parts)
    assert "of which at most 2 are used in each period" in promise(both.privacy)
    assert "of which at most 2 are used)" in promise(both.parts[0].privacy)
    assert "at most 2 of each who in each period and none" in both.count().note


def test_a_series_is_saved_whole_and_grows(tmp_path: Path, views: list[View], series: Series) -> None:
    first, path = tmp_path / "first.ripost.parquet", tmp_path / "visits.ripost.zip"
    views[0].save(first)
    union([first, views[1]]).save(path)
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == ["2026-01.ripost.parquet", "2026-02.ripost.parquet"]
        assert archive.read("2026-01.ripost.parquet") == first.read_bytes()
    before = path.read_bytes()
    with pytest.raises(ReleaseError, match="exists already"):
        union([path, views[2]]).save(path)
    union([path, *views[2:]]).save(path, force=True)
    opened = ripost.open(path)
    assert isinstance(opened, Series) and opened.digest == series.digest and opened.name == "visits"
    assert [part.privacy.ledger for part in opened.parts] == [view.privacy.ledger for view in views]
    assert opened.count("hour < 9") == series.count("hour < 9")
    assert opened.sql("SELECT COUNT(*) FROM visits").rows == series.sql("SELECT COUNT(*) FROM view").rows
    union(opened.parts[:2]).save(tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == before
    assert repr(opened).startswith("Series(12 periods, 2026-01 to 2026-12, month(day), NOT PRIVATE")


def test_what_does_not_make_a_series_is_refused(views: list[View]) -> None:
    one, taken = views[0], {"period": {**SCHEMA["attributes"]["hour"], "column": "hour"}}
    twice, schema = [one, one], ripost.Schema.from_dict({**SCHEMA, "attributes": taken})
    renamed = ripost.publish(TABLE, schema, epsilon=1, seed=1, period="2026-02")
    for bad, sentence in (
        ([], "needs at least one view"),
        ("v.parquet", "union takes a list of views"),
        (twice, "two views are of 2026-01, so its rows would count twice"),
        ([one, publish("2026-02", period=None)], "one of these was not"),
        ([one, replace(one, period=ReleasePeriod("month(other)", "2026-02"))], "different rules"),
        ([one, renamed], "2026-02 and 2026-01 have different attributes; publish them by one schema"),
        ([renamed], "the views have an attribute period"),
    ):
        with pytest.raises(InputError, match=sentence):
            union(bad)


def test_what_a_series_cannot_do_is_said_in_one_sentence(tmp_path: Path, series: Series) -> None:
    for ask, sentence in (
        (lambda: series.file, "take that of one of its parts"),
        (lambda: series.save(tmp_path / "s.parquet"), "end its name with .zip"),
    ):
        with pytest.raises((InputError, QueryError), match=sentence):
            ask()
    series.export(tmp_path / "t.csv", by="period,ward")
    assert (tmp_path / "t.csv").read_text("utf-8").count("2026-03,") >= 3
    assert "Visits" in series._repr_html_()


def _rewrite(path: Path, change: Any, method: int = zipfile.ZIP_STORED, extra: bytes = b"") -> None:
    with zipfile.ZipFile(path) as archive:
        members = [(one.filename, archive.read(one)) for one in archive.infolist()]
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in change(members):
            member = zipfile.ZipInfo(name)
            member.extra = extra
            archive.writestr(member, content, method)


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda members: [(members[1][0], members[0][1])], "its name is not that of its period"),
        (lambda members: [*members, members[0]], "two views are of 2026-01"),
        (lambda members: [(members[0][0], members[0][1][:-100])], "in '2026-01.ripost.parquet': it is damaged"),
        (lambda members: [("2026-01.ripost.parquet", b"")], "in '2026-01.ripost.parquet': "),
        (lambda members: [("../x", b"PK\x03\x04")], "in '../x': it holds a series"),
    ],
)
def test_a_forged_archive_is_refused(change: Any, sentence: str, tmp_path: Path, views: list[View]) -> None:
    path = tmp_path / "s.zip"
    union(views[:2]).save(path)
    _rewrite(path, change)
    with pytest.raises(ReleaseError) as error:
        ripost.open(path)
    assert sentence in str(error.value)


def test_archives_that_are_compressed_or_cut_are_refused(tmp_path: Path, views: list[View]) -> None:
    path = tmp_path / "s.zip"
    union(views[:2]).save(path)
    whole = path.read_bytes()
    _rewrite(path, lambda members: members, zipfile.ZIP_DEFLATED)
    with pytest.raises(ReleaseError, match="without compression"):
        ripost.open(path)
    for content in (whole[:-30], whole[: len(whole) // 2], b"PK\x03\x04"):
        path.write_bytes(content)
        with pytest.raises(ReleaseError, match="damaged ZIP archive"):
            ripost.open(path)
    digest, rng = union(views[:2]).digest, Random(0)
    for _ in range(300):
        changed = bytearray(whole)
        for _ in range(rng.choice((1, 1, 3))):
            place = rng.choice((rng.randrange(len(whole)), rng.randrange(60), len(whole) - 1 - rng.randrange(250)))
            changed[place] = rng.randrange(256)
        path.write_bytes(changed)
        with contextlib.suppress(ReleaseError):
            assert ripost.open(path).digest == digest  # in a field that means nothing


@pytest.mark.parametrize("place", ["before", "between", "after", "comment", "extra field", "member of a directory"])
def test_bytes_beside_the_release_files_are_refused(place: str, tmp_path: Path, views: list[View]) -> None:
    """What no reader reads could hold anything, and other programs would find other members in it."""
    path = tmp_path / "s.zip"
    union(views[:2]).save(path)
    whole = path.read_bytes()
    second = whole.find(b"PK\x03\x04", 4)
    match place:
        case "before":  # a member that no directory names
            path.write_bytes(whole[:second] + whole)
        case "between":
            start = int.from_bytes(whole[-6:-2], "little")
            path.write_bytes(whole[:start] + b"SECRET" + whole[start:-6] + (start + 6).to_bytes(4, "little") + b"\0\0")
        case "after":
            path.write_bytes(whole + b"SECRET")
        case "comment":
            with zipfile.ZipFile(path, "a") as archive:
                archive.comment = b"SECRET"
        case "extra field":
            _rewrite(path, lambda members: members, extra=b"\xfe\xca\x06\0SECRET")
        case _:
            with zipfile.ZipFile(path, "a") as archive:
                archive.mkdir("SECRET")
    with pytest.raises(ReleaseError, match=r"bytes beside its release files; unzip it|in 'SECRET/'"):
        ripost.open(path)


def test_a_member_that_claims_gigabytes_is_refused_before_it_is_read(tmp_path: Path, views: list[View]) -> None:
    """Python asks for as much memory as a header says that a member takes in the archive."""
    path = tmp_path / "s.zip"
    union(views[:2]).save(path)
    content = bytearray(path.read_bytes())
    at = content.find(b"PK\x01\x02") + 20  # the size in the archive, in the directory at its end
    content[at : at + 4] = (2**31 - 1).to_bytes(4, "little")
    path.write_bytes(content)
    with pytest.raises(ReleaseError, match="without compression"):
        ripost.open(path)


def test_the_contents_of_a_union_have_one_shape(views: list[View]) -> None:
    other = ripost.publish(ripost.Tensor.from_arrays((3,), [[1]], [5]), epsilon=1, seed=1)
    with pytest.raises(ValueError, match="need one shape"):
        UnionContent([views[0].content, other.content])


@pytest.mark.parametrize("method", list(METHODS))
def test_every_method_publishes_periods_that_make_a_series(method: str, tmp_path: Path) -> None:
    options = {"delta": 1e-6} if "delta" in {one.name for one in fields(METHODS[method])} else {}
    parts = [publish(month, method=method, **options) for month in MONTHS[:2]]
    union(parts).save(tmp_path / "s.zip")
    opened = ripost.open(tmp_path / "s.zip")
    asked = "hour between 8 and 17"
    assert opened.count(asked).value == pytest.approx(sum(part.count(asked).value for part in parts))
    alone, told = parts[1].count(asked), opened.count(f"{asked} and period = '2026-02'")
    for name in ("value", "stderr", "low", "high"):
        assert getattr(told, name) == pytest.approx(getattr(alone, name), nan_ok=True)


def test_noise_alone_adds_up_in_squares() -> None:
    """Cells with noise alone and whole blocks have no model error: half-widths are roots of sums of squares."""
    parts = [publish(month, method="identity") for month in MONTHS[:4]]
    whole, alone = union(parts).count("hour < 9"), [part.count("hour < 9") for part in parts]
    reach = np.sqrt(sum((one.high - one.value) ** 2 for one in alone))
    assert whole.high - whole.value == pytest.approx(reach, rel=1e-6)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows locks no folders")
def test_appends_at_the_same_time_lose_no_period(tmp_path: Path, views: list[View]) -> None:
    for number, view in enumerate(views):
        view.save(tmp_path / f"{number}.parquet")
    start = threading.Barrier(len(views))

    def add(number: int) -> None:
        start.wait()
        append(tmp_path / "s.zip", [tmp_path / f"{number}.parquet"], as_json=True)

    with ThreadPoolExecutor(len(views)) as pool:
        list(pool.map(add, range(len(views))))
    assert len(ripost.open(tmp_path / "s.zip").parts) == len(views)
