"""Files of a certificate: written all together, or not at all."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ripost.certify.certificate_html import render_certificate
from ripost.certify.certificate_text import format_certificate
from ripost.certify.certified_release import CertifiedRelease
from ripost.errors import InputError
from ripost.release.atomic import check_target, write_whole
from ripost.release.file import stem


def certificate_paths(view: Path) -> tuple[Path, Path]:
    """The default paths of a view's certificate: beside the view, as a page and as text."""
    html, text = (view.with_name(f"{stem(view)}.certificate.{ending}") for ending in ("html", "txt"))
    return html, text


def check_targets(paths: Iterable[Path], *, force: bool, reads: Sequence[object] = ()) -> None:
    """Raise ReleaseError if one of the files could not be written or is read, InputError if two are the same."""
    seen: set[Path] = set()
    for path in paths:
        check_target(path, force=force, reads=reads)
        if (place := path.resolve()) in seen:
            raise InputError(f"{path} is named twice; give every file a name of its own")
        seen.add(place)


def build_certificate_files(subject: CertifiedRelease, html: Path, text: Path) -> dict[Path, bytes]:
    """The certificate as a page and as text."""
    return {html: render_certificate(subject).encode(), text: format_certificate(subject).encode()}


def write_files(contents: Mapping[Path, bytes], *, force: bool) -> None:
    """Write all files; if one fails, remove those that did not exist before."""
    check_targets(contents, force=force)
    fresh = [path for path in contents if not path.exists()]
    try:
        for path, content in contents.items():
            write_whole(path, content, force=force)
    except BaseException:
        for path in fresh:
            with contextlib.suppress(OSError):
                path.unlink()
        raise
