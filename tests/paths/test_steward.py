"""The steward's path: from a messy file to a release that a ledger paid for."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from tests.paths.conftest import DATA, RIPOST, Office
from tests.paths.messy import SCHEMA
from tests.terminals import run_on_terminal


def test_a_draft_is_private_and_cannot_be_published(make_office: Callable[[], Office]) -> None:
    office = make_office()
    printed = office.run("init", "loans.csv", "-o", "draft.toml", "--encoding", "cp1252")
    assert printed.startswith("Drafted draft.toml:") and "Only you can read it" in printed
    assert printed.endswith("Then: ripost check loans.csv draft.toml --encoding cp1252\n")
    draft = (office.folder / "draft.toml").read_text("utf-8")
    assert '#   unit = "Reader ID"' in draft and "R00" not in draft, "ids of people are no values"
    assert "Anna Müller" not in draft and 'Left out, "librarian": its values look like names of people.' in draft
    refused = office.refuse("publish", "loans.csv", "draft.toml", "--encoding", "cp1252", "--epsilon", "1")
    assert refused.startswith("ripost: the schema is a draft, and unreviewed keys may reveal rows")


def test_a_report_for_the_steward_alone_shows_what_does_not_fit(make_office: Callable[[], Office]) -> None:
    """Without the aliases, names with a space at the end do not fit; the report says which, and is not written down."""
    office = make_office()
    (office.folder / "loans.toml").write_text(re.sub("aliases = .*\n", "", SCHEMA), "utf-8")
    environment = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}
    printed = run_on_terminal([RIPOST, "check", *DATA, "--fit"], cwd=office.folder, env=environment)
    assert "PRIVATE: exact counts and values of the table." in printed
    assert re.search(
        r"Reader ID: [\d,]+ units, the largest with \d+ rows; dropped: [\d.]+ % \(\d+\) without an id", printed
    )
    assert re.search(
        r"branch: [\d.]+ % \([\d,]+\) outside the schema, rows dropped\n +most frequent: 'Centre ' ", printed
    )
    assert re.search(r"fee: [\d.]+ % \([\d,]+\) missing; [\d.]+ % \(\d+\) outside the schema, clamped", printed)
    assert "lent: every value fits" in printed and "days: every value fits" in printed
    assert office.refuse("check", *DATA, "--fit").startswith("ripost: --fit shows private values")


def test_a_release_that_a_ledger_paid_for(make_office: Callable[[], Office]) -> None:
    office, ledger = make_office(), ["--ledger", "budget.sqlite"]
    assert "ok   unit: protects one Reader ID (at most 5 rows kept)" in office.run("check", *DATA)
    plan = office.run("plan", "loans.toml", "--rows", "20000", "--epsilon", "1.5")
    assert "No data was read" in plan and re.search(r"everything +20,000 ", plan)
    made = office.run("ledger", "init", "budget.sqlite", "--dataset", "loans", "--epsilon", "2", "--unit", "Reader ID")
    assert made.startswith("Made budget.sqlite, the ledger of loans: at most epsilon 2 in all for one Reader ID.")
    warning = "ripost: lent (366 codes) will hardly be told from noise"
    printed = office.run("publish", *DATA, "--epsilon", "1.5", *ledger, warns=warning)
    assert "Adding or removing all rows of any one Reader ID (of which at most 5 are used)" in printed
    assert "Debit 1 in budget.sqlite. Epsilon 1.5 spent, 0.5 left.\n" in printed
    assert "With it: loans.certificate.html, loans.certificate.txt.\n" in printed
    refused = office.refuse("publish", *DATA, "--epsilon", "1", "-o", "again.ripost.parquet", *ledger)
    assert "has epsilon 0.5 left of 2, and this release asks for 1; nothing was debited" in refused
    assert "ok   ledger: spends 1.5 of epsilon 1.5 for one Reader ID" in office.run("verify", "loans.ripost.parquet")
    assert "Epsilon 1.5 spent, 0.5 left." in office.run("ledger", "status", "budget.sqlite")
    told = office.run("info", "loans.ripost.parquet")
    assert told.startswith("Loans of a town's library\n") and "days on loan" in told and "only kept rows count" in told
