"""ReleaseFile: a manifest and columns, as a release file holds them, with the checks that they must pass."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from ripost.answering.answer import min_interval_width
from ripost.answering.content.content import LARGEST
from ripost.errors import ReleaseError
from ripost.privacy.ledger_check import check_entries
from ripost.release.contents.codec import READERS
from ripost.release.contents.measures import check_ledgers, decode_measures
from ripost.release.contents.reader import ContentReader
from ripost.release.manifest import Manifest
from ripost.release.measured_values import MeasuredValues
from ripost.release.parquet import CORRECTION, Columns
from ripost.release.release import Release

DIGEST_START = '{"digest":"'
DIGEST_LENGTH = len(DIGEST_START) + 64 + len('",')


@dataclass(frozen=True)
class ReleaseFile:
    """What a file holds. Each check returns what it found, and raises ReleaseError if that is wrong."""

    manifest: Manifest
    text: str  # of the manifest
    columns: Columns
    encoded: memoryview | None = None  # the bytes of the file, if this process encoded them

    def decode(self) -> Release:
        """Return the release, after the checks that need no tree; ReleaseError says what is wrong.

        The tree of the blocks is built and checked when it is first needed.
        """
        self.check_digest()
        self.check_ledger()
        self.check_values()
        self.check_measurements()
        with _fitting_parts():
            content = self.reader.decode()
            measures = decode_measures(self.manifest, self.columns, content)
        return Release(
            domain=self.manifest.attributes,
            content=content,
            measure=self.manifest.counted,
            measures=measures,
            method=self.manifest.method,
            parameters=self.manifest.parameters,
            privacy=self.manifest.promise,
            software=self.manifest.software,
            debit=self.manifest.paid_by,
            measured=self.measured,
            origin=self.manifest.estimated_from,
            period=self.manifest.series_period,
            title=self.manifest.title,
            description=self.manifest.description,
        )

    @property
    def reader(self) -> ContentReader:
        return READERS[self.manifest.kind](self.manifest, self.columns)

    def check_digest(self) -> str:
        if self.manifest.digest != digest(self.text, self.columns):
            raise ReleaseError("it was edited or damaged after it was made: its digest does not match")
        return f"sha256 {self.manifest.digest[:16]}…"

    def check_ledger(self) -> str:
        privacy = self.manifest.promise
        privacy.check(blocks=len(self.columns["value"]) if self.manifest.kind == "blocks" else 1)
        check_entries(privacy, bound=self.manifest.measure.bound)
        check_ledgers(self.manifest)
        at = f" at delta {float(privacy.delta):g}" if privacy.delta else ""
        spent, asked = privacy.epsilon_spent, float(privacy.epsilon)
        found = "" if privacy.discovery is None else f", {float(privacy.discovery.epsilon):g} of it on discovery"
        return f"spends {spent:g} of epsilon {asked:g}{at}{found} for {privacy.unit}"

    def check_values(self) -> str:
        if not (np.abs(self.columns["value"]) <= LARGEST).all():
            raise ReleaseError("a value is not a finite number")
        if not (np.abs(self.columns.get(CORRECTION, np.zeros(0))) <= LARGEST).all():
            raise ReleaseError("a correction is not a finite number")
        variance = self.columns.get("variance", np.zeros(0))
        if not ((variance >= 0) & (variance <= LARGEST)).all():
            raise ReleaseError("a variance is negative or not a finite number")
        counted = self.manifest.counted
        if counted.step < 1 / LARGEST or not min_interval_width(counted, self.manifest.promise) <= LARGEST:
            raise ReleaseError("what one row adds is too small or too large for its figures to be finite numbers")
        return "all finite"

    @property
    def measured(self) -> MeasuredValues | None:
        """The noisy measurements, if the file holds them."""
        facts = self.manifest.measurements
        return None if facts is None else MeasuredValues.read(self.columns, facts)

    def check_measurements(self) -> str:
        """Check the noisy measurements against the ledger. Whether they are of blocks is checked with the tiling."""
        if self.measured is None:
            return "none in the file"
        manifest = self.manifest
        return self.measured.check(
            list(manifest.promise.ledgers.values()),
            manifest.attributes.shape,
            rows=len(self.columns["value"]),
            step=manifest.counted.step,
            tree=manifest.kind == "blocks",
        )

    def check_tiling(self) -> str:
        with _fitting_parts():
            return self.reader.check_tiling()

    def check_variances(self) -> str:
        with _fitting_parts():
            found = self.reader.check_variances()
            decode_measures(self.manifest, self.columns, self.reader.decode())
        return found


@contextmanager
def _fitting_parts() -> Iterator[None]:
    """Turn a ValueError about parts that do not fit each other into a ReleaseError."""
    try:
        yield
    except ReleaseError:
        raise
    except ValueError as error:
        raise ReleaseError(f"its parts do not fit: {error}") from None


def digest(text: str, columns: Columns) -> str:
    """SHA-256 of the manifest without its first member, the digest, and of the columns' little-endian bytes."""
    found = hashlib.sha256(b"{" + text[DIGEST_LENGTH:].encode())
    for column in columns.values():
        found.update(np.ascontiguousarray(column, column.dtype.newbyteorder("<")).data)
    return found.hexdigest()
