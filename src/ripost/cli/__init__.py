"""The command line: one command a file. Heavy things are imported when a command runs, so --help is quick."""

from __future__ import annotations


def main() -> None:
    """Run the command line; the entry point of `ripost`."""
    from ripost.cli.app import app
    from ripost.cli.guard import guarded

    guarded(app)
