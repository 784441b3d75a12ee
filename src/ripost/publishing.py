"""publish: the whole flow, from a table to a view."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ripost.engines.hold import AUTO, hold
from ripost.errors import InputError
from ripost.methods import METHODS
from ripost.methods.method import Buckets, Decomposition, Matrix, Method, Release, Sample
from ripost.privacy.account import Account, Watch
from ripost.privacy.budget import Number, parse_epsilon
from ripost.privacy.ledger import Currency, Privacy
from ripost.privacy.noise import Noise, SystemNoise
from ripost.privacy.seeded import SeededNoise
from ripost.space.workload import Workload
from ripost.tensor.cells import Cells
from ripost.tensor.tensor import Tensor

if TYPE_CHECKING:
    from ripost.engines.spark.spread import Spread
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
    engine: str = AUTO,
    watch: Watch | None = None,
    **options: Any,
) -> View:
    """A differentially private view of a table, or of a Tensor.

    Args:
        source: a path, data frame, Arrow data, Ibis table, Spark frame, database URL (with `table`), or a Tensor.
        epsilon: the whole privacy budget; for one row, or for one unit if the schema names one.
        workload: boxes that will be asked for, (lower, upper) with upper exclusive, each (n, d); methods that can be
            tuned to a workload are, the others ignore it. It must be public: boxes that were chosen by looking at
            the data would tell of it, and nothing pays for that.
        seed: repeatable noise for tests and experiments; the view is then NOT PRIVATE and says so.
        engine: where the cells of a Spark table are held: "memory" of the driver, "spark" for executors, or "auto" to
            go by how many there are. The view is the same.
        watch: called with the purpose and the number of blocks of each draw.
        options: parameters of the method.
    """
    asked = parse_epsilon(epsilon)
    recipe = METHODS[method].configure(options)
    noise = SystemNoise() if seed is None else SeededNoise(seed)
    facts = Facts(asked, method, recipe, noise, workload, watch)
    if isinstance(source, Tensor):
        return released(source, facts)
    if schema is None:
        raise InputError("publishing a table needs its schema: publish(table, schema, epsilon=...)")
    with hold(source, schema, table=table, engine=engine, samples=recipe.samples) as held:
        return released(held, facts)


@dataclass(frozen=True, slots=True)
class Facts:
    """What was asked for; all of it public."""

    epsilon: Fraction
    method: str
    recipe: Method
    noise: Noise
    workload: Any
    watch: Watch | None


def released(held: Tensor | Spread, facts: Facts) -> View:
    """The view of cells, wherever they are held."""
    recipe = facts.recipe
    if facts.workload is not None:
        recipe = recipe.tuned_to(Workload.of(facts.workload, held.domain.shape))
    if recipe.reads_cells:
        held = held.occupied()
    account = Account(
        Cells.of(held) if isinstance(held, Tensor) else held.on_frontier(),
        shape=held.domain.shape,
        epsilon=recipe.budget(facts.epsilon, held.unit.max_rows),
        noise=facts.noise,
        bound=held.measure.bound,
        watch=facts.watch,
        currency=recipe.currency,
        delta=recipe.exact_delta,
    )
    found = recipe.run(account)
    accounted = recipe.currency is Currency.ACCOUNTED
    privacy = Privacy(facts.epsilon, held.unit, facts.noise.entropy, account.ledger, recipe.exact_delta, accounted)
    privacy.check(blocks=found.blocks)
    from ripost.view.view import View

    return View(
        domain=held.domain,
        content=content_of(found, held),
        measure=held.measure,
        method=facts.method,
        parameters=recipe.parameters(),
        privacy=privacy,
    )


def content_of(found: Release, held: Tensor | Spread) -> Content:
    """A release in units of the measure."""
    from ripost.view.content.buckets import BucketContent
    from ripost.view.content.matrix import MatrixContent
    from ripost.view.content.sample import SampleContent
    from ripost.view.content.tree import TreeContent

    shape, step = held.domain.shape, held.measure.step
    match found:
        case Decomposition():
            return TreeContent(
                shape,
                tree=found.tree,
                values=found.values * step,
                variances=lambda _: found.variances * step**2,
                density=None if found.density is None else [mass * step for mass in found.density],
                smoothing=found.smoothing and found.smoothing.in_units(step),
                record=held.measure.bound * step,
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
