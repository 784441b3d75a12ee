"""Case folding that every engine does alike: letter by letter, by a table that is worked out here.

A letter becomes the one letter that Unicode folds it to. Letters that fold to several (ß, İ) stay. A text can only
equal a listed value if it is made of letters that fold to the letters of that value, so engines need only those.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

LAST_LETTER = 0x20000  # no script beyond has two cases


@cache
def _folds() -> dict[str, str]:
    """All letters that fold to another one."""
    found = {}
    for number in range(LAST_LETTER):
        letter = chr(number)
        folded = next((one for one in (letter.casefold(), letter.lower()) if len(one) == 1), letter)
        if folded != letter:
            found[letter] = folded
    return found


def fold(text: str) -> str:
    """The text with each letter folded."""
    return text if text.isascii() and text.islower() else "".join(_folds().get(letter, letter) for letter in text)


def letters_to_fold(texts: Iterable[str]) -> tuple[str, str]:
    """The letters that fold to one in the folded texts, and what they fold to, in the same order."""
    wanted = {letter for text in texts for letter in text}
    pairs = sorted((letter, folded) for letter, folded in _folds().items() if folded in wanted)
    return "".join(letter for letter, _ in pairs), "".join(folded for _, folded in pairs)
