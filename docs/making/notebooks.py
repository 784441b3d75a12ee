"""Notebooks: as pages of the site, and run again so that what they show is what they do.

python -m docs.making.notebooks            runs all and tells how long each took
python -m docs.making.notebooks --write    runs all and stores what they show
"""

from __future__ import annotations

import argparse
import base64
import json
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parents[1] / "tutorial"
SECONDS = 120  # the most that a cell may take
KEPT = {"text/plain", "text/html", "image/png", "image/svg+xml"}


def as_page(path: Path) -> tuple[str, dict[str, bytes]]:
    """A stored notebook as Markdown, and the pictures it shows by name."""
    parts, images = [], {}
    for number, cell in enumerate(json.loads(path.read_text("utf-8"))["cells"]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        for shown in cell["outputs"]:
            data = shown.get("data", {"text/plain": shown.get("text", "")})
            if "image/png" in data:
                name = f"{path.stem}-{number}.png"
                images[name] = base64.b64decode("".join(data["image/png"]))
                parts.append(f"![{_words(source)}]({name})")
            elif "text/html" in data:
                html = re.sub(r"<style.*?</style>|(?<=<table).*?(?=>)", "", "".join(data["text/html"]), flags=re.DOTALL)
                parts.append('<div class="shown">' + re.sub(r"\n\s*", "", html) + "</div>")
            else:
                parts.append(f"```text\n{''.join(data['text/plain']).rstrip()}\n```")
    note = f"This page is a notebook: [{path.name}]({path.name}){{: download }} is the file."
    return "\n\n".join([parts[0], note, *parts[1:]]) + "\n", images


def run(path: Path, folder: Path) -> dict[str, Any]:
    """A notebook run in a folder by a kernel of its own, with what it shows."""
    import nbformat
    from jupyter_client.manager import KernelManager
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    place = {"metadata": {"path": str(folder)}}
    with tempfile.TemporaryDirectory() as sockets:  # files instead of ports, which two runs at once could both take
        kernel = KernelManager(kernel_name="python3", transport="ipc", ip=f"{sockets}/kernel")
        try:
            NotebookClient(notebook, km=kernel, timeout=SECONDS, resources=place).execute()
        finally:
            kernel.shutdown_kernel(now=True)
    return tidy(notebook)


def tidy(notebook: Any) -> dict[str, Any]:
    """A notebook without what differs from one machine to another."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.execution_count = None
            for shown in cell.outputs:
                shown.metadata = {}
                if "execution_count" in shown:
                    shown.execution_count = None
                if "data" in shown:
                    shown.data = {kind: data for kind, data in shown.data.items() if kind in KEPT}
    return dict(notebook)


def _words(source: str) -> str:
    """What a picture shows: the comment at the top of its cell."""
    found = re.match(r"# (.*)", source)
    return found[1] if found else "a picture"


def main() -> None:
    import nbformat

    parser = argparse.ArgumentParser(description="Run the notebooks.")
    parser.add_argument("names", nargs="*", help="Which ones; all if none is named.")
    parser.add_argument("--into", type=Path, metavar="FOLDER", help="Put the notebooks there, with what they show.")
    parser.add_argument("--write", action="store_const", const=HERE, dest="into", help="Store what they show.")
    asked = parser.parse_args()
    for path in sorted(HERE.glob("*.ipynb")):
        if asked.names and path.stem not in asked.names:
            continue
        started = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            done = run(path, Path(folder))
        if asked.into:
            nbformat.write(nbformat.from_dict(done), asked.into / path.name)
        sys.stdout.write(f"{path.name}: {time.perf_counter() - started:.1f} s, {path.stat().st_size / 1024:,.0f} KiB\n")


if __name__ == "__main__":
    main()
