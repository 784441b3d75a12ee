"""Takes the picture of the explorer that the README shows; it needs Chromium.

make demo && python -m docs.making.screenshot demo/flights.html docs/images/explorer.png
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.explore.browser import opened, running_browser

SCREEN = {"width": 1280, "height": 1040}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=Path)
    parser.add_argument("picture", type=Path)
    given = parser.parse_args()
    with running_browser() as browser, opened(browser, given.page.resolve(), viewport=SCREEN) as tab:
        tab.evaluate("() => ripost.settled()")
        tab.screenshot(path=given.picture)


if __name__ == "__main__":
    main()
