"""Source: what a SELECT asks, the view or the result of another SELECT."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp, parse

from ripost.errors import QueryError
from ripost.query.words import CAN, quote
from ripost.space.work_limit import charge
from ripost.view import View


@dataclass(frozen=True)
class Source:
    """The view if there is no other SELECT."""

    select: exp.Select | None = None
    known: Mapping[str, Source] = field(default_factory=dict)  # results with names that the other SELECT may ask
    simultaneous: bool = False  # FROM view(simultaneous)


def parse_select(text: str) -> exp.Select:
    """The one SELECT that a text holds; QueryError, one sentence, for anything else."""
    found = [one for one in parse(text, dialect="duckdb") if one is not None]
    if len(found) != 1 or not isinstance(found[0], exp.Select):
        raise QueryError(f"cannot answer {quote(text)}; {CAN}")
    return found[0]


def source_of(select: exp.Select, known: Mapping[str, Source], view: View) -> Source:
    """What a SELECT asks. Names of it in front of columns are removed from the SELECT."""
    known = {**known, **_read_ctes(select, known)}
    given = select.args.get("from_") or select.args.get("from")
    table = given.this if given is not None else None
    if isinstance(table, exp.Subquery) and isinstance(table.this, exp.Select) and not _more(table):
        _unqualify(select, {table.alias.lower()})
        return Source(table.this, known)
    if not isinstance(table, exp.Table) or table.db or _more(table):
        raise QueryError(f"ask FROM view, or FROM the result of one SELECT; {CAN}")
    name, simultaneous = _read_table(table)
    _unqualify(select, {name, table.alias.lower()})
    if name in known and not simultaneous:
        return known[name]
    if name not in (names := view_names(view)):
        others = [one for one in (*names, *known) if one != "view"]
        raise QueryError(f"there is no table {quote(name)}; ask FROM {' or '.join(['view', *map(quote, others[:5])])}")
    return Source(simultaneous=simultaneous)


def _read_ctes(select: exp.Select, known: Mapping[str, Source]) -> Mapping[str, Source]:
    """The results that WITH names; each may ask those before it."""
    given = select.args.get("with_") or select.args.get("with")
    found: dict[str, Source] = {}
    if given is None:
        return found
    if given.args.get("recursive"):
        raise QueryError("cannot answer WITH RECURSIVE; name plain SELECTs in WITH")
    charge(len(given.expressions))
    for one in given.expressions:
        if not isinstance(one.this, exp.Select) or one.args["alias"].columns:
            raise QueryError(f"cannot answer {quote(one)}; name results as WITH t AS (SELECT …), and columns with AS")
        charge(len(known) + len(found))
        found[one.alias.lower()] = Source(one.this, {**known, **found})
    return found


def _more(table: exp.Expr) -> bool:
    """Whether a table has more than a name: a sample, a join, a pivot."""
    return any(given for what, given in table.args.items() if what not in ("this", "alias", "db"))


def _read_table(table: exp.Table) -> tuple[str, bool]:
    """The name of a table in lower case, and whether it is asked for simultaneous intervals."""
    alias = table.args.get("alias") or exp.TableAlias()
    options = [one.name.lower() for one in alias.columns]
    name = table.name
    if isinstance(table.this, exp.Anonymous):  # flights(simultaneous); after `view` the parser reads an alias
        name, options = table.this.name, [one.name.lower() for one in table.this.expressions] or ["()"]
        alias = exp.TableAlias()
    if options and (alias.name or options != ["simultaneous"]):
        raise QueryError("ask FROM view, or FROM view(simultaneous) for intervals that hold all together")
    return name.lower(), bool(options)


def _unqualify(select: exp.Select, names: set[str]) -> None:
    """Remove the name of the source before columns: view.hour is hour."""
    for part in ("expressions", "where", "group", "having", "order"):
        given = select.args.get(part) or []
        for node in given if isinstance(given, list) else [given]:
            for column in node.find_all(exp.Column):
                if column.table and column.table.lower() in names and not column.args.get("db"):
                    column.set("table", None)


def view_names(view: View) -> list[str]:
    """What a view is called in FROM, in lower case: view, or its file's name or title, as it is or as one word."""
    given = ["view", view.name, getattr(view, "title", None) or ""]
    return list(dict.fromkeys(one for name in given if name for one in (name.lower(), table_name(name))))


def table_name(name: str) -> str:
    """A name that SQL takes without quotes, or nearly."""
    plain = re.sub(r"\W+", "_", name.lower()).strip("_") or "released"
    return f"t_{plain}" if plain[0].isdigit() else plain
