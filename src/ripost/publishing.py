"""publish: the whole flow, from a table to a view.

What can go wrong for public reasons goes wrong first: arguments, the method's options, the names and types of columns,
what the domain is too large for. Then the ledger is debited, then the first row is read, then noise is drawn. Reading
comes after the debit because whether it fails can depend on a single row.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ripost.data.dataset import AUTO, Subject
from ripost.data.memory import MemoryBlockData
from ripost.data.sealed import Sealed
from ripost.data.tensor import Tensor
from ripost.errors import InputError, nearest
from ripost.methods import resolve_method
from ripost.methods.method import Buckets, Decomposition, Matrix, Method, PublicInputs, Release, Sample
from ripost.privacy.account import Account, Watch
from ripost.privacy.budget import Number, parse_epsilon
from ripost.privacy.ledger import Currency, Privacy
from ripost.privacy.noise import Noise, SystemNoise
from ripost.privacy.seeded_noise import SeededNoise
from ripost.schema.domain import Domain
from ripost.schema.measure import OCCUPIED, Measure
from ripost.space.workload import Workload
from ripost.statistics.block_data import BlockData

if TYPE_CHECKING:
    from ripost.answering.content.content import Content
    from ripost.budget_ledger.release_debit import ReleaseDebit
    from ripost.schema.schema import Schema
    from ripost.sources.source_table import Reading
    from ripost.view import View

DEFAULT_METHOD = "ripost+"
FilePath = str | PathLike[str]
Protect = str | Sequence[str | Sequence[str]]
MOST_PROTECTED = 6  # attributes of a set


def publish(
    source: Any,
    schema: Schema | None = None,
    *,
    epsilon: Number,
    method: str | Method = DEFAULT_METHOD,
    workload: Any = None,
    protect: Protect = (),
    seed: int | None = None,
    table: str | None = None,
    engine: str = AUTO,
    memory: int | str | None = None,
    watch: Watch | None = None,
    reading: Reading | None = None,
    ledger: FilePath | None = None,
    anchor: FilePath | None = None,
    output: FilePath | None = None,
    force: bool = False,
    **options: Any,
) -> View:
    """A differentially private view of a table, or of a Tensor.

    Args:
        source: a path, data frame, Arrow data, Ibis table, Spark frame, database URL (with `table`), or a Tensor.
        method: a name of `ripost.METHODS`, or an instance of a method (docs/methods/your-own.md).
        epsilon: the whole privacy budget; for one row, or for one unit if the schema names one.
        workload: boxes that will be asked for, (lower, upper) with upper exclusive, each (n, d); methods that can be
            tuned to a workload are, the others ignore it. It must be public: boxes that were chosen by looking at
            the data would tell of it, and nothing pays for that.
        protect: sets of attributes that matter most, as "carrier,origin" or a list of such sets. Their pairs are
            measured first and with less noise, at the cost of the others. Choose them without looking at the data:
            nothing pays for that.
        seed: repeatable noise for tests and experiments; the view is then NOT PRIVATE and says so.
        engine: where the cells of a Spark table are held: "memory" of the driver, "spark" for executors, or "auto" to
            go by how many there are. The view is the same.
        memory: what reading a table may hold, in bytes or such as "2GB"; what does not fit is spilled to disk, where
            only its owner can read it, and removed. By default four fifths of what the machine has. The non-empty
            cells and the view come on top.
        watch: called with the purpose and the number of blocks of each draw.
        reading: called now and then with the share of the table that was read, where ripost reads by itself.
        ledger: the ledger of the data set, made by `ripost ledger init`: a file, or the URL of a PostgreSQL database.
            It is debited before the first row is read and keeps the debit if publishing fails (docs/how-to/ledger.md).
        anchor: a file elsewhere that keeps heads of the ledger too, so that one that is set back is recognized.
        output: where to save the view; looked at before anything is spent.
        force: replace the file there, if any.
        options: parameters of the method.
    """
    asked = parse_epsilon(epsilon)
    recipe = resolve_method(method, options)
    if schema is not None:
        schema.require_reviewed()
    noise = SystemNoise() if seed is None else SeededNoise(seed)
    if ledger is not None and seed is not None:
        raise InputError("a seeded view is not private, so no ledger can count it; leave out the seed or the ledger")
    if anchor is not None and ledger is None:
        raise InputError("an anchor keeps heads of a ledger; name the ledger too")
    if output is not None:
        from ripost.release.atomic import check_target

        check_target(output, force=force)
    with Subject.of(
        source, schema, table=table, engine=engine, samples=recipe.samples, memory=memory, reading=reading
    ) as subject:
        if workload is not None:
            recipe = recipe.tuned_to(Workload.of(workload, subject.domain.shape))
        if protect not in ((), []):
            recipe = recipe.protecting(protected_axes(protect, subject.domain))
        if ledger is None:
            view = made(subject, recipe, asked, noise, watch)
            if output is not None:
                view.save(output, force=force)
            return view
        with _payment(ledger, anchor, asked, recipe, subject, output) as payment:
            view = made(subject, recipe, asked, noise, watch, payment)
            if output is not None:
                view.save(output, force=force)
            payment.close(view.file.manifest.digest)
            return view


def protected_axes(protect: Protect, domain: Domain) -> list[tuple[int, ...]]:
    """The axes of each set of attributes; InputError names what is wrong with one."""
    found: list[tuple[int, ...]] = []
    for names in protect if isinstance(protect, list | tuple) else [protect]:
        given: Any = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
        named = isinstance(given, list | tuple) and all(isinstance(name, str) for name in given)
        if not named or len(set(given)) != len(given) or not 2 <= len(given) <= MOST_PROTECTED:
            raise InputError(
                f'protect takes sets of 2 to {MOST_PROTECTED} different attributes, such as "carrier,origin"; '
                f"got {names!r}"
            )
        if unknown := [name for name in given if name not in domain.names]:
            raise InputError(
                f"protect: the schema has no attribute {unknown[0]!r}; {nearest(unknown[0], domain.names)}"
            )
        found.append(tuple(sorted(domain.axis(name) for name in given)))
    return list(dict.fromkeys(found))


def made(
    subject: Subject,
    recipe: Method,
    epsilon: Fraction,
    noise: Noise,
    watch: Watch | None,
    payment: ReleaseDebit | None = None,
) -> View:
    """The view; the table is read, and paid for just before, when the method first asks something of it."""

    def cells() -> BlockData:
        if payment is not None:
            payment.pay()
        held = subject.read()
        held = held.occupied() if recipe.reads_cells else held
        return MemoryBlockData.of(held) if isinstance(held, Tensor) else held.as_block_data()

    measure, sealed = OCCUPIED if recipe.reads_cells else subject.measure, Sealed(cells)
    budget = recipe.budget(epsilon, subject.unit.max_rows)
    recipe.check(PublicInputs(subject.domain.shape, budget, measure.bound))
    account = Account(
        sealed,
        shape=subject.domain.shape,
        epsilon=budget,
        noise=noise,
        bound=measure.bound,
        watch=watch,
        currency=recipe.currency,
        delta=recipe.exact_delta,
    )
    found = recipe.run(account)
    sealed.open()  # also a release of a method that asked nothing is paid for
    accounted = recipe.currency is Currency.ACCOUNTED
    privacy = Privacy(epsilon, subject.unit, noise.entropy, account.ledger, recipe.exact_delta, accounted)
    privacy.check(blocks=found.blocks)
    from ripost.view import View

    return View(
        domain=subject.domain,
        content=content_of(found, subject.domain, measure),
        measure=measure,
        method=recipe.name,
        parameters=_parameters(recipe, subject.domain),
        privacy=privacy,
        debit=None if payment is None else payment.debited,
    )


def _payment(
    ledger: FilePath,
    anchor: FilePath | None,
    epsilon: Fraction,
    recipe: Method,
    subject: Subject,
    output: FilePath | None,
) -> ReleaseDebit:
    from ripost.budget_ledger.release_debit import ReleaseDebit

    return ReleaseDebit(
        ledger,
        epsilon=epsilon,
        delta=recipe.exact_delta,
        unit=subject.unit.column,
        method=recipe.name,
        view=None if output is None else Path(output).name,
        anchor=anchor,
    )


def content_of(found: Release, domain: Domain, measure: Measure) -> Content:
    """A release in units of the measure."""
    from ripost.answering.content.buckets import BucketContent
    from ripost.answering.content.matrix import MatrixContent
    from ripost.answering.content.sample import SampleContent
    from ripost.answering.content.tree import TreeContent

    shape, step = domain.shape, measure.step
    match found:
        case Decomposition():
            return TreeContent(
                shape,
                tree=found.tree,
                values=found.values * step,
                variances=lambda _: found.variances * step**2,
                density=None if found.density is None else [mass * step for mass in found.density],
                error_model=found.error_model and found.error_model.in_units(step),
                mixture=found.mixture and found.mixture.scaled(step),
                corrections=None if found.corrections is None else found.corrections * step,
                record=measure.bound * step,
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


def _parameters(recipe: Method, domain: Domain) -> dict[str, Any]:
    """The parameters as the view states them, protected attributes by their names."""
    found = recipe.parameters()
    if "protect" in found:
        found["protect"] = [[domain.names[axis] for axis in axes] for axes in found["protect"]]
    return found
