"""Tuning: all constants of `ripost+`, recorded under one version that every view names.

A view's parameters contain `"tuning": VERSION`, so a view names the exact constants of its method. A change of a
constant needs a new version and its digest here; a test fails otherwise. A constant that only gets another name or
module keeps the version, and the digest is replaced.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module

VERSION = "2026-11.7"
DIGESTS = {  # version -> digest of its constants
    "2026-11": "9e9c3c739b7e9a70451259976d49ac364fa3ecf36d6504ae5f7679cea57683a4",
    "2026-11.2": "c2586f15f9b8d395acf0dfbb8a2be3b9da0424e411384c75c7f521a227542d4b",
    "2026-11.3": "f0179ab8f7ac048b268efa06067388971631bd3f5c4f0ea63758a486eadc32ab",
    "2026-11.4": "c1bac123f07f4d1afbe2a5f307693881f02bf9e8cbf729985a1db37c3ede8f9e",
    "2026-11.5": "c2e4ccaf9d0410e799141aa62d3e28179dd4f9a3056f04423ce6b710e2dea9ac",
    "2026-11.6": "a7d9aac74becbcfc07ec491491e75e31dca323144f6088d537b5975b0a7e81fe",
    "2026-11.7": "210cf57890f7345c86742f369f4f8356e712438a90eb102b88a1aa3a6569f0e5",
}
MODULES = (
    "ripost.methods.root_measurement",
    "ripost.methods.root_estimate",
    "ripost.methods.tree_measurement",
    "ripost.methods.dense_plan",
    "ripost.methods.histograms",
    "ripost.methods.pricing",
    "ripost.methods.pair_plan",
    "ripost.methods.pair_cover",
    "ripost.methods.pair_measurement",
    "ripost.methods.combine",
    "ripost.estimate.axis_weights",
    "ripost.estimate.expected",
    "ripost.estimate.joint",
    "ripost.estimate.joint_pairs",
    "ripost.estimate.marginal",
    "ripost.estimate.mixture",
    "ripost.estimate.mixture_fit",
    "ripost.estimate.noisy_measurements",
    "ripost.estimate.refit",
    "ripost.estimate.smoother",
    "ripost.estimate.tree_model",
)


@dataclass(frozen=True)
class Tuning:
    """The constants of a version of `ripost+`."""

    version: str
    constants: Mapping[str, str]  # "module:NAME" -> value, as Python writes it

    @property
    def digest(self) -> str:
        """SHA-256 of all names and values."""
        lines = "".join(f"{name} = {value}\n" for name, value in sorted(self.constants.items()))
        return hashlib.sha256(lines.encode()).hexdigest()

    @classmethod
    def current(cls) -> Tuning:
        """The constants as they are in the code now."""
        found = {}
        for module in MODULES:
            for name, value in vars(import_module(module)).items():
                if name.isupper() and isinstance(value, int | float | str | Fraction | tuple | dict):
                    found[f"{module}:{name}"] = repr(value)
        return cls(VERSION, found)
