"""What a release file claims of its debit, for the ledger to judge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ripost.budget_ledger.audit import ReleaseClaim
    from ripost.release.release_file import ReleaseFile


def read_files(view: Path) -> dict[str, ReleaseFile]:
    """The release files that a file holds: itself, under no name, or those of a series by their periods."""
    from ripost.release.file import is_series, read_file
    from ripost.series import open_series

    if is_series(view):
        return {part.name: part.file for part in open_series(view).parts}
    return {"": read_file(view)}


def read_claims(view: Path) -> list[ReleaseClaim]:
    """The claims of a file, or of a series, that is whole; ReleaseError if it is not."""
    from ripost.errors import ReleaseError

    try:
        files = read_files(view)
        for file in files.values():
            file.check_digest()
    except ReleaseError as error:
        raise ReleaseError(f"cannot open {view}: {error}") from None
    return [claim_of_file(file, f"{view.name} {name}".strip()) for name, file in files.items()]


def claim_of_file(file: ReleaseFile, name: str) -> ReleaseClaim:
    """The claim of a file whose digest was checked. One that was estimated again claims the debit of its origin."""
    from ripost.budget_ledger.audit import ReleaseClaim
    from ripost.budget_ledger.records import PeriodRecord

    manifest = file.manifest
    privacy, origin = manifest.promise, manifest.origin
    if origin is not None:
        name = f"{name} (estimated again from {origin.digest[:16]}…)"
    stated = manifest.digest if origin is None else origin.digest
    period, unit = None, privacy.unit
    if manifest.period is not None:
        period = PeriodRecord(**manifest.period.model_dump(), max_periods=unit.max_periods)
    return ReleaseClaim(name, stated, manifest.paid_by, privacy.epsilon, privacy.delta, unit.column, period)
