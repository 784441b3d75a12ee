"""Frames: whether a file of Zstandard ends where it should.

DuckDB reads what there is, so a file that was cut short between two blocks would be a shorter table. The blocks of a
frame are walked over by their headers (RFC 8878, section 3.1.1); nothing is unpacked.
"""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

MAGIC, SKIPPABLE = 0xFD2FB528, 0x184D2A50  # the latter with any last four bits
REPEATED = 1  # the type of a block that is one byte, many times


def is_whole(path: Path) -> bool:
    """Whether a file consists of whole frames."""
    size = path.stat().st_size
    with path.open("rb") as file:
        while file.tell() < size:
            if not _skip_frame(file) or file.tell() > size:
                return False
    return True


def _skip_frame(file: BinaryIO) -> bool:
    """Go to the end of a frame; whether there is one."""
    magic = _read_number(file, 4)
    if magic & ~15 == SKIPPABLE:
        file.seek(_read_number(file, 4), 1)
        return True
    if magic != MAGIC:
        return False
    facts = _read_number(file, 1)
    single = facts >> 5 & 1
    content = (single, 2, 4, 8)[facts >> 6]
    file.seek((1 - single) + (0, 1, 2, 4)[facts & 3] + content, 1)
    last = False
    while not last:
        if len(raw := file.read(3)) < 3:
            return False
        head = int.from_bytes(raw, "little")
        last = bool(head & 1)
        file.seek(1 if head >> 1 & 3 == REPEATED else head >> 3, 1)
    file.seek(4 if facts >> 2 & 1 else 0, 1)  # the checksum
    return True


def _read_number(file: BinaryIO, width: int) -> int:
    return int.from_bytes(file.read(width), "little")
