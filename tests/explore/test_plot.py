"""Pictures show what the view answers, in the owner's words, whoever draws them."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import ripost
from ripost.data.tensor import Tensor
from ripost.errors import InputError, QueryError
from ripost.explore import charts
from ripost.explore.charts import ChartAxis, DependenceChart, MapChart, MarginalChart, cramers_v
from ripost.schema.attribute import Category, Integer, Number
from ripost.schema.domain import Domain
from ripost.view import View

HOSTILE = "<script>alert(1)</script>"
DOMAIN = Domain(
    {
        "hour": Integer(type="integer", min=0, max=23, width=2, missing="drop", label="scheduled hour"),
        "price": Number(type="number", min=0.0, max=100.0, bins=10, unit="$"),
        "kind": Category(type="category", values=("a", "$x$ & co", HOSTILE), missing="drop", outside="drop"),
    }
)


def view_of(method: str = "ripost+", **options: Any) -> View:
    rng = np.random.default_rng(4)
    coords = np.stack([rng.integers(0, size, 4000) for size in DOMAIN.shape], axis=1)
    coords[:2000, 2] = coords[:2000, 0] % 3
    return ripost.publish(
        Tensor.from_arrays(DOMAIN, coords, np.ones(4000, int)), epsilon=2, method=method, seed=3, **options
    )


@pytest.fixture(scope="module")
def view() -> View:
    return view_of()


def test_a_marginal_has_the_answers_of_the_view(view: View) -> None:
    chart = MarginalChart.of(view, "price")
    assert chart.axis.title == "price ($)" and chart.measure == "COUNT(*)" and len(chart.values) == 11
    for code, condition in ((0, "price < 10"), (10, "price IS NULL")):  # whole bins: their own histogram counts too
        [answer] = view.sql(f"SELECT COUNT(*) FROM view WHERE {condition}")
        shown = (chart.values[code], chart.low[code], chart.high[code])
        assert shown == pytest.approx((answer["count"], answer["count_low"], answer["count_high"]), rel=1e-6)
    assert chart.axis.marks[:3] == ("0", "10", "20") and chart.axis.marks[-1] == "(missing)"


def test_bars_of_a_fine_axis_are_one_artist(view: View) -> None:
    """A bar from zero to each value, drawn at once: two thousand artists took a second."""
    pytest.importorskip("matplotlib")
    chart = MarginalChart.of(view, "hour")
    [panel] = view.plot("hour").axes
    assert not panel.patches
    corners = np.array([path.vertices[:4] for path in panel.collections[0].get_paths()])  # (bars, corners, 2)
    assert corners[:, 1, 1] == pytest.approx(chart.values) and not corners[:, 0, 1].any()
    assert corners[:, :, 0].mean(axis=1) == pytest.approx((chart.axis.edges[:-1] + chart.axis.edges[1:]) / 2)


def test_a_notebook_shows_a_picture_without_pyplot(view: View) -> None:
    assert view.plot("hour")._repr_png_().startswith(b"\x89PNG")


def test_a_map_has_the_answers_of_the_view(view: View) -> None:
    chart = MapChart.of(view, "hour", "kind")
    assert chart.values is not None and chart.values.shape == (3, 12) and chart.boxes is not None
    assert chart.values[1, 5] == pytest.approx(view.count(hour=(10, 11), kind="$x$ & co").value)
    assert chart.values.sum() == pytest.approx(view.total)
    error = MapChart.of(view, "hour", "kind", "error")
    lower, upper = [[5, 0, 1]], [[6, 11, 2]]
    assert error.values is not None and error.values[1, 5] == pytest.approx(view.stderr(lower, upper)[0])
    assert error.boxes is None and MapChart.of(view, "hour", "kind", "partition").values is None


def test_fine_axes_are_drawn_in_stretches(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "MOST_BARS", 5)
    chart = MarginalChart.of(view, "hour")
    assert chart.axis.edges.tolist() == [0, 3, 6, 9, 12]
    assert chart.axis.labels[1] == "6 to 7 … 10 to 11"
    assert chart.values[1] == pytest.approx(view.count(hour=(6, 11)).value)


def test_dependence_is_seen_where_it_is(view: View) -> None:
    chart = DependenceChart.of(view)
    strength = {
        frozenset((a, b)): chart.strength[i, j] for i, a in enumerate(chart.names) for j, b in enumerate(chart.names)
    }
    assert strength[frozenset(("hour", "kind"))] > 0.3 > strength[frozenset(("price", "kind"))]
    assert (np.diag(chart.strength) == 1).all() and (chart.strength == chart.strength.T).all()


def test_cramers_v() -> None:
    assert cramers_v(np.eye(3) * 7) == pytest.approx(1)
    assert cramers_v(np.outer([1, 2, 3], [4.0, 5])) == pytest.approx(0, abs=1e-12)
    assert cramers_v(np.zeros((2, 2))) == 0 and cramers_v(np.array([[1.0, 2]])) == 0


@pytest.mark.parametrize("engine", ["matplotlib", "plotly"])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(
    ("dimensions", "kind"),
    [((), None), (("kind",), None), (("hour", "price"), None), (("kind", "hour"), "partition"),
     (("kind", "hour"), "error"), ((), "dependence"), (("hour", "kind"), "marginal")],
)  # fmt: skip
def test_every_picture_is_drawn(
    view: View, engine: str, dark: bool, dimensions: tuple[str, ...], kind: str | None, tmp_path: Any
) -> None:
    pytest.importorskip(engine, reason=f"{engine} is not installed; pip install 'ripost[explore]'")
    figure = view.plot(*dimensions, kind=kind, engine=engine, dark=dark)
    if engine == "matplotlib":
        figure.savefig(tmp_path / "picture.svg")
        assert "NOT PRIVATE" in figure.get_suptitle()
    else:
        page = figure.to_html(include_plotlyjs=False)
        assert "NOT PRIVATE" in page and HOSTILE not in page


@pytest.mark.parametrize("method", ["hdmm", "dawa", "privbayes", "identity"])
def test_every_kind_of_view_is_drawn(method: str) -> None:
    pytest.importorskip("matplotlib")
    other = view_of(method)
    other.plot("hour")
    other.plot("hour", "price")
    if method != "identity":
        with pytest.raises(QueryError, match="only a view of up to 20,000 blocks has a partition"):
            other.plot("hour", "price", kind="partition")


@pytest.mark.parametrize(
    ("dimensions", "options", "sentence"),
    [
        (("hours",), {}, "no attribute 'hours'; did you mean 'hour'"),
        (("hour", "hour"), {}, "needs two dimensions, got 'hour' twice"),
        (("hour",), {"kind": "map"}, "of kind map needs two dimensions, got 1"),
        (("hour", "price", "kind"), {}, "of kind map needs two dimensions, got 3"),
        ((), {"kind": "pie"}, "no kind of picture 'pie'"),
        ((), {"engine": "ggplot"}, "no engine 'ggplot'"),
    ],
)
def test_what_cannot_be_drawn(view: View, dimensions: tuple[str, ...], options: dict[str, str], sentence: str) -> None:
    with pytest.raises((InputError, QueryError), match=sentence):
        view.plot(*dimensions, **options)


def test_what_to_install_is_said(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "ripost.explore.plotly_figures", raising=False)
    monkeypatch.delattr("ripost.explore.plotly_figures", raising=False)
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    with pytest.raises(InputError, match=r"plotting needs plotly.*pip install 'ripost\[explore\]'"):
        view.plot("hour", engine="plotly")


def test_an_axis_of_names_has_their_names(view: View) -> None:
    axis = ChartAxis.of(view, "kind", 100)
    assert axis.labels == ("a", "$x$ & co", HOSTILE) == axis.marks and not axis.is_ordered
