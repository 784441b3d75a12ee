"""Trial: one publication of a subject, and its error, or the shape of its blocks."""

from __future__ import annotations

import base64
import zlib
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.cases import Case
from experiments.paper.methods import method_of
from experiments.paper.readings.trial import read
from experiments.paper.subject import Subject, case_of
from experiments.pool import Outcome, Trial
from experiments.spec import parse_spec
from experiments.trial import views_of, warm_up
from ripost import METHODS, Tensor, publish
from ripost.answering.content.tree import TreeContent
from ripost.errors import InputError
from ripost.methods.method import Method

SIZES = (0.0, 1e-4, 1e-3, 1e-2, 1e-1, 1.0)  # classes of questions by the share of the records that they count


def run_trial(trial: Trial, folder: Path | None) -> Outcome:
    """The outcome; a method that declares the domain too large is noted as such."""
    subject = Subject(trial["data"], tuple(trial["attributes"].split(",")), trial["rows"])
    name, method = parse_spec(trial["method"])[0], method_of(trial["method"])
    if name in METHODS:
        warm_up(name)
    asked = {"epsilon": trial["epsilon"], "seed": trial["seed"]}
    try:
        if trial["kind"] == "reading":
            return read(subject, folder, method, asked)
        return {"error": _errors, "shape": _shape}[trial["kind"]](case_of(subject, folder), method, asked)
    except InputError as error:
        return {"refused": str(error)}


def _errors(case: Case, method: Method, asked: dict[str, Any]) -> Outcome:
    """Root mean square errors of each workload and of answering zero, and those of questions of each size."""
    errors, zero, sizes, blocks, seconds, spent = {}, {}, [], [], [], 0.0
    for workload, view, taken in views_of(case, method, asked):
        missed = (view.answer(workload.lower, workload.upper) - workload.truth) ** 2
        errors[str(workload.bounded)] = float(np.sqrt(missed.mean()))
        zero[str(workload.bounded)] = float(np.sqrt((workload.truth**2).mean()))
        if workload.bounded == len(case.tensor.domain):
            share = workload.truth / case.tensor.counts.sum()
            of = np.searchsorted(SIZES, share)  # 0 where nothing is counted
            sizes = [[int((of == k).sum()), float(missed[of == k].sum())] for k in range(len(SIZES))]
        blocks.append(len(view.blocks))
        seconds.append(taken)
        spent = max(spent, view.privacy.epsilon_spent)
    return {
        "rmse": errors,
        "zero": zero,
        "sizes": sizes,
        "blocks": round(fmean(blocks)),
        "seconds": fmean(seconds),
        "spent": spent,
    }


def _shape(case: Case, method: Method, asked: dict[str, Any]) -> Outcome:
    """For each depth how many blocks are even and uneven inside; and all boxes, of a view of two dimensions."""
    view = publish(case.tensor, **asked, method=method)
    assert isinstance(view.content, TreeContent)
    tree = view.content.tree
    depths, boxes, uneven = [], [], []
    dense = _dense(case.tensor)
    for level in tree.levels:
        leaves = level[tree.is_leaf[level]]
        found = np.stack([tree.boxes.lower[leaves], tree.boxes.upper[leaves]], axis=2)
        mixed = [len(np.unique(dense[a:b, c:d])) > 1 for (a, b), (c, d) in found.tolist()]
        depths.append([len(mixed) - sum(mixed), sum(mixed)])
        boxes.append(found)
        uneven += mixed
    every = np.concatenate(boxes)
    empty = [not dense[a:b, c:d].any() for (a, b), (c, d) in every.tolist()]
    return {"depths": depths, "boxes": _pack_boxes(every), "empty": empty}


def _dense(tensor: Tensor) -> NDArray[np.int64]:
    dense = np.zeros(tensor.domain.shape, np.int64)
    dense[tuple(tensor.coords.T)] = tensor.counts
    return dense


def _pack_boxes(boxes: NDArray[np.int64]) -> str:
    return base64.b64encode(zlib.compress(boxes.astype("<i4").tobytes(), 9)).decode("ascii")


def unpack_boxes(boxes: str) -> NDArray[np.int32]:
    """Boxes (n, 2, 2): of each axis the lower end, inclusive, and the upper, exclusive."""
    return np.frombuffer(zlib.decompress(base64.b64decode(boxes)), "<i4").reshape(-1, 2, 2)
