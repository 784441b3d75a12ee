"""Finding: one remark about a schema, from public facts alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A remark, its subject and its severity: an error stops a publish, a warning does not."""

    level: Level
    about: str  # what was looked at
    says: str
    attribute: str | None = None
