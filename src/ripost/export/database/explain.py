"""Explain: what a reader of a database finds first: the promise, the ledger, and what dimensions and measures are."""

from __future__ import annotations

from typing import Any

from ripost.export.about import about, describe_attribute, ledger_rows, list_groups
from ripost.export.database.axis import ident, text
from ripost.export.database.macros import Macros
from ripost.schema.measured_column import value_of_missing
from ripost.series import Series
from ripost.view import View

PERIOD_COLUMNS = ("period", "rule", "method", "epsilon", "delta", "digest", "debit")


def explain(connection: Any, view: View, macros: Macros) -> None:
    """Fill the tables about, ledger, dimensions, periods, levels and measures, and comment on tables and columns."""
    connection.execute("CREATE TABLE about (fact VARCHAR, value VARCHAR)")
    connection.executemany("INSERT INTO about VALUES (?, ?)", about(view))
    connection.execute(
        "CREATE TABLE ledger (purpose VARCHAR, mechanism VARCHAR, statistic VARCHAR, sensitivity BIGINT, "
        "price VARCHAR, scale DOUBLE, blocks BIGINT)"
    )
    connection.executemany("INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?)", ledger_rows(view.privacy))
    connection.execute(
        "CREATE TABLE dimensions (number INTEGER, name VARCHAR, label VARCHAR, unit VARCHAR, type VARCHAR, "
        "codes BIGINT, first VARCHAR, last VARCHAR, description VARCHAR)"
    )
    for number, (name, attribute) in enumerate(view.domain):
        ends = attribute.describe(0), attribute.describe(attribute.count - 1)
        row = [number, name, attribute.label, attribute.unit, getattr(attribute, "type", ""), attribute.size, *ends]
        row.append(attribute.description)
        connection.execute("INSERT INTO dimensions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    if isinstance(view, Series):
        connection.execute(
            "CREATE TABLE periods (period VARCHAR, rule VARCHAR, method VARCHAR, epsilon VARCHAR, delta VARCHAR, "
            "digest VARCHAR, debit VARCHAR)"
        )
        rows = [[line[name] for name in PERIOD_COLUMNS] for line in view.list_periods()]
        connection.executemany("INSERT INTO periods VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    if view.domain.mapped:
        connection.execute('CREATE TABLE levels (dimension VARCHAR, value VARCHAR, level VARCHAR, "group" VARCHAR)')
        connection.executemany("INSERT INTO levels VALUES (?, ?, ?, ?)", list_groups(view.domain))
    if view.measures:
        connection.execute(
            'CREATE TABLE measures (name VARCHAR, "column" VARCHAR, min DOUBLE, max DOUBLE, missing DOUBLE)'
        )
        for name, content in view.measures.items():
            measured = content.measured
            row = [name, measured.column or name, measured.min, measured.max, value_of_missing(measured)]
            connection.execute("INSERT INTO measures VALUES (?, ?, ?, ?, ?)", row)
        asked = (
            f"Ask FROM {macros.name}_{next(iter(view.measures))}_by([]) for its sum and mean; missing is what a row "
        )
        says = f"{asked}without a value adds, NULL where it is left out."
        connection.execute(f"COMMENT ON TABLE measures IS {text(says)}")
    warning = f"{view.privacy.warning}. " if view.privacy.warning else ""
    if warning:
        connection.execute(f"CREATE VIEW NOT_PRIVATE AS SELECT {text(warning.strip())} AS warning")
    if macros.cells.are_listed:
        kind = f"{view.measure.title} of every cell of a differentially private view: add up {macros.measure}."
        about_it = " ".join(filter(None, [warning.strip(), view.title and f"{view.title}.", view.description, kind]))
        connection.execute(f"COMMENT ON VIEW {ident(macros.name)} IS {text(about_it)}")
        for name, attribute in view.domain:
            if words := describe_attribute(attribute):
                column = f"{ident(macros.name)}.{ident(name)}"
                connection.execute(f"COMMENT ON COLUMN {column} IS {text(words)}")
    connection.execute(f"COMMENT ON TABLE about IS {text(warning + 'What this database is, and what was promised.')}")
