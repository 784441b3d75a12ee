"""verify: everything that can be checked about a release file without the table it came from."""

from __future__ import annotations

from os import PathLike
from typing import NamedTuple

from ripost.errors import ReleaseError
from ripost.release.file import load


class Check(NamedTuple):
    """One thing that was looked at."""

    name: str
    ok: bool
    detail: str  # what was found, or what is wrong


def verify_view(path: str | PathLike[str]) -> list[Check]:
    """What was checked, in order; a file whose structure is wrong is not looked at any further."""
    try:
        stored = load(path)
    except ReleaseError as error:
        return [Check("structure", False, str(error))]
    rows = "blocks" if stored.manifest.kind == "blocks" else f"rows of kind {stored.manifest.kind}"
    found = [Check("structure", True, f"{len(stored.columns['value']):,} {rows}, format {stored.manifest.version}")]
    for name, check in {
        "digest": stored.check_digest,
        "ledger": stored.check_ledger,
        "values": stored.check_values,
        "tiling": stored.check_tiling,
        "variances": stored.check_variances,
    }.items():
        try:
            found.append(Check(name, True, check()))
        except ReleaseError as error:
            found.append(Check(name, False, str(error)))
    return found
