"""Encodings other than UTF-8: text files are copied as UTF-8 into the private folder, a piece at a time.

Only encodings in which a line reads the same wherever it stands are taken. In the others, such as ISO-2022-JP, what one
row leaves switched on would change how the next is read.
"""

from __future__ import annotations

import codecs
import os
import tempfile
from collections.abc import Callable
from encodings.aliases import aliases
from pathlib import Path

import pyarrow as pa

from ripost.errors import InputError, suggest_nearest
from ripost.sources.error_redaction import redact_errors
from ripost.sources.spill import spill_folder

PIECE = 1 << 20
USUAL = ("utf-8", "cp1252", "latin-1", "utf-16", "cp1250", "cp1251", "iso-8859-15", "mac-roman", "shift-jis", "gb18030")
SHIFTING = ("hz", "utf_7", "iso2022")
ADVICE = "give its encoding, as in --encoding cp1252 (usual on Windows), or encoding='cp1252' in Python"


def find_encoding(name: str) -> str:
    """Return the name that Python's codecs have for an encoding; InputError if it is unknown or not read by line."""
    try:
        known = codecs.lookup(name).name
    except (LookupError, ValueError):
        raise InputError(f"encoding {name!r} is unknown; {suggest_nearest(name.lower(), USUAL)}") from None
    plain = known.replace("-", "_")
    if plain not in {codecs.lookup(one).name.replace("-", "_") for one in aliases.values() if _is_text(one)}:
        raise InputError(f"encoding {name!r} is not an encoding of text; usual are {', '.join(USUAL)}")
    if plain.startswith(SHIFTING):
        raise InputError(f"encoding {name!r} is not read line by line; convert the file to UTF-8 first")
    return known


def _is_text(name: str) -> bool:
    try:
        return bool(codecs.lookup(name)._is_text_encoding)
    except LookupError:  # of another system
        return False


def decode_bytes(next_byte: Callable[[], bytes], recoder: Recoder) -> Callable[[], bytes]:
    """Return a function that gives the next letter in UTF-8, and takes no byte beyond it."""

    def next_letter() -> bytes:
        while byte := next_byte():
            if letter := recoder.recode(byte):
                return letter
        return recoder.recode(b"")

    return next_letter


def copy_as_utf8(path: Path, encoding: str) -> Path:
    """Return a private copy in UTF-8, uncompressed; SourceError where the text is not of that encoding."""
    handle, copy = tempfile.mkstemp(dir=spill_folder(), suffix=".csv")  # mode 0600

    def work() -> None:
        recoder = Recoder(encoding)
        with pa.input_stream(str(path), compression="detect") as stream, os.fdopen(handle, "wb") as sink:
            while piece := stream.read(PIECE):
                sink.write(recoder.recode(piece))
            sink.write(recoder.recode(b""))

    try:
        redact_errors(work, say=lambda error: describe_decoding(path, encoding, error))
    except BaseException:
        Path(copy).unlink()
        raise
    return Path(copy)


class Recoder:
    """Turns pieces of text of an encoding into UTF-8."""

    def __init__(self, encoding: str) -> None:
        self.encoding = encoding
        self._decoder = codecs.getincrementaldecoder(encoding)()

    def recode(self, piece: bytes) -> bytes:
        """Return the letters that a piece completes; an empty piece is the last one."""
        return self._decoder.decode(piece, final=not piece).encode()


def describe_decoding(name: str | Path, encoding: str, error: Exception) -> str:
    """Say that text is not of an encoding, or that the file itself is damaged."""
    if isinstance(error, UnicodeError):
        return f"{name}: is not text in {encoding}; {ADVICE}"
    return f"{name}: is damaged, or cut short, or does not fit on the disk as UTF-8"
