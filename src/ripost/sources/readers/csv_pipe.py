"""Pipes: a table that comes as CSV through standard input or a named pipe, once, however long it is.

The names of the columns must be known before DuckDB reads, and a pipe cannot be read twice. So its header is taken
here, byte by byte, and nothing after it is asked for before rows may be read. Then a thread hands everything on through
a pipe of our own, from which DuckDB reads at its own pace.
"""

from __future__ import annotations

import os
import stat
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from ripost.errors import SourceError
from ripost.sources.error_redaction import redact_errors
from ripost.sources.readers.csv_files import COMPRESSED, open_csv_text, parse_header, read_first_record, require_header
from ripost.sources.readers.text_encodings import ADVICE, Recoder, find_encoding
from ripost.sources.source_table import SourceTable

STANDARD_INPUT = "-"
PIECE = 1 << 20
DESCRIPTORS = Path("/dev/fd")  # where a program finds its open files by number


def is_pipe(source: str | Path) -> bool:
    """Whether a source is standard input or a named pipe: something that can be read only once."""
    if str(source) == STANDARD_INPUT:
        return True
    try:
        mode = Path(source).expanduser().stat().st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or str(source) == "/dev/stdin"


def read_pipe(name: str, columns: Sequence[str], *, encoding: str | None = None) -> SourceTable:
    """The columns of the CSV that comes through a pipe."""
    encoding = encoding and find_encoding(encoding)
    if not DESCRIPTORS.is_dir():
        raise SourceError(f"{name}: a pipe cannot be read on this system, which has no {DESCRIPTORS}; give a file")
    stream = _open(name)
    try:
        return _read(stream, name, columns, encoding)
    except SourceError:
        _close(stream)
        raise


def _read(stream: BinaryIO, name: str, columns: Sequence[str], encoding: str | None) -> SourceTable:
    recoder = Recoder(encoding) if encoding else None
    start = redact_errors(lambda: read_first_record(lambda: stream.read(1), recoder), say=f"{name}: cannot be read")
    if start.startswith((*COMPRESSED.values(), b"PAR1")):
        raise SourceError(
            f"{name}: a pipe is read as CSV text; unpack it first, as in: zcat t.csv.gz | ripost publish -"
        )
    separator, names = parse_header(start, columns=columns, name=name)
    require_header(columns, names, name=name)
    feeder = Feeder(stream, start, recoder)
    opened = open_csv_text(name, columns, {(separator, tuple(names)): [DESCRIPTORS / str(feeder.reading)]})

    def load() -> Any:
        feeder.start()
        return opened.table

    def end() -> None:
        opened.close()
        feeder.stop(name)

    return replace(opened, once=True, end=end, load=load)


def _close(stream: BinaryIO) -> None:
    if sys.stdin is None or stream is not _raw_stream(sys.stdin.buffer):
        stream.close()


def _open(name: str) -> BinaryIO:
    if name == STANDARD_INPUT:
        if sys.stdin is None or sys.stdin.isatty():
            raise SourceError("-: nothing is piped in; use it as in: zcat t.csv.gz | ripost publish - t.toml")
        return _raw_stream(sys.stdin.buffer)
    return redact_errors(lambda: Path(name).expanduser().open("rb", buffering=0), say=f"{name}: cannot be read")


def _raw_stream(stream: BinaryIO) -> BinaryIO:
    """What a stream reads from: with a buffer, asking for one byte would take many."""
    raw: BinaryIO = getattr(stream, "raw", stream)
    return raw


class Feeder(threading.Thread):
    """Copies a stream into a pipe; `reading` is the end to read from."""

    def __init__(self, stream: BinaryIO, start: bytes, recoder: Recoder | None = None) -> None:
        super().__init__(daemon=True)
        self._recoder = recoder
        self.reading, self._writing = os.pipe()
        self._stream, self._first = stream, start
        self._failure = ""

    def run(self) -> None:
        try:
            with os.fdopen(self._writing, "wb", buffering=0) as sink:
                self._write(sink, self._first)
                while not self._failure and (piece := self._next()):
                    self._pass_on(sink, piece)
                self._pass_on(sink, b"")
        except BrokenPipeError:
            return  # the reader has had enough: it failed, and says so itself

    def _next(self) -> bytes:
        try:
            return self._stream.read(PIECE)
        except (OSError, ValueError):
            self._failure = "broke off while it was read; nothing of it was used"
            return b""

    def _pass_on(self, sink: BinaryIO, piece: bytes) -> None:
        try:
            self._write(sink, self._recoder.recode(piece) if self._recoder else piece)
        except UnicodeError:
            self._failure = f"is not text in {self._recoder and self._recoder.encoding}; {ADVICE}"

    @staticmethod
    def _write(sink: BinaryIO, piece: bytes) -> None:
        rest = memoryview(piece)
        while rest:
            rest = rest[sink.write(rest) :]

    def stop(self, name: str) -> None:
        """Close what was opened; SourceError if the stream broke, since then only a part was read."""
        os.close(self.reading)
        if self.ident is None:
            os.close(self._writing)  # never started: no row was asked for
        else:
            self.join(timeout=5)
        _close(self._stream)
        if self._failure:
            raise SourceError(f"{name}: {self._failure}")
