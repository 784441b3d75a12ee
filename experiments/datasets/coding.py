"""Coding: how a column of a table becomes codes 0, 1, 2, ..., as in HDPView.

Categories in a fixed order, whole numbers of few values as they are, other numbers in equal bins between bounds that
are written down here and in `attributes.py`, never read from a file; values outside are clamped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ripost.errors import InputError

EPOCH = date(1970, 1, 1)
SCANNED = "; bounds scanned from the data as in the shared cases, not public"
CHOSEN = "; limits chosen by an analyst above what occurs, none is published"


@dataclass(frozen=True)
class Coding:
    """Codes of one attribute; `missing` adds a last code for a missing value."""

    size: int
    text: str
    encode: Callable[[pa.ChunkedArray], NDArray[np.int64]]
    missing: bool = False

    def code(self, column: pa.ChunkedArray) -> NDArray[np.int32]:
        absent = column.is_null().to_numpy()
        if absent.any() and not self.missing:
            raise InputError("has missing values, which its coding does not know")
        codes = np.full(len(column), self.size - 1, np.int32)
        codes[~absent] = self.encode(column.drop_null())
        return codes


def or_missing(coding: Coding) -> Coding:
    """The same with a last code for a missing value."""
    return replace(coding, size=coding.size + 1, text=f"{coding.text}, and missing", missing=True)


def categories(names: Sequence[str], text: str = "categories") -> Coding:
    known = pa.array(names, pa.string())

    def encode(column: pa.ChunkedArray) -> NDArray[np.int64]:
        found = pc.index_in(column.cast(pa.string()), value_set=known)
        if found.null_count:
            raise InputError("has a value that is none of its categories")
        return np.asarray(found.to_numpy(), np.int64)

    return Coding(len(names), f"{len(names)} {text}", encode)


def each(first: int, last: int) -> Coding:
    """Every whole number from first to last."""
    coding = bins(first, last + 1, last + 1 - first)
    return replace(coding, text=f"{first:,} to {last:,}, each value")


def bins(low: float, high: float, count: int, note: str = "") -> Coding:
    """Equal bins between two bounds."""
    width = (high - low) / count

    def encode(column: pa.ChunkedArray) -> NDArray[np.int64]:
        values = column.to_numpy().astype(np.float64)
        place = np.floor((values - low) / width)
        return np.asarray(np.clip(place, 0, count - 1), np.int64)

    text = f"{count} bins of {width:,.10g} from {low:,.10g} to {high:,.10g}"
    return Coding(count, text + note, encode)


def dates(first: date, last: date, count: int) -> Coding:
    """Equal bins of days, from the first to the last day."""
    end = last + timedelta(days=1)
    days = bins((first - EPOCH).days, (end - EPOCH).days, count)

    def encode(column: pa.ChunkedArray) -> NDArray[np.int64]:
        return days.encode(column.cast(pa.date32()).cast(pa.int32()))

    width = (end - first).days / count
    return Coding(count, f"{count} bins of {width:.6g} days from {first} to {last}", encode)


def hours() -> Coding:
    """The hour of a time."""
    return Coding(24, "hour of the day, 0 to 23", lambda column: pc.hour(column).to_numpy())
