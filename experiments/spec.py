"""Spec: a method with options, as one word: `ripost+`, or `ripost+[joint=false;depths=2]`."""

from __future__ import annotations

import json
import re
from typing import Any

from ripost.errors import InputError


def parse_spec(text: str) -> tuple[str, dict[str, Any]]:
    """The name of the method and its options."""
    found = re.fullmatch(r"([^\[\]]+)(?:\[([^\[\]]*)\])?", text)
    if not found:
        raise InputError(f"a method is a name, or a name with options like ripost+[joint=false]; got {text!r}")
    options = {}
    for option in filter(None, (found[2] or "").split(";")):
        name, _, value = option.partition("=")
        try:
            options[name.strip()] = json.loads(value)
        except json.JSONDecodeError:
            raise InputError(
                f"option {option!r} of {found[1]} must be a name, =, and a number, true or false"
            ) from None
    return found[1], options
