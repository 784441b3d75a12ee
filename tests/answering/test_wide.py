"""Views of very many attributes: published, certified, shown and exported, or refused before anything is spent."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

import ripost
from ripost.certify.certificate_text import format_certificate
from ripost.certify.certified_release import CertifiedRelease
from ripost.cli.info import info
from ripost.data.tensor import Tensor
from ripost.errors import InputError
from ripost.explore.page import page
from ripost.release.verify import verify_view
from ripost.schema.domain import Domain, format_count, format_exactly
from tests.marks import slow

NEEDS_CELLS = ("privtree", "identity", "quadtree", "hierarchy", "hdmm", "dawa", "ahp", "p3gm", "slimview")


def _tensor(number: int, size: int) -> Tensor:
    domain = Domain.of([size] * number)
    coords = np.random.default_rng(1).integers(0, min(size, 10), (200, number))
    return Tensor.from_arrays(domain, coords, np.ones(200, int))


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("method", ["ripost+", slow("ripost"), slow("hdpview")])
@pytest.mark.parametrize(("number", "size"), [(2, 12), (50, 12), (320, 12), (1000, 2), (1000, 2**31 - 3)])
def test_from_publish_to_export(number: int, size: int, method: str, tmp_path: Path) -> None:
    if method != "ripost+" and (number > 320 or size > 12):
        pytest.skip("the default method shows what does not depend on the method")
    path = tmp_path / "v.ripost.parquet"
    ripost.publish(_tensor(number, size), epsilon=1, method=method, seed=7, output=path)
    assert all(check.ok for check in verify_view(path))
    view = ripost.open(path)
    assert format_count(size**number) in format_certificate(CertifiedRelease.open(path))
    info(path, as_json=True)
    info(path, as_json=False)
    assert len(page(view, title="t")) > 1000 and repr(view) and view._repr_html_()
    assert view.count(x0=1).is_bounded
    if size == 12:
        view.export(tmp_path / "t.csv")
        view.export(tmp_path / "t.json")
    started = time.process_time()
    if number > 100:
        with pytest.raises(InputError, match="at most 100 dimensions"):
            view.export(tmp_path / "t.duckdb")
        assert time.process_time() - started < 2


@pytest.mark.parametrize("method", NEEDS_CELLS)
@pytest.mark.parametrize(("number", "size"), [(320, 12), (1000, 2**31 - 3)])
def test_methods_that_cannot_refuse_before_they_read(number: int, size: int, method: str) -> None:
    """The refusal is a sentence, however large the domain, and nothing has been spent."""
    _refused(_tensor(number, size), method)


@pytest.mark.parametrize(("number", "size"), [(1, 2**31 - 3), (2, 2**22), (40, 2**31 - 3)])
def test_few_axes_of_too_many_codes(number: int, size: int) -> None:
    """p3gm holds a vector for every code of an axis."""
    _refused(_tensor(number, size), "p3gm")


@pytest.mark.parametrize("method", sorted(ripost.METHODS))
@pytest.mark.parametrize("axes", [300, slow(25)])
def test_very_many_attributes_of_one_code(method: str, axes: int, tmp_path: Path) -> None:
    """Attributes that tell nothing are no reason to fail: they are published, or refused before anything is spent."""
    domain = Domain.of([1] * axes + [2**8])
    coords = np.zeros((50, axes + 1), np.int64)
    coords[:, -1] = np.random.default_rng(1).integers(0, 2**8, 50)
    spent: list[object] = []
    try:
        tensor = Tensor.from_arrays(domain, coords, np.ones(50, int))
        path = tmp_path / "v"
        ripost.publish(tensor, epsilon=1, method=method, seed=7, output=path, watch=lambda *draw: spent.append(draw))
        assert all(check.ok for check in verify_view(path))
    except InputError as error:
        assert not spent and len(str(error)) < 300


def _refused(tensor: Tensor, method: str) -> None:
    spent: list[object] = []
    with pytest.raises(InputError) as caught:
        ripost.publish(tensor, epsilon=1, method=method, seed=7, watch=lambda *draw: spent.append(draw))
    assert not spent and len(str(caught.value)) < 300


@pytest.mark.parametrize("power", [0, 14, 15, 308, 309, 5000])
def test_sizes_are_exact_and_in_print(power: int) -> None:
    assert format_exactly(10**power) == "1" + "0" * power
    assert format_count(10**power) == (f"{10**power:,}" if power < 15 else f"about 1.0e+{power}")
