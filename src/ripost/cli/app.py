"""The commands, gathered."""

from __future__ import annotations

import sys

import typer

from ripost.cli.append import append
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
from ripost.cli.reestimate import reestimate
from ripost.cli.verify import verify
from ripost.errors import redact_passwords

PASSWORD = (
    "ripost: others can see a password on the command line in the list of processes; leave it out of the URL and give "
    "it in the environment or in a password file (docs/how-to/databases.md)"
)


app = typer.Typer(
    name="ripost",
    help="Publish a sensitive table as one differentially private file that anyone can query.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},  # commands inherit it
    rich_markup_mode=None,  # plain help: Rich would triple the time that --help takes
    pretty_exceptions_enable=False,  # pretty tracebacks print local variables, which may be private
)
COMMANDS = (init, check, plan, publish, append, query, info, verify, reestimate, certificate, explore, export, demo)
for command in COMMANDS:
    app.command()(command)
app.add_typer(ledger, name="ledger")


def _version(wanted: bool) -> None:
    if wanted:
        from ripost import __version__

        typer.echo(f"ripost {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),  # noqa: ARG001
) -> None:
    """Publish a sensitive table as one differentially private file that anyone can query."""
    if any(redact_passwords(argument) != argument for argument in sys.argv[1:]):
        typer.echo(PASSWORD, err=True)
