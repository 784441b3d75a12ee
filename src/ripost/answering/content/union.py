"""UnionContent: the contents of a series, one after the other along a first axis of periods.

Noise of different releases is drawn independently, so its variances add up. Errors that come from the model, inside
blocks and of the mixture, are alike in releases of similar tables. So the squares of half-widths add up with a
covariance, as if any two of these errors had the same correlation (docs/how-to/periods.md). The same holds of standard
errors where they cover the model, which is with a mixture.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ripost.answering.answer import Answers, Z
from ripost.answering.content.content import Content, ValuedBlocks
from ripost.answering.query_batch import QueryBatch
from ripost.arrays import Codes, Floats, Mask

CORRELATION = 0.15  # of model errors of two periods, chosen on flights by months and weeks (experiments series)


class UnionContent(Content):
    """Contents of one shape; code i of the first axis is the i-th of them."""

    kind = "union"
    noun = "blocks of all periods"

    def __init__(self, parts: Sequence[Content]) -> None:
        if len({part.shape for part in parts}) != 1:
            raise ValueError("the contents of a union need one shape")
        super().__init__((len(parts), *parts[0].shape), np.concatenate([part.values for part in parts]))
        self.parts = tuple(parts)
        self.caution = "; ".join(dict.fromkeys(part.caution for part in parts))

    def answers(self, lower: Floats, upper: Floats) -> Floats:
        found = np.zeros(len(lower))
        for share, part in zip(self._shares(lower, upper), self.parts, strict=True):
            found += np.where(share > 0, share * part.answers(lower[:, 1:], upper[:, 1:]), 0.0)
        return found

    def variances(self, lower: Floats, upper: Floats) -> Floats:
        found = ErrorSum(len(lower))
        for share, part in zip(self._shares(lower, upper), self.parts, strict=True):
            some = share > 0
            error = np.zeros(len(lower))
            error[some] = share[some] * np.sqrt(part.variances(lower[some, 1:], upper[some, 1:]))
            found.add(error, _finite(error) if covers_model(part) else np.zeros(len(lower)))
        return found.total

    def answer_batch(self, batch: QueryBatch) -> Answers:
        value, unmeasured = np.zeros(batch.count), np.zeros(batch.count, bool)
        noise, squares = ErrorSum(batch.count), ErrorSum(batch.count)
        for number, part in enumerate(self.parts):
            asked, here = select_code(batch, number)
            found = part.answer_batch(asked)
            value += np.where(here, found.value, 0.0)
            stderr, reach = (np.where(here, error, 0.0) for error in (found.stderr, found.reach))
            noise.add(stderr, _finite(stderr) if covers_model(part) else np.zeros(batch.count))
            squares.add(reach, np.where(here, model_reach(part, found), 0.0))
            unmeasured |= here & found.unmeasured
        return Answers.of_reach(value, np.sqrt(noise.total), np.sqrt(squares.total), unmeasured)

    def find_zeros(self, batch: QueryBatch) -> Mask:
        """Those that are publicly 0 in every period that they meet."""
        met, possible = np.zeros((2, batch.count), bool)
        for number, part in enumerate(self.parts):
            asked, here = select_code(batch, number)
            met, possible = met | here, possible | (here & ~part.find_zeros(asked))
        return np.asarray(met & ~possible)

    @property
    def total(self) -> float:
        return sum(part.total for part in self.parts)

    @property
    def blocks(self) -> ValuedBlocks:
        """The blocks of all parts, each in its period."""
        blocks = [part.blocks for part in self.parts]
        place = np.repeat(np.arange(len(blocks)), [len(one) for one in blocks])[:, None]
        return ValuedBlocks(
            np.hstack([place, np.concatenate([one.lower for one in blocks])]),
            np.hstack([place + 1, np.concatenate([one.upper for one in blocks])]),
            np.concatenate([one.value for one in blocks]),
            np.concatenate([one.variance for one in blocks]),
        )

    def _shares(self, lower: Floats, upper: Floats) -> Floats:
        """How much of each code of the first axis lies in each box, (parts, n)."""
        code = np.arange(len(self.parts))[:, None]
        found: Floats = np.clip(np.minimum(upper[:, 0], code + 1) - np.maximum(lower[:, 0], code), 0.0, 1.0)
        return found


class ErrorSum:
    """Squares of errors of different periods, added up with the covariance of what comes from the model in them."""

    def __init__(self, count: int) -> None:
        self.squares, self.alike, self.own = np.zeros((3, count))

    def add(self, error: Floats, model: Floats) -> None:
        """Add the errors of one period, (n,), and what of them the model may cause."""
        self.squares, self.alike, self.own = self.squares + error**2, self.alike + model, self.own + model**2

    @property
    def total(self) -> Floats:
        found: Floats = self.squares + CORRELATION * np.maximum(self.alike**2 - self.own, 0.0)
        return found


def covers_model(part: Content) -> bool:
    """Whether standard errors cover the model too: with a mixture, which does not tell the two apart."""
    return getattr(part, "mixture", None) is not None


def model_reach(part: Content, answers: Answers) -> Floats:
    """What of each half-width may be due to the model: all with an error model, which does not tell the two apart."""
    reach = _finite(answers.reach)
    if getattr(part, "error_model", None) is not None:
        return reach
    found: Floats = np.sqrt(np.maximum(reach**2 - (Z * _finite(answers.stderr)) ** 2, 0.0))
    return found


def _finite(errors: Floats) -> Floats:
    """The errors that are known; the others are unknown in any case."""
    found: Floats = np.where(np.isfinite(errors), errors, 0.0)
    return found


def select_code(batch: QueryBatch, code: int) -> tuple[QueryBatch, Mask]:
    """The boxes of a batch at a code of the first axis, without that axis; and which regions have any."""
    boxes: Codes = np.arange(len(batch.owner))
    axes, lists, which = batch.axes, batch.lists, batch.which
    if 0 in axes:  # axes are in order
        low, high = lists[0].low, lists[0].high
        inside = np.bincount(lists[0].owner, (low <= code) & (high >= code + 1), len(lists[0])) > 0
        boxes = np.flatnonzero(inside[which[:, 0]])
        axes, lists, which = axes[1:], lists[1:], which[:, 1:]
    owner = batch.owner[boxes]
    asked = QueryBatch(batch.count, owner, tuple(axis - 1 for axis in axes), lists, which[boxes])
    return asked, np.bincount(owner, minlength=batch.count) > 0
