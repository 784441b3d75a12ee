"""Write and read release files: one Parquet file with a row for each block, and a manifest (docs/format.md)."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

from ripost.errors import ReleaseError
from ripost.release.atomic import write_whole
from ripost.release.contents.codec import encode_content, expect_columns
from ripost.release.contents.measures import encode_measures
from ripost.release.domain_facts import has_maps, write_impossible
from ripost.release.manifest import Manifest, dump, parse
from ripost.release.parquet import Columns, ExpectedColumns, Source, decode, encode
from ripost.release.release import Release
from ripost.release.release_file import DIGEST_START, ReleaseFile, digest

SUFFIX = ".ripost.parquet"
SERIES_SUFFIX = ".ripost.zip"
SERIES_START = b"PK\x03\x04"  # how a ZIP archive begins
PLAIN, WITH_MEASUREMENTS, WITH_PERIOD, WITH_NEWEST = 2, 3, 4, 5  # the format of a file, by the newest of its parts


def save_file(file: ReleaseFile, path: str | PathLike[str], *, force: bool = False) -> None:
    """Write an encoded file, whole or not at all. An existing file is replaced only by `force`."""
    assert file.encoded is not None
    write_whole(path, file.encoded, force=force)


def encode_release(release: Release) -> ReleaseFile:
    """Return the file of a release, read back from its bytes and checked. It is the same each time."""
    facts, columns = encode_content(release.content, release.domain.names)
    sums, beside = encode_measures(release.measures)
    facts |= _facts(release) | sums
    columns = {**columns, **beside}
    if release.measured is not None:
        columns = {**columns, **release.measured.columns}
    text = dump(facts | {"digest": digest(dump(facts | {"digest": "0" * 64}), columns)})
    file = read_file(encode(columns, text))
    file.check_ledger()
    file.check_values()
    file.check_measurements()
    return file


def read_file(source: Source) -> ReleaseFile:
    """Return what a file, or the bytes of one, holds if it has the shape of a release; nothing else is checked yet."""
    if is_series(source):
        raise ReleaseError("it holds a series of releases; query it, or unzip it and take one of its release files")
    manifests: list[Manifest] = []

    def expect(text: str) -> ExpectedColumns:
        manifests.append(parse(text))
        if not text.startswith(DIGEST_START):
            raise ReleaseError("its manifest does not start with a digest")
        names = [dimension.name for dimension in manifests[0].domain]
        listed = manifests[0].measurements.values if manifests[0].measurements else 0
        mixed, measures = manifests[0].mixture is not None, [one.name for one in manifests[0].measures or ()]
        return expect_columns(names, manifests[0].kind, mixture=mixed, measurements=listed, measures=measures)

    text, columns = decode(source, expect)
    return ReleaseFile(manifests[0], text, columns, source if isinstance(source, memoryview) else None)


def is_series(source: Source) -> bool:
    """Whether a file is an archive of release files."""
    try:
        if isinstance(source, memoryview):
            return bytes(source[:4]) == SERIES_START
        if not Path(source).is_file():  # reading takes something away from a pipe
            return False
        with Path(source).open("rb") as file:
            return file.read(4) == SERIES_START
    except (OSError, ValueError):
        return False  # whoever reads it says why it cannot be read


def release_columns(release: Release) -> Columns:
    """Return the columns of the file of a release."""
    return {**encode_content(release.content, release.domain.names)[1], **encode_measures(release.measures)[1]}


def stem(path: str | PathLike[str]) -> str:
    """Return the name of a file without its endings, to name what is made from it."""
    name = Path(path).name
    for ending in (SUFFIX, SERIES_SUFFIX):
        if name.endswith(ending) and name != ending:
            return name.removesuffix(ending)
    return Path(name).stem


def _facts(release: Release) -> dict[str, Any]:
    """What the manifest says of a release besides its content and the digest."""
    attributes = release.domain.to_json()
    return {
        "format": "ripost",
        "version": _choose_version(release),
        "software": release.software,
        "domain": [{"name": name, "attribute": attributes[name]} for name in release.domain.names],
        "measure": release.measure.to_json(),
        "method": release.method,
        "parameters": dict(release.parameters),
        "privacy": release.privacy.to_json(),
        **({} if release.debit is None else {"debit": release.debit.to_json()}),
        **({} if release.measured is None else {"measurements": release.measured.to_json()}),
        **({} if release.origin is None else {"origin": release.origin.to_json()}),
        **({} if release.period is None else {"period": release.period.to_json()}),
        **write_impossible(release.domain),
        **({} if release.title is None else {"title": release.title}),
        **({} if release.description is None else {"description": release.description}),
    }


def has_newest_parts(release: Release) -> bool:
    """Whether the release has a part that formats before the newest lack."""
    privacy, kind = release.privacy, release.content.kind
    parts = (privacy.discovery is not None, kind == "tables", bool(release.measures), privacy.unit.max_periods)
    return any(parts) or release.domain.impossible is not None or has_maps(release.domain)


def _choose_version(release: Release) -> int:
    """The lowest format that has all parts of the release, so that older software reads what it can."""
    if has_newest_parts(release):
        return WITH_NEWEST
    if release.period is not None:
        return WITH_PERIOD
    return PLAIN if release.measured is None else WITH_MEASUREMENTS
