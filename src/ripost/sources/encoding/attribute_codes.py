"""Codes: for each kind of attribute, the expression that turns a column into codes.

A code is NULL where the schema drops the row. Arithmetic stands behind a test that the value is in its range, so that
no value, however odd, can make an engine overflow.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal

import ibis

from ripost.schema.attribute import AttributeBase, Boolean, Calendar, Category, Date, Integer, Number, OrderedAttribute
from ripost.schema.bins import EvenBins
from ripost.schema.dates import DAY, EPOCH, SECOND
from ripost.schema.measured_column import MeasuredColumn
from ripost.schema.numeric import NumericAttribute
from ripost.schema.schema import Sum
from ripost.sources.dialect import Dialect, Value
from ripost.sources.encoding.text_values import fold_text, parse_moments, parse_numbers

EXACT = 2**53  # whole floats below this are exact
FLOAT_DIGITS = 301  # decimals of more digits are outside of every range; PostgreSQL fails where none is a float
DUCKDB_WHOLE = (38, 0)  # how it hands over whole numbers of 128 bits; it fails on the least of them as a decimal
MICROSECONDS = 6  # digits of a second that every engine has
FIRST = dt.datetime.min  # a schema can say none before this or after LAST, and engines fail on some of them
LAST = dt.datetime.max
MEANS_MISSING = -1  # what a spelling of missing is looked up as
FEW_EDGES = 24  # looked through one by one


def encode_attribute(column: Value, attribute: AttributeBase, dialect: Dialect) -> Value:
    """The code of each row, as int64."""
    if column.type().is_null():
        column = column.cast("float64" if isinstance(attribute, Integer | Number) else "string")
    match attribute:
        case Integer():
            x = read_numbers(column, attribute, dialect, whole=dialect.engine != "sqlite")  # it holds 2.5 there too
            inside = (x >= attribute.min) & (x < attribute.max + 1)
            low = x.floor() if x.type().is_floating() else x  # first: x - min may round up to the next whole number
            place = divide_whole(low - attribute.min, attribute.width)
            return choose_code(x, attribute, dialect, low=int_literal(attribute.min), inside=inside, place=place)
        case Number():
            x = read_numbers(column, attribute, dialect)
            first = float_literal(attribute.first)
            inside = (x >= first) & (x <= float_literal(attribute.last))
            return choose_code(x, attribute, dialect, low=first, inside=inside, place=find_bin(x, attribute))
        case Calendar():
            return encode_calendar(column, attribute, dialect)
        case Boolean():
            return encode_boolean(column, attribute, dialect)
        case Category():
            return encode_few_categories(to_names(column, attribute, dialect), attribute, dialect)
    raise TypeError(type(attribute).__name__)


def choose_code(
    x: Value, attribute: OrderedAttribute, dialect: Dialect, *, low: Value, inside: Value, place: Value
) -> Value:
    """The place inside the range, or what the schema says of missing values and of those outside.

    The common case comes first: engines look at the later ones only for the rows that are left.
    """
    branches = [(inside, place.cast("int64")), (dialect.is_missing(x), missing_code(attribute))]
    if attribute.outside != "clamp":
        return ibis.cases(*branches, else_=other_code(attribute))
    return ibis.cases(*branches, (x < low, int_literal(0)), else_=int_literal(attribute.count - 1))


def missing_code(attribute: AttributeBase) -> Value:
    return int_literal(attribute.missing_code if attribute.missing == "bin" else None)


def other_code(attribute: AttributeBase) -> Value:
    return int_literal(attribute.other_code if attribute.has_other else None)


def read_numbers(
    column: Value, spelled: NumericAttribute | Sum | MeasuredColumn, dialect: Dialect, *, whole: bool = False
) -> Value:
    """A column as numbers, NULL where it means missing; `whole` keeps integers as such."""
    if column.type().is_string() and (spelled.decimal or spelled.thousands):
        x = parse_numbers(column, dialect, decimal=spelled.decimal or ".", thousands=spelled.thousands)
    else:
        kept = dialect.keep_numbers(column)
        x = to_integers(kept) if whole else to_floats(kept)
    if x.type().is_integer():
        absent = [int_literal(int(one)) for one in spelled.missing_numbers if one.is_integer() and abs(one) < 2**63]
    else:
        absent = [float_literal(one) for one in spelled.missing_numbers]
    return make_missing(x, [x == one for one in absent])


def make_missing(x: Value, absent: Sequence[Value]) -> Value:
    """The values with NULL where one of some conditions says that they mean missing."""
    return ibis.cases(*((one, ibis.null(x.type())) for one in absent), else_=x) if absent else x


def to_integers(column: Value) -> Value:
    """A column of numbers for whole bins: integers that fit 64 bits as such, all others as floats."""
    kind = column.type()
    return column.cast("int64") if kind.is_integer() and not kind.is_uint64() else to_floats(column)


def to_floats(column: Value) -> Value:
    """A column of numbers or text as floats.

    The strip is for more than spaces: DuckDB 2 moves a bare TRY_CAST into its CSV reader, where it fails on bad text.
    """
    kind = column.type()
    if kind.is_string():
        return column.strip().try_cast("float64")
    if kind.is_decimal() and (kind.precision is None or kind.precision > FLOAT_DIGITS):
        far = column.sign().cast("float64") * float_literal(10.0**FLOAT_DIGITS)
        large, small = (ibis.literal(Decimal(10) ** power, "decimal") for power in (FLOAT_DIGITS, -FLOAT_DIGITS))
        is_large = (column > large) | (column < -large)  # not by its absolute value: SQLite has none of -2^63
        is_small = (column < small) & (column > -small)
        return ibis.cases((is_large, far), (is_small, float_literal(0)), else_=column.cast("float64"))
    return column.cast("float64")


def divide_whole(x: Value, width: int) -> Value:
    """Whole multiples of a width below x, which is not negative."""
    if width > 1:
        x = x.cast("float64") / float_literal(width)
    return x.floor() if x.type().is_floating() else x


def find_bin(x: Value, attribute: Number) -> Value:
    """The bin whose edges hold x; a quotient that rounding moved past an edge is moved back."""
    bins = attribute.bins
    if not isinstance(bins, EvenBins):
        return count_edges(x, bins.edges[1:-1], 0)
    guess = ((x - float_literal(bins.start)) / float_literal(bins.width)).floor().cast("float64")
    lower, upper = (
        float_literal(bins.start) + step * float_literal(bins.width) for step in (guess, guess + float_literal(1))
    )
    place = ibis.cases((x < lower, guess - float_literal(1)), (x >= upper, guess + float_literal(1)), else_=guess)
    return clamp(place, float_literal(0), float_literal(bins.count - 1))


def count_edges(x: Value, edges: Sequence[float], first: int) -> Value:
    """How many of the sorted edges are at or below x, counted from `first`; halved until they are few."""
    if not edges:
        return int_literal(first)
    if len(edges) <= FEW_EDGES:
        return x.bucket(edges, close_extreme=False, include_under=True, include_over=True).cast("int64") + int_literal(
            first
        )
    middle = len(edges) // 2
    left, right = count_edges(x, edges[:middle], first), count_edges(x, edges[middle:], first + middle)
    return ibis.ifelse(x < float_literal(edges[middle]), left, right)


def encode_calendar(column: Value, attribute: Calendar, dialect: Dialect) -> Value:
    low: Value
    if isinstance(attribute, Date):
        is_date = column.type().is_date() and dialect.engine != "sqlite"  # which holds any text in a column of dates
        x = column if is_date else read_moments(column, attribute, dialect).cast("date")
        x = make_missing(x, [x == ibis.date(one.date()) for one in attribute.missing_moments])
        low = ibis.date(attribute.min)
        inside = (x >= low) & (x <= ibis.date(attribute.max))
    else:
        x = read_moments(column, attribute, dialect)
        seconds = [(one.replace(microsecond=0), one.replace(microsecond=999_999)) for one in attribute.missing_moments]
        x = make_missing(x, [(x >= ibis.timestamp(a)) & (x <= ibis.timestamp(b)) for a, b in seconds])
        low = ibis.timestamp(attribute.start)
        inside = (x >= low) & (x < ibis.timestamp(attribute.stop))
    length = attribute.span.microseconds
    if length is None:
        months = x.year().cast("int64") * 12 + x.month()
        place = divide_whole(months - (attribute.start.year * 12 + attribute.start.month), attribute.span.months)
    elif isinstance(attribute, Date):
        place = divide_whole(x.delta(low, unit="day"), length // DAY)
    else:
        place = divide_whole(to_seconds(x, attribute) - int(attribute.bins.edge(0)) // SECOND, length // SECOND)
    return choose_code(x, attribute, dialect, low=low, inside=inside, place=place)


def to_seconds(x: Value, attribute: Calendar) -> Value:
    """Whole seconds since 1970; by the clock where there are any before, since engines round those differently."""
    if attribute.start >= EPOCH:
        return x.epoch_seconds().cast("float64").floor()
    days = x.cast("date").delta(ibis.date(EPOCH.date()), unit="day")
    clock = (x.hour().cast("int64") * 60 + x.minute()) * 60 + x.second().cast("float64").floor()
    return days * 86400 + clock


def read_moments(column: Value, attribute: Calendar, dialect: Dialect) -> Value:
    """A column as timestamps; text by the format of the attribute, if it has one."""
    if attribute.date_format is not None and column.type().is_string():
        return parse_moments(column, attribute.date_format, dialect)
    return to_timestamps(column, dialect)


def to_timestamps(column: Value, dialect: Dialect) -> Value:
    """Dates and timestamps as timestamps without a zone; those with a zone are moved to UTC first."""
    kind = column.type()
    if dialect.engine == "sqlite":  # it rounds to milliseconds, and so into the next hour: fractions are cut off first
        return dialect.clean_moment(column).cast("timestamp")
    if kind.is_timestamp() and (kind.scale or 0) > MICROSECONDS:  # DuckDB rounds up; of text it cuts the rest off
        column = column.cast("string").try_cast("timestamp" if kind.timezone is None else "timestamp('UTC')")
    elif kind.is_string():
        column = column.strip().try_cast("timestamp('UTC')")
    elif kind.is_date() or kind.is_timestamp():
        column = _move_inside(column)
    return column.cast("timestamp")


def _move_inside(column: Value) -> Value:
    """Dates or moments, the first or the last that every engine computes with in place of those beyond it."""
    column, first, last = compare_with_ends(column)
    return ibis.cases((column < first, first), (column > last, last), else_=column)


def compare_with_ends(column: Value) -> tuple[Value, Value, Value]:
    """Dates or moments, those with a zone moved to UTC, and the first and last one that every engine computes with."""
    kind = column.type()
    if kind.is_date():
        return column, ibis.date(FIRST.date()), ibis.date(LAST.date())
    if kind.timezone is None:
        return column, ibis.timestamp(FIRST), ibis.timestamp(LAST)
    first, last = (ibis.literal(end.replace(tzinfo=dt.UTC), "timestamp('UTC')") for end in (FIRST, LAST))
    return column.cast("timestamp('UTC')"), first, last


def encode_boolean(column: Value, attribute: Boolean, dialect: Dialect) -> Value:
    if column.type().is_boolean():
        ways = [[("false", ~column)], [("true", column)]]
    elif column.type().is_numeric():
        x = to_floats(column) if column.type().is_decimal() else column  # DuckDB has decimals that cannot be 1
        ways = [[("0", x == 0)], [("1", x == 1)]]
    else:
        text = column.strip().lower()
        ways = [[(one, dialect.equals(text, one)) for one in sorted(several)] for several in attribute.SPELLINGS]
    absent = {one.strip().lower() for one in attribute.missing_values or ()}
    branches = [
        (way, int_literal(number)) for number, several in enumerate(ways) for one, way in several if one not in absent
    ]
    return ibis.cases(*branches, else_=missing_code(attribute)) if branches else missing_code(attribute)


def to_names(column: Value, attribute: Category, dialect: Dialect) -> Value:
    """A column as the text that the spellings of a category are compared with."""
    text = to_text(column, dialect)
    return fold_text(text, attribute, dialect) if attribute.fold_case else text


def to_text(column: Value, dialect: Dialect) -> Value:
    """A column as the text that categories are compared with: true, 5 and not 5.0, 2013-01-31; NULL where missing.

    Dates are spelled by a format, since PostgreSQL writes them as its session is set to; SQLite has only their text.
    """
    kind = column.type()
    if kind.is_date() and dialect.engine != "sqlite":
        return _move_inside(column).strftime("%Y-%m-%d")
    if kind.is_boolean():
        return ibis.cases((column, "true"), (~column, "false"))
    if kind.is_floating() or kind.is_decimal():
        x = to_floats(column) + float_literal(0)  # negative zero is zero
        near = clamp(x, float_literal(-EXACT), float_literal(EXACT)).floor().cast("int64")
        text = ibis.ifelse(x == near.cast("float64"), near.cast("string"), x.cast("string"))
        return ibis.ifelse(dialect.is_missing(x), None, text)
    return column if kind.is_string() else column.cast("string")


def to_unit_id(column: Value, dialect: Dialect) -> Value:
    """The id of a privacy unit as text, one for each value; NULL where it is missing."""
    kind = column.type()
    if dialect.engine == "sqlite" and kind.is_boolean():
        return column.cast("string")  # it holds other numbers too
    if dialect.engine == "sqlite" and kind.is_numeric():
        text = column.cast("string")  # has 15 digits, so what is left is added; it is small, and so exact
        rest = column - text.cast("float64")
        more = text + " " + ibis.coalesce(rest.cast("string"), "")
        return ibis.cases((column == 0, "0"), (rest == 0, text), else_=more)
    if kind.is_floating() and dialect.engine == "postgres":
        x = column.cast("float64") + float_literal(0)  # negative zero is zero
        return ibis.ifelse(dialect.is_missing(x), None, dialect.bits(x))
    if kind.is_decimal():
        text = column.cast("string")
        if dialect.engine == "duckdb" and (kind.precision, kind.scale) == DUCKDB_WHOLE:
            fits = column.cast("float64") > float_literal(-(2.0**127))
            text = ibis.ifelse(fits, text, ibis.null("string"))
        return ibis.ifelse(dialect.equals(text, "NaN"), None, text)
    if kind.is_date():
        return column.cast("string")
    if kind.is_timestamp() and dialect.engine != "sqlite" and (kind.scale or 0) <= MICROSECONDS:
        moment, first, last = compare_with_ends(column)
        column = ibis.ifelse((moment >= first) & (moment <= last), column, ibis.null(kind))
    return to_text(column, dialect)


def encode_few_categories(text: Value, attribute: Category, dialect: Dialect) -> Value:
    """Codes by comparing with each spelling; for a few of them."""
    branches = [
        (dialect.equals(text, one), missing_code(attribute) if code is None else int_literal(code))
        for one, code in attribute.lookup.items()
    ]
    return ibis.cases((text.isnull(), missing_code(attribute)), *branches, else_=other_code(attribute))


def encode_joined_category(text: Value, code: Value, attribute: Category) -> Value:
    """Codes that were looked up, MEANS_MISSING among them; for many spellings."""
    return ibis.cases(
        (text.isnull(), missing_code(attribute)),
        (code == int_literal(MEANS_MISSING), missing_code(attribute)),
        else_=ibis.coalesce(code, other_code(attribute)),
    )


def clamp(x: Value, low: Value, high: Value) -> Value:
    return ibis.least(ibis.greatest(x, low), high)


def int_literal(value: int | None) -> Value:
    return ibis.null("int64") if value is None else ibis.literal(value, "int64")


def float_literal(value: float) -> Value:
    return ibis.literal(float(value), "float64")
