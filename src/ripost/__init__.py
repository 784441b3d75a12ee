"""Publish a table as one differentially private file that anyone can query."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ripost.comparing.compare import compare as compare
    from ripost.data.tensor import Tensor as Tensor
    from ripost.errors import RipostError as RipostError
    from ripost.methods import METHODS as METHODS
    from ripost.publishing.publish import publish as publish
    from ripost.reestimating import reestimate as reestimate
    from ripost.schema.domain import Domain as Domain
    from ripost.schema.schema import Schema as Schema
    from ripost.series import union as union
    from ripost.view import View as View
    from ripost.view import open_view as open

    __version__: str

__all__ = [
    "METHODS",
    "Domain",
    "RipostError",
    "Schema",
    "Tensor",
    "View",
    "compare",
    "open",
    "publish",
    "reestimate",
    "union",
]

_HOME = {
    "METHODS": "ripost.methods:METHODS",
    "Domain": "ripost.schema.domain:Domain",
    "RipostError": "ripost.errors:RipostError",
    "Schema": "ripost.schema.schema:Schema",
    "Tensor": "ripost.data.tensor:Tensor",
    "View": "ripost.view:View",
    "compare": "ripost.comparing.compare:compare",
    "open": "ripost.view:open_view",
    "publish": "ripost.publishing.publish:publish",
    "reestimate": "ripost.reestimating:reestimate",
    "union": "ripost.series:union",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import ripost` stays quick."""
    if name == "__version__":
        version = globals()[name] = _find_version()
        return version
    if name not in _HOME:
        raise AttributeError(f"module 'ripost' has no attribute {name!r}")
    module, attribute = _HOME[name].split(":")
    value = globals()[name] = getattr(import_module(module), attribute)
    return value


def _find_version() -> str:
    """The version that was installed, which comes from the newest tag of the repository."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("ripost")
    except PackageNotFoundError:  # a source tree on the path
        return "0.1.dev0"


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
