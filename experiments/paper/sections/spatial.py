"""The figure of Gowalla: partitions of the plane side by side, and errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from experiments.paper.ask import EPSILON, SHAPE
from experiments.paper.charts import INK
from experiments.paper.claims import Claim, factor, plain
from experiments.paper.frozen import unpacked_cells
from experiments.paper.plan import BASE, GOWALLA, TREES
from experiments.paper.sections.study import Found, Study
from experiments.paper.statistics import Mean, figure
from experiments.paper.trial import unpack_boxes
from experiments.report.document import Figure, Section, Table, Text

SIDE = 1000

Boxes = NDArray[np.int32]  # (n, 2, 2)


def spatial(study: Study) -> Found:
    trees = study.with_trials(TREES, SHAPE)
    shapes = {method: study.results.of(GOWALLA, method, kind=SHAPE)[0] for method in trees}
    with study.charts.draw("gowalla", columns=len(trees) + 1, size=(3 * len(trees) + 3, 3.2)) as panels:
        _map(panels[0, 0], unpacked_cells(study.facts["cells of gowalla"]))
        for panel, method in zip(panels.flat[1:], trees, strict=True):
            boxes = unpack_boxes(shapes[method]["boxes"])
            _partition(panel, boxes, np.array(shapes[method]["empty"]), f"{method}: {len(boxes):,} blocks")
    base = study.results.error(GOWALLA, BASE)
    ratios = {method: Mean.of(study.results.errors(GOWALLA, method) / base) for method in trees}
    rows = []
    for method in trees:
        boxes, empty = unpack_boxes(shapes[method]["boxes"]).astype(np.int64), np.array(shapes[method]["empty"])
        area = (boxes[:, :, 1] - boxes[:, :, 0]).prod(axis=1) / SIDE**2
        rows.append(
            (
                method,
                figure(float(np.mean([o["blocks"] for o in study.results.of(GOWALLA, method)]))),
                str(Mean.of(study.results.errors(GOWALLA, method))),
                str(ratios[method]),
                f"{empty.mean():.0%}",
                f"{area[empty].max(initial=0):.1%}",
                f"{area[empty].sum():.0%}",
            )
        )
    heads = (
        "method",
        "blocks",
        "RMSE",
        "RMSE / RIPOST",
        "blocks that are empty",
        "largest empty block",
        "area in empty blocks",
    )
    parts = (
        Text(
            f"A world grid of 1000 x 1000, epsilon {EPSILON}, 3,000 random rectangles, {study.plan.runs} runs; the "
            "pictures are the run with seed 0. Data: see the table of data sets; the paper used all 6.4 million "
            "check-ins."
        ),
        Figure(
            "gowalla",
            "Check-ins, and partitions of the world by each method; blocks that are truly empty are shaded.",
            "Maps of the world: the check-ins, then rectangles, one map per method.",
        ),
        Table(heads, tuple(rows)),
        Text(
            "PrivTree halves both axes at once, tests counts only, and charges a whole root-to-leaf path once. On "
            "points that are concentrated in a few cities that is hard to beat, and its public implementation does "
            "as well here ([peers](../explanation/peers.md)). The paper's factor of 25 "
            "and its fewest blocks may be those of a PrivTree that tests non-empty cells."
        ),
    )
    claims = (tuple(_claims(study, ratios, rows, tree)) for tree in study.trees)
    return Found(Section("Spatial data: Gowalla", parts), *claims)


def _partition(panel: Any, boxes: Boxes, empty: NDArray[np.bool_], title: str) -> None:
    """Two paths, so that a drawing of thousands of blocks stays small: what is empty, and two sides of every block."""
    from matplotlib.patches import PathPatch

    (a, b), (c, d) = boxes[:, 0].T, boxes[:, 1].T  # latitude, longitude
    corners = np.stack([np.stack(pair, axis=1) for pair in ((c, b), (c, a), (d, a), (d, b))], axis=1)
    panel.add_patch(PathPatch(_join_paths(corners[empty]), facecolor="#dfe6ee", linewidth=0))
    panel.add_patch(PathPatch(_join_paths(corners[:, :3]), fill=False, edgecolor=INK, linewidth=0.25))
    _style_map(panel, title)


def _join_paths(pieces: NDArray[np.int32]) -> Any:
    """One path of many pieces of as many corners each, (n, corners, 2)."""
    from matplotlib.path import Path

    codes = np.full(pieces.shape[:2], Path.LINETO, np.uint8)
    codes[:, 0] = Path.MOVETO
    return Path(pieces.reshape(-1, 2).astype(np.float64), codes.ravel())


def _map(panel: Any, cells: NDArray[np.int64]) -> None:
    """The records themselves, the darker the more."""
    latitude, longitude, number = cells[np.argsort(cells[:, 2])].T
    panel.scatter(longitude, latitude, c=np.log10(number), cmap="Greys", vmin=-2, s=2.5, linewidths=0)
    _style_map(panel, f"the data: {len(cells):,} non-empty cells")


def _style_map(panel: Any, title: str) -> None:
    panel.set_xlim(0, SIDE)
    panel.set_ylim(0, SIDE)
    panel.set_aspect(0.75)
    panel.set_xticks([])
    panel.set_yticks([])
    for spine in panel.spines.values():
        spine.set_visible(True)
    panel.set_title(title)


def _claims(study: Study, ratios: dict[str, Mean], rows: Sequence[tuple[str, ...]], tree: str) -> list[Claim]:
    """Of this PrivTree."""
    partitioning = (BASE, "hdpview", tree)
    blocks = {method: float(np.mean([o["blocks"] for o in study.results.of(GOWALLA, method)])) for method in ratios}
    fewest = min(partitioning, key=lambda method: blocks[method])
    told = ", ".join(f"{method} {figure(blocks[method])}" for method in partitioning)
    largest = {row[0]: row[5] for row in rows}
    size = {method: float(value.rstrip("%")) for method, value in largest.items()}
    return [
        factor("Gowalla", "PrivTree: 25 times the error of RIPOST", 25, ratios[tree]),
        factor("Gowalla", "HDPView: 1.27 times the error of RIPOST", 1.27, ratios["hdpview"]),
        plain("Gowalla", "PrivTree makes the fewest blocks", told, holds=fewest == tree),
        plain(
            "Gowalla",
            "RIPOST finds larger empty blocks than HDPView",
            f"the largest is {largest[BASE]} of the area against {largest['hdpview']}",
            holds=size[BASE] > size["hdpview"],
        ),
    ]
