"""The release file: one Parquet with a row a block, and a manifest. Described in docs/format.md."""

from __future__ import annotations

from dataclasses import asdict
from os import PathLike, fspath
from typing import Any

import numpy as np

from ripost.errors import ReleaseError
from ripost.view import nodes
from ripost.view.atomic import check_target, write_whole
from ripost.view.manifest import VERSION, Manifest, dump, parse
from ripost.view.parquet import Columns, Types, decode, encode
from ripost.view.stored import DIGEST_START, Stored, digest, types
from ripost.view.view import View

__all__ = ["check_target", "load", "open_view", "save_view"]


def save_view(view: View, path: str | PathLike[str], *, force: bool = False) -> None:
    """Write a view to a file, whole or not at all; an existing file is replaced only by `force`."""
    check_target(path, force=force)
    facts, columns = _facts(view), _columns(view)
    text = dump(facts | {"digest": digest(dump(facts | {"digest": "0" * 64}), columns)})
    stored = Stored(parse(text), text, columns)
    stored.check_ledger()
    stored.check_values()
    write_whole(path, encode(columns, text), force=force)


def open_view(path: str | PathLike[str]) -> View:
    """The view in a file, after checking that it is whole and that its ledger adds up.

    That its blocks tile the domain is checked when the tree is first needed.
    """
    try:
        stored = load(path)
        stored.check_digest()
        stored.check_ledger()
        stored.check_values()
    except ReleaseError as error:
        raise ReleaseError(f"cannot open {fspath(path)}: {error}") from None
    manifest = stored.manifest
    return View(
        domain=manifest.attributes,
        tree=stored.tree,
        values=stored.columns["value"],
        variances=stored.variances,
        density=manifest.marginals,
        smoothing=manifest.smoothed,
        measure=manifest.counted,
        method=manifest.method,
        parameters=manifest.parameters,
        privacy=manifest.promise,
        software=manifest.software,
    )


def load(path: str | PathLike[str]) -> Stored:
    """What a file holds, if it has the shape of a view; nothing else is checked yet."""
    manifests: list[Manifest] = []

    def expected(text: str) -> Types:
        manifests.append(parse(text))
        if not text.startswith(DIGEST_START):
            raise ReleaseError("its manifest does not start with a digest")
        return types([dimension.name for dimension in manifests[0].domain])

    text, columns = decode(path, expected)
    return Stored(manifests[0], text, columns)


def _columns(view: View) -> Columns:
    blocks = view.blocks
    sides = [end for axis in range(len(view.domain)) for end in (blocks.lower[:, axis], blocks.upper[:, axis])]
    arrays = [*sides, blocks.value, blocks.variance, view.tree.depth[view.tree.leaves]]
    kinds = types(list(view.domain.names))
    return {name: np.ascontiguousarray(array, kind) for (name, kind), array in zip(kinds.items(), arrays, strict=True)}


def _facts(view: View) -> dict[str, Any]:
    """The manifest, without its digest."""
    attributes = view.domain.to_json()
    measured = None
    if np.isfinite(view.variances[~view.tree.is_leaf]).any():
        distinct, packed = nodes.pack(view.tree, view.variances)
        measured = {"variances": distinct, "nodes": packed}
    return {
        "format": "ripost",
        "version": VERSION,
        "software": view.software,
        "domain": [{"name": name, "attribute": attributes[name]} for name in view.domain.names],
        "measure": view.measure.to_json(),
        "method": view.method,
        "parameters": dict(view.parameters),
        "privacy": view.privacy.to_json(),
        "marginals": view.density and [None if axis is None else axis.tolist() for axis in view.density],
        "tree": {"measured": measured},
        **({} if view.smoothing is None else {"smoothing": asdict(view.smoothing)}),
    }
