"""Reestimate: a new view from the noisy measurements in an old one. It reads no table and costs no privacy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from os import PathLike
from typing import TYPE_CHECKING, Any

from ripost.answering.content.tree import TreeContent
from ripost.errors import InputError
from ripost.methods import METHODS
from ripost.methods.measured_tree import Draw, MeasuredTree
from ripost.methods.method import NO_ESTIMATOR, Method
from ripost.publishing.content import build_content, describe_parameters
from ripost.release.measured_values import MeasuredValues
from ripost.release.release import OriginView

if TYPE_CHECKING:
    from ripost.schema.domain import Domain
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

    if old.measures:
        raise InputError("a view with measures cannot be estimated again; publish the table again")
    if old.measured is None:
        raise InputError("this view holds no noisy measurements, so it cannot be estimated again; publish it with them")
    method = restore_method(old.method, old.parameters, old.domain)
    if not isinstance(old.content, TreeContent):
        raise InputError(NO_ESTIMATOR.format(method.name))
    privacy = old.privacy
    charges = privacy.ledger.entries
    measurements = old.measured.measurements(old.content, privacy.ledger)
    measured = MeasuredTree(
        old.content.tree.by_level,
        [Draw(charges[found.entry], found) for found in measurements],
        method.budget(privacy.method_epsilon, privacy.unit.max_rows),
        method.currency,
        old.measure.bound,
        old.domain.spine,
    )
    estimate = method.estimate(measured)
    privacy.check(blocks=estimate.blocks)
    content = build_content(estimate, old.domain, old.measure)
    return View(
        domain=old.domain,
        content=content,
        measure=old.measure,
        method=method.name,
        parameters=describe_parameters(method, old.domain),
        privacy=privacy,
        debit=old.debit,
        measured=MeasuredValues.of(measurements, content),
        origin=old.origin or OriginView(old.digest or old.file.manifest.digest, old.software),
        period=old.period,
        title=old.title,
        description=old.description,
    )


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
