"""A small file cannot ask for much memory or time: swelling pages, trees that are all depth, endless dimensions."""

from __future__ import annotations

import base64
import io
import json
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ripost.errors import ReleaseError
from ripost.release.contents import reader
from ripost.release.parquet_guard import locate_chunks
from ripost.release.verify import verify_view
from ripost.space.blocks import Blocks
from ripost.space.tree import Tree
from ripost.view import open_view
from tests.answering.making import make_view, promise
from tests.fuzz.thrift import Struct, footer_of, with_footer, write_struct
from tests.marks import linux
from tests.release.forging import Columns, Manifest, forge, leave_out_measurements, read, write

GIBIBYTE = 1 << 30
OPEN = """
import sys
from ripost.errors import ReleaseError
from ripost.view import open_view
def peak():  # of this process alone: ru_maxrss begins with that of its parent
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
before = peak()
try:
    open_view(sys.argv[1]).total
except ReleaseError as error:
    print(peak() - before, error)
"""


def field(struct: Struct, number: int) -> Any:
    return next(value for found, _, value in struct if found == number)


def set_field(struct: Struct, number: int, new: Any) -> None:
    struct[:] = [(found, kind, new if found == number else value) for found, kind, value in struct]


def swollen(path: Path, size: int) -> None:
    """Give the file's values one page that unpacks to so many bytes; the footer does not tell of it."""
    pages, footer = footer_of(path.read_bytes())
    columns = field(field(footer, 4)[1][0], 1)[1]
    column = next(one for one in columns if field(field(one, 3), 3)[1] == [b"value"])
    facts = field(column, 3)
    first, held = min(value for number, _, value in facts if number in (9, 11)), field(facts, 7)
    packed = pa.Codec("zstd").compress(bytes(size), asbytes=True)
    data = [(1, 5, field(facts, 5)), (2, 5, 0), (3, 5, 3), (4, 5, 3)]
    page = write_struct([(1, 5, 0), (2, 5, size), (3, 5, len(packed)), (5, 12, data)]) + packed
    for other in columns:  # those behind move
        known = [
            (number, kind, value + len(page) - held if number in (9, 11) and value > first + held - 1 else value)
            for number, kind, value in field(other, 3)
        ]
        set_field(other, 3, known)
    facts = [part for part in field(column, 3) if part[0] != 11]  # no dictionary
    set_field(facts, 9, first)
    set_field(facts, 7, len(page))
    set_field(column, 3, facts)
    path.write_bytes(with_footer(pages[:first] + page + pages[first + held :], footer))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "v"
    make_view(inner=0.5, marginals=True).save(made)
    return made


@linux
@pytest.mark.parametrize("size", [1 << 28, pytest.param(2 * GIBIBYTE - 1, marks=pytest.mark.slow)])
def test_pages_that_swell(path: Path, size: int) -> None:
    """Sixty kilobytes that unpack to gigabytes are refused before they are."""
    swollen(path, size)
    assert path.stat().st_size < 100_000
    done = subprocess.run([sys.executable, "-c", OPEN, str(path)], capture_output=True, text=True, check=True)
    memory, sentence = done.stdout.split(" ", 1)
    assert "unpacks to more than a file of its size can hold" in sentence
    assert int(memory) < 100_000  # KiB
    assert [check.name for check in verify_view(path) if not check.ok] == ["structure"]


GOLDEN = Path(__file__).parent / "golden"


def chunks_of(footer: Struct) -> list[Struct]:
    """The facts of the columns of the first row group."""
    return [field(column, 3) for column in field(field(footer, 4)[1][0], 1)[1]]


@pytest.mark.parametrize("member", [2, 3], ids=["repetition levels", "definition levels"])
def test_a_histogram_of_the_wrong_size_does_not_end_the_process(tmp_path: Path, member: int) -> None:
    """Arrow ends the process where it is asked for such a column."""
    path = tmp_path / "v"
    pages, footer = footer_of((GOLDEN / "v3-measurements.ripost.parquet").read_bytes())
    [sizes, *_] = [field(facts, 16) for facts in chunks_of(footer) if any(number == 16 for number, _, _ in facts)]
    kind, counts = field(sizes, member)
    set_field(sizes, member, (kind, counts[:-1]))
    path.write_bytes(with_footer(pages, footer))
    code = "import sys; from ripost.release.verify import verify_view; print(*verify_view(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "damaged or cut short" in done.stdout


def _state_twice(facts: Struct) -> None:
    facts.append(next(part for part in facts if part[0] == 9))


def _state_another_type(facts: Struct) -> None:
    facts[:] = [(number, 5 if number == 11 else kind, value) for number, kind, value in facts]


def _leave_out_its_place(facts: Struct) -> None:
    facts[:] = [part for part in facts if part[0] != 9]


@pytest.mark.parametrize("change", [_state_twice, _state_another_type, _leave_out_its_place])
def test_a_footer_that_readers_differ_on_is_refused(tmp_path: Path, change: Any) -> None:
    """Otherwise pages could be looked at in one place, and unpacked in another."""
    path = tmp_path / "v"
    pages, footer = footer_of((GOLDEN / "v3-measurements.ripost.parquet").read_bytes())
    change(next(facts for facts in chunks_of(footer) if any(number == 11 for number, _, _ in facts)))
    path.write_bytes(with_footer(pages, footer))
    with pytest.raises(ReleaseError, match="damaged or cut short"):
        open_view(path)


@pytest.mark.parametrize("name", ["v1", "v3-measurements", "v5-measures"])
def test_columns_lie_where_arrow_finds_them(name: str) -> None:
    content = (GOLDEN / f"{name}.ripost.parquet").read_bytes()
    metadata = pq.ParquetFile(io.BytesIO(content)).metadata
    group = metadata.row_group(0)
    expected = []
    for number in range(metadata.num_columns):
        column = group.column(number)
        starts = [column.data_page_offset, *([column.dictionary_page_offset] if column.has_dictionary_page else [])]
        expected.append((min(starts), column.total_compressed_size))
    found = locate_chunks(io.BytesIO(content), len(content), groups=1, columns=metadata.num_columns)
    assert [*found] == expected


def test_many_rows_alike(path: Path) -> None:
    """Runs of one value take no room in a file."""
    manifest, columns = read(path)
    many = {name: np.zeros(6_000_000, column.dtype) for name, column in columns.items()}
    write(path, many, {b"ripost": json.dumps(manifest, sort_keys=True, separators=(",", ":")).encode()})
    assert path.stat().st_size < 400_000
    with pytest.raises(ReleaseError, match="more blocks than a file of its size can hold"):
        open_view(path)


def test_a_footer_of_many_parts(path: Path) -> None:
    """Thousands of row groups are no view."""
    pages, footer = footer_of(path.read_bytes())
    kind, groups = field(footer, 4)
    set_field(footer, 4, (kind, groups * 4_000))
    path.write_bytes(with_footer(pages, footer))
    with pytest.raises(ReleaseError, match="damaged"):
        open_view(path)


def test_a_tree_that_is_all_depth(tmp_path: Path) -> None:
    count = reader.DEEPEST + 2
    lower = np.arange(count)[:, None]
    depth = np.minimum(np.arange(count) + 1, count - 1)
    tree = Tree.from_leaves((count,), Blocks(lower, lower + 1), depth)
    variances = np.where(tree.is_leaf, 20.0, np.inf)
    view = make_view((count,), tree=tree, values=np.ones(count), variances=variances, privacy=promise(count))
    view.save(tmp_path / "deep")
    with pytest.raises(ReleaseError, match="do not tile"):
        _ = open_view(tmp_path / "deep").total


def test_json_that_is_all_depth(path: Path) -> None:
    for inner in ("[" * 100_000 + "]" * 100_000, '{"a":' * 100_000 + "1" + "}" * 100_000):
        manifest, columns = read(path)
        text = json.dumps(manifest, sort_keys=True, separators=(",", ":")).replace('"tight":false', f'"tight":{inner}')
        assert inner in text
        write(path.with_name("deep"), columns, {b"ripost": text.encode()})
        with pytest.raises(ReleaseError, match="manifest"):
            open_view(path.with_name("deep"))


@pytest.mark.slow
def test_a_manifest_of_a_gigabyte(path: Path) -> None:
    _, columns = read(path)
    write(path, columns, {b"ripost": b"9" * (1 << 29)})
    with pytest.raises(ReleaseError, match="damaged"):
        open_view(path)


def test_cells_of_too_many_dimensions(tmp_path: Path) -> None:
    """A matrix of many dimensions of one code each would need 2^30 eigenvalues."""
    from tests.fuzz.corpus import sounds

    path = tmp_path / "matrix"
    path.write_bytes(next(sound.content for sound in sounds() if sound.name == "hdmm"))
    gram = base64.b64encode(zlib.compress(np.ones(1).tobytes())).decode()

    def more(manifest: Manifest, columns: Columns) -> None:
        leave_out_measurements(manifest, columns)
        tail = {name: columns.pop(name) for name in ("value", "variance")}
        for i in range(30):
            attribute = {"type": "integer", "min": 0, "max": 0, "missing": "drop"}
            manifest["domain"].append({"name": f"one{i}", "attribute": attribute})
            manifest["matrix"]["grams"].append(gram)
            rows = len(tail["value"])
            columns |= {f"one{i}_lo": np.zeros(rows, np.int32), f"one{i}_hi": np.ones(rows, np.int32)}
        columns |= tail

    forge(path, more)
    with pytest.raises(ReleaseError, match="not the cells of the domain"):
        open_view(path)


def test_records_of_a_dimension_with_billions_of_codes(tmp_path: Path) -> None:
    from ripost.answering.content.sample import SampleContent
    from ripost.schema.domain import Domain
    from ripost.view import View

    shape = (2**31 - 3, 2)
    content = SampleContent.of(shape, np.array([[5, 0], [2**30, 1]]), np.ones(2))
    view = View(domain=Domain.of(shape), content=content, privacy=promise(1), method="by hand")
    view.save(tmp_path / "v")
    assert open_view(tmp_path / "v").count(x0=(0, 10)).value == 1
