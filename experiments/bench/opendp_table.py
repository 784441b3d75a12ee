"""One release by OpenDP's ContingencyTable: rows of codes in, synthetic rows out.

Run by the Python of an environment of its own (docs/methods/opendp-table.md), so it imports nothing of this project:

    python opendp_table.py ALGORITHM RHO TABLE.npz ROWS.npy
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def main(algorithm: str, rho: str, table: str, found: str) -> None:
    import opendp.prelude as dp
    import polars as pl

    dp.enable_features("contrib")
    given = np.load(table)
    names = [f"x{axis}" for axis in range(len(given["shape"]))]
    context = dp.Context.compositor(
        data=pl.LazyFrame({name: given["rows"][:, axis] for axis, name in enumerate(names)}),
        privacy_unit=dp.unit_of(contributions=1),
        privacy_loss=dp.loss_of(rho=float(rho)),
        split_evenly_over=1,
    )
    keys = {name: list(range(size)) for name, size in zip(names, given["shape"].tolist(), strict=True)}
    query = context.query().contingency_table(keys=keys, algorithm=choose_algorithm(algorithm, names))
    rows = query.release().synthesize().select(names).drop_nulls()
    np.save(found, rows.to_numpy().astype(np.int64))


def choose_algorithm(name: str, columns: list[str]) -> Any:
    """An algorithm with the defaults of its authors; those that need a set of marginals get all pairs."""
    from itertools import combinations

    from opendp.extras import mbi

    pairs = [mbi.Count(by=pair) for pair in combinations(columns, 2)]
    match name:
        case "aim":
            return mbi.AIM(queries=2)
        case "mst":
            return mbi.MST()
        case "fixed":
            return mbi.Fixed(queries=pairs)
        case "sequential":
            return mbi.Sequential(algorithms=[mbi.Fixed(queries=pairs[:1]), mbi.MST()])
    raise ValueError(f"there is no algorithm {name!r}")


if __name__ == "__main__":
    main(*sys.argv[1:])
