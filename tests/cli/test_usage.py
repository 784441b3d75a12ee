"""How commands explain themselves: -h everywhere, one sentence for a wrong option, and completion in shells."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from ripost.cli.app import app
from tests.conftest import Run


def list_commands() -> list[list[str]]:
    """Every command and command of a group."""
    found: list[list[str]] = [[]]
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        found += [[name], *([name, inner] for inner in getattr(command, "commands", {}))]
    return found


@pytest.mark.parametrize("command", list_commands(), ids=" ".join)
def test_help_of_every_command(run: Run, command: list[str]) -> None:
    short = run(*command, "-h")
    assert short.returncode == 0 and short.stdout.startswith(" ".join(["Usage: ripost", *command]))
    assert "-h, --help" in short.stdout
    commands = short.stdout.partition("Commands:")[2]
    assert "..." not in commands, "the first sentence of a command is cut off; make it shorter"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["publish", "--zzz"], "ripost: no such option: --zzz; see ripost publish -h\n"),
        (["info"], "ripost: missing argument 'view'; see ripost info -h\n"),
        (["nothing"], "ripost: no such command 'nothing'; see ripost -h\n"),
    ],
)
def test_a_wrong_command_line_gets_one_sentence(run: Run, arguments: list[str], sentence: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", sentence)


def test_a_wrong_option_shows_no_password(run: Run) -> None:
    done = run("check", "t", "t", "--postgresql://me:secret@host/db")
    assert done.returncode == 2 and "secret" not in done.stderr


@pytest.mark.skipif(shutil.which("bash") is None or sys.platform == "win32", reason="needs bash")
def test_bash_completes_commands_and_options(tmp_path: Path) -> None:
    """The script of the docs is loaded by bash itself, which then asks ripost for words."""
    program = Path(sys.executable).with_name("ripost")
    script = tmp_path / "ripost.bash"
    environment = {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}
    asked_by_bash = ["bash", "-c", '"$0" --show-completion; exit $?', program]  # ripost looks for the shell above it
    with script.open("wb") as file:
        subprocess.run(asked_by_bash, stdout=file, env=environment, check=True)
    asking = (
        'source "$0"; COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _ripost_completion ripost; '
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    for line, word in (("ripost pu", "publish"), ("ripost ledger in", "init"), ("ripost publish --eps", "--epsilon")):
        done = subprocess.run(
            ["bash", "-c", asking, script, line], capture_output=True, text=True, env=environment, check=True
        )
        assert word in done.stdout.split()
