"""A file that is not what it should be gives one sentence, never another exception, never a wrong answer."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ripost.errors import ReleaseError
from ripost.release import parquet
from ripost.release.contents import codec
from ripost.release.verify import verify_view
from ripost.view import open_view
from tests.answering.making import blocks_of, make_view
from tests.marks import posix
from tests.release.forging import Columns, Manifest, forge, read, write

BOX = [0, 1, 0], [5, 6, 3]
ALL_DATES = {"type": "date", "min": "0001-01-01", "max": "9998-12-31"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "v.ripost.parquet"
    make_view(inner=0.5, marginals=True).save(made)
    return made


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("sound") / "v.ripost.parquet"
    make_view(inner=0.5, marginals=True).save(made)
    return made


def refusal_of(path: Path) -> str:
    """The one sentence with which a file is refused, at the latest when it is first asked."""
    with pytest.raises(ReleaseError) as caught:
        open_view(path).stderr(*BOX)
    sentence = str(caught.value)
    assert "\n" not in sentence and len(sentence) < 500
    checks = verify_view(path)
    assert not all(check.ok for check in checks)
    return sentence


def set_value(*where: Any, value: Any) -> Callable[[Manifest, Columns], None]:
    """Set one place in the manifest."""

    def change(manifest: Manifest, _: Columns) -> None:
        inside: Any = manifest
        for step in where[:-1]:
            inside = inside[step]
        inside[where[-1]] = value

    return change


def cell(column: str, value: Any, row: int = 3) -> Callable[[Manifest, Columns], None]:
    """Set one cell of the table."""

    def change(_: Manifest, columns: Columns) -> None:
        columns[column][row] = value

    return change


@pytest.mark.parametrize("part", [0, 1, 3, 4, 8, 11, 12, 100, 0.25, 0.5, 0.75, 0.9, 0.99, -9, -8, -5, -4, -1])
def test_cut_short(path: Path, part: float) -> None:
    content = path.read_bytes()
    length = int(part * len(content)) if isinstance(part, float) else part
    path.write_bytes(content[:length])
    refusal_of(path)


def test_cut_short_anywhere(path: Path) -> None:
    content = path.read_bytes()
    for length in np.random.default_rng(0).integers(0, len(content), 300):
        path.write_bytes(content[:length])
        with pytest.raises(ReleaseError):
            open_view(path)


def test_bytes_that_belong_to_no_column(path: Path) -> None:
    """What no reader reads could hold anything."""
    content = path.read_bytes()
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    path.write_bytes(content[:footer] + b"SECRET" + content[footer:])
    assert "damaged" in refusal_of(path)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.floats(0, 1, exclude_max=True), flip=st.integers(1, 255))
def test_flipped_bytes(sound: Path, tmp_path: Path, place: float, flip: int) -> None:
    content = bytearray(sound.read_bytes())
    content[int(place * len(content))] ^= flip
    other = tmp_path / "flipped"
    other.write_bytes(content)
    try:
        opened = open_view(other)
        answers = opened.answer(*BOX), opened.stderr(*BOX)
    except ReleaseError:
        return
    first = open_view(sound)  # the byte is one that nobody reads
    np.testing.assert_array_equal(answers, (first.answer(*BOX), first.stderr(*BOX)))
    assert opened.privacy == first.privacy and opened.domain == first.domain


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "empty"),
        (b"hello, world", "not a Parquet file"),
        (b"PAR1", "damaged"),
        (b"PAR1" * 100, "damaged"),
        (b"PAR1" + b"\xff\xff\xff\x7fPAR1", "damaged"),
        (os.urandom(1000), "not a Parquet file"),
    ],
)
def test_junk(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "junk"
    path.write_bytes(content)
    assert sentence in refusal_of(path)


@posix
def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, sentence in {
        "none": "no such file",
        ".": "not a plain file",
        "pipe": "not a plain file",
        "a\0": "not a file name",
    }.items():
        with pytest.raises(ReleaseError, match=sentence):
            open_view(tmp_path / name)
        assert [check.name for check in verify_view(tmp_path / name) if not check.ok] == ["structure"]


def test_other_parquet(path: Path) -> None:
    write(path, {"a": [1, 2]}, None)
    assert "not a view made by ripost" in refusal_of(path)


@pytest.mark.parametrize(
    "change",
    [
        cell("value", 7.25),
        cell("variance", 7.25),
        cell("depth", 4),
        cell("x0_hi", 4),
        set_value("method", value="other"),
        set_value("privacy", "entropy", value="seed 7"),
        set_value("marginals", 0, 0, value=123.0),
        set_value("domain", 0, "attribute", "max", value=13),
        set_value("software", value="ripost 9"),
    ],
)
def test_edits_show(path: Path, change: Callable[[Manifest, Columns], None]) -> None:
    forge(path, change, sealed=False)
    refusal_of(path)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (set_value("version", value=6), "made by a newer ripost (format 6); upgrade"),
        (set_value("version", value=5), "if, and only if, it has one of these"),
        (set_value("version", value=4), "if, and only if, it is of format 4"),
        (set_value("period", value={"rule": "month(date)", "label": "2026-10"}), "if, and only if, it is of format 4"),
        (set_value("version", value=3), "if, and only if, it is of format 3"),
        (set_value("version", value=10**30), "newer"),
        (set_value("version", value=0), "version"),
        (set_value("version", value="1"), "version"),
        (set_value("format", value="other"), "not one of ripost"),
        (set_value("digest", value="00"), "digest"),
        (set_value("surprise", value=1), "surprise"),
        (set_value("measure", "step", value=0), "measure.step"),
        (set_value("measure", "bound", value=10**400), "measure.bound"),
        (set_value("domain", value=[]), "domain"),
        (set_value("domain", 0, "name", value="x1"), "listed twice"),
        (set_value("domain", 0, "name", value="other"), "columns"),
        (set_value("domain", 0, "attribute", "type", value="pickle"), "domain"),
        (set_value("domain", 0, "attribute", "max", value=-5), "min must not be above max"),
        (set_value("domain", 0, "attribute", "max", value=10**12), "bins"),
        (set_value("domain", 0, "attribute", "max", value=400), "marginals do not fit"),
        (set_value("domain", 0, "attribute", value=ALL_DATES), "do not fit"),
        (set_value("marginals", 0, 0, value=-1.0), "marginals.0.0"),
        (set_value("marginals", value=[]), "marginals do not fit"),
        (set_value("marginals", 0, 0, value=10**400), "marginals.0.0"),
        (set_value("privacy", "epsilon", value="1/3"), "more than epsilon"),
        (set_value("privacy", "epsilon", value="1/0"), "epsilon"),
        (set_value("privacy", "epsilon", value="1e999999999"), "epsilon"),
        (set_value("privacy", "epsilon", value="9" * 400), "epsilon is not above 0 and up to 1000"),
        (set_value("privacy", "epsilon", value=0.5), "epsilon"),
        (set_value("privacy", "spent", value="1/3"), "add up"),
        (set_value("privacy", "unit", "max_rows", value=3), "max_rows needs a unit"),
        (set_value("privacy", "ledger", "steps", value=[]), "add up"),
        (set_value("privacy", "ledger", "steps", 2, value=[1, 1, 7]), "every block"),
        (set_value("privacy", "ledger", "steps", 2, value=[2, 1, 20]), "refers to what is not there"),
        (set_value("privacy", "ledger", "steps", 2, value=[1, 1]), "steps"),
        (set_value("privacy", "ledger", "steps", 2, value=[None, None, 20]), "no beginning"),
        (set_value("privacy", "ledger", "entries", 1, "epsilon", value="0"), "add up"),
        (set_value("privacy", "ledger", "entries", 1, "sensitivity", value=-1), "sensitivity"),
        (set_value("tree", "measured", "nodes", value="!"), "measured nodes"),
        (set_value("tree", "measured", "nodes", value="AAAA"), "measured nodes"),
        (set_value("tree", "measured", "variances", value=[]), "measured nodes"),
        (set_value("tree", "measured", "variances", 0, value=-1.0), "variances.0"),
        (set_value("tree", value=None), "tree"),
        (cell("value", np.nan), "finite"),
        (cell("value", np.inf), "finite"),
        (cell("variance", -1.0), "negative"),
        (cell("variance", np.nan), "negative"),
        (cell("x0_lo", -1), "tile"),
        (cell("x0_hi", 2**31 - 1), "tile"),
        (cell("depth", -1), "tile"),
        (cell("depth", 2**31 - 1), "tile"),
    ],
)  # fmt: skip
def test_forgeries(path: Path, change: Callable[[Manifest, Columns], None], sentence: str) -> None:
    """The digest fits, so each rule must hold by itself."""
    forge(path, change)
    assert sentence in refusal_of(path)


def test_a_forgery_without_fault_is_a_view(path: Path) -> None:
    """The tests above find the fault they plant, and not one of the forger's tools."""
    forge(path, set_value("marginals", 0, value=None))
    assert all(check.ok for check in verify_view(path))
    assert blocks_of(open_view(path)).density is not None


def test_blocks_that_overlap_or_leave_gaps(tmp_path: Path) -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        path = tmp_path / str(seed)
        make_view(seed=seed).save(path)

        def shift(_: Manifest, columns: Columns, rng: np.random.Generator = rng) -> None:
            name = str(rng.choice([name for name in columns if name.endswith(("_lo", "_hi"))]))
            columns[name][rng.integers(len(columns[name]))] += rng.choice([-1, 1])

        forge(path, shift)
        assert "tile" in refusal_of(path)


def test_variances_that_do_not_follow(path: Path) -> None:
    forge(path, cell("variance", 123.0))
    assert [check.name for check in verify_view(path) if not check.ok] == ["variances"]


def recast(kind: str, *columns_to_change: str) -> Callable[[Manifest, Columns], None]:
    def change(_: Manifest, columns: Columns) -> None:
        for name in columns_to_change:
            columns[name] = columns[name].astype(kind)

    return change


def hole(_: Manifest, columns: Columns) -> None:
    columns["value"] = pa.array([None, *columns["value"][1:]], pa.float64())


@pytest.mark.parametrize(
    "change",
    [
        recast("float32", "value"),
        recast("int64", "x0_lo"),
        recast("str", "depth"),
        lambda _, columns: columns.pop("depth"),
        lambda _, columns: columns.update(more=columns["value"]),
        lambda _, columns: columns.update({name: column[:0] for name, column in columns.items()}),
        hole,
    ],
)
def test_other_columns(path: Path, change: Callable[[Manifest, Columns], None]) -> None:
    forge(path, lambda manifest, columns: (change(manifest, columns), json.dumps(manifest))[1])
    refusal_of(path)


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (lambda text: text.replace('"format"', '"version":1,"format"'), "twice"),
        (lambda text: text.replace('"version":2', '"version":NaN'), "not a number"),
        (lambda text: text.replace('"method":"by hand"', '"method":"\ud800"'), ""),
        (lambda text: text.replace('"tight":false', '"tight":' + "[" * 20_000 + "]" * 20_000), ""),
        (lambda text: text.replace('"tight":false', '"tight":' + "9" * 5000), ""),
        (lambda text: text[:-1], "JSON"),
        (lambda text: "[]", "not one of ripost"),
        (lambda text: "null", "not one of ripost"),
        (lambda text: "", "JSON"),
        (lambda text: " " + text, "digest"),
        (lambda text: text.replace("by hand", "Hände"), "ASCII"),
    ],
)
def test_odd_json(path: Path, edit: Callable[[str], str], sentence: str) -> None:
    manifest, columns = read(path)
    text = edit(json.dumps(manifest, sort_keys=True, separators=(",", ":")))
    write(path, columns, {b"ripost": text.encode("utf-8", "surrogatepass")})
    assert sentence in refusal_of(path)


def test_bytes_that_are_no_text(path: Path) -> None:
    write(path, read(path)[1], {b"ripost": b"\xff\xfe"})
    assert "ASCII" in refusal_of(path)


def test_fractions_that_nobody_can_add_up(path: Path) -> None:
    def many(manifest: Manifest, _: Columns) -> None:
        entry = manifest["privacy"]["ledger"]["entries"][0]
        numbers = [f"1/{10**900 + odd}" for odd in range(1, 2001, 2)]
        manifest["privacy"]["ledger"]["entries"] = [{**entry, "epsilon": number} for number in numbers]
        manifest["privacy"]["ledger"]["steps"] = [[None, None, 0], *([i, i, 20 * (i == 999)] for i in range(1000))]

    forge(path, many)
    assert "too large to add up" in refusal_of(path)


def test_more_blocks_than_a_file_can_hold(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(codec.ALLOWED, "blocks", 10)
    monkeypatch.setattr(parquet, "MOST_UNPACKED", 0.1)
    assert "more blocks" in refusal_of(path)


def test_packed_nodes_that_swell(path: Path) -> None:
    import base64
    import zlib

    bomb = base64.b64encode(zlib.compress(bytes(10**7))).decode()
    forge(path, set_value("tree", "measured", "nodes", value=bomb))
    assert "do not fit the tree" in refusal_of(path)
