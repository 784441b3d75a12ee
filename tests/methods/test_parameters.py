"""Parameters of methods: Pydantic checks them, and an error names the argument, the rule and the value."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from ripost.errors import InputError
from ripost.methods import METHODS
from ripost.methods.method import Method, Release
from ripost.methods.parameters import Delta, Positive, PositiveDelta, Share
from ripost.privacy.account import Account


@dataclass(frozen=True)
class Examined(Method):
    """A method with a parameter of each kind."""

    part: Share = 0.5
    delta: Delta = 0
    noisy: PositiveDelta = 1e-9
    k: Annotated[int, Field(ge=1, le=20_000)] = 5
    size: Positive = 1
    rate: Annotated[float, Field(ge=0.5, le=1)] = 1
    flag: bool | None = None
    way: Literal["up", "down"] = "up"
    color: Literal["red", "green", "blue"] = "red"
    list: Sequence[Annotated[int, Field(ge=0)]] = ()

    def run(self, account: Account) -> Release:
        raise AssertionError("options are checked before a method runs")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"part": 1}, "part must lie strictly between 0 and 1, got 1"),
        ({"part": "x"}, "part must be a number between 0 and 1, got 'x'"),
        ({"delta": 0.5}, "delta must be 0, or lie between 1e-100 and 0.001, got 0.5"),
        ({"noisy": 0}, "delta must be above 0 for Gaussian noise, for example 1e-9, got 0"),
        ({"k": 0}, "k must be a whole number from 1 to 20,000, got 0"),
        ({"k": True}, "k must be a whole number from 1 to 20,000, got True"),
        ({"k": 2.0}, "k must be a whole number from 1 to 20,000, got 2.0"),
        ({"size": 0}, "size must be a number above 0, got 0"),
        ({"size": float("inf")}, "size must be a number above 0, got inf"),
        ({"rate": float("nan")}, "rate must be a number from 0.5 to 1, got nan"),
        ({"rate": "1"}, "rate must be a number from 0.5 to 1, got '1'"),
        ({"flag": 1}, "flag must be true or false, or None, got 1"),
        ({"way": "left"}, "way must be 'up' or 'down', got 'left'"),
        ({"color": "pink"}, "color must be one of red, green, blue, got 'pink'"),
        ({"list": [1, -1]}, "list must be a list in which each is a whole number from 0, got [1, -1]"),
    ],
    ids=str,
)
def test_an_error_is_one_sentence(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as raised:
        Examined(**options)
    assert str(raised.value) == message


def test_a_type_that_is_unknown_at_run_time_is_named() -> None:
    @dataclass(frozen=True)
    class Unresolved(Examined):
        other: Missing = 1  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(InputError, match="Unresolved needs the types of its fields when it runs, and name 'Missing'"):
        Unresolved()


def test_a_limit_is_not_rounded() -> None:
    with pytest.raises(InputError, match=f"marginals must be a number from 0 to {2 / 3!r}, got 0.7"):
        METHODS["ripost+"].configure({"marginals": 0.7})


def test_values_stay_as_they_were_given() -> None:
    method = Examined(part=0.25, size=3, rate=1, list=[1, 2])
    assert (method.part, method.size, method.rate, method.list) == (0.25, 3, 1, [1, 2])
    assert isinstance(method.size, int) and isinstance(method.rate, int)


@pytest.mark.parametrize("name", METHODS)
def test_no_method_checks_a_single_parameter_by_hand(name: str) -> None:
    """Types state the rules: a __post_init__ compares several fields, and calls that of Method first."""
    kind = METHODS[name]
    for field in fields(kind):
        with pytest.raises(InputError, match=f"^{field.name} must be|^delta must be"):
            kind(**{field.name: object()})
    for owner in kind.__mro__[: kind.__mro__.index(Method)]:
        if "__post_init__" in vars(owner):
            (function,) = ast.parse(textwrap.dedent(inspect.getsource(vars(owner)["__post_init__"]))).body
            assert isinstance(function, ast.FunctionDef)
            assert ast.unparse(function.body[0]) == "super().__post_init__()"
