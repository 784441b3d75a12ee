"""The constraints files name what pyproject.toml allows: one the newest versions, one the oldest."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
FILES = ("constraints.txt", "constraints-oldest.txt")


def list_requirements() -> list[Requirement]:
    """Everything that the package or an extra of it asks for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    found = [Requirement(line) for lines in lists for line in lines]
    return [requirement for requirement in found if requirement.name != project["name"]]


def read_pins(name: str) -> dict[str, Version]:
    lines = [line.partition("#")[0].strip() for line in (ROOT / name).read_text("utf-8").splitlines()]
    pins = [Requirement(line) for line in lines if line]
    assert all([pin.operator for pin in requirement.specifier] == ["=="] for requirement in pins)
    return {canonicalize_name(pin.name): Version(next(iter(pin.specifier)).version) for pin in pins}


@pytest.mark.parametrize("file", FILES)
def test_every_pin_is_allowed_and_none_is_missing(file: str) -> None:
    pins = read_pins(file)
    for requirement in list_requirements():
        assert pins[canonicalize_name(requirement.name)] in requirement.specifier, f"{file}: {requirement}"


def test_the_oldest_versions_are_the_lower_bounds() -> None:
    pins = read_pins("constraints-oldest.txt")
    for requirement in list_requirements():
        (least,) = [pin.version for pin in requirement.specifier if pin.operator in (">=", "==")]
        assert pins[canonicalize_name(requirement.name)] == Version(least), str(requirement)
