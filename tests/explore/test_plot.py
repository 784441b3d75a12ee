"""Pictures show what the view answers, in the owner's words, whoever draws them."""

from __future__ import annotations

import itertools
import sys
from typing import Any

import numpy as np
import pytest

import ripost
from ripost.data.tensor import Tensor
from ripost.errors import InputError, QueryError
from ripost.explore import chart_axis
from ripost.explore.chart_axis import ChartAxis
from ripost.explore.charts import DependenceChart, MapChart, MarginalChart, cramers_v
from ripost.schema.attribute import Category, Date, Integer, Number, Timestamp
from ripost.schema.domain import Domain
from ripost.view import View
from tests.answering.making import make_view

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
    assert chart.axis.title == "price ($)" and chart.measure == "rows" and len(chart.values) == 11
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


def test_fine_axes_are_drawn_in_bins(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chart_axis, "MOST_BARS", 5)
    chart = MarginalChart.of(view, "hour")
    assert chart.axis.edges.tolist() == [0, 5, 10, 12]
    assert chart.axis.labels[1] == "10 to 11 … 18 to 19"
    assert chart.values[1] == pytest.approx(view.count(hour=(10, 19)).value)
    price = MarginalChart.of(view, "price")  # what is missing stays by itself
    assert price.axis.edges.tolist() == [0, 2, 4, 6, 8, 10, 11] and price.axis.labels[-1] == "(missing)"


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


MANY = Domain(
    {
        "day": Date(type="date", min="2023-07-10", max="2024-12-31", width="1 day", missing="drop"),
        "at": Timestamp(type="timestamp", min="2024-01-01", max="2024-12-31T23:59:59", width="1 hour", missing="drop"),
        "night": Timestamp(type="timestamp", min="2024-03-01", max="2024-03-02T12:00:00", width="1 hour"),
        "country": Category(type="category", values=tuple(f"a country with a long name {i}" for i in range(60))),
        "gain": Integer(type="integer", min=0, max=99_999, width=100),
    }
)


@pytest.fixture(scope="module")
def many() -> View:
    return make_view(MANY, leaves=300, seed=2, marginals=True)


def test_dates_are_drawn_by_periods(many: View) -> None:
    day = MarginalChart.of(many, "day")
    assert day.axis.marks[:3] == ("2023-07", "2023-08", "2023-09") and len(day.axis) == 18
    assert day.values[1] == pytest.approx(many.count(day=("2023-08-01", "2023-08-31")).value)
    assert MarginalChart.of(many, "at").axis.marks == tuple(f"2024-{month:02}" for month in range(1, 13))
    assert MarginalChart.of(many, "night").axis.marks[:2] == ("03-01 00:00", "03-01 01:00")


def test_names_come_largest_first(many: View) -> None:
    chart = MarginalChart.of(many, "country", names=10)
    assert (np.diff(chart.values[:10]) <= 0).all() and chart.axis.labels[10:] == ("(other)", "(missing)")
    assert chart.values[0] == pytest.approx(many.count(country=chart.axis.labels[0]).value)
    assert chart.axis.title == "country, 10 largest of 60"


def test_nothing_in_print_overlaps(many: View) -> None:
    """The texts beside each axis, and panels of several attributes, keep apart."""
    pytest.importorskip("matplotlib")
    for figure in (many.plot(), *(many.plot(name) for name in MANY.names), many.plot("day", "country")):
        figure.canvas.draw()
        for panel in figure.axes:
            for ruler in (panel.xaxis, panel.yaxis):
                texts = [label for label in ruler.get_ticklabels() if label.get_text() and not label.get_rotation()]
                boxes = [label.get_window_extent() for label in texts]
                for one, other in itertools.pairwise(boxes):
                    assert not one.overlaps(other), [label.get_text() for label in texts]


def test_error_bars_do_not_hide_bars(many: View) -> None:
    """Many bars have a band that lets them shine through; few have lines that are narrower than bars."""
    pytest.importorskip("matplotlib")
    [wide], [narrow] = many.plot("gain").axes, many.plot("day").axes
    bars, band = wide.collections[:2]
    assert bars.get_alpha() < 0.5 and band.get_alpha() < 0.5 and not wide.containers
    corners = np.array([path.vertices[:4] for path in narrow.collections[0].get_paths()])
    pixels = narrow.transData.transform(corners[:, [0, 2]].reshape(-1, 2)).reshape(-1, 2, 2)
    assert np.ptp(pixels[:, :, 0], axis=1).min() > 3 * narrow.collections[1].get_linewidth()[0]


def test_an_axis_of_names_has_their_names(view: View) -> None:
    axis = ChartAxis.of(view, "kind", 100)
    assert axis.labels == ("a", "$x$ & co", HOSTILE) == axis.marks and not axis.is_ordered
