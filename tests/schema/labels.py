"""Labels of periods, by Python's own calendar."""

from __future__ import annotations

import datetime as dt


def label_of(span: str, day: dt.datetime) -> str:
    """The label of the period of a day."""
    year, week, _ = day.isocalendar()
    return {
        "year": f"{day:%Y}",
        "quarter": f"{day:%Y}-Q{(day.month + 2) // 3}",
        "month": f"{day:%Y-%m}",
        "week": f"{year}-W{week:02}",
        "day": f"{day:%Y-%m-%d}",
    }[span]
