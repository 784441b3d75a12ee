"""Whether two readers of a view give the same figures and facts."""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np
import pytest

from tests.vectors.compare import FIGURES


def close(found: dict[str, Any], wanted: dict[str, Any], *about: object) -> None:
    """The same figures to 1e-9; null in one where it is null in the other."""
    assert found["note"] == wanted["note"], about
    for name in FIGURES:
        expected = wanted[name] if wanted[name] is None else pytest.approx(wanted[name], rel=1e-9, abs=1e-9)
        assert found[name] == expected, (name, about)


def alike(found: Any, wanted: Any) -> None:
    """The same facts, packed arrays to the last but a few bits."""
    if isinstance(wanted, dict) and wanted.keys() == {"type", "data"}:
        assert found["type"] == wanted["type"]
        arrays = [
            np.frombuffer(zlib.decompress(base64.b64decode(one["data"])), wanted["type"]) for one in (found, wanted)
        ]
        np.testing.assert_allclose(*arrays, rtol=1e-12)
    elif isinstance(wanted, (dict, list)):
        assert type(found) is type(wanted) and len(found) == len(wanted)
        for key in wanted if isinstance(wanted, dict) else range(len(wanted)):
            alike(found[key], wanted[key])
    else:
        assert found == (pytest.approx(wanted, rel=1e-12) if isinstance(wanted, float) else wanted)
