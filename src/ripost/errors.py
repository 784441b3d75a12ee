"""Everything ripost raises on purpose.

RipostError
├── InputError            the caller gave something that cannot be used; the command line exits with 2
│   ├── SchemaError       the schema file is wrong
│   ├── SourceError       the table cannot be read or does not fit the schema
│   ├── QueryError        the question names something the view does not have
│   ├── ReleaseError      the view file is damaged, edited, of another version, or cannot be written
│   └── LedgerError       the ledger of the data set does not allow it, or is damaged, edited or a copy
└── PrivacyError          the privacy rules were about to be broken; always a bug in a method
    └── BudgetExceeded    a draw was asked for that has not been paid

Messages speak of public things only: names, rules and the caller's own arguments, never of the data.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

LOGIN = re.compile(r"(\w:/+[^\s:@/]*):.*@")  # up to the last @: a password may hold any letter
SECRET = re.compile(r"([?&;\s]\w*(?:password|passwd|pwd|secret|token)\w*=)[^\s&;]+", re.IGNORECASE)


class RipostError(Exception):
    """Base of all deliberate errors."""


class InputError(RipostError, ValueError):
    """Something the caller gave cannot be used."""


class SchemaError(InputError):
    """The schema breaks one of its rules."""


class SourceError(InputError):
    """The table cannot be read, or does not have what the schema names."""


class QueryError(InputError):
    """The question does not fit the view."""


class UnknownAttribute(QueryError):
    """No attribute has the name that a question asks for."""

    def __init__(self, name: str, quoted: str, hint: str) -> None:
        super().__init__(f"the view has no attribute {quoted}; {hint}")
        self.name, self.quoted = name, quoted


class ReleaseError(InputError):
    """The view file cannot be read or written."""


class LedgerError(InputError):
    """The ledger of the data set does not allow a release, or cannot be believed."""


class ReleaseWarning(UserWarning):
    """A release is allowed, but may protect or tell less than its owner thinks."""


class LedgerWarning(ReleaseWarning):
    """A view is sound and paid for, but the ledger could not be told which view it is."""


class PrivacyError(RipostError):
    """A method tried something the account does not allow."""


class BudgetExceeded(PrivacyError):
    """A draw would cost more than is left, or was already made."""


def suggest_nearest(word: str, known: Iterable[str]) -> str:
    """A hint that names the nearest known word, or the known words if there are few."""
    names = list(known)
    if close := difflib.get_close_matches(word, names, n=1, cutoff=0.6):
        return f"did you mean {close[0]!r}?"
    if len(names) <= 12:
        return f"known: {', '.join(names)}"
    return f"there are {len(names)} to choose from"


def redact_passwords(text: str) -> str:
    """A text in which passwords of URLs are blanked out."""
    return SECRET.sub(r"\1***", LOGIN.sub(r"\1:***@", text))
