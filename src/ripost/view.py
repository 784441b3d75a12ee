"""View: a release that answers questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ripost.answering.answer import (
    HIGHEST_LEVEL,
    LEVEL,
    Answer,
    Answers,
    check_level,
    min_interval_width,
)
from ripost.answering.content.content import ValuedBlocks
from ripost.answering.contrast import RegionPair, differences, ratios, sums
from ripost.answering.inside_bins import widen_inside_bins
from ripost.answering.measured_answers import What, answer_measure, min_sum_width
from ripost.answering.query_batch import QueryBatch
from ripost.arrays import Floats
from ripost.errors import QueryError, ReleaseError
from ripost.explore.notebook import view_html
from ripost.queryable import Condition, Queryable
from ripost.release.promise import describe_kept_rows
from ripost.release.release import Release
from ripost.schema.attribute_base import shorten
from ripost.space.region import Region, Selection, merge_selections

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from ripost.query.cube import Cube
    from ripost.query.table import Table
    from ripost.release.release_file import ReleaseFile


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class View(Release, Queryable):
    """A release that answers questions. It cannot be changed."""

    level: float = LEVEL  # coverage of the intervals of its answers
    name: str = ""  # of the file it was opened from, without its endings
    digest: str = ""  # of the file it was opened from

    def answer(self, lower: ArrayLike, upper: ArrayLike) -> Floats:
        """The estimated total of each box of codes (n, d), lower inclusive, upper exclusive."""
        return self.content.answers(*self._boxes(lower, upper))

    def stderr(self, lower: ArrayLike, upper: ArrayLike) -> Floats:
        """The standard error of each answer due to noise. It excludes the error from blocks that a query cuts.

        With a mixture it covers the whole error, because the two cannot be separated. It is NaN for synthetic rows,
        whose methods state no error, and infinite where nothing was measured.
        """
        return np.sqrt(self.content.variances(*self._boxes(lower, upper)))

    def at(self, level: float | None) -> View:
        """Return the view with intervals of this level; None leaves the level as it is."""
        if level is None:
            return self
        found = copy(self)
        vars(found)["level"] = check_level(level)
        return found

    def jointly(self, count: int) -> View:
        """Return the view with intervals that hold simultaneously, for this many answers (Bonferroni)."""
        return self if count <= 1 else self.at(min(1 - (1 - self.level) / count, HIGHEST_LEVEL))

    def _part(
        self, where: Condition = None, named: Mapping[str, Any] | None = None, level: float | None = None
    ) -> Cube:
        return self.cube._part(where, named, level)

    def answer_selection(self, selection: Selection) -> Answer:
        """The total where every listed axis lies in one of its intervals, which are sorted and disjoint."""
        return self.answer_region((selection,))

    def answer_region(self, region: Region) -> Answer:
        """The total of a region, with its error; it can be compared with others of the view."""
        return replace(self._annotate(self.answer_regions([region])), source=(self, region))

    def answer_regions(self, regions: Sequence[Region]) -> Answers:
        """The total of each region, with its error, all in one pass."""
        return self.answer_batch(QueryBatch.of(regions, self.domain.shape))

    def answer_batch(self, asked: QueryBatch) -> Answers:
        """The same for regions that were prepared as a batch."""
        found = self.content.answer_batch(asked).at(self.level)
        return widen_inside_bins(found, self.content, asked).no_shorter(self.min_interval_width)

    def answer_measures(self, name: str, what: What, regions: Sequence[Region]) -> Answers:
        """The sum or the mean of a measure over each region, with its error, all in one pass."""
        measure, batch = self.measures[name], QueryBatch.of(regions, self.domain.shape)
        least = self.find_min_sum_width(name)
        return answer_measure(self.content, measure, what, batch, level=self.level, least=least)

    def answer_measure(self, name: str, what: What, region: Region) -> Answer:
        """The sum or the mean of a measure over a region, with its error."""
        return self._annotate(self.answer_measures(name, what, [region]))

    def add_regions(self, one: Region, other: Region) -> Answer:
        """The totals of both regions together, with the covariance of their errors."""
        pair = RegionPair.of(one, other, self.domain.shape)
        if not pair.common:  # the union can be combined further
            return self.answer_region(merge_selections((*one, *other)))
        return self._annotate(sums(self, [pair]))

    def subtract_regions(self, one: Region, other: Region) -> Answer:
        """The total of one region less that of the other, with the covariance of their errors."""
        return self._annotate(differences(self, [RegionPair.of(one, other, self.domain.shape)]))

    def divide_regions(self, one: Region, other: Region) -> Answer:
        """The total of one region over that of the other, with the covariance of their errors."""
        return self._annotate(ratios(self, [RegionPair.of(one, other, self.domain.shape)]))

    def describe_limits(self, answers: Answers | None = None) -> str:
        """What to know before relying on figures of the view: unmeasured pairs, and rows that do not count."""
        unmeasured = answers is not None and answers.unmeasured.any()
        return "; ".join(filter(None, [self.content.caution if unmeasured else "", describe_kept_rows(self.privacy)]))

    def _annotate(self, answers: Answers) -> Answer:
        """The only answer, with its note."""
        return replace(answers[0], note=self.describe_limits(answers))

    def sql(self, text: str, *, level: float | None = None, simultaneous: bool = False) -> Table:
        """The table that one SELECT ... FROM view asks for; every measure has a low and a high column.

        `simultaneous` makes all intervals of the table hold together; so does `FROM view(simultaneous)`.
        """
        from ripost.query.select import answer_sql

        if not isinstance(text, str):
            raise QueryError(f"ask a SELECT as a text, got {shorten(text)}")

        return answer_sql(self.at(level), text, simultaneous=simultaneous)

    @property
    def cube(self) -> Cube:
        """All of the view as a part of it."""
        from ripost.query.cube import Cube

        return Cube(self)

    def head(self, n: int = 5) -> Table:
        """A few synthetic rows, the same each time, that show what the columns look like."""
        return self.sample(n, seed=0)

    def sample(self, n: int, seed: int | None = None) -> Table:
        """Draw n synthetic rows from the view; a seed makes them repeatable."""
        from ripost.query.draw import draw_rows

        return draw_rows(self, n, seed)

    def to_arrow(self) -> pa.Table:
        """The rows of the release file: bounds of blocks in codes, values, variances."""
        from ripost.release.file import release_columns
        from ripost.release.parquet import arrow_table

        table: pa.Table = arrow_table(release_columns(self))
        return table.replace_schema_metadata({"ripost": self.privacy.warning}) if self.privacy.warning else table

    def measurements(self) -> pa.Table:
        """The noisy measurements that the estimate was made from, one row a value (docs/how-to/measurements.md).

        Columns: the entry of the ledger; the measure whose sums were measured, null for the counts; the purpose, the
        statistic and the mechanism of the draw; the noisy value, the scale and the variance of its noise; and the box
        that it is a total of, in codes, lower inclusive, upper exclusive. The box is null for a draw of another
        statistic. A value of a measure is the sum of what each row is above the middle of `min` and `max`.
        """
        if self.measured is None:
            raise QueryError("this view holds no noisy measurements; publish it with measurements to get them")
        steps: dict[str | None, float] = {None: self.measure.step}
        steps |= {name: one.measured.step / 2 for name, one in self.measures.items()}
        table = self.measured.to_arrow(self.content, self.privacy, names=self.domain.names, steps=steps)
        return table.replace_schema_metadata({"ripost": self.privacy.warning}) if self.privacy.warning else table

    def to_pandas(self) -> pd.DataFrame:
        """The same as a pandas frame."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> pl.DataFrame:
        """The same as a Polars frame."""
        import polars as pl

        return pl.DataFrame(self.to_arrow())

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    @property
    def epsilon_spent(self) -> float:
        """The epsilon that was spent for one unit, for print."""
        return self.privacy.epsilon_spent

    @property
    def min_interval_width(self) -> float:
        """The smallest width of an interval: epsilon does not let anyone distinguish totals that are closer."""
        return min_interval_width(self.measure, self.privacy, self.level)

    def find_min_sum_width(self, name: str) -> float:
        """The smallest width of an interval of a sum of this measure."""
        return min_sum_width(self.measures[name].measured, self.privacy, self.level)

    @property
    def total(self) -> float:
        """The total of everything; `count()` gives it with its error."""
        return self.content.total

    @property
    def blocks(self) -> ValuedBlocks:
        """The blocks: `lower` and `upper` in codes, the noisy `value`, and the `variance` of its noise."""
        return self.content.blocks

    def save(self, path: str | PathLike[str], *, force: bool = False) -> None:
        """Write the view as one Parquet file; an existing file is replaced only by `force`."""
        from ripost.release.atomic import check_release_target
        from ripost.release.file import save_file

        check_release_target(path, force=force)
        save_file(self.file, path, force=force)

    @cached_property
    def file(self) -> ReleaseFile:
        """The release file of the view: encoded, read back and checked once."""
        from ripost.release.file import encode_release

        return encode_release(self)

    def plot(self, *dimensions: str, kind: str | None = None, engine: str = "matplotlib", dark: bool = False) -> Any:
        """Plot every attribute with error bars, one attribute, or a map of two with the blocks on it.

        Args:
            kind: "marginal", "map", "partition" (the blocks alone), "error" (a map of the noise) or "dependence".
            engine: "matplotlib", for files, or "plotly", to hover over and zoom. Both come with ripost[explore].
        """
        from ripost.explore.plot import plot

        return plot(self, *dimensions, kind=kind, engine=engine, dark=dark)

    def explore(
        self, path: str | PathLike[str], *, title: str | None = None, rows: str = "rows", force: bool = False
    ) -> None:
        """Write a page that explores the view in any browser; an existing file is replaced only by `force`.

        Args:
            rows: What the page calls the rows of the table, such as "flights".
        """
        from ripost.explore.page import write_page

        write_page(self, path, title=title, rows=rows, force=force)

    def export(
        self,
        path: str | PathLike[str],
        *,
        format: str | None = None,
        by: str | Sequence[str] = (),
        where: str | None = None,
        sql: str | None = None,
        force: bool = False,
    ) -> None:
        """Write the view as a DuckDB database, or tables of it as CSV, JSON-stat or XLSX, by the ending of the path.

        Tables are by attributes such as "origin,hour", or by each attribute, where a condition holds; or the result
        of a SELECT.
        """
        from ripost.export.formats import export_view

        export_view(self, path, format=format, by=by, where=where, sql=sql, force=force)

    def __repr__(self) -> str:
        warning = f", {self.privacy.warning}" if self.privacy.warning else ""
        sizes = " x ".join(map(str, self.domain.shape[:6])) + (" x …" if len(self.domain) > 6 else "")
        rows = f"{len(self.content.values):,} {self.content.noun}"
        rows += f", {len(self.measures)} measure{'s' * (len(self.measures) > 1)}" if self.measures else ""
        delta = f", delta {float(self.privacy.delta):g}" if self.privacy.delta else ""
        return f"View({sizes}, {rows}, epsilon {float(self.privacy.epsilon):g}{delta}{warning})"

    def _repr_html_(self) -> str:
        return view_html(self)

    def _boxes(self, lower: ArrayLike, upper: ArrayLike) -> tuple[Floats, Floats]:
        """The boxes as positions, if they fit the domain."""
        ends = []
        for name, end in (("lower", lower), ("upper", upper)):
            try:
                array = np.atleast_2d(np.asarray(end))
                if array.dtype.kind not in "iuf":
                    raise TypeError
            except (TypeError, ValueError):
                raise QueryError(f"{name} must be an (n, {len(self.domain)}) array of numbers") from None
            if array.ndim != 2 or array.shape[1] != len(self.domain):
                raise QueryError(f"{name} must have shape (n, {len(self.domain)}), got {np.shape(end)}")
            ends.append(array.astype(np.float64))
        low, high = ends
        if len(low) != len(high):
            raise QueryError(f"lower has {len(low)} boxes and upper has {len(high)}; give as many of each")
        if not ((low >= 0) & (low <= high) & (high <= self.domain.shape)).all():
            raise QueryError(f"a box must satisfy 0 <= lower <= upper <= {list(self.domain.shape)}, upper exclusive")
        return low, high


def open_view(path: str | PathLike[str]) -> View:
    """Open a release file, or an archive of a series, after checking that it is whole and that its ledger adds up.

    Whether its blocks tile the domain is checked when the tree is first needed.
    """
    from ripost.release.atomic import read_path
    from ripost.release.file import is_series, read_file, stem

    read_path(path)
    try:
        if is_series(path):
            from ripost.series import open_series

            return open_series(path)
        return view_of(read_file(path), name=stem(path))
    except ReleaseError as error:
        raise ReleaseError(f"cannot open {fspath(path)}: {error}") from None


def view_of(file: ReleaseFile, *, name: str = "") -> View:
    """Return the view in a file that was read; ReleaseError says what is wrong with it."""
    return View(**vars(file.decode()), name=name, digest=file.manifest.digest)
