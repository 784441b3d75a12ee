"""Pipes: a table that comes as CSV through standard input or a named pipe, once, however long it is.

The names of the columns must be known before DuckDB reads, and a pipe cannot be read twice. So its beginning is looked
at here, and a thread hands everything on through a pipe of our own, from which DuckDB reads at its own pace.
"""

from __future__ import annotations

import os
import stat
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from ripost.errors import SourceError
from ripost.ingest.opened import Opened
from ripost.ingest.separated import HEADER, first_line, opened_text, require_header
from ripost.ingest.shield import shielded

STANDARD_INPUT = "-"
PIECE = 1 << 20


def is_pipe(source: str | Path) -> bool:
    """Whether a source is standard input or a named pipe: something that can be read only once."""
    if str(source) == STANDARD_INPUT:
        return True
    try:
        mode = Path(source).expanduser().stat().st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or str(source) == "/dev/stdin"


def read_pipe(name: str, columns: Sequence[str]) -> Opened:
    """The columns of the CSV that comes through a pipe."""
    stream = _open(name)
    try:
        return _read(stream, name, columns)
    except SourceError:
        _close(stream)
        raise


def _read(stream: BinaryIO, name: str, columns: Sequence[str]) -> Opened:
    start = shielded(lambda: stream.read(HEADER), say=f"{name}: cannot be read")
    if start.startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1")):
        raise SourceError(
            f"{name}: a pipe is read as CSV text; unpack it first, as in: zcat t.csv.gz | ripost publish -"
        )
    separator, names = first_line(start, columns=columns, name=name)
    require_header(columns, names, name=name)
    feeder = Feeder(stream, start)
    opened = opened_text(name, columns, {(separator, tuple(names)): [f"/dev/fd/{feeder.reading}"]})

    def end() -> None:
        opened.close()
        feeder.stop(name)

    feeder.start()
    return Opened(name, opened.table, opened.backend, typed=False, once=True, end=end, complain=opened.complain)


def _close(stream: BinaryIO) -> None:
    if stream is not getattr(sys.stdin, "buffer", None):
        stream.close()


def _open(name: str) -> BinaryIO:
    if name == STANDARD_INPUT:
        if sys.stdin is None or sys.stdin.isatty():
            raise SourceError("-: nothing is piped in; use it as in: zcat t.csv.gz | ripost publish - t.toml")
        return sys.stdin.buffer
    return shielded(lambda: Path(name).expanduser().open("rb"), say=f"{name}: cannot be read")


class Feeder(threading.Thread):
    """Copies a stream into a pipe; `reading` is the end to read from."""

    def __init__(self, stream: BinaryIO, start: bytes) -> None:
        super().__init__(daemon=True)
        self.reading, self._writing = os.pipe()
        self._stream, self._first = stream, start
        self._broken = False

    def run(self) -> None:
        try:
            with os.fdopen(self._writing, "wb", buffering=0) as sink:
                piece = self._first
                while piece:
                    self._write(sink, piece)
                    piece = self._next()
        except BrokenPipeError:
            return  # the reader has had enough: it failed, and says so itself

    def _next(self) -> bytes:
        try:
            return self._stream.read(PIECE)
        except (OSError, ValueError):
            self._broken = True
            return b""

    @staticmethod
    def _write(sink: BinaryIO, piece: bytes) -> None:
        rest = memoryview(piece)
        while rest:
            rest = rest[sink.write(rest) :]

    def stop(self, name: str) -> None:
        """Close what was opened; SourceError if the stream broke, since then only a part was read."""
        os.close(self.reading)
        self.join(timeout=5)
        _close(self._stream)
        if self._broken:
            raise SourceError(f"{name}: broke off while it was read; nothing of it was used")
