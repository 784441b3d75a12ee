"""A messy table: loans of a library, as its office system exports them, and what is true of them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta

BRANCHES = {"Centre": 5, "Préville": 3, "Port": 2, "Mobile": 1}
MISSING_FEES = ("", "n/a", "-")
SCHEMA = """
title = "Loans of a town's library"
unit = "Reader ID"
max_rows = 5

[attributes.branch]
type = "category"
values = ["centre", "préville", "port", "bus"]
fold_case = true
aliases = { mobile = "bus", "centre " = "centre", "préville " = "préville", "port " = "port", "mobile " = "bus" }
outside = "drop"
missing = "drop"

[attributes.lent]
type = "date"
format = "%d.%m.%Y"
min = 2024-01-01
max = 2024-12-31
width = "1 day"
missing = "drop"

[attributes.fee]
type = "number"
decimal = ","
min = 0.0
max = 20.0
width = 1.0
missing_values = ["n/a", "-"]
unit = "euros"

[attributes.days]
type = "integer"
min = 0
max = 60
label = "days on loan"
"""


@dataclass(frozen=True)
class MessyTable:
    """The text of a CSV file in cp1252, and figures of the rows with an id, of which few readers have over five."""

    text: str
    rows: int
    branches: dict[str, int]
    june: int
    days: float


def make_loans(rows: int = 20_000, seed: int = 11) -> MessyTable:
    """Fields apart by semicolons, dates with the day first, decimal commas, names in any case, some without an id."""
    draw = random.Random(seed)
    lines, branches, june, days, kept = ["Reader ID;branch;lent;fee;days;librarian"], Counter[str](), 0, 0, 0
    for _ in range(rows):
        reader = draw.choice([f"R{draw.randrange(20_000):05d}"] * 49 + [""])
        branch = draw.choices(list(BRANCHES), list(BRANCHES.values()))[0]
        day = date(2024, 1, 1) + timedelta(days=draw.randrange(366))
        fee = f"{min(draw.expovariate(0.3), 40):.2f}".replace(".", ",")
        length = draw.randrange(7, 29) if branch != "Port" else draw.randrange(20, 41)
        spelled = draw.choice([branch, branch.upper(), branch.lower(), f"{branch} "])
        fee = draw.choice([fee] * 12 + list(MISSING_FEES))
        lines.append(f"{reader};{spelled};{day:%d.%m.%Y};{fee};{length};Anna Müller")
        if reader:
            kept += 1
            branches[branch] += 1
            june += day.month == 6
            days += length
    return MessyTable("\n".join(lines) + "\n", kept, dict(branches), june, days / kept)
