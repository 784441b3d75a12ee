"""Location of a ledger, so that a copy of it is recognized and not spent a second time."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from ripost.budget_ledger.birth_time import read_birth_time


class FileLocation(BaseModel):
    """A file's number on its disk and its birth time. A moved file keeps both; a copy has others."""

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
        """Whether it is the same file. Its path or the number of its disk may have changed, but not both.

        A new file can get the number of a deleted one, so the birth times must also agree where they are known.
        """
        if not isinstance(other, FileLocation):
            return False
        born = None in (self.birth, other.birth) or self.birth == other.birth
        return born and self.inode == other.inode and (self.device == other.device or self.path == other.path)


class ServerLocation(BaseModel):
    """The numbers of a table on a PostgreSQL server. A restored dump has others."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    cluster: str  # the system identifier, drawn by initdb
    database: int
    table: int

    def is_same(self, other: LedgerLocation) -> bool:
        return self == other


LedgerLocation = FileLocation | ServerLocation
