"""Terms: names, plain values and keys, as SQL writes them."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from ripost.errors import QueryError, UnknownAttribute, suggest_nearest
from ripost.query.key import Key, by_name, by_part, by_period, by_width
from ripost.query.words import CONDITIONS, KEYS, bare, quote
from ripost.schema.attribute import AttributeBase, Date, LabeledAttribute
from ripost.schema.dates import is_day
from ripost.schema.domain import Domain
from ripost.space.work_limit import charge

PARTS = {"year", "quarter", "month", "week", "day", "hour", "minute", "second", "weekday", "dayofweek", "isodow", "doy",
         "dayofweekiso", "dayofmonth", "dayofyear", "weekofyear"}  # fmt: skip


def attribute_name(column: Any, domain: Domain) -> str:
    """The attribute that a column names, which is neither a level nor derived."""
    name = asked_name(column, domain)
    domain.axis(name)
    return name


def asked_name(column: Any, domain: Domain) -> str:
    """The attribute, or the level or derived column, that a column names; unquoted names may differ in case."""
    if not isinstance(column, exp.Column) or not isinstance(column.this, exp.Identifier):
        raise QueryError(f"a condition compares an attribute with a value; {CONDITIONS}")
    name: str = column.name
    if column.table:
        whole = quote(f"{column.table}.{name}")
        raise QueryError(f"put the name {whole} in double quotes, or leave out what is before the dot")
    if name in domain.attributes or name in domain.mapped:
        return name
    alike = [] if column.this.quoted else names_like(name, domain)
    if len(alike) == 1:
        return alike[0]
    raise UnknownAttribute(name, quote(name), suggest_nearest(name[:100], domain.asked_names))


def names_like(name: str, domain: Domain) -> list[str]:
    """What can be asked for whose name differs from a name in case at most; only itself if it is one of them."""
    if name in domain.attributes or name in domain.mapped:
        return [name]
    charge(len(domain.asked_names) / 4)
    return [known for known in domain.asked_names if known.lower() == name.lower()]


def plain_value(node: Any, attribute: AttributeBase | None = None) -> Any:
    """What a literal stands for: a number, a text, true or false. Of an attribute with names, always as written."""
    sign, is_moment = "", False
    while isinstance(node, (exp.Paren, exp.Neg, exp.Cast)):
        if isinstance(node, exp.Neg):
            sign = "" if sign else "-"
        is_moment |= (
            isinstance(node, exp.Cast) and node.to.is_type(*exp.DataType.TEMPORAL_TYPES) and not node.to.is_type("date")
        )
        node = node.this
    if isinstance(node, exp.Boolean) and not sign:
        return bool(node.this)
    if isinstance(node, exp.Column):
        raise QueryError(f"is compared with {quote(node.name)}; put text in single quotes")
    if isinstance(node, exp.Null):
        raise QueryError("is compared with NULL; ask IS NULL or IS NOT NULL")
    if not isinstance(node, exp.Literal) or (node.is_string and sign):
        raise QueryError(f"is compared with something that is not a plain value; {CONDITIONS}")
    text = sign + str(node.this)
    if is_moment and is_day(text) and not isinstance(attribute, Date):
        return f"{text.strip()}T00:00:00"  # TIMESTAMP '2013-01-31' is a moment, '2013-01-31' a day
    if node.is_string or isinstance(attribute, LabeledAttribute):
        return text
    try:
        return int(text) if node.this.isdecimal() and len(text) <= 15 else float(text)
    except ValueError:
        raise QueryError(f"is compared with {quote(text)}, which is no number; {CONDITIONS}") from None


def key_of(node: Any, domain: Domain) -> Key:
    """The key that an expression names; QueryError if it names none."""
    node = bare(node)
    if isinstance(node, exp.Column):
        return by_name(domain, asked_name(node, domain))
    found = derived_key(node, domain)
    if found is None:
        if isinstance(node, (exp.Case, exp.If)):
            raise QueryError(f"cannot group by {quote(node)}; ask COUNT(*) FILTER (WHERE …) for each of its cases")
        raise QueryError(f"cannot group by {quote(node)}; ask for {KEYS}")
    return found


def derived_key(node: Any, domain: Domain) -> Key | None:
    """The key of an expression of one column; None if it is nothing of the kind."""
    node = bare(node)
    if (multiple := _multiple(node)) is not None:
        return by_width(domain, attribute_name(multiple[0], domain), multiple[1])
    if isinstance(node, exp.Extract):
        return by_part(domain, attribute_name(bare(node.expression), domain), node.this.name)
    if isinstance(node, (exp.TimestampTrunc, exp.DateTrunc)):
        return by_period(domain, attribute_name(bare(node.this), domain), node.text("unit"))
    return _read_function(node, domain) if isinstance(node, exp.Func) else None


def _read_function(node: exp.Func, domain: Domain) -> Key | None:
    """The key of WIDTH(x, 10), DATE_PART('month', x) or MONTH(x)."""
    word = (node.name if isinstance(node, exp.Anonymous) else type(node).__name__).lower()
    given = node.expressions if isinstance(node, exp.Anonymous) else [node.this]
    if word == "width" and len(given) == 2:
        return by_width(domain, attribute_name(bare(given[0]), domain), _width(given[1]))
    if word in ("date_part", "datepart") and len(given) == 2 and isinstance(given[0], exp.Literal):
        return by_part(domain, attribute_name(bare(given[1]), domain), given[0].name)
    if word in PARTS and len(given) == 1:
        return by_part(domain, attribute_name(bare(given[0]), domain), word)
    return None


def _multiple(node: Any) -> tuple[Any, Any] | None:
    """The column and the width of FLOOR(x / 10) * 10, 10 * FLOOR(x / 10) or (x // 10) * 10."""
    if not isinstance(node, exp.Mul):
        return None
    for floor, factor in ((bare(node.this), node.expression), (bare(node.expression), node.this)):
        ratio = bare(floor.this) if isinstance(floor, exp.Floor) else floor
        wanted = exp.Div if isinstance(floor, exp.Floor) else exp.IntDiv
        if isinstance(ratio, wanted) and isinstance(bare(factor), exp.Literal):
            column, width = bare(ratio.this), _width(ratio.expression)
            if width != _width(factor):
                raise QueryError(f"cannot group by {quote(node)}; divide and multiply by the same width")
            return column, width
    return None


def _width(node: Any) -> Any:
    try:
        return plain_value(node)
    except QueryError:
        raise QueryError(f"a width is a plain number or a text such as '1 week', got {quote(node)}") from None
