"""Clusters synthetic rows of a view with scikit-learn, and asks the view about each cluster. Needs scikit-learn.

python examples/cluster.py demo/flights.ripost.parquet
"""

from __future__ import annotations

import sys

import numpy as np

import ripost

CLUSTERS, ROWS = 5, 20_000


def main(path: str) -> None:
    try:
        from sklearn.cluster import KMeans
        from sklearn.preprocessing import StandardScaler
    except ModuleNotFoundError:
        sys.exit("this example needs scikit-learn: pip install scikit-learn")
    view = ripost.open(path)
    rows = view.sample(ROWS, seed=1).to_pandas().select_dtypes("number").dropna()
    scaler = StandardScaler().fit(rows)
    found = KMeans(CLUSTERS, n_init=4, random_state=1).fit_predict(scaler.transform(rows))
    for number in range(CLUSTERS):
        mine = rows[found == number]
        middle = {name: np.percentile(mine[name], [10, 90]) for name in rows.columns}
        around = {name: (int(low), int(high)) for name, (low, high) in middle.items()}
        shown = ", ".join(f"{name} {low} to {high}" for name, (low, high) in around.items())
        sys.stdout.write(f"{len(mine) / len(rows):4.0%} of rows, most with {shown}: {view.count(around)}\n")


if __name__ == "__main__":
    main(sys.argv[1])
