"""publish: the whole flow, from a table to a view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ripost.errors import InputError
from ripost.methods import METHODS
from ripost.methods.method import Buckets, Decomposition, Matrix, Release, Sample
from ripost.privacy.account import Account, Watch
from ripost.privacy.budget import Number, parse_epsilon
from ripost.privacy.ledger import Currency, Privacy
from ripost.privacy.noise import SystemNoise
from ripost.privacy.seeded import SeededNoise
from ripost.space.workload import Workload
from ripost.tensor.cells import Cells
from ripost.tensor.tensor import Tensor

if TYPE_CHECKING:
    from ripost.ingest.schema import Schema
    from ripost.view.content.content import Content
    from ripost.view.view import View

DEFAULT_METHOD = "ripost+"


def publish(
    source: Any,
    schema: Schema | None = None,
    *,
    epsilon: Number,
    method: str = DEFAULT_METHOD,
    workload: Any = None,
    seed: int | None = None,
    table: str | None = None,
    watch: Watch | None = None,
    **options: Any,
) -> View:
    """A differentially private view of a table, or of a Tensor.

    Args:
        source: a path, data frame, Arrow data, Ibis table, database URL (with `table`), or a Tensor.
        epsilon: the whole privacy budget; for one row, or for one unit if the schema names one.
        workload: boxes that will be asked for, (lower, upper) with upper exclusive, each (n, d); methods that can be
            tuned to a workload are, the others ignore it. It must be public: boxes that were chosen by looking at
            the data would tell of it, and nothing pays for that.
        seed: repeatable noise for tests and experiments; the view is then NOT PRIVATE and says so.
        watch: called with the purpose and the number of blocks of each draw.
        options: parameters of the method.
    """
    asked = parse_epsilon(epsilon)
    recipe = METHODS[method].configure(options)
    if schema is not None:
        schema.require_reviewed()
    noise = SystemNoise() if seed is None else SeededNoise(seed)
    if isinstance(source, Tensor):
        tensor = source
    elif schema is None:
        raise InputError("publishing a table needs its schema: publish(table, schema, epsilon=...)")
    else:
        tensor = Tensor.from_table(source, schema, table=table)
    if workload is not None:
        recipe = recipe.tuned_to(Workload.of(workload, tensor.domain.shape))
    if recipe.reads_cells:
        tensor = tensor.occupied()
    account = Account(
        Cells.of(tensor),
        shape=tensor.domain.shape,
        epsilon=recipe.budget(asked, tensor.unit.max_rows),
        noise=noise,
        bound=tensor.measure.bound,
        watch=watch,
        currency=recipe.currency,
        delta=recipe.exact_delta,
    )
    found = recipe.run(account)
    accounted = recipe.currency is Currency.ACCOUNTED
    privacy = Privacy(asked, tensor.unit, noise.entropy, account.ledger, recipe.exact_delta, accounted)
    privacy.check(blocks=found.blocks)
    from ripost.view.view import View

    return View(
        domain=tensor.domain,
        content=content_of(found, tensor),
        measure=tensor.measure,
        method=method,
        parameters=recipe.parameters(),
        privacy=privacy,
    )


def content_of(found: Release, tensor: Tensor) -> Content:
    """A release in units of the measure."""
    from ripost.view.content.buckets import BucketContent
    from ripost.view.content.matrix import MatrixContent
    from ripost.view.content.sample import SampleContent
    from ripost.view.content.tree import TreeContent

    shape, step = tensor.domain.shape, tensor.measure.step
    match found:
        case Decomposition():
            return TreeContent(
                shape,
                tree=found.tree,
                values=found.values * step,
                variances=lambda _: found.variances * step**2,
                density=None if found.density is None else [mass * step for mass in found.density],
                smoothing=found.smoothing and found.smoothing.in_units(step),
                record=tensor.measure.bound * step,
            )
        case Buckets():
            values, variances = found.values * step, found.variances * step**2
            return BucketContent.of_totals(shape, found.bucket, found.tree, values, variances)
        case Matrix():
            return MatrixContent(
                shape, values=found.values * step, stack=found.stack, variance=found.variance * step**2
            )
        case Sample():
            return SampleContent.of(shape, found.coords, found.weights * step)
