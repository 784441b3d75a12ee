"""publish: from a table to a view in six steps: prepare, debit, read, run, release, save.

`prepare` does everything that can fail for public reasons: arguments, schema, method, size of the domain, names and
types of columns. The debit comes before the first row is read, because whether reading fails can depend on one row.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from ripost.data.dataset import AUTO
from ripost.errors import ReleaseWarning
from ripost.methods.method import Method
from ripost.privacy.budget import Number
from ripost.privacy.paths import Watch
from ripost.publishing.prepare import DEFAULT_METHOD, prepare
from ripost.publishing.publication import FilePath
from ripost.schema.attribute_sets import Protect

if TYPE_CHECKING:
    from ripost.schema.schema import Schema
    from ripost.sources.source_table import ReadProgress
    from ripost.view import View


def publish(
    source: Any,
    schema: Schema | FilePath | None = None,
    *,
    epsilon: Number,
    method: str | Method = DEFAULT_METHOD,
    workload: Any = None,
    protect: Protect = (),
    seed: int | None = None,
    table: str | None = None,
    encoding: str | None = None,
    engine: str = AUTO,
    memory: int | str | None = None,
    rows: float | None = None,
    period: str | None = None,
    watch: Watch | None = None,
    reading: ReadProgress | None = None,
    ledger: FilePath | None = None,
    anchor: FilePath | None = None,
    output: FilePath | None = None,
    force: bool = False,
    measurements: bool = True,
    **options: Any,
) -> View:
    """A differentially private view of a table, or of a Tensor.

    Args:
        source: a path, data frame, Arrow data, Ibis table, Spark frame, database URL, or a Tensor.
        method: a name of `ripost.METHODS`, or an instance of a method (docs/methods/your-own.md).
        schema: the schema, or the path of its TOML file.
        epsilon: the whole privacy budget; for one row, or for one unit if the schema names one.
        workload: boxes that will be asked for, (lower, upper) with upper exclusive, each (n, d); methods that can be
            tuned to a workload are, the others ignore it. It must be public: boxes that were chosen by looking at
            the data would tell of it, and nothing pays for that.
        protect: sets of attributes that matter most, as "carrier,origin" or a list of such sets. Their pairs are
            measured first and with less noise, at the cost of the others. Choose them without looking at the data:
            nothing pays for that.
        seed: repeatable noise for tests and experiments; the view is then NOT PRIVATE and says so.
        table: the table of a database URL, or the sheet of an Excel file.
        encoding: of a CSV file that is not UTF-8, such as "cp1252"; also of a Stata, SPSS or SAS file.
        engine: where the cells of a Spark table are held: "memory" of the driver, "spark" for executors, or "auto" to
            go by how many there are. The view is the same.
        memory: what reading a table may hold, in bytes or such as "2GB"; what does not fit is spilled to disk, where
            only its owner can read it, and removed. By default four fifths of what the machine has. The non-empty
            cells and the view come on top.
        rows: about how many rows you expect, for a warning before the debit of attributes that will be lost in noise.
            It changes nothing else. State it without counting the table.
        period: the period of a series that is published, such as "2026-10" where the schema says
            `period = "month(date)"`. Only its rows are counted (docs/how-to/periods.md).
        watch: called with the purpose and the number of blocks of each draw.
        reading: called now and then with the share of the table that was read, where ripost reads by itself.
        ledger: the ledger of the data set, made by `ripost ledger init`: a file, or the URL of a PostgreSQL database.
            It is debited before the first row is read, and keeps the debit if publishing fails (docs/how-to/ledger.md).
        anchor: a file elsewhere that keeps heads of the ledger too, so that one that is set back is recognized.
        output: where to save the view; looked at before anything is spent.
        force: replace the file there, if any.
        measurements: whether the view also holds the noisy measurements that its estimate was made from
            (docs/how-to/measurements.md). They cost no privacy; without them the file is smaller.
        options: parameters of the method.
    """
    with prepare(
        source,
        schema,
        epsilon=epsilon,
        method=method,
        options=options,
        workload=workload,
        protect=protect,
        seed=seed,
        table=table,
        encoding=encoding,
        engine=engine,
        memory=memory,
        rows=rows,
        period=period,
        watch=watch,
        reading=reading,
        ledger=ledger,
        anchor=anchor,
        output=output,
        force=force,
        measurements=measurements,
    ) as publication:
        for risk in publication.risks:
            warnings.warn(risk, ReleaseWarning, stacklevel=2)
        publication.debit()
        data, facts = publication.find_domain(publication.read())
        estimate, account = publication.run(data, facts)
        measures = publication.run_measures(data, facts, estimate)
        view = publication.release(estimate, account, facts, measures)
        publication.save(view)
    return view
