"""Methods: each turns an account into a decomposition, and never sees a raw count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from ripost.errors import InputError, nearest
from ripost.methods.method import Method

_HOME = {
    "ripost+": "ripost.methods.ripost_plus:RipostPlus",
    "ripost": "ripost.methods.ripost:Ripost",
    "privtree": "ripost.methods.privtree:PrivTree",
    "hdpview": "ripost.methods.hdpview:HDPView",
    "p3gm": "ripost.methods.p3gm:P3GM",
    "identity": "ripost.methods.identity:Identity",
    "uniform-grid": "ripost.methods.uniform_grid:UniformGrid",
    "adaptive-grid": "ripost.methods.adaptive_grid:AdaptiveGrid",
    "quadtree": "ripost.methods.quadtree:Quadtree",
    "hierarchy": "ripost.methods.hierarchy:Hierarchy",
    "hdmm": "ripost.methods.hdmm:Hdmm",
    "dawa": "ripost.methods.dawa:Dawa",
    "ahp": "ripost.methods.ahp:Ahp",
    "privbayes": "ripost.methods.privbayes:PrivBayes",
    "privsyn": "ripost.methods.privsyn:PrivSyn",
    "slimview": "ripost.methods.slimview:SlimView",
    "mst": "ripost.methods.mst:Mst",
    "aim": "ripost.methods.aim:Aim",
}


class Methods(Mapping[str, type[Method]]):
    """Name -> class, imported when asked for."""

    def __getitem__(self, name: str) -> type[Method]:
        if name not in _HOME:
            raise InputError(f"there is no method {name!r}; {nearest(name, _HOME)}")
        module, attribute = _HOME[name].split(":")
        found: type[Method] = getattr(import_module(module), attribute)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_HOME)

    def __len__(self) -> int:
        return len(_HOME)

    def __contains__(self, name: object) -> bool:
        return name in _HOME


METHODS = Methods()
