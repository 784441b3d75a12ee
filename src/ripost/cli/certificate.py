"""`ripost certificate`: a view file becomes a certificate for people, and entries for registries."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ripost.cli.output import console, print_json, warn_if_not_private

if TYPE_CHECKING:
    from ripost.certify.certified_release import CertifiedRelease

Registry = Annotated[
    Path | None, typer.Option("--registry", help="Also write an entry for the OpenDP Deployments Registry, as YAML.")
]
Csvw = Annotated[Path | None, typer.Option("--csvw", help="Also write CSVW-EO metadata of the table, as JSON.")]


def certificate(
    view: Annotated[Path, typer.Argument(help="The view file, or a series of them.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The page, ending in .html; the text goes beside it.")
    ] = None,
    registry: Registry = None,
    csvw: Csvw = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the files.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Write what a view promises, for people.

    A page and a text for those who must answer for it: what was released, what is promised, and why to believe it.
    """
    from ripost.certify.certificate_files import certificate_paths, check_targets
    from ripost.certify.certified_release import CertifiedRelease

    html, text = certificate_paths(view) if output is None else (output, output.with_suffix(".txt"))
    check_targets([path for path in (html, text, registry, csvw) if path], force=force, reads=(view,))
    subject = CertifiedRelease.open(view)
    written = write_certificate(subject, html, text, registry, csvw, force=force)
    warn_if_not_private(subject.view.privacy)
    if as_json:
        print_json({"files": [str(path) for path in written], "private": subject.view.privacy.is_private})
        return
    console().print(f"Wrote {', '.join(map(str, written))}.")
    print_blanks(subject, registry)


def write_certificate(
    subject: CertifiedRelease,
    html: Path | None,
    text: Path | None,
    registry: Path | None,
    csvw: Path | None,
    *,
    force: bool,
) -> list[Path]:
    """All files that were asked for, or none."""
    from ripost.certify.certificate_files import build_certificate_files, write_files

    contents = build_certificate_files(subject, html, text) if html and text else {}
    if registry:
        from ripost.certify.registry import format_registry_entry

        contents[registry] = format_registry_entry(subject).encode()
    if csvw:
        from ripost.certify.csvw import format_csvw

        contents[csvw] = format_csvw(subject).encode()
    write_files(contents, force=force)
    return list(contents)


def print_blanks(subject: CertifiedRelease, registry: Path | None) -> None:
    """Say what a registry needs that no file knows."""
    if registry:
        from ripost.certify.registry import build_registry_entry, find_blanks

        names = ", ".join(
            dict.fromkeys(place.rsplit(".", 1)[-1] for place in find_blanks(build_registry_entry(subject)))
        )
        console().print(f"Fill in what only you know in {registry}: {names}.")
