"""The command line of the experiments."""

from __future__ import annotations

import typer

from experiments.ablation import ablation
from experiments.accuracy import accuracy
from experiments.bench.command import bench
from experiments.bench.contrasts import intervals
from experiments.bench.notes import notes
from experiments.bench.published import published_tables
from experiments.coverage import coverage
from experiments.demo import demo
from experiments.discovery import discovery
from experiments.forecast import forecasts
from experiments.inside_bins import inside_bins
from experiments.levels import levels
from experiments.match import match
from experiments.means import means
from experiments.measures import measures
from experiments.paper.command import paper
from experiments.published_dawa import published_dawa
from experiments.series import series

app = typer.Typer(add_completion=False, no_args_is_help=True, rich_markup_mode=None, help=__doc__)
app.command()(accuracy)
app.command()(coverage)
app.command()(ablation)
app.command()(match)
app.command("published-dawa")(published_dawa)
app.command("published-tables")(published_tables)
app.command("forecast")(forecasts)
app.command()(paper)
app.command()(bench)
app.command()(intervals)
app.command()(notes)
app.command()(demo)
app.command()(means)
app.command()(measures)
app.command("inside-bins")(inside_bins)
app.command()(series)
app.command()(discovery)
app.command()(levels)


@app.callback()
def root() -> None:
    """Experiments on accuracy. Views made here are seeded, so they are not private."""


if __name__ == "__main__":
    from ripost.cli.exit_codes import run_guarded

    run_guarded(app)
