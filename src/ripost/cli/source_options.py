"""Options that several commands share, and the commands that they print as next steps."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from ripost.errors import InputError, redact_passwords

FILES = "CSV, Excel, Parquet, Feather, JSON lines, Stata, SPSS or SAS (a glob too)"
Table = Annotated[
    str | None, typer.Option(help="Table of a database URL, or sheet of an Excel file; of spark:// also parquet:PATH.")
]
Encoding = Annotated[str | None, typer.Option(help="Encoding of a CSV file that is not UTF-8, such as cp1252.")]
MethodOptions = Annotated[
    list[str] | None, typer.Option("--option", help="A parameter of the method, as name=value; may be repeated.")
]


def format_command(name: str, *words: str | Path | None, table: str | None = None, encoding: str | None = None) -> str:
    """Return a command of ripost as a shell takes it, with the options that its source needs and no password."""
    options = [("--table", table), ("--encoding", encoding)]
    given = [word for option, value in options if value is not None for word in (option, value)]
    said = [str(word) for word in words if word is not None]
    return redact_passwords(shlex.join(["ripost", name, *said, *given]))


def expected_rows(text: str) -> float:
    """Return a number of rows that an owner expects: 1e6, 1,000,000."""
    try:
        number = float(text.replace(",", "").replace("_", ""))
    except ValueError:
        number = 0
    if not 1 <= number <= 1e15:
        raise InputError(f"--rows must be a number of rows such as 1e6, got {text!r}")
    return number
