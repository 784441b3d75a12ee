"""The commands, gathered."""

from __future__ import annotations

import typer

from ripost import __version__
from ripost.cli.certificate import certificate
from ripost.cli.check import check
from ripost.cli.demo import demo
from ripost.cli.explore import explore
from ripost.cli.export import export
from ripost.cli.info import info
from ripost.cli.init import init
from ripost.cli.ledger import ledger
from ripost.cli.plan import plan
from ripost.cli.publish import publish
from ripost.cli.query import query
from ripost.cli.verify import verify

app = typer.Typer(
    name="ripost",
    help="Publish a sensitive table once as differentially private blocks; then anyone may query it for ever.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # plain help: Rich would triple the time that --help takes
    pretty_exceptions_enable=False,  # pretty tracebacks print local variables, which may be private
)
for command in (init, check, plan, publish, query, info, verify, certificate, explore, export, demo):
    app.command()(command)
app.add_typer(ledger, name="ledger")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ripost {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Publish a sensitive table once as differentially private blocks; then anyone may query it for ever."""
