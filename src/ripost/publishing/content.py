"""Build what a view answers from, in units of the measure, out of what a method released in counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ripost.methods.measure_estimate import MeasureEstimate
from ripost.methods.method import Buckets, Decomposition, Matrix, Method, Release, Sample, Tables
from ripost.schema.domain import Domain
from ripost.schema.measure import Measure
from ripost.schema.measured_column import MeasuredColumn

if TYPE_CHECKING:
    from ripost.answering.content.content import Content
    from ripost.answering.content.measure import MeasureContent

# Constants of the error of means, chosen on tables of adults, fire calls and check-ins, and not on flights.
MEAN_Z, TOTAL_WEIGHT, HISTOGRAM_WEIGHT, VARIATION_WEIGHT = 2.3, 0.1, 2.0, 0.1


def build_content(found: Release, domain: Domain, measure: Measure) -> Content:
    """Return what a method released, in units of the measure, ready to answer."""
    from ripost.answering.content.buckets import BucketContent
    from ripost.answering.content.matrix import MatrixContent
    from ripost.answering.content.sample import SampleContent
    from ripost.answering.content.tables import TableContent
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
                mixture=found.mixture and found.mixture.scale(step),
                corrections=None if found.corrections is None else found.corrections * step,
                row_bound=measure.bound * step,
                impossible=domain.spine.impossible,
            )
        case Buckets():
            values, variances = found.values * step, found.variances * step**2
            return BucketContent.of_totals(shape, found.bucket, found.tree, values, variances)
        case Matrix():
            return MatrixContent(
                shape, values=found.values * step, stack=found.stack, variance=found.variance * step**2
            )
        case Tables():
            return TableContent(
                shape,
                values=found.values * step,
                density=found.completed.density,
                union=found.union,
                variance=found.variance * step**2,
            )
        case Sample():
            return SampleContent.of(shape, found.coords, found.weights * step)


def build_measure(found: MeasureEstimate, measured: MeasuredColumn) -> MeasureContent:
    """Return the sums of a measure above `min`, in its units, ready to answer."""
    from ripost.answering.content.measure import MeanErrors, MeasureContent

    unit = measured.bound * measured.step
    sums, variances = found.round_sums()
    return MeasureContent(
        measured,
        sums.tree.shape,
        tree=sums.tree,
        counts=found.counts,
        values=sums.values * unit,
        variances=variances * unit**2,
        errors=MeanErrors(
            z=MEAN_Z,
            total=TOTAL_WEIGHT * found.total * unit**2,
            histogram=HISTOGRAM_WEIGHT * found.histogram * unit**2,
            variation=VARIATION_WEIGHT * found.mean * (1 - found.mean) * unit**2,
            spread=found.mean * (1 - found.mean) * unit**2,
        ),
        density=[mass * unit for mass in sums.density],
        mixture=sums.mixture and sums.mixture.scale(unit),
        corrections=None if sums.corrections is None else sums.corrections * unit,
    )


def describe_parameters(method: Method, domain: Domain) -> dict[str, Any]:
    """Return the parameters as the view states them, with protected attributes by name."""
    found = method.parameters()
    if "protect" in found:
        found["protect"] = [[domain.names[axis] for axis in axes] for axes in found["protect"]]
    return found
