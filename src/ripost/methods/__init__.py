"""Methods: each turns an account into a decomposition, and never sees a raw count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from ripost.errors import InputError, nearest
from ripost.methods.method import Method

_HOME = {
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
    "mst": "ripost.peers.mst.method:Mst",
    "aim": "ripost.peers.aim.method:Aim",
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
