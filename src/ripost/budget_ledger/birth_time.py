"""Birth time: when a file was created. No tool can set it, so a restored file has another one."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from pathlib import Path

HERE = -100  # AT_FDCWD
BIRTH = 0x800  # STATX_BTIME
SIZE, MASK, TIME = 256, 0, 80  # of struct statx, and the offsets of two of its fields, which are fixed for good


def read_birth_time(path: Path) -> int | None:
    """Nanoseconds since 1970, or None where the system or the file system does not record it."""
    if sys.platform == "linux":
        return _statx(path)
    found = os.stat(path)  # noqa: PTH116
    seconds = getattr(found, "st_birthtime", found.st_ctime if os.name == "nt" else None)
    return int(seconds * 10**9) if seconds else None


def _statx(path: Path) -> int | None:
    """Call statx of the C library, which Python has only from 3.15 on."""
    call = getattr(ctypes.CDLL(None), "statx", None)
    found = ctypes.create_string_buffer(SIZE)
    if call is None or call(HERE, os.fsencode(path), 0, BIRTH, found) != 0:
        return None
    (known,) = struct.unpack_from("I", found, MASK)
    seconds, rest = struct.unpack_from("qI", found, TIME)
    return (seconds * 10**9 + rest or None) if known & BIRTH else None
