"""What noisy measurements add to a release file, for docs/format.md.

python -m docs.making.measurement_bytes          prints the table
python -m docs.making.measurement_bytes --write  writes it into the page
"""

from __future__ import annotations

import re
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import ripost
from ripost.cli.demo import load_flights

PAGE = Path(__file__).parents[1] / "format.md"
MARK = "<!-- measurement bytes -->\n"
SEED = 1  # sizes hardly depend on the noise; the views are thrown away
CLOCKS = ("dep_time", "sched_dep_time", "arr_time", "sched_arr_time")
NUMBERS = {
    "dep_delay": (-30, 180, 42),
    "arr_delay": (-60, 180, 48),
    "air_time": (0, 600, 60),
    "distance": (0, 5000, 50),
}


def list_schemas() -> dict[str, ripost.Schema]:
    """The schema of the demo, and one of fourteen attributes of the same table."""
    demo = ripost.Schema.parse(files("ripost.cli").joinpath("flights.toml").read_text("utf-8"))
    flights = load_flights()
    wide: dict[str, Any] = {
        "month": {"type": "integer", "min": 1, "max": 12},
        "day": {"type": "integer", "min": 1, "max": 31},
        "hour": {"type": "integer", "min": 0, "max": 23},
        **{name: {"type": "number", "min": 0, "max": 2400, "bins": 24} for name in CLOCKS},
        **{name: {"type": "number", "min": low, "max": high, "bins": n} for name, (low, high, n) in NUMBERS.items()},
        **{
            name: {"type": "category", "values": sorted(flights[name].unique())}
            for name in ("origin", "carrier", "dest")
        },
    }
    return {"6 attributes": demo, "14 attributes": ripost.Schema.from_dict({"attributes": wide})}


def measure_bytes() -> list[str]:
    """The rows of the table."""
    rows = [
        "| flights | blocks | measurements | file without them | with them | more |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, schema in list_schemas().items():
        for delta in (0, 1e-9):
            views = [
                ripost.publish(load_flights(), schema, epsilon=1, delta=delta, seed=SEED, measurements=kept)
                for kept in (False, True)
            ]
            small, large = (len(view.file.encoded or b"") for view in views)
            title = f"{name}, delta {delta:g}" if delta else name
            held = views[1].measurements().num_rows
            rows.append(
                f"| {title} | {len(views[1].blocks):,} | {held:,} | {small:,} bytes | {large:,} bytes "
                f"| {100 * (large - small) / small:.0f} % |"
            )
    return rows


def main(arguments: list[str]) -> None:
    table = "\n".join(measure_bytes())
    if "--write" not in arguments:
        sys.stdout.write(f"{table}\n")
        return
    text = PAGE.read_text("utf-8")
    found = re.sub(rf"{MARK}(\n?\|.*\n)*", lambda _: f"{MARK}\n{table}\n", text)
    PAGE.write_text(found, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
