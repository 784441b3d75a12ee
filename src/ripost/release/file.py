"""The release file: one Parquet with a row a block, and a manifest. Described in docs/format.md."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ripost.errors import ReleaseError
from ripost.release.atomic import check_target, write_whole
from ripost.release.manifest import VERSION, Manifest, dump, parse
from ripost.release.parquet import Columns, Expected, decode, encode
from ripost.release.stored import ALLOWED, CORRECTION, DIGEST_START, Stored, digest, types

if TYPE_CHECKING:
    from ripost.view import View

__all__ = ["check_target", "columns_of", "load", "name_of", "save_view", "stored_of"]

SUFFIX = ".ripost.parquet"


def save_view(view: View, path: str | PathLike[str], *, force: bool = False) -> None:
    """Write a view to a file, whole or not at all; an existing file is replaced only by `force`."""
    check_target(path, force=force)
    stored = stored_of(view)
    write_whole(path, encode(stored.columns, stored.text), force=force)


def stored_of(view: View) -> Stored:
    """What the file of a view holds, checked; it is the same each time."""
    facts, columns = _facts(view), columns_of(view)
    text = dump(facts | {"digest": digest(dump(facts | {"digest": "0" * 64}), columns)})
    stored = Stored(parse(text), text, columns)
    stored.check_ledger()
    stored.check_values()
    return stored


def name_of(path: str | PathLike[str]) -> str:
    """The name of a file without its endings, for what is made of it."""
    name = Path(path).name
    return name.removesuffix(SUFFIX) if name.endswith(SUFFIX) and name != SUFFIX else Path(name).stem


def load(path: str | PathLike[str]) -> Stored:
    """What a file holds, if it has the shape of a view; nothing else is checked yet."""
    manifests: list[Manifest] = []

    def expected(text: str) -> Expected:
        manifests.append(parse(text))
        if not text.startswith(DIGEST_START):
            raise ReleaseError("its manifest does not start with a digest")
        names, kind = [dimension.name for dimension in manifests[0].domain], manifests[0].kind
        return Expected(types(names, kind, mixture=manifests[0].mixture is not None), ALLOWED[kind])

    text, columns = decode(path, expected)
    return Stored(manifests[0], text, columns)


def columns_of(view: View) -> Columns:
    """The columns of a view's file."""
    blocks = view.blocks
    sides = [end for axis in range(len(view.domain)) for end in (blocks.lower[:, axis], blocks.upper[:, axis])]
    after = view.content.columns()
    arrays = [*sides, *after.values()]
    kinds = types(list(view.domain.names), view.content.kind, mixture=CORRECTION in after)
    return {name: np.ascontiguousarray(array, kind) for (name, kind), array in zip(kinds.items(), arrays, strict=True)}


def _facts(view: View) -> dict[str, Any]:
    """The manifest, without its digest."""
    attributes = view.domain.to_json()
    return {
        "format": "ripost",
        "version": VERSION,
        "software": view.software,
        "domain": [{"name": name, "attribute": attributes[name]} for name in view.domain.names],
        "measure": view.measure.to_json(),
        "method": view.method,
        "parameters": dict(view.parameters),
        "privacy": view.privacy.to_json(),
        **({} if view.debit is None else {"debit": view.debit.to_json()}),
        **view.content.facts(),
    }
