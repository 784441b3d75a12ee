"""The pages of the benchmark in the docs come from the stored trials beside them."""

from __future__ import annotations

from pathlib import Path

from experiments.bench.losses import losses
from experiments.bench.plans import COLUMNS
from experiments.bench.report import report
from experiments.paper.charts import Charts
from experiments.paper.frozen import thaw

PAGES = Path(__file__).parents[2] / "docs" / "benchmark"


def test_the_committed_pages_come_from_the_committed_trials() -> None:
    """Every number of them is computed again, the losses among them."""
    done, facts = thaw(PAGES / "trials.parquet", COLUMNS)
    page = report(done, facts, Charts())
    assert page.markdown() == (PAGES / "README.md").read_text("utf-8")
    assert page.data() == {path.stem: path.read_text("utf-8") for path in (PAGES / "data").iterdir()}
    assert losses(done, facts).markdown() == (PAGES / "losses.md").read_text("utf-8")
    assert {trial["promise"] for trial, _ in done} == {"pure", "approximate"}
