"""The four data sets are coded as the cases were, and a file that is not as expected is refused and not kept."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.error import URLError

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as csv
import pyarrow.parquet as pq
import pytest
from experiments.cases import CASES
from experiments.datasets import NAMES, SHARED, downloading, load
from experiments.datasets.coding import bins, categories, each, or_missing
from experiments.datasets.publishers import PUBLISHERS, parse_adult, parse_fire, parse_gowalla, parse_jm1
from experiments.datasets.stored import GOWALLA_FULL, STORED, table_digest, world_grid

from ripost import Tensor
from ripost.errors import InputError

shared = pytest.mark.skipif(not (SHARED.is_dir() and CASES.is_dir()), reason="../shared is not there")

OF_CASE = {"adult": "adult", "small": "adult", "fire": "fire", "gowal": "gowalla", "jm": "jm1"}
CASE_NAMES = sorted(path.name for path in CASES.glob("*") if path.is_dir() and path.name != "gowalla256")

ADULT_DATA = (
    "39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Not-in-family, White, Male, 2174, 0, 40, "
    "United-States, <=50K\n\n"
)
ADULT_TEST = (
    "|1x3 Cross validator\n"
    "25, ?, 226802, 11th, 7, Never-married, ?, Own-child, Black, Male, 0, 0, 40, United-States, >50K.\n\n"
)
JM1_ARFF = (
    "% a comment\n@relation jm1\n@attribute loc numeric\n@attribute v(g) numeric\n@data\n"
    "1.1,1.4,1.4,1.4,1.3,1.3,1.3,1.3,1.3,1.3,1.3,1.3,2,2,2,2,1.2,1.2,1.2,1.2,1.4,false\n"
    "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,?,?,?,?,?,true\n"
)
FIRE_CSV = (
    "CallNumber,UnitID,IncidentNumber,CallType,CallDate,WatchDate,CallFinalDisposition,AvailableDtTm,Address,City,"
    "Zipcode,Battalion,StationArea,Box,OriginalPriority,Priority,FinalPriority,ALSUnit,CallTypeGroup,NumAlarms,"
    "UnitType,UnitSequenceInCallDispatch,FirePreventionDistrict,SupervisorDistrict,Neighborhood,Location,RowID,Delay\n"
)
FIRE_ROW = (
    '20110016,T13,2003235,"Extrication / Entrapped (Machinery, Vehicle)",01/11/2002,01/10/2002,Other,'
    '01/11/2002 01:51:44 PM,2000 Block of CALIFORNIA ST,SF,94109,B04,08,3362,3,3,3,false,"",1,TRUCK,2,None,5,'
    'Pacific Heights,"(37.7895840679362, -122.428071912459)",020110016-T13,2.95\n'
    "20110017,T13,2003235,Other,01/11/2002,01/10/2002,Other,,A,,,B04,,,,3,2,true,,1,TRUCK,,None,5,None,"
    '"(37.5, -122.5)",020110017-T13,4.7666667\n'
)
CHECKINS = "0\t2010-10-19T23:55:27Z\t30.2359\t-97.7951\t22847\n1\t2010-10-18T22:17:43Z\t405.5\t-97.7\t420315\n"


class Answer(io.BytesIO):
    """What a server sends."""

    def __init__(self, content: bytes, announced: int | None = None) -> None:
        super().__init__(content)
        self.headers = {} if announced is None else {"Content-Length": str(announced)}


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Path]:
    """Lets the publishers' files be the bytes given, and returns the empty folder of downloads."""
    monkeypatch.setenv("RIPOST_DATA", str(tmp_path / "kept"))

    def serving(*files: bytes, announced: int | None = None) -> Path:
        waiting = list(files)
        monkeypatch.setattr(downloading, "urlopen", lambda url, timeout: Answer(waiting.pop(0), announced))
        return tmp_path / "kept"

    return serving


def expect(monkeypatch: pytest.MonkeyPatch, name: str, table: pa.Table) -> None:
    """Lets a small table be what a publisher's file must hold."""
    made = PUBLISHERS[name]
    digest = made.stored.fingerprint(table)
    small = replace(made.stored, rows=len(table), digest=digest)
    files = tuple(replace(file, size=None, md5=None) for file in made.files)
    monkeypatch.setitem(PUBLISHERS, name, replace(made, stored=small, files=files))
    monkeypatch.setitem(STORED, name, (small,))


def list_files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def adult_files(table: pa.Table) -> tuple[bytes, bytes]:
    """The two files as UCI publishes them."""
    lines = [", ".join(map(str, row.values())) for row in table.to_pylist()]
    train, test = lines[:32_561], lines[32_561:]
    return (
        "".join(f"{line}\n" for line in [*train, ""]).encode(),
        "".join(f"{line}\n" for line in ["|1x3 Cross validator", *(f"{line}." for line in test), ""]).encode(),
    )


@shared
@pytest.mark.parametrize("name", CASE_NAMES)
def test_a_tensor_equals_that_of_the_case(name: str) -> None:
    domain = json.loads((CASES / name / "domain.json").read_text("utf-8"))
    cells = pq.read_table(CASES / name / "cells.parquet")
    case = Tensor.from_arrays(domain, np.stack([cells[name] for name in domain], axis=1), cells["count"].to_numpy())
    data = load(next(data for start, data in OF_CASE.items() if name.startswith(start)), SHARED)
    tensor = data.tensor(list(domain))
    assert tensor.domain.shape == case.domain.shape
    assert np.array_equal(tensor.coords, case.coords) and np.array_equal(tensor.counts, case.counts)


@shared
def test_the_domains_are_those_of_the_paper() -> None:
    adult, jm1 = load("adult", SHARED), load("jm1", SHARED)
    assert list(adult.domain.values()) == [74, 9, 100, 16, 16, 7, 15, 6, 5, 2, 100, 100, 99, 42, 2]
    assert f"{math.prod(adult.domain.values()):.1e}" == "8.9e+18"
    assert math.prod(jm1.domain.values()) == 2 * 10**21 and len(jm1.codes) == 10_880
    assert [len(load(name, SHARED).codes) for name in NAMES] == [48_842, 175_296, 620_683, 10_880]


@shared
@pytest.mark.parametrize("name", NAMES)
def test_a_data_set_says_how_it_was_coded(name: str) -> None:
    data = load(name, SHARED)
    assert data.source.endswith("local") and "\n" not in data.source and list(data.coding) == list(data.domain)
    assert (data.codes >= 0).all() and (data.codes < list(data.domain.values())).all()
    assert load(name, SHARED) is data


@shared
def test_some_records_are_the_same_every_time_and_part_of_more() -> None:
    data = load("jm1", SHARED)
    few, more = (data.tensor(["loc", "defects"], rows) for rows in (100, 1000))
    again = data.tensor(["loc", "defects"], 100)
    assert few.counts.sum() == 100 and np.array_equal(few.coords, again.coords)
    at = {tuple(cell): count for cell, count in zip(more.coords, more.counts, strict=True)}
    assert all(at[tuple(cell)] >= count for cell, count in zip(few.coords, few.counts, strict=True))


@shared
def test_wrong_arguments_are_named() -> None:
    with pytest.raises(InputError, match=r"jm1 has no attribute 'defect'; did you mean 'defects'\?"):
        load("jm1", SHARED).tensor(["defect"])
    with pytest.raises(InputError, match="rows must be between 1 and 10,880 for jm1, got 0"):
        load("jm1", SHARED).tensor(["loc"], 0)
    with pytest.raises(InputError, match=r"there is no data set 'adults'; did you mean 'adult'\?"):
        load("adults")


def test_codings_clamp_and_refuse() -> None:
    assert list(bins(0, 10, 5).code(pa.chunked_array([[-1.0, 0.0, 1.99, 2.0, 10.0, 99.0]]))) == [0, 0, 0, 1, 4, 4]
    assert list(each(17, 90).code(pa.chunked_array([[17, 90, 95]]))) == [0, 73, 73]
    known = categories(["b", "a"])
    assert list(or_missing(known).code(pa.chunked_array([["a", None, "b"]]))) == [1, 2, 0]
    with pytest.raises(InputError, match="none of its categories"):
        known.code(pa.chunked_array([["c"]]))
    with pytest.raises(InputError, match="missing values"):
        known.code(pa.chunked_array([["a", None]]))


@shared
def test_a_changed_local_file_is_refused(tmp_path: Path) -> None:
    table = pq.read_table(SHARED / "jm1.parquet")
    path = tmp_path / "jm1.parquet"
    pq.write_table(table.slice(1), path)
    with pytest.raises(InputError, match=r"jm1\.parquet must hold the 10,885 rows of jm1, got 10,884; remove"):
        load("jm1", tmp_path)
    pq.write_table(pa.concat_tables([table.slice(1), table.slice(0, 1)]), path)
    with pytest.raises(InputError, match=r"its digest must begin with 45c1d406de86, got .*RIPOST_DATA"):
        load("jm1", tmp_path)
    pq.write_table(table.drop_columns("loc"), path)
    with pytest.raises(InputError, match="cannot be read as jm1"):
        load("jm1", tmp_path)
    path.write_bytes(b"no table")
    with pytest.raises(InputError, match="cannot be read as jm1"):
        load("jm1", tmp_path)


@shared
def test_the_digest_is_of_values_not_of_a_file(tmp_path: Path) -> None:
    pq.write_table(pq.read_table(SHARED / "jm1.parquet"), tmp_path / "jm1.parquet", row_group_size=999)
    assert np.array_equal(load("jm1", tmp_path).codes, load("jm1", SHARED).codes)


def test_small_published_files_are_parsed(tmp_path: Path) -> None:
    contents = [ADULT_DATA, ADULT_TEST, JM1_ARFF, FIRE_CSV + FIRE_ROW]
    paths = [tmp_path / str(number) for number in range(4)]
    for path, text in zip(paths, contents, strict=True):
        path.write_text(text, "utf-8")
    adult = parse_adult(paths[:2]).to_pylist()
    assert [row["income"] for row in adult] == ["<=50K", ">50K"] and adult[1]["workclass"] == "?"
    assert adult[0]["capital_gain"] == 2174 and adult[0]["native_country"] == "United-States"
    jm1 = parse_jm1(paths[2:3]).to_pylist()
    assert [row["defects"] for row in jm1] == [False, True] and jm1[0]["v_g"] == 1.4 and jm1[1]["uniq_Op"] is None
    full, bare = parse_fire(paths[3:]).to_pylist()
    assert full["CallType"].endswith("(Machinery, Vehicle)") and full["StationArea"] == "08"
    assert str(full["CallDate"]) == "2002-01-11" and str(full["AvailableDtTm"]) == "2002-01-11 13:51:44"
    assert (full["Latitude"], full["Longitude"]) == (37.7895840679362, -122.428071912459)
    missing = {name for name, value in bare.items() if value is None}
    assert missing == {"AvailableDtTm", "City", "Zipcode", "StationArea", "OriginalPriority", "CallTypeGroup",
                       "UnitSequenceInCallDispatch"}  # fmt: skip
    assert bare["Neighborhood"] == "None" and full["CallTypeGroup"] is None


def test_check_ins_off_the_globe_are_left_out(
    serve: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "checkins.gz"
    path.write_bytes(gzip.compress(CHECKINS.encode()))
    table = parse_gowalla([path])
    assert table.to_pylist()[0] == {"lat": 30.2359, "lon": -97.7951}
    assert np.argwhere(world_grid(table)).tolist() == [[171, 58]] and world_grid(table).sum() == 1
    expect(monkeypatch, "gowalla", table)
    folder = serve(path.read_bytes())
    data = load("gowalla")
    assert data.codes.tolist() == [[667, 228]] and list_files(folder) == ["gowalla_full.parquet"]
    assert data.source.endswith("gowalla_full.parquet, 1 of 2 rows used, downloaded from Stanford SNAP")


@shared
def test_all_of_gowalla_is_known_by_its_grid() -> None:
    grid = np.load(SHARED / "gowalla_grid_256x256.npy")
    assert hashlib.sha256(grid.astype("<i8").tobytes()).hexdigest() == GOWALLA_FULL.digest


@shared
def test_adult_as_published_is_downloaded(serve: Callable[..., Path]) -> None:
    folder = serve(*adult_files(pq.read_table(SHARED / "adult.parquet")))
    data = load("adult")
    assert np.array_equal(data.codes, load("adult", SHARED).codes)
    assert data.source == "UCI Adult, adult.parquet, 48,842 rows, downloaded from UCI"
    assert list_files(folder) == ["adult.parquet"]
    assert load("adult") is data  # nothing more is served


@shared
def test_jm1_as_published_is_downloaded(serve: Callable[..., Path]) -> None:
    rows = pq.read_table(SHARED / "jm1.parquet").to_pylist()
    lines = [",".join("?" if v is None else str(v).lower() for v in row.values()) for row in rows]
    folder = serve("\n".join(["@relation jm1", "@data", *lines]).encode())
    assert np.array_equal(load("jm1").codes, load("jm1", SHARED).codes) and list_files(folder) == ["jm1.parquet"]


@shared
def test_fire_as_published_has_the_digest_of_ours(tmp_path: Path) -> None:
    table = pq.read_table(SHARED / "fire.parquet")
    texts = {name: table[name].cast(pa.string()) for name in table.column_names}
    for name in ("CallDate", "WatchDate"):
        texts[name] = pc.strftime(table[name], "%m/%d/%Y")
    texts["AvailableDtTm"] = pc.strftime(table["AvailableDtTm"].cast(pa.timestamp("s")), "%m/%d/%Y %I:%M:%S %p")
    texts["Location"] = pc.binary_join_element_wise("(", texts["Latitude"], ", ", texts["Longitude"], ")", "")
    path = tmp_path / "sf-fire-calls.csv"
    csv.write_csv(pa.table({name: texts[name] for name in FIRE_CSV.strip().split(",")}), path)
    assert table_digest(parse_fire([path])) == STORED["fire"][0].digest


@pytest.mark.parametrize("name", NAMES)
def test_offline_says_what_to_do(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(url: str, timeout: float) -> None:
        raise URLError("no network")

    monkeypatch.setenv("RIPOST_DATA", str(tmp_path))
    monkeypatch.setattr(downloading, "urlopen", fail)
    with pytest.raises(InputError) as problem:
        load(name)
    assert str(problem.value).startswith(f"{name} could not be downloaded from ") and "no network" in str(problem.value)
    assert str(problem.value).endswith("into a folder and name it in RIPOST_DATA") and list_files(tmp_path) == []


def test_a_file_that_is_cut_short_or_changed_is_not_kept(
    serve: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = serve(ADULT_DATA.encode(), ADULT_TEST.encode())
    with pytest.raises(InputError, match=r"adult\.data must have 3,974,305 bytes, got 129"):
        load("adult")
    serve(b"x" * 3_974_305)
    with pytest.raises(InputError, match=r"adult\.data must have the MD5 5d7c39d7b8804f071cdd1f2a7c460872"):
        load("adult")
    serve(JM1_ARFF.encode(), announced=10_000)
    with pytest.raises(InputError, match=r"jm1\.arff must have 10,000 bytes"):
        load("jm1")
    serve(JM1_ARFF.encode())
    with pytest.raises(InputError, match="the download from OpenML must hold the 10,885 rows of jm1, got 2; put"):
        load("jm1")
    serve(b"<html>moved</html>")
    with pytest.raises(InputError, match=r"jm1 could not be downloaded from OpenML \(it has no line @data"):
        load("jm1")
    serve(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
    with pytest.raises(InputError, match="fire could not be downloaded from Databricks"):
        load("fire")
    serve(gzip.compress(CHECKINS.encode() * 100)[:-20])
    with pytest.raises(InputError, match="gowalla could not be downloaded from Stanford SNAP"):
        load("gowalla")
    serve(gzip.compress(CHECKINS.encode()))
    with pytest.raises(InputError, match=r"must hold the 6,442,890 rows of all check-ins of Gowalla, got 2"):
        load("gowalla")
    assert list_files(folder) == []
