"""DateFormat: how text spells a date, in directives such as %d/%m/%Y.

Engines parse dates differently and fail on different texts. So a format becomes regular expressions that hold for real
days alone, down to 29 February. What fits can be cut into its parts and is a date on every engine.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from ripost.errors import suggest_nearest

SPACE = "[ \t\n\r\v\f]*"
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
LONG, SHORT = (1, 3, 5, 7, 8, 10, 12), (4, 6, 9, 11)  # months of 31 and of 30 days
PARTS = {  # what a directive reads
    "%Y": "year", "%y": "year", "%m": "month", "%b": "month", "%B": "month", "%d": "day", "%H": "hour", "%I": "hour",
    "%p": "half day", "%M": "minute", "%S": "second", "%f": "fraction",
}  # fmt: skip
CLOCK = {
    "%H": "(?:[01]?[0-9]|2[0-3])",
    "%I": "(?:0?[1-9]|1[0-2])",
    "%p": "[AaPp][Mm]",
    "%M": "[0-5][0-9]",
    "%S": "[0-5][0-9]",
    "%f": "[0-9]{1,9}",
}
DAYS = {  # which days, in which months, in which years
    "(?:0?[1-9]|1[0-9]|2[0-8])": (range(1, 13), "any"),
    "(?:29|30)": ((*LONG, *SHORT), "any"),
    "31": (LONG, "any"),
    "29": ((2,), "leap"),
}
FOURTH = "(?:0[48]|[2468][048]|[13579][26])"  # of a century that is not over
YEARS = {  # by the two digits that stand before the year in the text
    "": {
        "any": "(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)",
        "leap": f"(?:[0-9]{{2}}{FOURTH}|(?:0[48]|[2468][048]|[13579][26])00)",
    },
    "19": {"any": "(?:69|[7-9][0-9])", "leap": "(?:7[26]|8[048]|9[26])"},
    "20": {"any": "(?:[0-5][0-9]|6[0-8])", "leap": "(?:[024][048]|[135][26]|6[048])"},
}


@dataclass(frozen=True, slots=True)
class DateFormat:
    """A format as signs and directives, and the parts that it reads, in order."""

    tokens: tuple[str, ...]
    parts: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """ValueError where a directive is unknown, a part comes twice, or the date is not complete."""
        tokens = tuple(re.findall(r"%.?|[^%]", text, re.DOTALL))
        for token in tokens:
            if token.startswith("%") and token not in PARTS and token != "%%":
                raise ValueError(f"format has no directive {token!r}; {suggest_nearest(token, PARTS)}")
            escape(token[-1])
        parts = tuple(PARTS[token] for token in tokens if token in PARTS)
        if twice := [part for place, part in enumerate(parts) if part in parts[:place]]:
            raise ValueError(f"format reads the {twice[0]} twice")
        if not {"year", "month", "day"} <= set(parts):
            raise ValueError("format needs a year, a month and a day, such as %d/%m/%Y")
        if ("%I" in tokens) != ("%p" in tokens):
            raise ValueError("format needs %I and %p together")
        if "%f" in tokens and any(is_digits(tokens, tokens.index("%f") + step) for step in (-1, 1)):
            raise ValueError("format needs a sign that is no digit before and after %f")
        return cls(tokens, parts)

    @property
    def centuries(self) -> tuple[str, ...]:
        """What stands before the digits of the year: nothing, or 19 or 20."""
        return ("19", "20") if "%y" in self.tokens else ("",)

    @property
    def names_months(self) -> bool:
        return "%m" not in self.tokens

    def fits(self, century: str) -> str:
        """A regular expression for text that is a date, and a time if there is one, in a century."""
        years = YEARS[century]
        ways = [
            self._join({"year": years[kind], "month": self._months(months), "day": days})
            for days, (months, kind) in DAYS.items()
        ]
        return f"^{SPACE}(?:{'|'.join(ways)}){SPACE}$"

    @property
    def groups(self) -> str:
        """A regular expression that takes text that fits apart, a group for each part."""
        digits = "[0-9]{4}" if "%Y" in self.tokens else "[0-9]{2}"
        pieces = {"year": digits, "month": self._months(range(1, 13)), "day": "(?:[0-2]?[0-9]|3[01])"}
        return f"^{SPACE}{self._join(pieces, grouped=True)}{SPACE}$"

    def _join(self, pieces: Mapping[str, str], *, grouped: bool = False) -> str:
        found = []
        for place, token in enumerate(self.tokens):
            if token not in PARTS:
                found.append(escape(token[-1]))
                continue
            piece = CLOCK.get(token) or pieces[PARTS[token]]
            if is_digits(self.tokens, place - 1) or is_digits(
                self.tokens, place + 1
            ):  # or there are two ways to read it
                piece = re.sub(r"^(\(\?:(?:0|\[01\]|\[0-2\]))\?", r"\1", piece)
            found.append(f"({piece})" if grouped else piece)
        return "".join(found)

    def _months(self, months: Sequence[int]) -> str:
        if self.names_months:
            names = (MONTHS[month - 1] for month in months)
            return f"(?:{'|'.join(any_case(name if '%B' in self.tokens else name[:3]) for name in names)})"
        ones, tens = ("".join(str(month % 10) for month in months if month // 10 == ten) for ten in (0, 1))
        return f"(?:0?[{ones}]|1[{tens}])" if tens else f"(?:0?[{ones}])"

    def read(self, text: str) -> dt.datetime | None:
        """The moment that a text spells, to the second, or None: the rule that every engine follows."""
        ways, groups = compile_patterns(self)
        for century, fits in ways.items():
            if fits.search(text):
                found = groups.search(text)
                assert found is not None
                parts = dict(zip(self.parts, found.groups(), strict=True))
                if self.names_months:
                    parts["month"] = str([name[:3].lower() for name in MONTHS].index(parts["month"][:3].lower()) + 1)
                hour = int(parts.get("hour", 0))
                if "half day" in parts:
                    hour = hour % 12 + 12 * (parts["half day"][0] in "Pp")
                year, month, day = int(century + parts["year"]), int(parts["month"]), int(parts["day"])
                minute, second = int(parts.get("minute", 0)), int(parts.get("second", 0))
                return dt.datetime(year, month, day, hour, minute, second)
        return None


@lru_cache(maxsize=256)
def compile_patterns(format: DateFormat) -> tuple[dict[str, re.Pattern[str]], re.Pattern[str]]:
    """The expressions for text that fits, by century, and the one that takes it apart."""
    return {one: re.compile(format.fits(one)) for one in format.centuries}, re.compile(format.groups)


def is_digits(tokens: Sequence[str], place: int) -> bool:
    """Whether a token is written in digits."""
    if not 0 <= place < len(tokens):
        return False
    token = tokens[place]
    return (token in PARTS and token not in ("%b", "%B", "%p")) or token.isdigit()


def escape(sign: str) -> str:
    """A sign as a regular expression for it that every engine reads alike."""
    if sign.isalnum() or not sign.isascii() or sign in " ,-/:_'\"":
        return sign
    if sign in "^[]\\" or not sign.isprintable():
        raise ValueError(f"format may not contain {sign!r}")
    return f"[{sign}]"


def any_case(name: str) -> str:
    return "".join(f"[{letter.upper()}{letter.lower()}]" for letter in name)
