"""Subject: a view in its file, with what was found when the file was checked."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from ripost.errors import ReleaseError
from ripost.release.file import load, name_of
from ripost.release.verify import Check, verify_view
from ripost.view import View, open_view

DEBIT = ("ledger", "number", "chain")


@dataclass(frozen=True)
class Subject:
    """What a certificate is about; all of it is public."""

    view: View
    file: str  # the name of the view's file, without its folder
    digest: str  # SHA-256 of the view, as its file states it
    checks: tuple[Check, ...]
    written: dt.date  # when the certificate was written
    libraries: Mapping[str, str] = field(default_factory=dict)  # versions in use when the view was made, if known

    @classmethod
    def open(
        cls, path: str | PathLike[str], *, libraries: Mapping[str, str] | None = None, written: dt.date | None = None
    ) -> Subject:
        """The view in a file; ReleaseError unless the file passes every check of `ripost verify`."""
        checks = tuple(verify_view(path))
        for check in checks:
            if not check.ok:
                raise ReleaseError(f"cannot certify {path}: {check.detail}")
        today = written or dt.datetime.now(dt.UTC).date()
        return cls(open_view(path), Path(path).name, load(path).manifest.digest, checks, today, libraries or {})

    @property
    def name(self) -> str:
        """The name of the view without its endings."""
        return name_of(self.file)

    @property
    def debit(self) -> Mapping[str, Any] | None:
        """The entry of the steward's budget across releases that paid for the view, if there is one."""
        found = getattr(self.view, "debit", None)
        if found is None or isinstance(found, Mapping):
            return found
        return {name: getattr(found, name) for name in DEBIT if hasattr(found, name)}
