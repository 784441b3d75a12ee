"""Formula: which texts a spreadsheet would run, and how a CSV file keeps them from it."""

from __future__ import annotations

import re
import unicodedata

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
STARTS = "=+-@\N{MINUS SIGN}"
QUOTES = "'\"`‘’“”"


def is_formula(text: str) -> bool:
    """Whether a spreadsheet may take a text for a formula: no plain number, and what comes first, behind blanks, quotes
    and letters that cannot be seen, starts one, be it of full width or not; or a control character comes before it.

    explore/assets/draw/formula.js has the same.
    """
    if NUMBER.fullmatch(text):
        return False
    for letter in unicodedata.normalize("NFKC", text):
        kind = unicodedata.category(letter)
        if letter in STARTS or kind == "Cc":
            return True
        if letter not in QUOTES and kind[0] not in "ZC":
            return False
    return False


def escape_formula(text: str) -> str:
    """The text for a field of a CSV file: one that is a formula gets an apostrophe before it, which makes it text.

    No two texts become the same: an apostrophe before a formula was always added.
    """
    return f"'{text}" if is_formula(text) else text
