"""Report: all sections from outcomes, the claims first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from experiments.paper.ask import Results
from experiments.paper.charts import Charts
from experiments.paper.claims import CONFIRMED, NOT, PARTLY, RULES, Claim
from experiments.paper.plan import PLANS, Plan
from experiments.paper.sections.cells import cells
from experiments.paper.sections.comparison import comparison
from experiments.paper.sections.convergence import convergence
from experiments.paper.sections.decay import decay
from experiments.paper.sections.extended import describe_extended
from experiments.paper.sections.extras import extras
from experiments.paper.sections.higher import higher
from experiments.paper.sections.knowing import knowing
from experiments.paper.sections.numeric import numeric
from experiments.paper.sections.ours import ablations, against_all, against_epsilon, against_records, against_size
from experiments.paper.sections.parameters import parameters
from experiments.paper.sections.readings import readings
from experiments.paper.sections.setup import setup
from experiments.paper.sections.spatial import spatial
from experiments.paper.sections.study import Study
from experiments.pool import Outcome, Trial
from experiments.report.document import Document, Section, Table, Text

SECTIONS = (
    comparison,
    numeric,
    convergence,
    decay,
    higher,
    spatial,
    knowing,
    parameters,
    describe_extended,
    extras,
    readings,
    against_all,
    against_epsilon,
    against_size,
    against_records,
    ablations,
)


def report(outcomes: list[tuple[Trial, Outcome]], facts: Mapping[str, str], figures: Path | None) -> Document:
    """The document; its drawings go to the folder, if there is one."""
    plan = PLANS[facts["plan"]]
    study = Study(Results(outcomes), plan, facts, Charts(figures))
    found = [part for section in SECTIONS if (part := section(study))]
    claims = [claim for part in found for claim in part.claims]
    pairs = [pair for part in found for pair in zip(part.claims, part.inferred or part.claims, strict=True)]
    return Document(
        "RIPOST, reproduced",
        (
            Text(
                "Every table and figure of *RIPOST: Two-Phase Private Decomposition for Multidimensional Data* "
                "(Laouir and Imine), repeated with independent implementations of its method and of every system "
                "it is compared with, on the data that are available. The same tables and figures also show "
                "`ripost+`, the default method of this project."
            ),
            Text(_verdicts(claims, plan)),
        ),
        (
            Section("Claims of the paper and results", (Text(RULES), _table(claims))),
            found[0].section,
            cells(study, pairs),
            *(part.section for part in found[1:]),
            setup(study),
        ),
    )


def write(document: Document, folder: Path) -> tuple[Path, Path]:
    """Write both pages and the tables that they link to; drawings must be in the folder's figures already."""
    markdown, page = folder / "README.md", folder / "index.html"
    markdown.write_text(document.markdown(), "utf-8")
    page.write_text(document.html(folder / "figures"), "utf-8")
    for name, text in document.data().items():
        (folder / "data").mkdir(exist_ok=True)
        (folder / "data" / f"{name}.csv").write_text(text, "utf-8")
    return markdown, page


def _verdicts(claims: list[Claim], plan: Plan) -> str:
    number = Counter(claim.verdict for claim in claims)
    quick = (
        "" if plan.tensors is None else " This is a quick run, with few tensors and runs: its verdicts are not ours."
    )
    counts = f"{number[CONFIRMED]} are confirmed, {number[PARTLY]} in part, and {number[NOT]} are not"
    return f"Of {len(claims)} claims, {counts}.{quick}"


def _table(claims: list[Claim]) -> Table:
    rows = tuple((claim.where, claim.said, claim.found, claim.verdict) for claim in claims)
    return Table(("where", "the paper says", "we found", "verdict"), rows, left=frozenset({0, 1, 2}), verdict=3)
