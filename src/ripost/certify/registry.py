"""An entry for the OpenDP Deployments Registry: one YAML file, as docs/how-to/certificate.md describes.

What only people know, such as who publishes and for what use, is marked to be filled in.
"""

from __future__ import annotations

import re
from typing import Any

from ripost.certify.certificate_sections import describe_values
from ripost.certify.certified_release import CertifiedRelease
from ripost.errors import InputError
from ripost.privacy.ledger import Currency
from ripost.release.promise import list_charges, promise
from ripost.series import Series

FILL_IN = "FILL IN: "
PRODUCTS = {"sample": "Synthetic data"}  # by the kind of a view's content; all others are
STATISTICS = "Summary statistics"


def build_registry_entry(subject: CertifiedRelease) -> dict[str, Any]:
    """The entry, in the order of the registry's own files."""
    privacy = subject.view.privacy
    if isinstance(subject.view, Series):
        raise InputError("a registry has one entry for each release; unzip the series and write one of each view file")
    if not privacy.is_private:
        raise InputError("a seeded view protects nobody, so it has no entry in a registry; publish without a seed")
    return {
        "url_slug": to_slug(subject.name),
        "deployment": {
            "basic": _basic(subject),
            "dp_variant": _variant(subject),
            "privacy_loss": _loss(subject),
            "deployment_model": _model(subject),
            "implementation": _implementation(subject),
            "administrative": {
                "sources": f"{FILL_IN}links to the release and to what describes it.",
                "notes": f"Written from the view {subject.file} with SHA-256 {subject.digest}.",
                "status": "Draft",
                "registry_authors": [f"{FILL_IN}who wrote this entry"],
                "tier": 3,
            },
        },
    }


def format_registry_entry(subject: CertifiedRelease) -> str:
    """The entry as YAML; long texts as blocks."""
    import yaml

    def text(dumper: Any, data: str) -> Any:
        return dumper.represent_scalar("tag:yaml.org,2002:str", data, style="|" if "\n" in data else None)

    blocks: Any = type("Blocks", (yaml.SafeDumper,), {})
    blocks.add_representer(str, text)
    written: str = yaml.dump(
        build_registry_entry(subject), Dumper=blocks, sort_keys=False, allow_unicode=True, width=120
    )
    return written


def find_blanks(entry: Any, path: str = "") -> list[str]:
    """The fields of an entry that people must fill in."""
    if isinstance(entry, dict):
        return [
            place for key, value in entry.items() for place in find_blanks(value, f"{path}.{key}" if path else str(key))
        ]
    if isinstance(entry, list):
        return [place for value in entry for place in find_blanks(value, path)]
    return [path] if isinstance(entry, str) and FILL_IN in entry.upper() else []


def to_slug(name: str) -> str:
    """A name for a URL: lowercase letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "release"


def _basic(subject: CertifiedRelease) -> dict[str, Any]:
    view = subject.view
    names = ", ".join(view.domain.names)
    return {
        "name": subject.title,
        "data_curators": [
            {"data_curator_name": f"{FILL_IN}who publishes", "data_curator_type": f"{FILL_IN}such as Government"}
        ],
        "intended_use": f"{FILL_IN}what the release is for.",
        "data_product_type": PRODUCTS.get(view.content.kind, STATISTICS),
        "data_product_region": f"{FILL_IN}the region that the data describes, or whose laws apply.",
        "description": (
            f"A file of {len(view.content.values):,} {view.content.noun} that estimates {view.measure.title} for any "
            f"range of "
            f"{len(view.domain)} attributes ({names}), with an interval for each estimate. "
            f"{view.description or view.title or FILL_IN + 'what the table is.'}"
        ),
        "publication_date": subject.written.isoformat(),
    }


def _variant(subject: CertifiedRelease) -> dict[str, Any]:
    view = subject.view
    unit = view.privacy.unit
    columns = "; ".join(f"{name} ({describe_values(attribute)})" for name, attribute in view.domain)
    of_unit = f" and a column {unit.column} that tells units apart" if unit.column else ""
    return {
        "variant_name": "Approximate DP" if view.privacy.delta else "Pure DP",
        "data_domain": f"Tables of any number of rows with these attributes{of_unit}: {columns}.",
        "unprotected_quantities": (
            "None that depend on the data. The schema (names, ranges, categories and bins), the method, its parameters "
            "and the "
            "privacy parameters are public and were to be chosen without the data"
            + (", but for what was discovered within the promise." if view.privacy.discovery else ".")
        ),
    }


def _loss(subject: CertifiedRelease) -> dict[str, Any]:
    privacy = subject.view.privacy
    unit = privacy.unit
    parameters: dict[str, float] = {"epsilon": float(privacy.epsilon)}
    if privacy.delta:
        parameters["delta"] = float(privacy.delta)
    if privacy.currency is Currency.RHO:
        parameters["rho"] = float(privacy.spent)
    details = (
        "Add or remove one row: tables are adjacent if one has one row more than the other (symmetric distance 1)."
    )
    if unit.column:
        details = (
            f"Add or remove all rows of one value of {unit.column}. At most {unit.max_rows:,} rows of each are used, "
            f"chosen by a "
            f"keyed hash with a fresh secret key; what is then counted differs by at most {unit.max_rows:,} rows."
        )
    spent = f"{promise(privacy)} {privacy.epsilon_spent:.6g} was spent along the path with the largest privacy loss."
    if privacy.currency is Currency.RHO:
        spent += " Rho is what was spent for one unit; epsilon and delta follow from it."
    return {
        "privacy_unit": f"{unit.column}-level" if unit.column else "Row-level",
        "privacy_unit_details": details,
        "privacy_parameters": parameters,
        "privacy_parameters_details": spent,
    }


def _model(subject: CertifiedRelease) -> dict[str, Any]:
    debit = subject.debit
    paid = f" It is entry {debit.get('number')} of the ledger {debit.get('ledger')}." if debit else ""
    return {
        "model_name": "Central",
        "model_name_details": "The curator holds the table and draws the noise; only the release leaves their control.",
        "actors": (
            "- The curator, who holds the table and runs the software, and is trusted with both.\n"
            "- Whoever reads the release. Nobody among them is trusted: they may know anything else and may work "
            "together.\n"
        ),
        "release_type": "One release",
        "release_type_details": f"The file is made once.{paid} {FILL_IN}other releases of the table; they add up.",
        "data_source_type": "Static",
        "access_type": "Non-interactive",
        "access_type_details": "Readers get the file and ask it as often as they like; nobody can query the table.",
    }


def _implementation(subject: CertifiedRelease) -> dict[str, Any]:
    view = subject.view
    entries = view.privacy.all_entries
    kinds = dict.fromkeys((entry.mechanism, entry.statistic, entry.sensitivity) for entry in entries)
    drawn = [f"- {mechanism} on the {statistic} (sensitivity {most:,})." for mechanism, statistic, most in kinds]
    libraries = ", ".join(f"{name} {version}" for name, version in subject.libraries.items())
    software = view.software + (f" with {libraries}" if libraries else "")
    paid = [f"- {purpose} by {mechanism}: {float(price):.6g}" for purpose, mechanism, price in list_charges(view)]
    composition = (
        "Sequential along every path from the whole table to a block, parallel over blocks that share no row; sums of "
        "exact "
        f"fractions. Spent by one row along the path with the largest privacy loss, in {view.privacy.currency}:"
    )
    return {
        "preprocessing_and_hyperparameter_tuning": (
            "Values are put into the bins of the public schema. Bounds and categories are to be chosen without the "
            "data. "
            f"{FILL_IN}whether anything, epsilon included, was chosen by looking at the data."
        ),
        "mechanisms": "\n".join(
            [
                *drawn,
                f"- Implemented by {software}, method {view.method}; noise is drawn by the OpenDP library from the "
                f"operating system's "
                "entropy.",
                "- Floating point: noise is added to whole numbers by samplers of discrete distributions.",
                "- Each mechanism and sensitivity has a proof beside the code. Time and memory are not protected.",
                "",
            ]
        ),
        "composition": "\n".join([composition, *paid, ""]),
        "post_processing": (
            "Estimates are made to agree with each other and with what was measured of the whole; intervals come from "
            "the known "
            "variance of the noise and from a model of what lies inside blocks."
        ),
        "justification": f"{FILL_IN}why these parameters were chosen.",
    }
