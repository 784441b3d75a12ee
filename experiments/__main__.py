"""The command line of the experiments."""

from __future__ import annotations

import typer

from experiments.ablation import ablation
from experiments.accuracy import accuracy
from experiments.coverage import coverage
from experiments.demo import demo
from experiments.forecast import forecasts
from experiments.inside_bins import inside_bins
from experiments.match import match
from experiments.means import means
from experiments.measures import measures
from experiments.paper.command import paper
from experiments.published_dawa import published_dawa
from experiments.series import series
from experiments.wide.command import wide
from experiments.wide.contrasts import intervals

app = typer.Typer(add_completion=False, no_args_is_help=True, rich_markup_mode=None, help=__doc__)
app.command()(accuracy)
app.command()(coverage)
app.command()(ablation)
app.command()(match)
app.command("published-dawa")(published_dawa)
app.command("forecast")(forecasts)
app.command()(paper)
app.command()(wide)
app.command()(intervals)
app.command()(demo)
app.command()(means)
app.command()(measures)
app.command("inside-bins")(inside_bins)
app.command()(series)


@app.callback()
def root() -> None:
    """Experiments on accuracy. Views made here are seeded, so they are not private."""


if __name__ == "__main__":
    from ripost.cli.exit_codes import run_guarded

    run_guarded(app)
