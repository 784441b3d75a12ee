"""One sentence for a schema that breaks a rule, in the words of the schema file."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from ripost.errors import suggest_nearest
from ripost.schema.attribute import Attribute, Category, Integer
from ripost.schema.code_book import VALUES_FILE

KINDS: dict[str, type[BaseModel]] = {
    get_args(kind.model_fields["type"].annotation)[0]: kind for kind in get_args(get_args(Attribute)[0])
}
DEEPEST_KEY = 50  # parts of a key, as in a.b.c
KEY = re.compile(r"""[\s\[{,]*(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')[ \t]*""")

RULES = {
    "missing": "{key} is missing",
    "int_type": "{key} must be a whole number, got {value}",
    "float_type": "{key} must be a number, got {value}",
    "finite_number": "{key} must be finite, got {value}",
    "string_type": "{key} must be text, got {value}",
    "bool_type": "{key} must be true or false, got {value}",
    "string_too_short": "{key} must not be empty",
    "string_too_long": "{key} must have at most {max_length} letters",
    "tuple_type": "{key} must be a list, got {value}",
    "too_short": "{key} must not be empty",
    "literal_error": "{key} must be {expected}, got {value}",
    "greater_than": "{key} must be above {gt}, got {value}",
    "greater_than_equal": "{key} must be at least {ge}, got {value}",
    "less_than_equal": "{key} must be at most {le}, got {value}",
    "dict_type": "{key} must be a table, got {value}",
    "model_type": "{key} must be a table, got {value}",
    "model_attributes_type": "{key} must be a table, got {value}",
}


def describe_broken_rule(error: ValidationError, *, known: Mapping[str, Sequence[str]]) -> str:
    """Where the first broken rule is and what it says; `known` has the keys of the file and of its tables."""
    found = error.errors(include_url=False)
    first = next((one for one in found if one["type"] == "extra_forbidden"), found[0])  # it tells why a key is missing
    table, *rest = first["loc"] or ("",)
    if table == "attributes" and rest:
        name, *rest = rest
        kind = KINDS.get(str(rest[0])) if rest else None
        return f"attribute {name}: {_rule(first, rest[1:], known=list_keys(kind) if kind else ())}"
    if table == "measures" and rest:
        return f"measure {rest[0]}: {_rule(first, [key for key in rest[1:] if key != 'float'], known=known[table])}"
    if table and table in known:
        return f"{table}: {_rule(first, rest, known=known[str(table)])}"
    return _rule(first, first["loc"], known=known[""])


def is_deep(text: str) -> bool:
    """Whether a TOML text has a key of very many parts, as a.a.a, which takes its reader long and then the stack."""
    run = 0
    for part in text.split("."):
        run = run + 1 if KEY.fullmatch(part) else 0
        if run > DEEPEST_KEY:
            return True
    return False


def describe_toml_error(error: tomllib.TOMLDecodeError) -> str:
    """What is wrong with the text of a TOML file."""
    message = str(error)
    if twice := re.match(r"Cannot declare \('attributes', '(.+?)'\) twice (\(at .+\))", message):
        return f"attribute {twice[1]} is defined twice {twice[2]}"
    if message.startswith("Cannot overwrite a value"):
        return message.replace("Cannot overwrite a value", "a key is given twice")
    return f"is not valid TOML: {message[:1].lower()}{message[1:]}"


def _rule(error: ErrorDetails, path: Sequence[str | int], *, known: Sequence[str]) -> str:
    context = error.get("ctx", {})
    kind = error["type"]
    key = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
    if kind == "value_error":
        return f"{key} {context['error']}".lstrip()
    if kind == "extra_forbidden":
        return f"unknown key {key!r}; {suggest_key(key, known)}"
    if kind == "union_tag_not_found":
        given = [one for one in error["input"] if isinstance(one, str) and one not in KNOWN_KEYS]
        close = difflib.get_close_matches("type", given, n=1)
        return f"unknown key {close[0]!r}; did you mean 'type'?" if close else f"type is missing; {TYPES}"
    if kind == "union_tag_invalid":
        return f"unknown type {context['tag']!r}; {suggest_nearest(str(context['tag']), KINDS)}"
    rule = RULES.get(kind, "{key} is wrong: {message}")
    values = {"key": key or "it", "value": _shorten_value(error["input"]), "message": error["msg"], **context}
    return rule.format(**values)


def list_keys(model: type[BaseModel]) -> list[str]:
    """Names of a model's keys, as the file spells them."""
    beside: dict[type[BaseModel], list[str]] = {Category: [VALUES_FILE, "max_values"], Integer: ["max_bins"]}
    extra = beside.get(model, [])
    return [*(field.alias or name for name, field in model.model_fields.items() if not field.exclude), *extra]


def suggest_key(key: str, known: Sequence[str]) -> str:
    """A hint that names the nearest known key, or all of them."""
    close = difflib.get_close_matches(key, known, n=1, cutoff=0.6)
    return f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"


def _shorten_value(value: Any) -> str:
    """A value of the schema file, cut to fit a sentence."""
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


KNOWN_KEYS = {key for kind in KINDS.values() for key in list_keys(kind)}
TYPES = f"it is one of {', '.join(KINDS)}"
