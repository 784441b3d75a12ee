"""Whether two engines gave the same tensor."""

from __future__ import annotations

import numpy as np

from ripost.view import View


def assert_same(found: View, expected: View) -> None:
    """To the last digit, and for the same reasons."""
    assert found.privacy == expected.privacy
    assert found.blocks.lower.tolist() == expected.blocks.lower.tolist()
    assert found.blocks.upper.tolist() == expected.blocks.upper.tolist()
    assert np.array_equal(found.blocks.value, expected.blocks.value)
