"""FileLocation: where a ledger is kept, so that a copy of it is recognized and not spent a second time."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from ripost.budget_ledger.birth_time import read_birth_time


class FileLocation(BaseModel):
    """A file by its number on a disk and its time of birth. A moved file keeps both; a copy has others."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    inode: int
    device: int
    path: str  # a hash of it: the ledger names no folder
    birth: int | None = None  # unknown on some file systems, and in older ledgers

    @classmethod
    def of(cls, path: Path) -> FileLocation:
        found = os.stat(path)  # noqa: PTH116
        name = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:16]
        return cls(inode=found.st_ino, device=found.st_dev, path=name, birth=read_birth_time(path))

    def is_same(self, other: LedgerLocation) -> bool:
        """Whether it is the same file: disks are numbered anew at times, and files are moved, but not both at once.

        The number of a deleted file is given to the next one, so the time of birth must agree too where it is known.
        """
        if not isinstance(other, FileLocation):
            return False
        born = None in (self.birth, other.birth) or self.birth == other.birth
        return born and self.inode == other.inode and (self.device == other.device or self.path == other.path)


class ServerLocation(BaseModel):
    """A table of a PostgreSQL server by numbers that a restored dump does not keep."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    cluster: str  # the system identifier, drawn by initdb
    database: int
    table: int

    def is_same(self, other: LedgerLocation) -> bool:
        return self == other


LedgerLocation = FileLocation | ServerLocation
