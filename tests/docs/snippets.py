"""Pages, run: what their commands and snippets give is what they show.

python -m tests.docs.snippets docs/tutorial/quickstart.md    writes into a page what its snippets give now

A block of `toml` whose first line is `# name.toml` becomes that file. `console` runs each line after `$ `. The blocks
of `python` of a page are one program, run piece by piece; a block of `text` that follows one is what it prints.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.terminals import run_on_terminal

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
Run = Callable[..., "subprocess.CompletedProcess[str]"]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def blocks(page: str, language: str) -> list[str]:
    """Code blocks of a language in a page."""
    text = (ROOT / page).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def shape(text: str) -> list[str]:
    """Lines with every number, and the room it takes, made alike: noise changes numbers, not words."""
    text = re.sub(r"sha256 [0-9a-f]+", "sha256", text)
    text = re.sub(r"\b[0-9a-f]{64}\b", "HASH", text)
    text = re.sub("([─═])+", r"\1", text)
    lines = [re.sub(r"-?[\d.,]*\d(e[+-]\d+)?", "#", line) for line in text.strip().splitlines()]
    return [re.sub(r"\s+", " ", line).strip() for line in lines]


def ground(place: Path, name: str) -> Path:
    """A folder of its own for a page, in which it finds the demo."""
    folder = place / name
    folder.mkdir()
    (folder / "demo").symlink_to(place / "demo")
    return folder


def run_program(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the installed command, as a reader does."""
    command = [str(BIN / "ripost"), *arguments]
    env = {**os.environ, "COLUMNS": "200"}
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)


def run_python(code: str, namespace: dict[str, object]) -> str:
    """Run a snippet in this process and return what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "snippet", "exec", dont_inherit=True), namespace)
    return printed.getvalue()


def replay(text: str, folder: Path, run: Run = run_program) -> str:
    """A page with its outputs as they come out in a folder now; `run` runs the command ripost."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    with contextlib.chdir(folder):
        return BLOCK.sub(lambda block: _replay_block(block, folder, namespace, run), text)


def _replay_block(block: re.Match[str], folder: Path, namespace: dict[str, object], run: Run) -> str:
    language, code, shown = block.groups()
    match language:
        case "toml" if name := re.match(r"# ([\w.-]+\.toml)\n", code):
            (folder / name[1]).write_text(code, "utf-8")
        case "console":
            return _with(block, 2, _session(code, folder, run))
        case "python":
            printed = run_python(code, namespace)
            if shown is not None:
                return _with(block, 3, _trim(printed))
    return block[0]


def _with(block: re.Match[str], part: int, text: str) -> str:
    """A block with other text in one of its parts."""
    begin, end = (place - block.start() for place in block.span(part))
    return block[0][:begin] + text + block[0][end:]


def _session(code: str, folder: Path, run: Run) -> str:
    """What a terminal shows: commands, and what they print."""
    lines = []
    for command in (line for line in code.splitlines() if line.startswith("$ ")):
        program, *arguments = shlex.split(command[2:])
        assert Path(program).name == "ripost", command
        if "--fit" in arguments:  # a private report, which only a terminal shows
            env = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}
            printed = run_on_terminal([str(BIN / "ripost"), *arguments], cwd=folder, env=env)
            lines += [command, *_trim(printed).splitlines()]
            continue
        done = run(*arguments, cwd=folder)
        known_to_fail = f"{command}\nripost: " in code
        assert (done.returncode != 0) == known_to_fail, (command, done.stdout, done.stderr)
        lines += [command, *_trim(done.stderr if known_to_fail else done.stdout).splitlines()]
    return "\n".join(lines) + "\n"


def _trim(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n"


def main(*pages: str) -> None:
    """Write into pages what their snippets give now."""
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        os.environ["RIPOST_STATE"] = str(Path(place) / "state")
        run_program("demo", "demo", cwd=Path(place)).check_returncode()
        for number, page in enumerate(pages):
            path = ROOT / page
            path.write_text(replay(path.read_text("utf-8"), ground(Path(place), str(number))), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
