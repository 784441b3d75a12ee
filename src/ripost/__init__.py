"""Publish a table once as differentially private blocks; query it for ever."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ripost.errors import RipostError as RipostError
    from ripost.ingest.schema import Schema as Schema
    from ripost.methods import METHODS as METHODS
    from ripost.publishing import publish as publish
    from ripost.space.domain import Domain as Domain
    from ripost.tensor.tensor import Tensor as Tensor
    from ripost.view.file import open_view as open
    from ripost.view.view import View as View

__version__ = "0.1.0"
__all__ = ["METHODS", "Domain", "RipostError", "Schema", "Tensor", "View", "open", "publish"]

_HOME = {
    "METHODS": "ripost.methods:METHODS",
    "Domain": "ripost.space.domain:Domain",
    "RipostError": "ripost.errors:RipostError",
    "Schema": "ripost.ingest.schema:Schema",
    "Tensor": "ripost.tensor.tensor:Tensor",
    "View": "ripost.view.view:View",
    "open": "ripost.view.file:open_view",
    "publish": "ripost.publishing:publish",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import ripost` stays quick."""
    if name not in _HOME:
        raise AttributeError(f"module 'ripost' has no attribute {name!r}")
    module, attribute = _HOME[name].split(":")
    value = globals()[name] = getattr(import_module(module), attribute)
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
