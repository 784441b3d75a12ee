"""What integers and numbers share: how text spells them, and which numbers mean missing."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar, Literal

from pydantic import Field

from ripost.schema.attribute_base import OrderedAttribute
from ripost.schema.date_format import SPACE
from ripost.schema.expression import Kind

DecimalSign = Literal[",", "."]
DIGITS = "[0-9]{1,200}"  # before or after the decimal sign; with two digits in the exponent no float overflows
ThousandsSign = Literal[".", ",", "'", "_", " ", "\u00a0", "\u202f"]


class NumericAttribute(OrderedAttribute):
    """An attribute whose values are numbers; in text they may have a decimal comma and groups of three digits."""

    expression_kind: ClassVar[Kind] = "number"
    decimal: DecimalSign | None = Field(
        None, description="The column is text, and this sign stands before the fraction."
    )
    thousands: ThousandsSign | None = Field(
        None, description="The column is text, and this sign stands between groups of three digits."
    )

    @cached_property
    def missing_numbers(self) -> tuple[float, ...]:
        """The spellings of missing that are numbers; other text is missing anyway."""
        return read_missing_numbers(self.missing_values, self.decimal, self.thousands)

    def _check(self) -> None:
        check_signs(self.decimal, self.thousands)
        _ = self.missing_numbers


def check_signs(decimal: str | None, thousands: str | None) -> None:
    """ValueError where one sign has two meanings."""
    if (decimal or ".") == thousands:
        default = "" if decimal else " unless you set it"
        raise ValueError(f"thousands must differ from decimal, which is {thousands!r}{default}")


def number_pattern(decimal: str, thousands: str | None) -> str:
    """A regular expression for a number with space around it, which every engine reads alike."""
    whole = DIGITS if thousands is None else f"(?:[0-9]{{1,3}}(?:[{thousands}][0-9]{{3}}){{1,66}}|{DIGITS})"
    plain = f"(?:{whole}(?:[{decimal}][0-9]{{0,200}})?|[{decimal}]{DIGITS})"
    return f"^{SPACE}[+-]?{plain}(?:[eE][+-]?[0-9]{{1,2}})?{SPACE}$"


def read_missing_numbers(
    spellings: Sequence[str] | None, decimal: str | None, thousands: str | None
) -> tuple[float, ...]:
    """The spellings of missing that are numbers, written as in the column or with a decimal point."""
    found = []
    for spelling in spellings or ():
        text = spelling
        if re.search(number_pattern(decimal or ".", thousands), text):
            text = text.replace(thousands or "", "").replace(decimal or ".", ".")
        try:
            number = float(text)
        except ValueError:
            continue
        if math.isinf(number):
            raise ValueError(f"missing_values may not list {spelling!r}: infinity is outside the range, not missing")
        if not math.isnan(number):
            found.append(number)
    return tuple(found)
