"""PrivTree on non-empty cells: what an earlier program of the authors runs, and which claims it would bear out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from experiments.paper.claims import CONFIRMED, NOT, PARTLY, Claim
from experiments.paper.plan import BASE, CELL_TREE, DIMENSIONS, GOWALLA, OTHER_SIDE, TREE
from experiments.paper.sections.study import NOT_RUN, Study
from experiments.paper.statistics import Mean, figure
from experiments.report.document import Section, Table, Text

TITLE = "PrivTree on non-empty cells"
PROGRAM = "https://github.com/AlaEddineLaouir/SLIM-View"

INFERENCE = Text(
    "**An inference.** The program of the RIPOST paper could not be had here. The authors' earlier one, "
    f"[SLIM-View]({PROGRAM}), is public, and contains a PrivTree that was taken over from HDPView's "
    "program with one change: the test of a block compares the number of its *non-empty cells* with the "
    "threshold (`get_count_of_non_empty_cells` in src/algorithms/privtree.py, commit 254fc1fb5c18), not "
    "the number of its records. PrivTree tests records. That the RIPOST paper ran the changed one is our "
    "inference from its results; the paper does not say so. The change keeps epsilon, but it stops where "
    "many records lie in few cells, which is what the method exists to find."
)


def cells(study: Study, pairs: Sequence[tuple[Claim, Claim]]) -> Section:
    """The section, from each claim and the same claim with the other PrivTree."""
    if CELL_TREE not in study.trees:
        return Section(TITLE, (INFERENCE, Text(NOT_RUN)))
    other = [(claim, inferred) for claim, inferred in pairs if claim != inferred]
    before, after = (Counter(pair[side].verdict for pair in pairs) for side in (0, 1))
    return Section(
        TITLE,
        (
            INFERENCE,
            Text(
                f"On Fire its error is {_ratio(study, 'fire', CELL_TREE)} times that of RIPOST in place of "
                f"{_ratio(study, 'fire', TREE)}; by dimension {_by_dimension(study, 'fire')}. On Adult it is "
                f"{_ratio(study, 'adult', CELL_TREE)} in place of {_ratio(study, 'adult', TREE)}; by dimension "
                f"{_by_dimension(study, 'adult')}. On Gowalla it is {_gowalla(study, BASE)}, and "
                f"{_gowalla(study, OTHER_SIDE)} if alpha and beta of RIPOST are read as shares for the other side. The "
                "paper says 13 on Fire and 25 on Gowalla."
            ),
            Text(
                f"With it {after[CONFIRMED]} claims would be confirmed, {after[PARTLY]} in part, and {after[NOT]} "
                f"not, in place of {before[CONFIRMED]}, {before[PARTLY]} and {before[NOT]}. The verdicts of this "
                "report are those of PrivTree itself; these claims would change:"
            ),
            Table(
                ("where", "the paper says", "with non-empty cells", "verdict of PrivTree", "verdict then"),
                tuple((b.where, b.said, b.found, a.verdict, b.verdict) for a, b in other),
                left=frozenset({0, 1, 2, 3}),
                verdict=4,
            ),
        ),
    )


def _ratio(study: Study, data: str, tree: str) -> Mean:
    every = [subject for d in DIMENSIONS for subject in study.plan.tensors_of(data, d)]
    return Mean.of(study.results.ratios(every, tree, BASE))


def _by_dimension(study: Study, data: str) -> str:
    means = (Mean.of(study.results.ratios(study.plan.tensors_of(data, d), CELL_TREE, BASE)) for d in DIMENSIONS)
    return ", ".join(figure(mean.value) for mean in means)


def _gowalla(study: Study, base: str) -> str:
    return figure(study.results.error(GOWALLA, CELL_TREE) / study.results.error(GOWALLA, base))
