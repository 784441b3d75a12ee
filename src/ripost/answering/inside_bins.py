"""Intervals of questions whose bounds lie inside codes.

The value divides the rows of a code in proportion to length, but a view does not know where inside a code they lie:
none of them may be in the question, or all. So the interval reaches down to the lower end for the question with its
bounds moved inward to whole codes, and up to the upper end for the question with its bounds moved outward.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ripost.answering.answer import Answers
from ripost.answering.content.content import Content
from ripost.answering.query_batch import QueryBatch
from ripost.estimate.weighted import sums_by


def widen_inside_bins(answers: Answers, content: Content, batch: QueryBatch) -> Answers:
    """The answers to a batch, with intervals that hold wherever rows lie inside codes.

    Boxes of a region that are moved outward may overlap. They are answered one by one, and their half-widths add up.
    """
    some = batch.fractional
    some = some[np.isfinite(answers.reach[some])]
    if not len(some):
        return answers
    cut = batch.take(some)
    inner = content.answer_batch(cut.round_ends(outward=False)).at(answers.level)
    boxes = cut.round_ends(outward=True)
    outer = content.answer_batch(boxes.split_boxes()).at(answers.level)
    most, reach = (sums_by(boxes.owner, each, cut.count) for each in (outer.value, outer.reach))
    low, high, far = answers.low.copy(), answers.high.copy(), answers.reach.copy()
    low[some] = np.minimum(low[some], inner.low)
    high[some] = np.maximum(high[some], np.maximum(most, 0.0) + reach)
    value = answers.value[some]
    far[some] = np.max([far[some], value - (inner.value - inner.reach), most + reach - value], axis=0)
    return replace(answers, low=low, high=high, reach=far)
