"""Reestimate: a new view from the noisy measurements in an old one. It reads no table and costs no privacy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from os import PathLike
from typing import TYPE_CHECKING, Any

from ripost.answering.content.tree import TreeContent
from ripost.errors import InputError
from ripost.methods import METHODS
from ripost.methods.measure_sums import estimate_sums
from ripost.methods.measured_tree import Draw, MeasuredTree
from ripost.methods.method import NO_ESTIMATOR, Decomposition, Method
from ripost.publishing.content import build_content, build_measure, describe_parameters
from ripost.release.measured_values import MeasuredValues, split_measurements
from ripost.release.release import OriginView
from ripost.schema.measured_column import share_budget

if TYPE_CHECKING:
    from ripost.schema.domain import Domain
    from ripost.space.measurement import Measurement
    from ripost.space.tree import Tree
    from ripost.view import View


def reestimate(view: View | str | PathLike[str]) -> View:
    """Return a new view, estimated again by this version of ripost from the noisy measurements in an old one.

    No table is read and no ledger is debited: this is post-processing. The promise, the ledger of the draws and the
    debit are those of the old view, and the new one names its digest. Of a series each part is estimated again.

    Args:
        view: the old view, or the path of its file.
    """
    from ripost.series import Series, union
    from ripost.view import View, open_view

    old = view if isinstance(view, View) else open_view(view)
    if not isinstance(old, Series):
        return _reestimate(old)
    found = []
    for part in old.parts:
        try:
            found.append(_reestimate(part))
        except InputError as error:
            raise InputError(f"of {part.period.label if part.period else 'a part'}: {error}") from None
    return union(found)


def _reestimate(old: View) -> View:
    from ripost.view import View

    if old.measured is None:
        raise InputError("this view holds no noisy measurements, so it cannot be estimated again; publish it with them")
    method = restore_method(old.method, old.parameters, old.domain)
    if not isinstance(old.content, TreeContent):
        raise InputError(NO_ESTIMATOR.format(method.name))
    measurements = old.measured.measurements(old.content, old.privacy.all_entries)
    known = group_draws(old, old.content.tree.by_level, method, measurements)
    estimate = method.estimate(known[None])
    old.privacy.check(blocks=estimate.blocks)
    content, measures = build_content(estimate, old.domain, old.measure), {}
    for name, one in old.measures.items():
        assert isinstance(estimate, Decomposition)
        measures[name] = build_measure(estimate_sums(estimate, known[name]), one.measured)
    return View(
        domain=old.domain,
        content=content,
        measure=old.measure,
        measures=measures,
        method=method.name,
        parameters=describe_parameters(method, old.domain),
        privacy=old.privacy,
        debit=old.debit,
        measured=MeasuredValues.of(measurements, content),
        origin=old.origin or OriginView(old.digest or old.file.manifest.digest, old.software),
        period=old.period,
        title=old.title,
        description=old.description,
    )


def group_draws(
    old: View, tree: Tree, method: Method, measurements: Sequence[Measurement]
) -> dict[str | None, MeasuredTree]:
    """What was measured of the counts (None) and of each measure, each with its part of the budget of a row."""
    privacy, found = old.privacy, dict[str | None, MeasuredTree]()
    whole = method.budget(privacy.method_epsilon, privacy.unit.max_rows)
    shares = share_budget({name: one.measured for name, one in old.measures.items()})
    for name, some in split_measurements(measurements, privacy).items():
        if name is not None and not some:
            raise InputError(f"the file holds no noisy sums of {name}, so it cannot be estimated again; publish again")
        charges = privacy.ledgers[name].entries
        draws = [Draw(charges[one.entry], one) for one in some]
        bound = old.measure.bound if name is None else old.measures[name].measured.bound
        found[name] = MeasuredTree(tree, draws, whole * shares[name], method.currency, bound, old.domain.spine)
    return found


def restore_method(name: str, parameters: Mapping[str, Any], domain: Domain) -> Method:
    """The method that a view names, with the parameters that it states; InputError if this version has no such one."""
    kind = METHODS[name]
    known = [field.name for field in fields(kind)]
    options = {option: value for option, value in parameters.items() if option in known and option != "workload"}
    if lost := set(parameters) - {*known, "tuning"}:
        raise InputError(f"method {name} no longer has {min(lost)!r}, so this view cannot be estimated again")
    if "protect" in options:
        options["protect"] = tuple(tuple(domain.axis(one) for one in names) for names in options["protect"])
    kind.check_installed()
    return kind(**options)
