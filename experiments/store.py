"""Store: trials by a key of their inputs, append-only, so that a rerun does only what is missing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).parents[1] / "src" / "ripost"
DECIDES = ("space", "tensor", "privacy", "methods", "view")  # code that a trial's outcome depends on


@cache
def code_digest() -> str:
    """A digest of the code that decides outcomes: change it, and old trials no longer count."""
    digest = hashlib.sha256()
    for path in sorted(path for folder in DECIDES for path in (SOURCE / folder).rglob("*.py")):
        digest.update(path.relative_to(SOURCE).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


class Store:
    """One JSON object a line; a line cut short by an interruption is ignored."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._trials: dict[str, dict[str, Any]] = {}
        if path.is_file():
            for line in path.read_text("utf-8").splitlines():
                try:
                    trial = json.loads(line)
                except json.JSONDecodeError:
                    continue
                self._trials[_key(trial["inputs"])] = trial["outcome"]

    def get(self, inputs: Mapping[str, Any]) -> dict[str, Any] | None:
        return self._trials.get(_key(inputs))

    def add(self, inputs: Mapping[str, Any], outcome: dict[str, Any]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({"inputs": inputs, "outcome": outcome}) + "\n")
        self._trials[_key(inputs)] = outcome


def _key(inputs: Mapping[str, Any]) -> str:
    return json.dumps(inputs, sort_keys=True)
