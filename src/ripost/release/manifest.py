"""Manifest: the JSON in a release file that describes it. It is validated before anything uses it."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any, Literal

from pydantic import Field, ValidationError

from ripost.errors import InputError, ReleaseError
from ripost.estimate.error_model import ErrorModel
from ripost.estimate.mixture import Mixture
from ripost.privacy.ledger import Currency, Debit, Privacy
from ripost.release.discovery_facts import DiscoveryFacts, check_discovery
from ripost.release.domain_facts import ImpossibleFacts, check_domain_facts, has_maps
from ripost.release.manifest_part import Count, Exact, Finite, ManifestPart
from ripost.release.measure_facts import SumsFacts, check_measures
from ripost.release.measured_values import MeasurementsFacts
from ripost.release.model_facts import ErrorModelFacts, MixtureFacts
from ripost.release.release import OriginView
from ripost.schema.attribute import Attribute
from ripost.schema.domain import Domain
from ripost.schema.measure import Measure
from ripost.schema.period import ReleasePeriod

VERSION = 5  # of files with one of the parts that `_check_version` names; 4 with a period, 3 with measurements, else 2
DEEPEST_SUM = 1 << 16  # bits of the ledger's common denominator; honest ones have some hundreds

Kind = Literal["blocks", "buckets", "matrix", "tables", "sample"]


class Dimension(ManifestPart):
    """An attribute: its name and the meaning of its codes."""

    name: str
    attribute: Attribute


class MeasureFacts(ManifestPart):
    """What values count: rows, the sum of a column in steps, or non-empty cells."""

    column: str | None
    step: float = Field(gt=0)
    bound: int = Field(ge=1, lt=2**53)
    cells: bool = Field(default=False, description="Whether every non-empty cell counts once.")


class UnitFacts(ManifestPart):
    """The privacy unit."""

    column: str | None
    max_rows: int = Field(ge=1, lt=2**53)
    max_periods: int | None = Field(
        default=None,
        ge=1,
        lt=2**53,
        description="From format 5 on: in how many periods of the series, its first ones, rows of one unit are kept. "
        "Absent if in all.",
    )


class EntryFacts(ManifestPart):
    """One draw of the ledger, with its cost."""

    purpose: str
    mechanism: str
    statistic: str
    sensitivity: int = Field(ge=0, lt=2**100)  # of a sum of many steps it is beyond 2^53
    epsilon: Exact
    scale: float
    blocks: Count
    terms: str | None = Field(default=None, description="What else the scale depends on; absent if nothing.")


class LedgerFacts(ManifestPart):
    """The draws, and the paths through them: [state before, entry charged, blocks that ended here]."""

    entries: list[EntryFacts]
    steps: list[tuple[Count | None, Count | None, Count]]


class PrivacyFacts(ManifestPart):
    """The privacy statement, in exact fractions."""

    definition: Literal[
        "pure epsilon-differential privacy, add or remove one unit",
        "(epsilon, delta)-differential privacy by way of zero-concentrated differential privacy, "
        "add or remove one unit",
        "(epsilon, delta)-differential privacy by a Renyi accountant, add or remove one unit",
        "(epsilon, delta)-differential privacy, the sum of discovery and method, add or remove one unit",
    ]
    epsilon: Exact
    delta: Exact | None = Field(default=None, description="Absent for pure differential privacy.")
    currency: Literal["rho", "epsilon at delta"] | None = Field(
        default=None, description="What the ledger counts, if not epsilon."
    )
    spent: Exact
    unit: UnitFacts
    entropy: str = Field(pattern=r"^(operating system|seed (0|[1-9][0-9]{0,999}))$")
    ledger: LedgerFacts
    discovery: list[DiscoveryFacts] | None = Field(
        default=None, description="From format 5 on: what was discovered before. Absent if nothing was."
    )
    measures: dict[str, LedgerFacts] | None = Field(
        default=None, description="Format 5 only: the ledger of the sums of each measure. `spent` has all ledgers."
    )


class DebitFacts(ManifestPart):
    """The entry of the budget ledger that paid for the release."""

    ledger: str = Field(pattern="^[0-9a-f]{32}$", description="The identity of the ledger.")
    number: Count = Field(description="The number of the entry.")
    chain: str = Field(pattern="^[0-9a-f]{64}$", description="Hash of that entry and of all before it.")


class OriginFacts(ManifestPart):
    """The view whose noisy measurements were estimated again."""

    digest: str = Field(pattern="^[0-9a-f]{64}$")
    software: str = Field(description="The software that published it.")


class PeriodFacts(ManifestPart):
    """The period of a series whose rows alone are counted."""

    rule: str = Field(description="Which period a row belongs to, such as month(date).")
    label: str = Field(description="The period, such as 2026-10.")


class MeasuredFacts(ManifestPart):
    """Variances of the nodes that were measured."""

    variances: list[Finite] = Field(description="Distinct variances.")
    nodes: str = Field(
        description="Base64 of zlib of one little-endian number per node, depth-first: which variance, counted "
        "from 1, or 0 for a node that was not measured; 16 bits below 65536 variances, else 32."
    )


class TreeFacts(ManifestPart):
    """What the bounds and depths in the rows do not say about the tree."""

    measured: MeasuredFacts | None = Field(description="null if only the blocks were measured.")
    depths: str | None = Field(
        default=None,
        description="For buckets only: base64 of zlib of the depth of each in the tree of buckets, 32 bits each.",
    )


class SmoothingFacts(ManifestPart):
    """Format 1 only: the error of values that were smoothed; see docs/format.md."""

    roughness: Finite = Field(description="Scatter parameter of rows inside a block.")
    marginal_variances: list[Finite | None] = Field(
        description="Noise variance per code of each attribute's histogram."
    )


class ProductFacts(ManifestPart):
    """One Kronecker product: it measures some attributes by their factors and sums over the others."""

    axes: list[Count] = Field(description="The attributes that it measures, numbered from 0, in order.")
    weight: Finite = Field(description="Weight of its Gram matrix.")


class MatrixFacts(ManifestPart):
    """How the cells of a view of kind matrix, or the tables of one of kind tables, were measured."""

    variance: Finite = Field(description="Noise variance of one measured row.")
    grams: list[str] = Field(
        description="For each attribute, the Gram matrix of its factor: base64 of zlib of little-endian doubles, "
        "row by row."
    )
    products: list[ProductFacts] = Field(min_length=1)


class Manifest(ManifestPart):
    """The JSON under the key `ripost` in the metadata of a release file."""

    digest: str = Field(pattern="^[0-9a-f]{64}$")
    format: Literal["ripost"]
    version: Literal[1, 2, 3, 4, 5]
    software: str
    kind: Kind = Field(default="blocks", description="What the rows are; see docs/format.md.")
    domain: list[Dimension] = Field(min_length=1)
    measure: MeasureFacts
    method: str
    parameters: dict[str, Any]
    privacy: PrivacyFacts
    debit: DebitFacts | None = Field(default=None, description="Absent if no budget ledger was kept.")
    period: PeriodFacts | None = Field(
        default=None, description="From format 4 on: the period of a series. Absent if all rows were counted."
    )
    impossible: ImpossibleFacts | None = Field(
        default=None, description="From format 5 on: cells that no row lies in. Absent if there are none."
    )
    title: str | None = Field(default=None, description="What the table is, from the schema; absent if not stated.")
    description: str | None = Field(default=None, description="What readers should know of the table, from the schema.")
    marginals: list[list[Finite] | None] | None = Field(
        description="Released mass of each code, attribute by attribute; null where rows are uniform in a block."
    )
    error_model: ErrorModelFacts | None = Field(
        default=None, description="null if noise is the only error of the values."
    )
    mixture: MixtureFacts | None = Field(default=None, description="null if the blocks hold the whole estimate.")
    smoothing: SmoothingFacts | None = Field(default=None, description="Format 1 only, in place of error_model.")
    tree: TreeFacts | None = Field(description="null for the kinds matrix, tables and sample.")
    matrix: MatrixFacts | None = Field(default=None, description="For the kinds matrix and tables only.")
    measures: list[SumsFacts] | None = Field(
        default=None, description="Format 5 only: the measures whose sums and means are answered too."
    )
    measurements: MeasurementsFacts | None = Field(
        default=None, description="From format 3 on: what the column measurements holds. Absent if there is none."
    )
    origin: OriginFacts | None = Field(
        default=None, description="From format 3 on: the view that was estimated again. Absent if it was published."
    )

    @property
    def attributes(self) -> Domain:
        found = Domain({dimension.name: dimension.attribute for dimension in self.domain})
        return found if self.impossible is None else Domain(found.attributes, self.impossible.read(found.shape))

    @property
    def stated_error(self) -> ErrorModel | None:
        if self.smoothing is not None:  # format 1: all but these is what it was then
            return ErrorModel(self.smoothing.roughness, tuple(self.smoothing.marginal_variances))
        return None if self.error_model is None else self.error_model.model()

    @property
    def mixed(self) -> Mixture | None:
        """The mixture, if there is one; ReleaseError if it cannot be read."""
        return None if self.mixture is None else self.mixture.mixture()

    @property
    def promise(self) -> Privacy:
        """The privacy statement; ReleaseError if its numbers are beyond reason."""
        facts = self.privacy
        common = 1
        beside = [entry for ledger in (facts.measures or {}).values() for entry in ledger.entries]
        for entry in (*facts.ledger.entries, *beside):
            common = math.lcm(common, Fraction(entry.epsilon).denominator)
            if common.bit_length() > DEEPEST_SUM:
                raise ReleaseError("the fractions in the ledger are too large to add up")
        privacy = Privacy.from_json(facts.model_dump())
        if (privacy.definition, privacy.currency) != (facts.definition, facts.currency or Currency.EPSILON):
            raise ReleaseError("the privacy definition does not match its delta")
        return privacy

    @property
    def paid_by(self) -> Debit | None:
        return None if self.debit is None else Debit(**self.debit.model_dump())

    @property
    def estimated_from(self) -> OriginView | None:
        return None if self.origin is None else OriginView(**self.origin.model_dump())

    @property
    def series_period(self) -> ReleasePeriod | None:
        return None if self.period is None else ReleasePeriod(**self.period.model_dump())

    @property
    def counted(self) -> Measure:
        return Measure(**self.measure.model_dump())


def parse(text: str) -> Manifest:
    """Parse and check a manifest; ReleaseError says what is wrong."""
    try:
        data = json.loads(text, object_pairs_hook=_distinct, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ReleaseError(f"its manifest is not valid JSON: {_short(error)}") from None
    if not isinstance(data, dict) or data.get("format") != "ripost":
        raise ReleaseError("its manifest is not one of ripost")
    version = data.get("version")
    if isinstance(version, int) and version > VERSION:
        raise ReleaseError(f"it was made by a newer ripost (format {_short(version)}); upgrade ripost to read it")
    try:
        manifest = Manifest.model_validate_json(text)
        _cross_check(manifest)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"])) or "manifest"
        raise ReleaseError(f"its manifest is wrong at {_short(where)}: {_short(first['msg'])}") from None
    except (InputError, ArithmeticError, RecursionError, ValueError, TypeError) as error:
        raise ReleaseError(f"its manifest is wrong: {_short(error)}") from None
    return manifest


def dump(manifest: dict[str, Any]) -> str:
    """Canonical JSON: `digest` first, then sorted keys, no spaces, ASCII."""
    rest = {name: value for name, value in manifest.items() if name != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return f'{{"digest":{json.dumps(manifest["digest"])},{text[1:]}'


def manifest_schema() -> dict[str, Any]:
    """The JSON Schema of the manifest."""
    schema = Manifest.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _cross_check(manifest: Manifest) -> None:
    """Check what the schema cannot: how parts fit each other."""
    domain = manifest.attributes
    if len(domain) != len(manifest.domain):
        raise ReleaseError("an attribute is listed twice")
    if manifest.marginals is not None:
        sizes = [None if marginal is None else len(marginal) for marginal in manifest.marginals]
        if len(sizes) != len(domain) or any(s not in (None, n) for s, n in zip(sizes, domain.shape, strict=True)):
            raise ReleaseError("the marginals do not fit the attributes")
    _check_version(manifest)
    check_measures(
        manifest.measures or (),
        domain,
        ledgers=manifest.promise.measures,
        rows_in_blocks=manifest.kind == "blocks" and manifest.counted.holds_rows,
        mixture=manifest.mixture is not None,
    )
    if manifest.origin is not None and manifest.measurements is None:
        raise ReleaseError("a view that was estimated again has noisy measurements")
    error = manifest.stated_error
    if error is not None and len(error.histogram_variances) != len(domain):
        raise ReleaseError("the error model does not fit the attributes")
    if manifest.mixture is not None and (len(manifest.mixture.attributes) != len(domain) or error is None):
        raise ReleaseError("the mixture does not fit the attributes, or there is no error model for it")
    if str(manifest.promise.spent) != manifest.privacy.spent:
        raise ReleaseError("the ledger does not add up to what is said to be spent")
    _ = manifest.counted, manifest.series_period
    has = (manifest.tree is not None, manifest.tree is not None and manifest.tree.depths is not None)
    has_grams = manifest.matrix is not None
    must = {"blocks": (True, False), "buckets": (True, True), "matrix": (False, False)}
    if has != must.get(manifest.kind, (False, False)) or has_grams != (manifest.kind in ("matrix", "tables")):
        raise ReleaseError(f"the parts of its manifest are not those of a view of {manifest.kind}")
    if manifest.kind != "blocks" and (error, manifest.mixture) != (None,) * 2:
        raise ReleaseError("only blocks can have an error model or a mixture")
    if manifest.kind not in ("blocks", "tables") and manifest.marginals is not None:
        raise ReleaseError("only blocks can have marginals, or tables")
    if manifest.kind == "tables" and None in (manifest.marginals or [None]):
        raise ReleaseError("tables must have the marginal of every attribute")


def _check_version(manifest: Manifest) -> None:
    """Check that the file has the parts of its format."""
    if manifest.version == 1 and (manifest.error_model is not None or manifest.mixture is not None):
        raise ReleaseError("a file of format 1 has no error model and no mixture")
    if manifest.version > 1 and manifest.smoothing is not None:
        raise ReleaseError("only a file of format 1 states its smoothing; later ones have an error model")
    check_domain_facts(manifest.attributes, kind=manifest.kind)
    if manifest.version < 4 and (manifest.version == 3) != (manifest.measurements is not None):
        raise ReleaseError("up to format 3, a file has noisy measurements if, and only if, it is of format 3")
    if manifest.version < 5 and (manifest.version == 4) != (manifest.period is not None):
        raise ReleaseError("up to format 4, a file has a period if, and only if, it is of format 4")
    newest = {
        "tables": manifest.kind == "tables",
        "discovery": manifest.privacy.discovery is not None,
        "levels or derived columns": has_maps(manifest.attributes),
        "impossible cells": manifest.impossible is not None,
        "measures": bool(manifest.measures),
        "max_periods": manifest.privacy.unit.max_periods is not None,
    }
    if (manifest.version == 5) != any(newest.values()):
        raise ReleaseError(f"a file is of format 5 if, and only if, it has one of these: {', '.join(newest)}")
    if newest["max_periods"] and manifest.period is None:
        raise ReleaseError("a file with max_periods is of one period")
    check_discovery(manifest.promise, manifest.attributes)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is given twice")
    return found


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _short(thing: object) -> str:
    """At most a line of text, without control characters."""
    text = "".join(letter if letter.isprintable() else " " for letter in str(thing))
    return text if len(text) <= 160 else text[:159] + "…"
