"""Work on long vectors, chunk by chunk, on all processors."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ripost.arrays import Ints


def map_chunks(draw: Callable[[Ints], Ints], values: Ints, size: int) -> Ints:
    """Apply a function to chunks of about this size, on all processors at once, and concatenate the results.

    Chunks are short so that Ctrl-C takes effect soon: chunks that have not begun are dropped.
    """
    if len(values) < 2 * size:
        return draw(values)
    chunks = np.array_split(values, len(values) // size)
    pool = ThreadPoolExecutor(min(os.cpu_count() or 1, len(chunks)))  # OpenDP and NumPy release the interpreter's lock
    try:
        return np.concatenate(list(pool.map(draw, chunks)))
    finally:
        pool.shutdown(cancel_futures=True)
