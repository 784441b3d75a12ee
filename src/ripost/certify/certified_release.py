"""Certified release: a view in its file, with the results of the checks of the file."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from ripost.errors import ReleaseError
from ripost.release.file import is_series, read_file, stem
from ripost.release.release_file import ReleaseFile
from ripost.release.verify import FileCheck, verify_file
from ripost.series import Series, open_series
from ripost.view import View, view_of

DEBIT = ("ledger", "number", "chain")


@dataclass(frozen=True)
class CertifiedRelease:
    """The release that a certificate describes; all of it is public."""

    view: View
    file: str  # the name of the view's file, without its folder
    digest: str  # SHA-256 of the view, as its file states it
    checks: tuple[FileCheck, ...]
    written: dt.date  # when the certificate was written
    libraries: Mapping[str, str] = field(default_factory=dict)  # versions in use when the view was made, if known

    @classmethod
    def open(
        cls, path: str | PathLike[str], *, libraries: Mapping[str, str] | None = None, written: dt.date | None = None
    ) -> CertifiedRelease:
        """The view in a file; ReleaseError unless the file passes every check of `ripost verify`."""
        try:
            if is_series(path):
                return cls.of_series(open_series(path), path, written=written)
            file = read_file(path)
        except ReleaseError as error:
            raise ReleaseError(f"cannot certify {path}: {error}") from None
        return cls.of_file(file, path, libraries=libraries, written=written)

    @classmethod
    def of_series(
        cls, series: Series, path: str | PathLike[str], *, written: dt.date | None = None
    ) -> CertifiedRelease:
        """A series, each view of which passes every check."""
        names: dict[str, None] = {}
        for part in series.parts:
            for check in verify_file(part.file):
                if not check.ok:
                    raise ReleaseError(f"{part.period.label if part.period else part.name}: {check.detail}")
                names[check.name] = None
        checks = (FileCheck(", ".join(names), True, f"as they should be in all {len(series.parts):,} views"),)
        return cls(series, Path(path).name, series.digest, checks, written or _today(), {})

    @classmethod
    def of_file(
        cls,
        file: ReleaseFile,
        path: str | PathLike[str],
        *,
        libraries: Mapping[str, str] | None = None,
        written: dt.date | None = None,
    ) -> CertifiedRelease:
        """The certified release of a file that was already read or encoded."""
        checks = tuple(verify_file(file))
        for check in checks:
            if not check.ok:
                raise ReleaseError(f"cannot certify {path}: {check.detail}")
        digest = file.manifest.digest
        return cls(view_of(file), Path(path).name, digest, checks, written or _today(), libraries or {})

    @property
    def name(self) -> str:
        """The name of the view without its endings."""
        return stem(self.file)

    @property
    def title(self) -> str:
        """The title in the schema, or the name of the view."""
        return self.view.title or self.name

    @property
    def debit(self) -> Mapping[str, Any] | None:
        """The entry of the steward's budget across releases that paid for the view, if there is one."""
        found = getattr(self.view, "debit", None)
        if found is None or isinstance(found, Mapping):
            return found
        return {name: getattr(found, name) for name in DEBIT if hasattr(found, name)}


def _today() -> dt.date:
    return dt.datetime.now(dt.UTC).date()
