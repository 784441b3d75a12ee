"""Find a statistic by the name that a ledger states.

The statistics of the core and of the peers are in ripost.statistics and in ripost.peers.<name>.statistics. Entry
points of methods name those of other packages.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec
from pkgutil import iter_modules

import ripost.statistics
from ripost.statistics.statistic import KNOWN, Statistic, is_proved

ENTRY_POINTS = "ripost.methods"


def find_statistic(name: str) -> Statistic | None:
    """Return the statistic of this name, or None if no installed method has one with a proof."""
    for load in (_import_core, _import_peers, _import_entry_points):
        if name in KNOWN:
            break
        load()
    found = KNOWN.get(name)
    return found if found is not None and is_proved(found) else None


def find_all() -> dict[str, Statistic]:
    """Return every statistic of ripost itself, by name."""
    _import_core()
    _import_peers()
    return {name: found for name, found in KNOWN.items() if found.steps.__module__.startswith("ripost.")}


def _import_core() -> None:
    for module in iter_modules(ripost.statistics.__path__, "ripost.statistics."):
        import_module(module.name)


def _import_peers() -> None:
    spec = find_spec("ripost.peers")
    for peer in iter_modules(spec.submodule_search_locations if spec else [], "ripost.peers."):
        if peer.ispkg and find_spec(f"{peer.name}.statistics"):
            import_module(f"{peer.name}.statistics")


def _import_entry_points() -> None:
    for method in entry_points(group=ENTRY_POINTS):
        method.load()
