"""Text as numbers, dates and folded text, alike on every engine.

Engines read text differently, and some fail on what they cannot read. So a regular expression decides first whether a
text fits, and only text that fits is converted; everything else becomes NULL. No text makes an engine fail.
"""

from __future__ import annotations

import ibis

from ripost.schema.attribute import Category
from ripost.schema.case_folding import letters_to_fold
from ripost.schema.date_format import MONTHS, DateFormat
from ripost.schema.numeric import number_pattern
from ripost.sources.dialect import Dialect, Value


def parse_numbers(column: Value, dialect: Dialect, *, decimal: str = ".", thousands: str | None = None) -> Value:
    """A column of text as floats; NULL where the text is no number."""
    text = dialect.to_plain_text(column)
    number = text.strip()
    if thousands is not None:
        number = number.replace(thousands, "")
    if decimal != ".":
        number = number.replace(decimal, ".")
    fits = text.re_search(dialect.to_pattern(number_pattern(decimal, thousands)))
    return dialect.read_float(ibis.ifelse(fits, number, ibis.null("string")))


def parse_moments(column: Value, format: DateFormat, dialect: Dialect) -> Value:
    """A column of text as timestamps to the second; NULL where the text does not fit the format."""
    text = dialect.to_plain_text(column)
    if dialect.engine == "sqlite":
        return dialect.read_moment(text, format).cast("timestamp")
    groups = dialect.to_pattern(format.groups)
    ways = [
        (text.re_search(dialect.to_pattern(format.fits(century))), spell_moment(text, groups, format, century, dialect))
        for century in format.centuries
    ]
    return ibis.cases(*ways, else_=ibis.null("string")).cast("timestamp")


def spell_moment(text: Value, groups: str, format: DateFormat, century: str, dialect: Dialect) -> Value:
    """Text that fits, spelled as ISO but for zeros in front."""
    place = {part: dialect.group(number) for number, part in enumerate(format.parts, 1)}
    found = text.re_replace(groups, f"{century}{place['year']}-{place['month']}-{place['day']}")
    if format.names_months:
        found = found.lower()
        for number, name in enumerate(MONTHS, 1):
            found = found.replace((name if "%B" in format.tokens else name[:3]).lower(), str(number))
    if "hour" not in place:
        return found + " 00:00:00"
    hour = text.re_replace(groups, place["hour"])
    if "half day" in place:
        late = dialect.equals(text.re_replace(groups, place["half day"]).lower(), "pm")
        fits = text.re_search(groups)
        hour = ibis.ifelse(fits, hour, "0").cast("int64") % 12 + ibis.ifelse(late, 12, 0)
        hour = hour.cast("string")
    minute, second = place.get("minute", "00"), place.get("second", "00")
    return found + " " + hour + text.re_replace(groups, f":{minute}:{second}")


def fold_text(text: Value, attribute: Category, dialect: Dialect) -> Value:
    """Text with its case folded as far as it matters for the spellings of a category."""
    letters, folded = letters_to_fold(attribute.lookup)
    return dialect.to_plain_text(text).translate(letters, folded) if letters else text
