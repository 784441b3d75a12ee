"""Array types that all packages share. Shapes are stated where an array is named."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Codes = NDArray[np.int64]  # positions on the axes of a domain
Mask = NDArray[np.bool_]
