"""Exports: a registry's entry has the registry's form, CSVW-EO metadata says what the schema says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from ripost.certify.csvw import build_csvw, format_csvw
from ripost.certify.registry import FILL_IN, build_registry_entry, find_blanks, format_registry_entry, to_slug
from ripost.errors import InputError
from ripost.schema.measure import Measure, Unit
from ripost.view import View
from tests.certify.form import ENTRY
from tests.certify.subjects import certify, concentrated_promise, pure, view_of


@pytest.mark.parametrize("view", [view_of(), view_of(pure(unit=Unit("person", 5))), view_of(concentrated_promise())])
def test_an_entry_has_the_registrys_form(tmp_path: Path, view: View) -> None:
    subject = certify(tmp_path, view)
    written = format_registry_entry(subject)
    entry = yaml.safe_load(written)
    jsonschema.validate(entry, ENTRY, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)
    assert entry == build_registry_entry(subject)
    assert ">" not in {line.rstrip()[-1:] for line in written.splitlines()}  # folded texts spoil their Markdown
    assert entry["deployment"]["basic"]["publication_date"] == "2026-03-01"


def test_an_entry_says_what_the_view_promises(tmp_path: Path) -> None:
    people = build_registry_entry(certify(tmp_path, view_of(pure(epsilon="1/2", unit=Unit("person", 5)))))["deployment"]
    assert people["dp_variant"]["variant_name"] == "Pure DP"
    assert people["privacy_loss"]["privacy_parameters"] == {"epsilon": 0.5}
    assert people["privacy_loss"]["privacy_unit"] == "person-level"
    rho = build_registry_entry(certify(tmp_path, view_of(concentrated_promise())))["deployment"]
    assert rho["dp_variant"]["variant_name"] == "Approximate DP"
    assert rho["privacy_loss"]["privacy_parameters"] == {"epsilon": 1.0, "delta": 1e-9, "rho": 0.001}
    subject = certify(tmp_path)
    vars(subject.view)["debit"] = {"ledger": "hospital", "number": 3, "chain": "ab12"}
    assert (
        "entry 3 of the ledger hospital"
        in build_registry_entry(subject)["deployment"]["deployment_model"]["release_type_details"]
    )


def test_what_only_people_know_is_marked(tmp_path: Path) -> None:
    entry = build_registry_entry(certify(tmp_path))
    places = find_blanks(entry)
    assert "deployment.basic.data_curators.data_curator_name" in places and "deployment.basic.intended_use" in places
    assert "deployment.privacy_loss.privacy_unit" not in places
    assert json.dumps(entry).count(FILL_IN) == len(places)


def test_a_seeded_view_has_no_entry(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="protects nobody"):
        build_registry_entry(certify(tmp_path, view_of(pure(entropy="seed 7"))))


@pytest.mark.parametrize(("name", "found"), [("Flights 2013!", "flights-2013"), ("Éé", "release"), ("a_b.c", "a-b-c")])
def test_slugs(name: str, found: str) -> None:
    assert to_slug(name) == found


def columns_of(metadata: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {column["name"]: column for column in metadata["tableSchema"]["columns"]}


def test_metadata_says_what_the_schema_says(tmp_path: Path) -> None:
    subject = certify(tmp_path, view_of(pure(unit=Unit("person", 5))))
    metadata = json.loads(format_csvw(subject))
    assert metadata["@type"] == "Table" and metadata["@context"][0] == "http://www.w3.org/ns/csvw"
    assert metadata["privacyUnit"] == "person" and metadata["maxContributions"] == 5
    assert "maxLength" not in metadata and "publicLength" not in metadata  # no bound on the rows is public
    columns = columns_of(metadata)
    age, ward, day, well = (columns[name] for name in ("age", "<b>ward</b>", "day", "well"))
    assert (age["datatype"], age["minimum"], age["maximum"], age["required"]) == ("integer", 0, 99, False)
    assert ward["keyValues"][0] == "surgery" and ward["exhaustiveKeys"] and ward["maxNumPartitions"] == 3
    assert ward["titles"] == ["ward & bed"] and ward["required"] and ward["nullableProportion"] == 0
    assert day["datatype"] == "date" and "minimum" not in day  # values outside have a code of their own
    assert well["keyValues"] == [False, True]
    assert columns["person"]["privacyId"] is True and not age["privacyId"]


def test_shares_of_missing_values_are_the_views_own(tmp_path: Path) -> None:
    subject = certify(tmp_path)
    view = subject.view
    found = columns_of(build_csvw(subject))["age"]["nullableProportion"]
    assert found == pytest.approx(max(0, view.count(age=None).value / view.total), abs=0.001)


def test_sums_and_rows(tmp_path: Path) -> None:
    subject = certify(tmp_path, view_of(pure(bound=200), measure=Measure("cost", 0.5, 200)))
    metadata = build_csvw(subject)
    assert metadata["privacyUnit"] is None and metadata["maxContributions"] == 1
    cost = columns_of(metadata)["cost"]
    assert (cost["minimum"], cost["maximum"], cost["datatype"]) == (0, 100, "double")


def test_the_library_of_the_vocabulary_reads_it(tmp_path: Path) -> None:
    structure = pytest.importorskip("csvw_eo.metadata_structure", reason="needs csvw-eo, which pins other versions")
    table = structure.TableMetadata.from_dict(build_csvw(certify(tmp_path)))
    assert table.max_contributions == 1 and len(table.columns) == 4
