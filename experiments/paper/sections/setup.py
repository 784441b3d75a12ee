"""How it was measured: data, coding, methods, machine."""

from __future__ import annotations

from experiments.datasets.attributes import ATTRIBUTES
from experiments.paper.plan import BASE, DIMENSIONS, HIGHER, MORE, SEVEN, SMALL
from experiments.paper.sections.study import Study
from experiments.report.document import Command, Section, Table, Text

TITLES = {"adult": "Adult", "fire": "Fire", "gowalla": "Gowalla", "jm1": "Jm1"}
IN_PAPER = {
    "adult": "15 attributes, 8.9 x 10^18 cells",
    "fire": "35 attributes, 2.3 x 10^57 cells",
    "gowalla": "10^6 cells",
    "jm1": "21 attributes, 2 x 10^21 cells",
}
DIFFERENT = (
    ("Seven attributes", "not named", f"Adult: {', '.join(SEVEN['adult'])}. Fire: {', '.join(SEVEN['fire'])}"),
    (
        "Order from 7 to 14",
        "not named",
        "; ".join(f"after {TITLES[name]}'s seven: {', '.join(MORE[name])}" for name in MORE),
    ),
    ("Small-Adult", "not named", f"{', '.join(SMALL)}: the four of HDPView's program"),
    ("Runs", "not stated; 10, says the authors' repository", "10, or as each section says"),
    (
        "Queries",
        "random, not described; (5 + 8) x 3,000 on 127 tensors",
        "3,000 that bound every dimension, length uniform, then start uniform; 1,000 more that bound two",
    ),
    ("Fire", "the city's portal, 35 columns", "a published sample of 175,296 responses, 24 usable columns"),
    ("Gowalla", "6.4 million check-ins", "the subset of 620,683 that can be had (noise weighs ten times as much)"),
    (
        "P3GM",
        "epsilon from 0.1 to 1, by tensor",
        "epsilon 0.1 and delta 10^-9 by an accountant, as it promises; its mixture is sampled, not N(0, I)",
    ),
    ("PrivBayes, P3GM", "see one row per non-empty cell", "see one row per record, so they know the counts"),
    ("k of the series", "not stated", "5"),
    ("Noise", "continuous Laplace", "discrete Laplace on whole numbers, by the same proof"),
)


TABLE_2 = {  # workloads and queries
    "adult": ("119 + 8", "(5 + 8) x 3,000"),
    "fire": ("119 + 8", "(5 + 8) x 3,000"),
    "gowalla": ("1", "3,000"),
    "jm1": ("456", "5 x 3,000"),
}
WORKLOADS = (
    "The paper's Table 2 counts more workloads than groups of 3,000 queries. The workload generator of SLIM-View's "
    "program, taken over from HDPView's, explains both: it draws 3,000 queries for a number of dimensions, each on a "
    "random choice of so many attributes, and the queries on one choice are one workload. So 5 x 3,000 queries are 119 "
    "workloads for seven attributes and 456 for nine, and a tensor of Adult with two dimensions has about 143 queries. "
    "Lengths and starts are drawn as here, where every tensor has 3,000. In that program all ten repetitions of "
    "PrivTree start from the same seed."
)


def setup(study: Study) -> Section:
    facts = study.facts
    data = tuple((TITLES[name], facts[f"source of {name}"], _domain(name), IN_PAPER[name]) for name in TITLES)
    codings = tuple(
        (TITLES[name], attribute.name, str(attribute.coding.size), attribute.coding.text)
        for name in TITLES
        for attribute in ATTRIBUTES[name]
        if name != "jm1" or attribute.name in ("loc", "defects")
    )
    return Section(
        "How it was measured",
        (
            Command(facts["command"]),
            Text(
                f"Machine: {facts['machine']}. Software: {facts['versions']}, commit {facts['commit']}. "
                f"{facts['trials']} trials are in the table `trials.parquet` beside this report: what was published, "
                "with which method, epsilon and seed, digests of the code and the records, and the outcome. Every "
                "number and figure here is computed from that table, and `python -m experiments paper --from "
                "docs/reproduction/trials.parquet` repeats it. Views are seeded, so they are repeatable and not "
                "private."
            ),
            Table(("data", "file", "here", "in the paper"), data, left=frozenset({0, 1, 2, 3})),
            Text("Choices that the paper leaves open, and data that differ from the paper's:"),
            Table(("point", "paper", "here"), DIFFERENT, left=frozenset({0, 1, 2})),
            Text(WORKLOADS),
            _table_2(study),
            Text(
                "Coding follows HDPView, the paper's predecessor: categories unchanged, integers of up to a "
                "hundred values without bins, other numbers in a hundred equal bins (ten for jm1; its other "
                "attributes are like `loc`). With these the domain of Adult has 8.9 x 10^18 cells and that of jm1 2 "
                "x 10^21, as in the paper's Table 2."
            ),
            Table(("data", "attribute", "codes", "coding"), codings, left=frozenset({0, 1, 3}), file="coding"),
        ),
    )


def _table_2(study: Study) -> Table:
    """Table 2 of the paper beside the tensors on which RIPOST was run here."""
    rows = []
    for name, (workloads, queries) in TABLE_2.items():
        sizes = [s.dimensions for s in study.results.subjects(BASE) if s.data == name]
        few, many = sum(d in DIMENSIONS for d in sizes), sum(d in HIGHER for d in sizes)
        rows.append((TITLES[name], workloads, queries, str(few), str(many)))
    heads = ("data", "workloads, paper", "queries, paper", "tensors here, 2 to 6 dimensions", "7 to 14 dimensions")
    return Table(heads, tuple(rows), left=frozenset({0, 1, 2}))


def _domain(name: str) -> str:
    cells = 1.0
    for attribute in ATTRIBUTES[name]:
        cells *= attribute.coding.size
    power = len(f"{cells:.0f}") - 1
    return f"{len(ATTRIBUTES[name])} attributes, {cells / 10**power:.1f} x 10^{power} cells"
