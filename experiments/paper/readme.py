"""Readme: the project's README with the numbers of the report, so that no one copies them by hand."""

from __future__ import annotations

import re

FIRE, GOWALLA = "**Fire**, mean R-RMSE over tensors:", "## Spatial data: Gowalla"
VALUES = {  # label of a line of the README -> where the report has its value: marker, row, column
    "HDPView on Fire": (FIRE, "all", "hdpview"),
    "PrivTree on Fire": (FIRE, "all", "privtree"),
    "PrivTree on Fire, if its tests count non-empty cells": (FIRE, "all", "privtree (cells)"),
    "PrivBayes on Fire, without the counts, as there": (FIRE, "all", "privbayes (cells)"),
    "PrivBayes on Fire, on the records": (FIRE, "all", "privbayes"),
    "PrivTree on Gowalla": (GOWALLA, "privtree", "RMSE / RIPOST"),
    "PrivTree on Gowalla, if its tests count non-empty cells": (GOWALLA, "privtree (cells)", "RMSE / RIPOST"),
    "`ripost+` on Fire": (FIRE, "all", "ripost+"),
}
VERDICTS = r"Of\s+(\d+)\s+claims,\s+(\d+)\s+are\s+confirmed,\s+(\d+)\s+in\s+part,\s+and\s+(\d+)\s+are\s+not"


def with_numbers(readme: str, report: str) -> str:
    """The README with the verdicts and values of a report in Markdown; a value that it lacks is a dash."""
    numbers = re.search(VERDICTS, report)
    assert numbers, "the report has no line of verdicts"
    found = re.search(VERDICTS, readme)
    assert found, "the README does not say how many claims are confirmed"
    for group in (4, 3, 2, 1):  # from the last, as their places move
        readme = readme[: found.start(group)] + numbers[group] + readme[found.end(group) :]
    for label, place in VALUES.items():
        line = re.compile(rf"^(\| {re.escape(label)} \| [^|]+ \| )[^|]*( \|)$", re.MULTILINE)
        assert line.search(readme), f"the README has no line {label!r}"
        value = value_of(report, *place)
        readme = line.sub(lambda match, value=value: f"{match[1]}{value}{match[2]}", readme)  # type: ignore[misc]
    return readme


def value_of(report: str, marker: str, row: str, column: str) -> str:
    """The value, without its interval, of the first table after a marker; a dash if it has no such row or column."""
    lines = report.split(marker)[1].splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("| "))
    heads = _cells(lines[start])
    for line in lines[start + 2 :]:
        if not line.startswith("| "):
            break
        cells = _cells(line)
        if cells[0] == row and column in heads:
            return cells[heads.index(column)].split()[0]
    return "-"


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("| ").split("|")]
