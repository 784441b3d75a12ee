"""The command line: one command a file. Heavy things are imported when a command runs, so --help is quick."""

from __future__ import annotations

import io
import sys


def main() -> None:
    """Run the command line; the entry point of `ripost`."""
    from ripost.cli.app import app
    from ripost.cli.exit_codes import run_guarded

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # letters that a code page of Windows lacks are no fault
    run_guarded(lambda: app(prog_name="ripost", standalone_mode=False))
