"""Nothing that a publish prints or leaves behind holds a secret of the table, of its folder or of its owner.

Noise at epsilon 1e-6 hits an exact count once in a million times, or less.
"""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from tests.leaks.planting import OF_DATA, OF_PLACE, Left, plant_secrets, run, secrets_in, unpack
from tests.marks import slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("stewards-private-folder")


def host() -> list[str]:
    name = platform.node()
    return [name] if len(name) > 5 else []


def check(left: Left) -> None:
    """Output may name the files that the owner named; whatever lies in a file may not even do that."""
    assert secrets_in(left.output(), OF_DATA) == []
    assert "Traceback" not in left.output()
    for name, content in left.files.items():
        for text in unpack(content):
            assert secrets_in(text, [*OF_DATA, *OF_PLACE, *host()]) == [], name


PEOPLE = 'unit = "person"\nmax_rows = 2'


@pytest.mark.parametrize(
    ("head", "method"),
    [
        (PEOPLE, "ripost+"),
        slow("", "privbayes"),
        *(slow(head, name) for head in ("", PEOPLE) for name in ("ripost", "dawa")),
    ],
)
def test_what_a_publish_leaves_holds_no_secret(folder: Path, head: str, method: str) -> None:
    table, schema = plant_secrets(folder, head=head)
    left = run(folder, "publish", str(table), str(schema), "--epsilon", "1e-6", "--method", method, "--force", "--json")
    assert left.code == 0, left.output()
    assert "visits.ripost.parquet" in left.files
    check(left)
    assert not list((folder / "temporary").iterdir())
    names = {path.name for path in folder.iterdir()}
    assert not any(name.endswith(".tmp") for name in names), names


@pytest.mark.slow
def test_what_comes_after(folder: Path) -> None:
    """A page, and what the other commands say."""
    table, schema = plant_secrets(folder)
    check(run(folder, "publish", str(table), str(schema), "--epsilon", "1e-6", "--force"))
    for arguments in (
        ["explore", "visits.ripost.parquet", "--force"],
        ["info", "visits.ripost.parquet", "--json"],
        ["query", "visits.ripost.parquet", "SELECT illness, COUNT(*) FROM view GROUP BY illness"],
    ):
        left = run(folder, *arguments)
        assert left.code == 0, left.output()
        check(left)


def test_the_search_finds_what_is_there(folder: Path) -> None:
    """A view of the same table that says it all is seen through: a file that was made by looking at the data."""
    import ripost
    from tests.leaks.planting import HERE, RARE

    table, schema = plant_secrets(folder)
    telling = schema.read_text().replace('"cold"', f'"cold", "{RARE}"').replace("bins = 4", "bins = 1")
    view = ripost.publish(table, ripost.Schema.parse(telling), epsilon=1000, method="identity", seed=1)
    view.save(folder / "telling", force=True)
    view.explore(folder / "telling.html", force=True)
    for name in ("telling", "telling.html"):
        found = {s for text in unpack((folder / name).read_bytes()) for s in secrets_in(text, OF_DATA)}
        assert RARE in found, name
    in_view = {s for text in unpack((folder / "telling").read_bytes()) for s in secrets_in(text, OF_DATA)}
    assert str(HERE) in in_view
    for name in ("telling", "telling.html"):
        (folder / name).unlink()
