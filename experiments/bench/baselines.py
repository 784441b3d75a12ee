"""Baselines: products of others, run by a Python of their own beside our methods. With real noise, for experiments.

OpenDP's ContingencyTable reads rows and draws all noise itself; a method of ripost never sees rows, so this product
stays outside (docs/methods/opendp-table.md). Its pinned Polars and mbi are not those of ripost, so it needs an
environment of its own, whose Python RIPOST_OPENDP names.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from ripost import Tensor
from ripost.comparing.workloads import Answer
from ripost.errors import InputError
from ripost.privacy.zcdp import rho_for

DELTA = Fraction(1, 10**9)
PYTHON = "RIPOST_OPENDP"
SCRIPT = Path(__file__).with_name("opendp_table.py")


def release_opendp(algorithm: str, tensor: Tensor, epsilon: float) -> Answer:
    """OpenDP's ContingencyTable by one of its algorithms, with all keys known; its synthetic rows are counted."""
    if PYTHON not in os.environ:
        raise InputError(f"{PYTHON} must name the Python of an environment with opendp[polars,mbi]==0.16.0 and pandas")
    with TemporaryDirectory() as folder:
        table, found = Path(folder) / "table.npz", Path(folder) / "rows.npy"
        rows = np.repeat(tensor.coords, tensor.counts, axis=0).astype(np.int64)
        np.savez(table, rows=rows, shape=np.array(tensor.domain.shape))
        rho = float(rho_for(Fraction(str(epsilon)), DELTA))
        command = [os.environ[PYTHON], str(SCRIPT), algorithm, repr(rho), str(table), str(found)]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONWARNINGS": "ignore"})
        synthetic = np.load(found)
    return Tensor.from_arrays(tensor.domain, synthetic, np.ones(len(synthetic), np.int64)).answer


BASELINES: dict[str, Callable[[Tensor, float], Answer]] = {  # all promise (epsilon, DELTA)
    f"opendp-{name}": partial(release_opendp, name) for name in ("fixed", "mst", "aim", "sequential")
}
