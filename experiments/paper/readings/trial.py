"""Trial of a reading: errors on the paper's workload and on others, blocks, and what was spent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.paper.readings.reading import Reading
from experiments.paper.readings.workloads import workloads_of
from experiments.paper.subject import Subject, case_of
from experiments.pool import Outcome
from ripost import Tensor, publish
from ripost.answering.content.tree import TreeContent
from ripost.methods.method import Method
from ripost.privacy.budget import LARGEST_EPSILON
from ripost.space.tree import Tree


def read(subject: Subject, folder: Path | None, method: Method, asked: dict[str, Any]) -> Outcome:
    """Publish once. A reading that does not keep epsilon gets an account that lets it overspend and counts it."""
    overspends = isinstance(method, Reading) and not method.keeps_epsilon
    epsilon = LARGEST_EPSILON if overspends else asked["epsilon"]
    tensor = case_of(subject, folder).tensor
    view = publish(tensor, epsilon=epsilon, seed=asked["seed"], method=method)
    assert isinstance(view.content, TreeContent)
    errors = {
        name: float(np.sqrt(np.mean((view.answer(work.lower, work.upper) - work.truth) ** 2)))
        for name, work in workloads_of(subject, folder).items()
    }
    return {
        "rmse": errors,
        "blocks": len(view.blocks),
        "uneven": count_uneven(view.content.tree, tensor),
        "spent": view.privacy.epsilon_spent,
    }


def count_uneven(tree: Tree, tensor: Tensor) -> int:
    """How many leaves have cells of different counts (AE > 0)."""
    leaf = leaf_of_cells(tree, tensor)
    order = np.argsort(leaf, kind="stable")
    found, first, cells = np.unique(leaf[order], return_index=True, return_counts=True)
    counts = tensor.counts[order]
    least, most = np.minimum.reduceat(counts, first), np.maximum.reduceat(counts, first)
    volume = tree.boxes.sizes[found].prod(axis=1, dtype=np.float64)
    return int(((cells < volume) | (least < most)).sum())


def leaf_of_cells(tree: Tree, tensor: Tensor) -> NDArray[np.int64]:
    """The leaf of each non-empty cell."""
    node = np.zeros(len(tensor.counts), np.int64)
    moving = np.flatnonzero(~tree.is_leaf[node])
    while len(moving):
        at = node[moving]
        right = tensor.coords[moving, tree.axis[at]] >= tree.cut[at]
        node[moving] = tree.child[at] + right
        moving = moving[~tree.is_leaf[node[moving]]]
    return node
