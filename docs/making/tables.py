"""Long tables of the experiments as data files: pages show a summary and link to them.

python -m experiments accuracy --methods all --runs 1 | python -m docs.making.tables 2 > docs/data/peers-errors.csv

writes the second table of the Markdown on standard input as CSV.
"""

from __future__ import annotations

import csv
import re
import sys
from typing import TextIO


def find_tables(markdown: str) -> list[list[list[str]]]:
    """Tables of a Markdown text: rows of cells, the header first."""
    bare = re.sub(r"^```.*?^```$", "", markdown, flags=re.MULTILINE | re.DOTALL)
    return [
        [split_row(line) for line in found.splitlines() if not re.fullmatch(r"[|:\s-]+", line)]
        for found in re.findall(r"(?:^\|.*\n?)+", bare, re.MULTILINE)
    ]


def split_row(line: str) -> list[str]:
    """Cells of a row as plain numbers: no markup, no thousands separators, no spread of a single run."""
    cells = [cell.strip().strip("`*") for cell in line.strip().strip("|").split("|")]
    return [re.sub(r"(?<=\d),(?=\d{3})| ± 0\.0$", "", cell) for cell in cells]


def write_csv(table: list[list[str]], file: TextIO) -> None:
    csv.writer(file, lineterminator="\n").writerows(table)


if __name__ == "__main__":
    write_csv(find_tables(sys.stdin.read())[int(sys.argv[1]) - 1], sys.stdout)
