"""Finding: one thing to say of a schema, in public words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found, where, and how bad it is: an error stops a publish, a warning does not."""

    level: Level
    about: str  # what was looked at
    says: str
    attribute: str | None = None
