"""Names of people: whether the values of a text column look like them. A draft lists none.

A draft that leaves out a column of towns costs its reader one line; a draft that lists people may reveal them. So one
full name in six values is enough. A given name alone may be a town or a brand: these must be one half.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from ripost.schema.known_columns import LISTS

GIVEN_NAMES = frozenset(LISTS["given_names"].split())
TITLE = re.compile(r"(?:dr|prof|mr|mrs|ms|miss|herr|frau|mme|sr|sra)\b\.? ", re.IGNORECASE)
LAST_FIRST = re.compile(r"[^\W\d][\w'-]+, [^\W\d][\w'. -]+$")
WORDS = re.compile(r"[^\W\d_]+(?:['.-][^\W\d_]+)*\.?(?: [^\W\d_]+(?:['.-][^\W\d_]+)*\.?){0,3}")


def look_like_people(values: Sequence[str]) -> bool:
    full, given = sum(map(is_full_name, values)), sum(map(is_given_name, values))
    return 0 < len(values) <= max(6 * full, 2 * (full + given))


def is_full_name(value: str) -> bool:
    """A title before a name, a last name before a comma, or a common given name before one to three words."""
    if TITLE.match(value) or LAST_FIRST.match(value):
        return True
    first, _, rest = value.strip().partition(" ")
    return bool(rest and WORDS.fullmatch(value.strip())) and is_given_name(first)


def is_given_name(word: str) -> bool:
    """A common given name, also the first of two: Jürgen, Marie-Claire."""
    plain = unicodedata.normalize("NFD", word.strip().lower())
    return "".join(one for one in plain if not unicodedata.combining(one)).split("-")[0] in GIVEN_NAMES
