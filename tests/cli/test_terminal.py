"""What a view says cannot steer a terminal: names and labels come from whoever made the file."""

from __future__ import annotations

import json
from pathlib import Path

from ripost.cli.output import escape_unprintable
from ripost.schema.domain import Domain
from tests.answering.making import make_view
from tests.conftest import Run

NASTY = "a\x1b]0;owned\x07\x1b[2J\u202eb\x9b31m"


def test_letters_that_cannot_be_seen_are_escaped() -> None:
    assert escape_unprintable("plain text, Ü and 日本\n") == "plain text, Ü and 日本\n"
    assert escape_unprintable(NASTY).isprintable()


def test_commands_print_nothing_that_steers(run: Run, tmp_path: Path) -> None:
    labels = {"type": "category", "values": [NASTY, "b"], "label": NASTY, "unit": NASTY}
    make_view(Domain.from_json({NASTY: labels, "x": {"type": "boolean"}}), leaves=4, method=NASTY).save(tmp_path / "v")
    for arguments in (
        ["info", "v"],
        ["info", "v", "--json"],
        ["query", "v", "nope = 1"],
        ["query", "v", f'SELECT "{NASTY}", COUNT(*) FROM view GROUP BY 1'],
        ["verify", "v"],
    ):
        done = run(*arguments)
        text = (done.stdout + done.stderr).replace("\n", "")
        assert text and text.isprintable(), arguments
    assert NASTY in json.loads(run("info", "v", "--json").stdout)["attributes"]
