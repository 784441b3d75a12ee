"""A ledger that contradicts itself is refused: by verify, by opening the file, and by the certificate.

One field of an honest file of every method is changed, and the digest is made to fit again, as a forger would. A file
is not signed, so a forger who changes all figures consistently is not caught; nor is one who renames a mechanism or
statistic to another with the same sensitivity, price and scale.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import ripost
from ripost.certify.certified_release import CertifiedRelease
from ripost.errors import ReleaseError
from ripost.methods import METHODS
from ripost.privacy.ledger import Charge, Ledger, Privacy, Step
from ripost.privacy.ledger_check import KINDS, ROUNDING, check_entries, variance_range
from ripost.privacy.mechanisms import ComposedMechanism, laplace_variance
from ripost.release.verify import verify_view
from ripost.schema.measure import ROW
from ripost.view import open_view
from tests.answering.making import make_view
from tests.release.forging import Columns, Manifest, forge, leave_out_measurements, read
from tests.statistics_by_name import STATISTICS

QUICK: dict[str, dict[str, Any]] = {"p3gm": {"steps": 2, "iterations": 2}}
SETTINGS = {
    **{name: (name, QUICK.get(name, {})) for name in METHODS},
    "ripost, tight": ("ripost", {"tight": True}),
    "ripost, all extensions": ("ripost", {"reuse_unspent": True, "test_every": 2, "refine": True}),
    "hdpview, tight": ("hdpview", {"tight": True, "alpha": 1.5}),
    "privtree, in turn": ("privtree", {"fanout": "round-robin"}),
    "slimview of cells": ("slimview", {"reads": "cells"}),
}
SAME = {frozenset({"exponential mechanism", "permute and flip"})}  # the same scale for the same epsilon


def small() -> ripost.Tensor:
    rng = np.random.default_rng(1)
    cells = np.stack(np.unravel_index(np.arange(8 * 6 * 5), (8, 6, 5)), axis=1)
    return ripost.Tensor.from_arrays((8, 6, 5), cells, rng.poisson(12, len(cells)))


def even(rows: int) -> ripost.Tensor:
    """So many rows in each of 2,100 cells, too many for a dense table: with 10 `ripost+` chooses axes, with 300 by a
    sample.
    """
    cells = np.stack(np.unravel_index(np.arange(15 * 14 * 10), (15, 14, 10)), axis=1)
    return ripost.Tensor.from_arrays((15, 14, 10), cells, np.full(len(cells), rows))


def visits(method: str) -> ripost.View:
    """Sums, for units of several rows."""
    rng = np.random.default_rng(2)
    table = pl.DataFrame({"day": rng.integers(0, 30, 900), "ward": rng.integers(0, 5, 900),
                          "pay": rng.integers(0, 50, 900), "person": rng.integers(0, 300, 900)})  # fmt: skip
    whole = {"type": "integer", "min": 0, "missing": "drop"}
    schema = ripost.Schema.from_dict({
        "unit": "person", "max_rows": 3, "measure": {"sum": "pay", "max": 50, "step": 0.5},
        "attributes": {"day": {**whole, "max": 29}, "ward": {**whole, "max": 4}},
    })  # fmt: skip
    return ripost.publish(table, schema, epsilon=2, method=method)


def honest(folder: Path) -> Iterator[tuple[str, Path]]:
    """Files with noise of the operating system, of every method and of what changes sensitivities and scales."""
    views = {
        title: ripost.publish(small(), epsilon=Fraction(9, 10), method=name, **options)
        for title, (name, options) in SETTINGS.items()
    }
    views |= {f"{rows} rows a cell": ripost.publish(even(rows), epsilon=1) for rows in (10, 300)}
    views |= {f"sums, {name}": visits(name) for name in ("ripost+", "ripost", "hdmm", "dawa", "privsyn")}
    for number, (title, view) in enumerate(views.items()):
        path = folder / f"{number}.ripost.parquet"
        view.save(path)
        yield title, path


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return dict(honest(tmp_path_factory.mktemp("honest")))


def test_honest_files_are_accepted(files: dict[str, Path]) -> None:
    found = set()
    for title, path in files.items():
        assert [check for check in verify_view(path) if not check.ok] == [], title
        assert CertifiedRelease.open(path).view.privacy.is_private
        found |= {entry.mechanism for entry in open_view(path).privacy.ledger.entries}
    assert found == set(KINDS), "some mechanism is in no file"


def test_files_that_were_made_before_terms_were_recorded_are_accepted(files: dict[str, Path], tmp_path: Path) -> None:
    """Their noise must be at least what the most favorable terms allow."""
    forged = tmp_path / "forged.ripost.parquet"
    number = 0
    for title, path in files.items():
        forged.write_bytes(path.read_bytes())
        forge(forged, without_terms)
        assert [check for check in verify_view(forged) if not check.ok] == [], title
        sound = forged.read_bytes()
        for entry in typical(read(path)[0]):
            least = least_scale(read(path)[0]["privacy"]["ledger"]["entries"][entry])
            forged.write_bytes(sound)
            forge(forged, set_entry(entry, "scale", least * 0.99, fitting=False))
            assert_refused(forged, (title, entry))
            number += 1
    assert number > 20


def least_scale(entry: dict[str, Any]) -> float:
    """Choices by a sample of almost nobody need noise of one sensitivity, other draws an eighth of what they had."""
    return float(entry["sensitivity"]) if entry["mechanism"] == "choices by a sample" else entry["scale"] / 8


def without_terms(manifest: Manifest, _: Columns) -> None:
    for entry in manifest["privacy"]["ledger"]["entries"]:
        terms = entry.pop("terms", None)
        if entry["mechanism"] == ComposedMechanism.title:
            entry["purpose"] += f", {terms}"


def kinds(manifest: Manifest) -> dict[tuple[str, str], int]:
    """The number of the last entry of each mechanism and statistic."""
    entries = manifest["privacy"]["ledger"]["entries"]
    return {(entry["mechanism"], entry["statistic"]): number for number, entry in enumerate(entries)}


def typical(manifest: Manifest) -> list[int]:
    """One entry of each kind, by number."""
    return sorted(kinds(manifest).values())


def lies(manifest: Manifest, number: int) -> Iterator[tuple[str, Any]]:
    """A field of an entry and what it must not be: less or more noise, another price, or something unknown."""
    entry = manifest["privacy"]["ledger"]["entries"][number]
    scale, price = entry["scale"], Fraction(entry["epsilon"])
    for value in (1e-9, -5.0, 0.0, scale / 2, scale * 2, scale * (1 - 1e-9), scale * (1 + 1e-9)):
        yield "scale", value
    for value in (0, entry["sensitivity"] + 1, 2 * entry["sensitivity"]):
        yield "sensitivity", value
    for exact in (price / 2, price * 2, price * Fraction(999_999, 1_000_000)):
        yield "epsilon", str(exact)
    for name in ("no noise at all", "Discrete Laplace", "", "laplace", *KINDS):
        if name != entry["mechanism"] and frozenset({name, entry["mechanism"]}) not in SAME:
            yield "mechanism", name
    for name in ("the weather", "Total", "", *STATISTICS):
        bound = manifest["measure"]["bound"]
        if name not in STATISTICS or STATISTICS[name].sensitivity(bound) != entry["sensitivity"]:
            yield "statistic", name
    yield from (("blocks", value) for value in (0, 10**9))
    yield from (("terms", value) for value in ("decay 1000", "4 sensitivities, or so", "1 choices, rate 1"))


def set_entry(number: int, field: str, value: Any, *, fitting: bool) -> Callable[[Manifest, Columns], None]:
    """Change a field of an entry; `fitting` makes what is said to be spent add up again."""

    def change(manifest: Manifest, _: Columns) -> None:
        manifest["privacy"]["ledger"]["entries"][number][field] = value
        if fitting:
            manifest["privacy"]["spent"] = str(Privacy.from_json(manifest["privacy"]).spent)

    return change


def assert_refused(path: Path, what: object) -> None:
    """By all three; the certificate is refused if and only if a check of `verify_view` fails."""
    for reader, sentence in ((open_view, "cannot open"), (CertifiedRelease.open, "cannot certify")):
        try:
            reader(path)
        except ReleaseError as error:
            assert sentence in str(error)
        else:
            pytest.fail(f"accepted: {what}")


def assert_lies_are_refused(path: Path, entries: list[int], forged: Path) -> int:
    """How many lies there are about these entries of a file; each makes it a file that is refused."""
    manifest, _ = read(path)
    told = [(entry, *lie) for entry in entries for lie in lies(manifest, entry)]
    for entry, field, value in told:
        forged.write_bytes(path.read_bytes())
        forge(forged, set_entry(entry, field, value, fitting=field == "epsilon"))
        assert_refused(forged, (path.name, manifest["privacy"]["ledger"]["entries"][entry], field, value))
    return len(told)


def test_a_lie_in_an_entry_of_any_kind_is_refused(files: dict[str, Path], tmp_path: Path) -> None:
    """Every lie about every kind of draw, in the first file that has it."""
    seen, number = set(), 0
    for path in files.values():
        manifest, _ = read(path)
        new = {kind: entry for kind, entry in kinds(manifest).items() if kind not in seen}
        number += assert_lies_are_refused(path, sorted(new.values()), tmp_path / "forged.ripost.parquet")
        seen |= new.keys()
    assert {mechanism for mechanism, _ in seen} == set(KINDS) and number > 300


@pytest.mark.slow
def test_a_lie_in_any_entry_of_any_file_is_refused(files: dict[str, Path], tmp_path: Path) -> None:
    forged = tmp_path / "forged.ripost.parquet"
    assert sum(assert_lies_are_refused(path, typical(read(path)[0]), forged) for path in files.values()) > 1500


def test_a_lie_about_the_promise_is_refused(files: dict[str, Path], tmp_path: Path) -> None:
    sources = (
        "Seed 7",
        "seed",
        "seed 07",
        "seed -1",
        "seed 7 ",
        "seed 7\n",
        "operating  system",
        "Operating system",
        "",
    )
    for title, path in files.items():
        manifest, _ = read(path)
        facts = manifest["privacy"]
        more = {"column": "person", "max_rows": facts["unit"]["max_rows"] + 1}
        changes: list[tuple[str, Any]] = [
            *(("entropy", source) for source in sources),
            *(("epsilon", str(Fraction(facts["epsilon"]) * part)) for part in (0, Fraction(1, 2), 10_000)),
            *(("definition", text) for text in DEFINITIONS - {facts["definition"]}),
            ("unit", more),
            ("spent", str(Fraction(facts["spent"]) / 2)),
        ]
        for field, value in changes:
            forged = tmp_path / "forged.ripost.parquet"
            forged.write_bytes(path.read_bytes())
            forge(forged, lambda manifest, _, field=field, value=value: manifest["privacy"].update({field: value}))
            assert_refused(forged, (title, field, value))


DEFINITIONS = {Privacy(Fraction(1), ROW, "", Ledger((), ()), Fraction(delta, 10**9), accounted).definition
               for delta, accounted in ((0, False), (1, False), (1, True))}  # fmt: skip


def test_variances_must_be_those_of_the_noise(files: dict[str, Path], tmp_path: Path) -> None:
    """A file whose errors are stated far too small or far too large does not follow from its ledger."""
    seen = set()
    for title, path in files.items():
        kind = open_view(path).content.kind
        for factor in (0.01, 1e8):

            def scale_variances(manifest: Manifest, columns: Columns, factor: float = factor) -> None:
                if "variance" in columns:
                    columns["variance"] *= factor
                if manifest.get("matrix"):
                    manifest["matrix"]["variance"] *= factor
                if manifest["tree"] and manifest["tree"]["measured"]:
                    measured = manifest["tree"]["measured"]
                    measured["variances"] = [variance * factor for variance in measured["variances"]]

            if kind == "sample":
                continue
            forged = tmp_path / "forged.ripost.parquet"
            forged.write_bytes(path.read_bytes())
            forge(forged, scale_variances)
            failed = {check.name for check in verify_view(forged) if not check.ok}
            assert "variances" in failed and "ledger" not in failed, title
            with pytest.raises(ReleaseError, match="not those of the noise in its ledger"):
                open_view(forged).blocks  # noqa: B018
            seen.add(kind)
    assert seen == {"blocks", "buckets", "matrix", "tables"}


def test_variances_of_histograms_are_no_less_than_the_noise(files: dict[str, Path], tmp_path: Path) -> None:
    """They may be more: each is multiplied by the misfit of its histogram."""
    forged = tmp_path / "forged.ripost.parquet"
    forged.write_bytes(files["ripost+"].read_bytes())

    def scale_histograms(manifest: Manifest, _: Columns) -> None:
        known = manifest["error_model"]["histogram_variances"]
        manifest["error_model"]["histogram_variances"] = [variance * 0.01 for variance in known]

    forge(forged, scale_histograms)
    assert_refused(forged, 0.01)


@pytest.mark.parametrize("method", ["quadtree", "uniform-grid"])
def test_measurements_that_contain_each_other_are_not_paid_side_by_side(
    method: str, files: dict[str, Path], tmp_path: Path
) -> None:
    """Levels of a tree as if each were of other blocks: the promise is then that of the dearest level alone."""
    forged = tmp_path / "forged.ripost.parquet"
    forged.write_bytes(files[method].read_bytes())

    def side_by_side(manifest: Manifest, columns: Columns) -> None:
        leave_out_measurements(manifest, columns)
        facts, ledger = manifest["privacy"], manifest["privacy"]["ledger"]
        *upper, last = range(len(ledger["entries"]))
        rest = sum(step[2] for step in ledger["steps"]) - len(upper)
        ledger["steps"] = [[None, None, 0], *([0, entry, 1] for entry in upper), [0, last, rest]]
        for entry, blocks in zip(ledger["entries"], [*(1 for _ in upper), rest], strict=True):
            entry["blocks"] = blocks
        facts["spent"] = facts["epsilon"] = str(max(Fraction(entry["epsilon"]) for entry in ledger["entries"]))

    forge(forged, side_by_side)
    failed = {check.name for check in verify_view(forged) if not check.ok}
    assert failed == {"variances"}
    with pytest.raises(ReleaseError, match="more than the paths of its ledger pay for"):
        open_view(forged).blocks  # noqa: B018


def test_a_sensitivity_beyond_53_bits_is_saved(tmp_path: Path) -> None:
    """A gradient of a sum in 2,000,000,000 steps: publishing spent the budget, and the file was refused."""
    table = pl.DataFrame({"day": [0, 1, 2, 3] * 50, "ward": [0, 1] * 100, "pay": [5, 6] * 100})
    whole = {"type": "integer", "min": 0, "missing": "drop"}
    schema = ripost.Schema.from_dict({
        "measure": {"sum": "pay", "max": 2_000_000, "step": 0.001},
        "attributes": {"day": {**whole, "max": 3}, "ward": {**whole, "max": 1}},
    })  # fmt: skip
    path = tmp_path / "v.ripost.parquet"
    ripost.publish(table, schema, epsilon=1, method="p3gm", **QUICK["p3gm"]).save(path)
    assert open_view(path).privacy.ledger.entries[0].sensitivity > 2**53
    assert all(check.ok for check in verify_view(path))


def test_an_entry_that_no_path_pays_is_refused(files: dict[str, Path], tmp_path: Path) -> None:
    forged = tmp_path / "forged.ripost.parquet"
    forged.write_bytes(files["ripost"].read_bytes())

    def free(manifest: Manifest, _: Columns) -> None:
        entries = manifest["privacy"]["ledger"]["entries"]
        entries.append(entries[-1])

    forge(forged, free)
    assert_refused(forged, "free")


def test_rounding_is_allowed_and_nothing_else() -> None:
    """A scale may differ by the last bits of a float: other processors round otherwise."""
    honest = make_view().privacy

    def with_scale(factor: float) -> Privacy:
        entries = tuple(Charge(**{**_fields(entry), "scale": entry.scale * factor}) for entry in honest.ledger.entries)
        return Privacy(honest.epsilon, honest.unit, honest.entropy, Ledger(entries, honest.ledger.steps))

    check_entries(with_scale(1 + ROUNDING / 2), bound=1)
    check_entries(with_scale(1 - ROUNDING / 2), bound=1)
    for factor in (1 + 10 * ROUNDING, 1 - 10 * ROUNDING, float("nan"), float("inf")):
        with pytest.raises(ReleaseError, match="contradicts itself"):
            check_entries(with_scale(factor), bound=1)


def _fields(entry: Charge) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in Charge.__slots__}


def test_the_range_of_variances_is_that_of_measurements_on_a_path() -> None:
    """Two measurements of one path may be taken together; one of another path may not."""
    entries = tuple(
        Charge(str(number), "discrete Laplace", "total", 1, Fraction(1, 4), scale, 1)
        for number, scale in enumerate((4.0, 8.0, 16.0))
    )
    ledger = Ledger(entries, (Step(None, None, 0), Step(0, 0, 0), Step(1, 1, 1), Step(0, 2, 1)))
    least, most = variance_range(Privacy(Fraction(1), ROW, "seed 7", ledger))
    one, two, three = map(laplace_variance, (4.0, 8.0, 16.0))
    assert least == pytest.approx(1 / (1 / one + 1 / two)) and most == pytest.approx(three)
