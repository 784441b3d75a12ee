"""Text spelling: how most values of a text column spell numbers and dates, as keys of a schema."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

from ripost.schema.date_format import DateFormat
from ripost.schema.numeric import number_pattern

MISSING_WORDS = ("", "-", "--", ".", "?", "na", "n/a", "n.a.", "nan", "null", "none", "nil", "missing", "#n/a")
DAYS = (
    *("%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y/%m/%d", "%Y.%m.%d", "%d/%m/%y", "%m/%d/%y"),
    *("%d.%m.%y", "%d-%b-%Y", "%d %b %Y", "%d %B %Y", "%d-%b-%y", "%b %d, %Y", "%B %d, %Y", "%Y%m%d"),
)
CLOCKS = ("", " %H:%M", " %H:%M:%S", " %I:%M %p", " %I:%M:%S %p")
SIGNS = ((",", None), (",", "."), (",", " "), (",", "\u00a0"), (",", "\u202f"), (",", "'"), (".", ","), (".", "'"))
ZERO = re.compile(r"[+-]?0,")  # such a number has a decimal comma

Counted = Sequence[tuple[str, int]]  # texts with the number of rows that hold them


def find_format(texts: Counted, enough: float) -> tuple[str | None, bool]:
    """The format that fits most rows, if it fits enough, and whether another fits as many but reads other dates."""
    shares = {}
    for day, clock in product(DAYS, CLOCKS):
        format = DateFormat.parse(day + clock)
        wrong, most_wrong = 0, (1 - enough) * sum(rows for _, rows in texts)
        for text, rows in texts:
            wrong += 0 if format.read(text) else rows
            if wrong > most_wrong:
                break
        else:
            shares[day + clock] = -wrong
    if not shares:
        return None, False
    best = max(shares, key=lambda format: shares[format])  # the first of those that read as many: day before month
    return best, any(share == shares[best] and format != best for format, share in shares.items())


def find_signs(texts: Counted, enough: float) -> tuple[str | None, str | None]:
    """The decimal and thousands signs with which enough rows are numbers; None and None if no signs are."""
    total, grouped = sum(rows for _, rows in texts), looks_grouped(texts)
    for decimal, thousands in sorted(SIGNS, key=lambda pair: pair[0] == "," and grouped):
        fits = re.compile(number_pattern(decimal, thousands))
        if sum(rows for text, rows in texts if fits.search(text)) >= enough * total:
            return decimal, thousands
    return None, None


def looks_grouped(texts: Counted) -> bool:
    """Whether three digits follow every comma, so that 1,234 is more likely one thousand than one."""
    with_comma = [text.strip() for text, _ in texts if "," in text]
    return bool(with_comma) and all(
        re.search(r",\d{3}(?!\d)", text) and not ZERO.match(text) and not re.search(r",(?!\d{3}(?!\d))", text)
        for text in with_comma
    )
