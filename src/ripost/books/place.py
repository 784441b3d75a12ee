"""Place: where a ledger lies, so that a copy of it is known for one and not spent a second time."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from pydantic import BaseModel, ConfigDict


class Place(BaseModel):
    """A file by its number on a disk, which a copy does not keep and a moved file does."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    inode: int
    device: int
    path: str  # a hash of it: the ledger names no folder

    @classmethod
    def of(cls, path: Path) -> Place:
        found = os.stat(path)  # noqa: PTH116
        name = hashlib.sha256(os.fsencode(path.resolve())).hexdigest()[:16]
        return cls(inode=found.st_ino, device=found.st_dev, path=name)

    def is_same(self, other: Place) -> bool:
        """Whether it is the same file: disks are numbered anew at times, and files are moved, but not both at once."""
        return self.inode == other.inode and (self.device == other.device or self.path == other.path)
