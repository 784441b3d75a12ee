"""A table through a pipe: the same tensor as from a file, once, with bounded memory."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from ripost.data.read import read_tensor
from ripost.errors import SourceError
from ripost.schema.schema import Schema
from ripost.sources.readers.csv_pipe import Feeder, is_pipe
from tests.marks import linux, posix

pytestmark = posix

SCHEMA = """
unit = "who"
max_rows = 2
[measure]
sum = "paid"
max = 100
[attributes.hour]
type = "integer"
min = 0
max = 23
[attributes.place]
type = "category"
values = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"]
[attributes.day]
type = "date"
min = 2013-01-01
max = 2013-12-31
"""


def content(rows: int) -> bytes:
    lines = [f'{n % 24};"{chr(97 + n % 17)}";2013-{n % 12 + 1:02d}-11;{n % 90};p{n // 3}' for n in range(rows)]
    return ("\ufeffhour;place;day;paid;who\n" + "\n".join(lines) + "\n").encode()


@pytest.fixture
def through(tmp_path: Path) -> Callable[[bytes], str]:
    """Put some bytes into a named pipe, in the background."""

    def pour(data: bytes) -> str:
        path = tmp_path / "pipe"
        os.mkfifo(path)
        threading.Thread(target=lambda: path.write_bytes(data), daemon=True).start()
        return str(path)

    return pour


def test_a_pipe_gives_the_tensor_of_the_file(tmp_path: Path, through: Callable[[bytes], str]) -> None:
    schema, data = Schema.parse(SCHEMA), content(70_000)
    (tmp_path / "t.csv").write_bytes(data)
    pipe = through(data)
    assert is_pipe(pipe) and is_pipe("-") and not is_pipe(tmp_path / "t.csv") and not is_pipe("no\0name")
    piped = read_tensor(pipe, schema, secret="s")
    filed = read_tensor(tmp_path / "t.csv", schema, secret="s")
    assert (piped.coords == filed.coords).all() and (piped.counts == filed.counts).all()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (b"\x1f\x8b" + b"x" * 100, "unpack it first"),
        (b"PAR1" + b"x" * 100, "unpack it first"),
        (b"a,b\n1,2\n", "is it a header?"),
        (content(50) + b"1;2\n", "is not well-formed"),
        (content(50) + b"1;\xe9;2013-01-01;1;x\n", "is not UTF-8"),
    ],
)
def test_a_bad_pipe_is_refused(through: Callable[[bytes], str], data: bytes, words: str) -> None:
    with pytest.raises(SourceError, match=words.replace("?", r"\?")) as caught:
        read_tensor(through(data), Schema.parse(SCHEMA))
    assert caught.value.__context__ is None


def test_a_stream_that_breaks_off_is_refused() -> None:
    class Broken:
        def read(self, _: int) -> bytes:
            raise OSError

        def close(self) -> None:
            return

    feeder = Feeder(Broken(), b"begun\n")  # type: ignore[arg-type]
    feeder.start()
    with os.fdopen(os.dup(feeder.reading), "rb") as reader:
        assert reader.read() == b"begun\n"
    with pytest.raises(SourceError, match="broke off"):
        feeder.stop("pipe")


MEMORY = """
import sys
from ripost.data.read import read_tensor
from ripost.schema.schema import Schema
tensor = read_tensor("-", Schema.parse(open(sys.argv[1]).read()))
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))  # ru_maxrss is our parent's too
print(tensor.counts.sum(), int(peak.split()[1]) // 1024)
"""
PLAIN = "[attributes.hour]\ntype = 'integer'\nmin = 0\nmax = 23\n"
PLAIN += "[attributes.place]\ntype = 'category'\nvalues = ['a', 'b']\n"


def stream(folder: Path, megabytes: int) -> tuple[int, int]:
    """Rows read, and the memory it took, for a CSV of about so many megabytes that never is on disk."""
    (folder / "s.toml").write_text(PLAIN, "utf-8")
    block = b"".join(b"%d,%s,%s\n" % (n % 24, (b"a", b"b", b"c")[n % 3], b"x" * 40) for n in range(20_000))
    reader = subprocess.Popen(
        [sys.executable, "-c", MEMORY, str(folder / "s.toml")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert reader.stdin is not None and reader.stdout is not None
    with reader.stdin as sink:
        sink.write(b"hour,place,note\n")
        for _ in range(max(megabytes * 1_000_000 // len(block), 1)):
            sink.write(block)
    with reader.stdout as told:
        rows, memory = map(int, told.read().split())
    assert reader.wait() == 0
    assert rows % 20_000 == 0 and rows * 45 > megabytes * 900_000
    return rows, memory


@linux
def test_a_stream_is_read_to_its_end(tmp_path: Path) -> None:
    rows, memory = stream(tmp_path, 30)
    assert memory < 700, f"{rows} rows took {memory} MB"


@linux
@pytest.mark.slow
def test_memory_does_not_grow_with_the_stream(tmp_path: Path) -> None:
    """Ten times the rows, in the same memory: what stays is the size of the engine's buffers."""
    _, small = stream(tmp_path, 200)
    _, large = stream(tmp_path, 2000)
    assert large < small + 150, (small, large)
