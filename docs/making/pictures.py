"""Draw the pictures of the concepts and of the default method, in the color-blind-safe palette of Okabe and Ito.

python -m docs.making.pictures docs/images/concepts
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from docs.making import picture_of_blocks, picture_of_errors, picture_of_promise, picture_of_ripost_plus

PICTURES: dict[str, Callable[[], Any]] = {
    "promise": picture_of_promise.promise,
    "epsilon": picture_of_promise.epsilon,
    "unit": picture_of_promise.unit,
    "blocks": picture_of_blocks.blocks,
    "question": picture_of_blocks.question,
    "errors": picture_of_errors.errors,
    "intervals": picture_of_errors.intervals,
    "mixture": picture_of_ripost_plus.mixture,
    "budget": picture_of_ripost_plus.budget,
}
STYLE = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "font.family": "sans-serif",
    "font.size": 10,
    "legend.frameon": False,
    "savefig.bbox": "tight",
    "savefig.dpi": 150,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "ripost",  # the same file from the same picture
}


def main(folder: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    Path(folder).mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context(STYLE):
        for name, draw in PICTURES.items():
            draw().savefig(Path(folder) / f"{name}.svg", metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Draw the pictures of the docs.")
    parser.add_argument("folder", help="where to put them")
    main(parser.parse_args().folder)
