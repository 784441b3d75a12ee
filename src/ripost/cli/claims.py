"""What a release file claims of its debit, for the ledger to judge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ripost.budget_ledger.audit import Claim


def claim_of(view: Path) -> Claim:
    """The claim of a file that is whole; ReleaseError if it is not."""
    from ripost.budget_ledger.audit import Claim
    from ripost.errors import ReleaseError
    from ripost.release.file import load

    try:
        stored = load(view)
        stored.check_digest()
    except ReleaseError as error:
        raise ReleaseError(f"cannot open {view}: {error}") from None
    manifest = stored.manifest
    privacy = manifest.promise
    return Claim(view.name, manifest.digest, manifest.paid_by, privacy.epsilon, privacy.delta, privacy.unit.column)
