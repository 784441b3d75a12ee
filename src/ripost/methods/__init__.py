"""Methods: each spends a privacy account and returns a release. A method never sees a raw count.

`METHODS` knows the built-in methods and those that installed packages name in the entry point group `ripost.methods`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from ripost.errors import InputError, suggest_nearest
from ripost.methods.method import Method

GROUP = "ripost.methods"
BUILT_IN = {
    "ripost+": "ripost.methods.ripost_plus:RipostPlus",
    "ripost": "ripost.methods.ripost:Ripost",
    "privtree": "ripost.peers.privtree.method:PrivTree",
    "hdpview": "ripost.peers.hdpview.method:HDPView",
    "p3gm": "ripost.peers.p3gm.method:P3GM",
    "identity": "ripost.methods.identity:Identity",
    "uniform-grid": "ripost.peers.uniform_grid.method:UniformGrid",
    "adaptive-grid": "ripost.peers.adaptive_grid.method:AdaptiveGrid",
    "quadtree": "ripost.peers.quadtree.method:Quadtree",
    "hierarchy": "ripost.peers.hierarchy.method:Hierarchy",
    "hdmm": "ripost.peers.hdmm.method:Hdmm",
    "dawa": "ripost.peers.dawa.method:Dawa",
    "ahp": "ripost.peers.ahp.method:Ahp",
    "privbayes": "ripost.peers.privbayes.method:PrivBayes",
    "privsyn": "ripost.peers.privsyn.method:PrivSyn",
    "slimview": "ripost.peers.slimview.method:SlimView",
    "one-way": "ripost.peers.one_way.method:OneWay",
    "two-way": "ripost.peers.two_way.method:TwoWay",
    "residual-planner": "ripost.peers.residual_planner.method:ResidualPlanner",
    "residual-planner+": "ripost.peers.residual_planner.method:ResidualPlannerPlus",
    "mst": "ripost.peers.mst.method:Mst",
    "aim": "ripost.peers.aim.method:Aim",
    "aim-residuals": "ripost.peers.aim_residuals.method:AimResiduals",
    "swift": "ripost.peers.swift.method:Swift",
    "privmrf": "ripost.peers.privmrf.method:PrivMrf",
}


class MethodRegistry(Mapping[str, type[Method]]):
    """Method classes by name, imported on access. A package cannot replace a built-in method."""

    @cached_property
    def _entry_points(self) -> dict[str, EntryPoint]:
        built_in = {name: EntryPoint(name, home, GROUP) for name, home in BUILT_IN.items()}
        installed = {point.name: point for point in entry_points(group=GROUP) if point.name not in BUILT_IN}
        return built_in | installed

    def __getitem__(self, name: str) -> type[Method]:
        if name not in self._entry_points:
            raise InputError(f"there is no method {name!r}; {suggest_nearest(name, self)}")
        found = self._entry_points[name].load()
        if not (isinstance(found, type) and issubclass(found, Method)):
            raise InputError(f"entry point {name!r} of group {GROUP} must name a subclass of Method, got {found!r}")
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._entry_points)

    def __len__(self) -> int:
        return len(self._entry_points)

    def __contains__(self, name: object) -> bool:
        return name in self._entry_points

    def __repr__(self) -> str:
        return f"METHODS({', '.join(self)})"


METHODS = MethodRegistry()


def resolve_method(method: str | Method | type[Method], options: Mapping[str, Any]) -> Method:
    """Return the method with these options: a name of METHODS, a class, or an instance, which takes no options."""
    if isinstance(method, Method):
        if options:
            raise InputError(f"options must be given to the method itself, got {', '.join(options)}")
        method.check_installed()
        return method
    if isinstance(method, type) and issubclass(method, Method):
        return method.configure(dict(options))
    if not isinstance(method, str):
        raise InputError(f"method must be a name or an instance of Method, got {method!r}")
    return METHODS[method].configure(dict(options))
