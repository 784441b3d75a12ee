"""Prediction: train a classifier on synthetic rows of a view, and test it on real rows that the view never saw."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from threadpoolctl import threadpool_limits

from experiments.bench import tables
from experiments.pool import Outcome
from ripost import Tensor, View

TESTED = 0.2  # share of the rows
MOST_ROWS = 20_000  # that are trained or tested on
SEED = 0  # of the split and of the classifier

Rows = np.ndarray  # codes, (rows, attributes)


def predict(name: str, publish: Callable[[Tensor], View]) -> Outcome:
    """The area under the ROC curve of a classifier trained on synthetic rows, and of one trained on the real rows."""
    training, test, target = split(name)
    like = tables.load(name)
    domain = dict(zip(like.domain.names, like.domain.shape, strict=True))  # codes in, codes out
    coded = Tensor.from_arrays(domain, training, np.ones(len(training), np.int64), unit=like.unit)
    drawn = publish(coded).sample(min(len(training), MOST_ROWS), seed=SEED)
    synthetic = np.array([drawn[column] for column in domain], np.int64).T
    return {"auc": area(synthetic, test, target), "auc of real rows": area_of_real_rows(name)}


@lru_cache(maxsize=4)
def area_of_real_rows(name: str) -> float:
    training, test, target = split(name)
    return area(training[:MOST_ROWS], test, target)


@lru_cache(maxsize=1)
def split(name: str) -> tuple[Rows, Rows, int]:
    """Training rows, test rows, and the place of the attribute to predict. All rows of a unit may be on both sides."""
    tensor = tables.load(name)
    order = np.random.default_rng(SEED).permutation(int(tensor.counts.sum()))
    rows = tables.rows_of_cells(tensor)[order]
    tested = int(TESTED * len(rows))
    target = tensor.domain.names.index(tables.TABLES[name].target)
    return rows[tested:], rows[: min(tested, MOST_ROWS)], target


def area(training: Rows, test: Rows, target: int) -> float:
    """Of gradient boosting on the codes; 0.5 if the training rows hold one class alone."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.metrics import roc_auc_score

    known, wanted = np.delete(training, target, axis=1), training[:, target]
    if len(np.unique(wanted)) < 2:
        return 0.5
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")  # of attributes that are constant in few rows
        model = HistGradientBoostingClassifier(random_state=SEED, max_iter=50).fit(known, wanted)
    chance = model.predict_proba(np.delete(test, target, axis=1))
    highest = int(max(training[:, target].max(), test[:, target].max()))
    positive = list(model.classes_).index(highest) if highest in model.classes_ else 0
    return float(roc_auc_score(test[:, target] == highest, chance[:, positive]))
