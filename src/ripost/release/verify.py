"""verify: everything that can be checked about a release file without the table it came from."""

from __future__ import annotations

from os import PathLike
from typing import NamedTuple

from ripost.errors import ReleaseError
from ripost.release.file import read_file
from ripost.release.release_file import ReleaseFile


class FileCheck(NamedTuple):
    """One thing that was looked at."""

    name: str
    ok: bool
    detail: str  # what was found, or what is wrong


def verify_view(path: str | PathLike[str]) -> list[FileCheck]:
    """Read a file and check it. A file with the wrong structure gets no further check."""
    try:
        return verify_file(read_file(path))
    except ReleaseError as error:
        return [FileCheck("structure", False, str(error))]


def verify_file(file: ReleaseFile) -> list[FileCheck]:
    """Make every check of a file that was read, in order."""
    rows = "blocks" if file.manifest.kind == "blocks" else f"rows of kind {file.manifest.kind}"
    found = [FileCheck("structure", True, f"{len(file.columns['value']):,} {rows}, format {file.manifest.version}")]
    if (period := file.manifest.series_period) is not None:
        first = file.manifest.promise.unit.first_periods
        who = f", where it is in the {first} of a {file.manifest.privacy.unit.column}" if first else ""
        found.append(FileCheck("period", True, f"counts only the rows of {period}{who}"))
    for name, check in {
        "digest": file.check_digest,
        "ledger": file.check_ledger,
        "values": file.check_values,
        "tiling": file.check_tiling,
        "variances": file.check_variances,
        "measurements": file.check_measurements,
    }.items():
        try:
            found.append(FileCheck(name, True, check()))
        except ReleaseError as error:
            found.append(FileCheck(name, False, str(error)))
    return found
