"""Store: trials by a key of their inputs, append-only, so that a rerun does only what is missing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


class Store:
    """One JSON object a line; a line cut short by an interruption is ignored."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._trials: dict[str, dict[str, Any]] = {}
        self._torn = False
        if path.is_file():
            text = path.read_text("utf-8")
            self._torn = bool(text) and not text.endswith("\n")
            for line in text.splitlines():
                try:
                    trial = json.loads(line)
                except json.JSONDecodeError:
                    continue
                self._trials[_key(trial["inputs"])] = trial["outcome"]

    def get(self, inputs: Mapping[str, Any]) -> dict[str, Any] | None:
        return self._trials.get(_key(inputs))

    def trials(self) -> list[tuple[dict[str, Any], dict[str, Any]]]:
        """All trials: inputs and outcome."""
        return [(json.loads(key), outcome) for key, outcome in self._trials.items()]

    def add(self, inputs: Mapping[str, Any], outcome: dict[str, Any]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        line = json.dumps({"inputs": inputs, "outcome": outcome}) + "\n"
        with self.path.open("a", encoding="utf-8") as lines:
            lines.write("\n" + line if self._torn else line)  # never glued to a line cut short
        self._torn = False
        self._trials[_key(inputs)] = outcome


def _key(inputs: Mapping[str, Any]) -> str:
    return json.dumps(inputs, sort_keys=True)
