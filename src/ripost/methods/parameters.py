"""Parameters: Pydantic checks the fields of a method by their types, and each error is one sentence.

A field states its rule: `k: Annotated[int, Field(ge=1, le=1000)] = 5`. Types are strict: neither True nor "5" is a
whole number. Values stay as they were given.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Annotated, Any, Final, Literal, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, TypeAdapter, ValidationError, ValidationInfo
from pydantic import create_model as create_pydantic_model
from pydantic.errors import PydanticInvalidForJsonSchema

from ripost.errors import InputError
from ripost.privacy.budget import share
from ripost.privacy.zcdp import parse_delta

RECORDS: Final = "records"
CELLS: Final = "cells"
STRICT = ConfigDict(strict=True, arbitrary_types_allowed=True, protected_namespaces=())


def _check_share(value: Any, info: ValidationInfo) -> Any:
    share(value, name=str(info.field_name))
    return value


def _check_delta(value: Any) -> Any:
    parse_delta(value)
    return value


def _check_positive_delta(value: Any) -> Any:
    if parse_delta(value) == 0:
        raise InputError(f"delta must be above 0 for Gaussian noise, for example 1e-9, got {value}")
    return value


Share = Annotated[float, PlainValidator(_check_share)]  # of a budget: strictly between 0 and 1
Delta = Annotated[float, PlainValidator(_check_delta)]  # 0 for pure differential privacy
PositiveDelta = Annotated[float, PlainValidator(_check_positive_delta)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Threshold = Annotated[int, Field(ge=-(2**53), le=2**53)]
Reads = Literal["records", "cells"]  # what a method learns from: all rows, or each non-empty cell as one row


def check_parameters(method: Any) -> None:
    """InputError unless the fields of a method have values that their types allow."""
    kind: Any = type(method)
    model = _create_model(kind)
    values = {name: getattr(method, name) for name in model.model_fields}
    try:
        model.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        if first["type"] == "value_error":
            raise first["ctx"]["error"] from None
        name = str(first["loc"][0])
        hint = get_type_hints(kind, include_extras=True)[name]
        try:
            rule = _describe(TypeAdapter(hint, config=STRICT).json_schema())
        except PydanticInvalidForJsonSchema:  # a class of ours, such as Workload
            rule = f"of the type {hint}"
        raise InputError(f"{name} must be {rule}, got {values[name]!r}") from None


@cache
def _create_model(method: Any) -> type[BaseModel]:
    try:
        hints = get_type_hints(method, include_extras=True)
    except NameError as error:
        raise InputError(
            f"{method.__name__} needs the types of its fields when it runs, and {error}; "
            "import them outside TYPE_CHECKING"
        ) from None
    columns: dict[str, Any] = {field.name: (hints[field.name], ...) for field in fields(method)}
    return create_pydantic_model(method.__name__, __config__=STRICT, **columns)


def _describe(rule: dict[str, Any]) -> str:  # noqa: PLR0911  # one per case
    """What a JSON schema allows, in words."""
    match rule:
        case {"anyOf": choices}:
            return ", or ".join(map(_describe, choices))
        case {"enum": values}:
            return " or ".join(map(repr, values)) if len(values) == 2 else f"one of {', '.join(values)}"
        case {"type": "array", "items": items}:
            return f"a list in which each is {_describe(items)}"
        case {"type": "boolean"}:
            return "true or false"
        case {"type": "null"}:
            return "None"
        case {"type": "integer" | "number" as kind}:
            return ("a whole number" if kind == "integer" else "a number") + _describe_range(rule)
    return "of another type"


def _describe_range(rule: dict[str, Any]) -> str:
    low, above, high = (rule.get(key) for key in ("minimum", "exclusiveMinimum", "maximum"))
    start = f" above {_format(above)}" if above is not None else "" if low is None else f" from {_format(low)}"
    if high is None:
        return start
    return f"{start} and up to {_format(high)}" if above is not None else f"{start} to {_format(high)}"


def _format(limit: float) -> str:
    if limit != int(limit):
        return repr(limit)
    return f"{int(limit):,}" if abs(limit) >= 10_000 else str(int(limit))
