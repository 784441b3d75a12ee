"""The schema of the table that the tests of sources read."""

from __future__ import annotations

import pytest

from ripost.schema.schema import Schema
from tests.sources.conftest import SCHEMA


@pytest.fixture
def schema() -> Schema:
    return Schema.parse(SCHEMA)
