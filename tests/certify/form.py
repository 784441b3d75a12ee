"""The form of an entry of the OpenDP Deployments Registry as JSON Schema, put down from the registry's own files.

Sources: `schemas/deployments-schema.yaml` of opendp/deployments-registry-data at c1d3d309 (required fields and lists of
choices), with the names and places of fields that entries have since (`deployments/mhusage.yaml` at 90c17e5b).
"""

from __future__ import annotations

from typing import Any

TEXT = {"type": "string", "minLength": 1}
NUMBER = {"type": "number"}


def closed_object(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    keys = list(required or properties)
    return {"type": "object", "additionalProperties": False, "properties": properties, "required": keys}


def one_of(*choices: object) -> dict[str, Any]:
    return {"enum": list(choices)}


def texts(*names: str) -> dict[str, Any]:
    return dict.fromkeys(names, TEXT)


CURATOR = closed_object(texts("data_curator_name", "data_curator_type"))
BASIC = closed_object(
    {
        **texts("name", "intended_use", "data_product_region", "description"),
        "data_curators": {
            "type": "array",
            "minItems": 1,
            "items": CURATOR,
        },
        "data_product_type": one_of(
            "Summary statistics",
            "Machine learning model",
            "Dataset",
            "Synthetic data",
            "Interactive API",
            "SQL queries",
        ),
        "publication_date": {"type": "string", "format": "date", "pattern": r"^\d{4}-\d{2}-\d{2}$"},
    }
)
VARIANT = closed_object(
    {
        "variant_name": one_of("Pure DP", "Approximate DP", "Zero-concentrated DP", "Renyi DP", "Custom"),
        **texts("data_domain", "unprotected_quantities"),
    }
)
LOSS = closed_object(
    {
        **texts("privacy_unit", "privacy_unit_details", "privacy_parameters_details"),
        "privacy_parameters": closed_object(dict.fromkeys(("epsilon", "delta", "rho"), NUMBER), "epsilon"),
    }
)
MODEL = closed_object(
    {
        "model_name": one_of("Local", "Central", "Shuffle", "Federated", "Varies"),
        "release_type": one_of("One release", "Many releases"),
        "data_source_type": one_of("Static", "Dynamic"),
        "access_type": one_of("Interactive", "Non-interactive"),
        **texts("model_name_details", "actors", "release_type_details", "access_type_details"),
    }
)
IMPLEMENTATION = closed_object(
    texts("preprocessing_and_hyperparameter_tuning", "mechanisms", "composition", "post_processing", "justification")
)
ADMINISTRATIVE = closed_object(
    {
        **texts("sources", "notes"),
        "status": one_of("Draft"),
        "registry_authors": {"type": "array", "items": TEXT, "minItems": 1},
        "tier": one_of(1, 2, 3),
    }
)
ENTRY = closed_object(
    {
        "url_slug": {"type": "string", "pattern": "^[a-z0-9-]+$"},
        "deployment": closed_object(
            {
                "basic": BASIC,
                "dp_variant": VARIANT,
                "privacy_loss": LOSS,
                "deployment_model": MODEL,
                "implementation": IMPLEMENTATION,
                "administrative": ADMINISTRATIVE,
            }
        ),
    }
)
