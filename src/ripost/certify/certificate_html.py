"""A certificate as one HTML page that can be printed; it fetches nothing and runs nothing."""

from __future__ import annotations

from importlib.resources import files

from ripost.certify.certificate_sections import list_sections, title_certificate
from ripost.certify.certified_release import CertifiedRelease
from ripost.explore.page import digest
from ripost.markup.render import render

LONG = 12  # rows of a table that is folded away on screen


def render_certificate(subject: CertifiedRelease) -> str:
    """The whole certificate."""
    from markupsafe import Markup

    style = files("ripost.certify").joinpath("assets/certificate.css").read_text("utf-8")
    policy = f"default-src 'none'; style-src '{digest(style)}'; img-src data:; base-uri 'none'; form-action 'none'"
    return render(
        "ripost.certify",
        "assets/certificate.html",
        policy=Markup(policy),
        style=Markup(style),
        name=subject.title,
        kind=title_certificate(subject),
        warning=subject.view.privacy.warning,
        sections=list_sections(subject),
        long=LONG,
    )
