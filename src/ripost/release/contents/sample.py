"""Samples: distinct synthetic rows, with no statement about their error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ripost.answering.content.sample import SampleContent
from ripost.arrays import Codes
from ripost.errors import ReleaseError
from ripost.release.contents.reader import ContentReader, Facts
from ripost.release.parquet import Columns


def encode_sample(content: SampleContent) -> tuple[Facts, Columns]:
    """The manifest's facts and the columns after the bounds."""
    return {"kind": content.kind, "marginals": None, "tree": None}, {"value": content.values}


@dataclass(frozen=True)
class SampleReader(ContentReader):
    """Reads synthetic rows."""

    def decode(self) -> SampleContent:
        shape = self.manifest.attributes.shape
        return SampleContent(shape, coords=self._read_coords(), values=self.columns["value"])

    def check_tiling(self) -> str:
        return f"{len(self.decode().values):,} different rows lie in the domain"

    def check_variances(self) -> str:
        self.decode()
        return "none are given: the method says nothing of its error"

    def _read_coords(self) -> Codes:
        """The cells of the rows; ReleaseError unless they are distinct and sorted."""
        coords = self.bounds("lo")
        step = np.sign(np.diff(coords, axis=0))
        first = np.take_along_axis(step, (step != 0).argmax(axis=1)[:, None], axis=1)
        if (self.bounds("hi") != coords + 1).any() or (first <= 0).any():
            raise ReleaseError("its rows are not different cells in order")
        return coords
