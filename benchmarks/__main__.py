"""All benchmarks, one after the other, and the page that tells of them."""

from __future__ import annotations

import time

from benchmarks import answer, growth, methods, page, publish, scale, start
from benchmarks.side_by_side import RESULTS


def main() -> None:
    started = time.monotonic()
    for path in RESULTS.glob("*.json"):
        path.unlink()
    for benchmark in (start, publish, answer, methods, scale, growth):
        benchmark.main()
    minutes = (time.monotonic() - started) / 60
    page.write(minutes)
    print(f"{minutes:.1f} minutes; the table is in docs/explanation/{page.PAGE.name}")


if __name__ == "__main__":
    main()
