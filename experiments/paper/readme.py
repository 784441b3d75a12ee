"""Readme: the project's README with the numbers of the report, so that no one copies them by hand."""

from __future__ import annotations

import re

FIRE, GOWALLA = "**Fire**, mean R-RMSE over tensors:", "## Spatial data: Gowalla"
ROWS = (  # label, what the paper says, and where the report has its value: marker, row, column
    ("HDPView on Fire", "1.47", FIRE, "all", "hdpview"),
    ("PrivTree on Fire", "13", FIRE, "all", "privtree"),
    ("PrivTree on Fire, if its tests count non-empty cells", "13", FIRE, "all", "privtree (cells)"),
    ("PrivBayes on Fire, without the counts, as there", "62", FIRE, "all", "privbayes (cells)"),
    ("PrivBayes on Fire, on the records", "-", FIRE, "all", "privbayes"),
    ("PrivTree on Gowalla", "25", GOWALLA, "privtree", "RMSE / RIPOST"),
    ("PrivTree on Gowalla, if its tests count non-empty cells", "25", GOWALLA, "privtree (cells)", "RMSE / RIPOST"),
    ("`ripost+` on Fire", "-", FIRE, "all", "ripost+"),
)
VERDICTS = r"Of\s+(\d+)\s+claims,\s+(\d+)\s+are\s+confirmed,\s+(\d+)\s+in\s+part,\s+and\s+(\d+)\s+are\s+not"
TABLE = r"(?<=\| paper \| found \|\n\| --- \| ---: \| ---: \|\n)(?:\|.*\n)+"


def with_numbers(readme: str, report: str) -> str:
    """The README with the verdicts and values of a report in Markdown; what the report lacks has no line."""
    numbers = re.search(VERDICTS, report)
    assert numbers, "the report has no line of verdicts"
    found = re.search(VERDICTS, readme)
    assert found, "the README does not say how many claims are confirmed"
    for group in (4, 3, 2, 1):  # from the last, as their places move
        readme = readme[: found.start(group)] + numbers[group] + readme[found.end(group) :]
    lines = [(label, said, value_of(report, *place)) for label, said, *place in ROWS]
    table = "".join(f"| {label} | {said} | {value} |\n" for label, said, value in lines if value)
    assert re.search(TABLE, readme), "the README has no table of what the paper says and what was found"
    return re.sub(TABLE, lambda _: table, readme)


def value_of(report: str, marker: str, row: str, column: str) -> str:
    """The value, without its interval, of the first table after a marker; empty if it has no such row or column."""
    lines = report.split(marker)[1].splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("| "))
    heads = _cells(lines[start])
    for line in lines[start + 2 :]:
        if not line.startswith("| "):
            break
        cells = _cells(line)
        if cells[0] == row and column in heads:
            return cells[heads.index(column)].split()[0]
    return ""


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("| ").split("|")]
