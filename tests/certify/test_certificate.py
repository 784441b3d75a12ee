"""Certificates: true to the view, honest about seeds, and safe whatever names hold."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

import ripost
from ripost.certify.certificate_files import build_certificate_files, certificate_paths, check_targets, write_files
from ripost.certify.certificate_html import render_certificate
from ripost.certify.certificate_text import WIDTH, format_certificate
from ripost.certify.certified_release import CertifiedRelease
from ripost.certify.proof_index import FOLDER, UNKNOWN, _proof_of, list_proofs
from ripost.errors import InputError, ReleaseError
from ripost.privacy.ledger_check import KINDS
from ripost.schema.measure import Unit
from ripost.schema.schema import Schema
from ripost.statistics.registry import find_all
from tests.answering.making import make_view
from tests.certify.subjects import DAY, certify, concentrated_promise, pure, view_of
from tests.conftest import ROOT


def visible(page: str) -> str:
    """The text that a reader of the page sees, without tags and with entities resolved."""
    found: list[str] = []

    class Reader(HTMLParser):
        def handle_data(self, data: str) -> None:
            found.append(data)

    Reader().feed(page[page.index("<body>") :])
    return re.sub(r"\s+", " ", " ".join(found))


def test_it_says_what_a_regulator_asks_for(tmp_path: Path) -> None:
    subject = certify(tmp_path, libraries={"OpenDP": "0.16.0"})
    text, page = format_certificate(subject), render_certificate(subject)
    for words in (
        "Certificate of a differentially private release",
        "by a factor of at most 2.72",
        "at least 26.8 % and at most 73.2 % afterwards",
        subject.digest,
        "pure epsilon-differential privacy",
        "one has one row more than the other",
        "discrete Laplace",
        "laplace.md",
        "composition.md",
        "OpenDP 0.16.0",
        "2026-03-01",
        "Releases add up",
        "tiling: 20 blocks cover every cell exactly once",
    ):
        assert words in re.sub(r"\s+", " ", text), words
        assert words in visible(page), words
    assert "NOT PRIVATE" not in text + page
    assert max(map(len, text.split("What was released")[0].splitlines())) <= WIDTH


def test_names_cannot_break_out(tmp_path: Path) -> None:
    page = render_certificate(certify(tmp_path))
    assert "<script" not in page and "<b>" not in page
    assert "<script>alert(1)</script>" in visible(page) and "<b>ward</b> (ward & bed)" in visible(page)
    assert "default-src 'none'" in page and "http:" not in page and "https:" not in page
    steering = make_view((4, 3), leaves=5, method="\x1b[2Jclear\nme", privacy=pure(blocks=5))
    assert "\x1b" not in format_certificate(certify(tmp_path, steering)) and "clear me" in format_certificate(
        certify(tmp_path, steering)
    )


def test_a_seed_is_no_certificate(tmp_path: Path) -> None:
    subject = certify(tmp_path, view_of(pure(entropy="seed 7")))
    for told in (format_certificate(subject), visible(render_certificate(subject))):
        assert "No certificate: this release is NOT PRIVATE" in told
        assert "Never give this release away" in told and "Nothing: the noise can be repeated" in told
        assert "Certificate of" not in told and "every reader" not in told


def test_units_deltas_and_debits_are_told(tmp_path: Path) -> None:
    text = format_certificate(certify(tmp_path, view_of(pure(unit=Unit("person", 5)))))
    assert "the rows of one more person, of which at most 5 are used" in text and "unit.md" in text
    assert "One person with 5 rows is charged 5 times as much" in text and "One row is protected" not in text
    rho = format_certificate(certify(tmp_path, view_of(concentrated_promise())))
    assert "1e-09" in rho and "concentrated.md" in rho and "gaussian.md" in rho and "prior" not in rho
    kept = "Only kept rows count, at most 5 of each person and none where person is missing, so totals can be lower"
    assert kept in text.replace("\n", " ") and "at least 26.8 % and at most 73.2 %" in text
    assert "Delta is not the probability that more is learned than epsilon allows" in rho and "73.2 %" not in rho
    subject = certify(tmp_path)
    assert subject.debit is None and "Budget across releases" not in format_certificate(subject)
    vars(subject.view)["debit"] = SimpleNamespace(ledger="hospital", number=4)
    assert subject.debit == {"ledger": "hospital", "number": 4}
    vars(subject.view)["debit"] = {"ledger": "hospital", "number": 3, "chain": "ab12"}
    assert re.search(
        r"Budget across releases.*ledger +hospital\s+number +3\s+chain +ab12", format_certificate(subject), re.S
    )


def test_every_mechanism_and_statistic_has_its_proof() -> None:
    always = {"composition.md", "concentrated.md", "unit.md", "occupied.md"}
    for name in {*always, *(kind.proof for kind in KINDS.values())}:
        assert (ROOT / "src" / FOLDER / name).is_file()
    assert len(find_all()) == 15
    for statistic in find_all():
        proof = _proof_of(statistic)
        assert (ROOT / "src" / (proof if "/" in proof else f"{FOLDER}/{proof}")).is_file()
    assert _proof_of("the weather") == UNKNOWN


def test_the_ledgers_of_measures_are_told(tmp_path: Path) -> None:
    """Each entry of each ledger has a line, and each sensitivity its proof."""
    schema = Schema.from_dict(
        {
            "attributes": {"x": {"type": "integer", "min": 0, "max": 7}},
            "measures": {"pay": {"min": 0.0, "max": 30.0}},
        }
    )
    table = pa.table({"x": [*range(8)] * 50, "pay": [float(number % 31) for number in range(400)]})
    view = ripost.publish(table, schema, epsilon=1)
    text = re.sub(r" +", " ", format_certificate(certify(tmp_path, view)))
    entries = view.privacy.all_entries
    assert len(entries) > len(view.privacy.ledger.entries) and f"All {len(entries)} entries." in text
    assert all(f"{entry.purpose} {entry.mechanism} {entry.statistic}" in text for entry in entries)
    assert "one row changes the total by at most 30" in text and "measures.md" in text


def test_an_unknown_mechanism_is_not_passed_off_as_proved() -> None:
    """The first golden file, made by hand from a seed, is the only one that names a mechanism without a proof."""
    subject = CertifiedRelease.open(ROOT / "tests" / "release" / "golden" / "v1.ripost.parquet", written=DAY)
    assert ("mechanism: laplace", UNKNOWN) in list_proofs(subject.view)
    text = format_certificate(subject)
    assert "Ask for the version" in text and "NOT PRIVATE" in text and "Certificate of" not in text


def test_a_damaged_view_gets_none(tmp_path: Path) -> None:
    certify(tmp_path)
    path = tmp_path / "visits.ripost.parquet"
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ReleaseError, match="cannot certify"):
        CertifiedRelease.open(path)


def test_all_files_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subject = certify(tmp_path)
    html, text = certificate_paths(tmp_path / "visits.ripost.parquet")
    assert (html.name, text.name) == ("visits.certificate.html", "visits.certificate.txt")
    contents = build_certificate_files(subject, html, text)
    with pytest.raises(ReleaseError):
        write_files({**contents, tmp_path / "no" / "x.yaml": b""}, force=False)
    assert not html.exists() and not text.exists()
    with pytest.raises(InputError, match="named twice"):
        check_targets([html, tmp_path / ".." / tmp_path.name / html.name], force=False)

    import ripost.certify.certificate_files as write

    real = write.write_whole

    def failing(path: Path, content: bytes, *, force: bool) -> None:
        if path == text:
            raise ReleaseError("the disk is full")
        real(path, content, force=force)

    monkeypatch.setattr(write, "write_whole", failing)
    with pytest.raises(ReleaseError, match="disk is full"):
        write_files(contents, force=False)
    assert not html.exists() and not text.exists()


def test_the_page_stands_in_a_browser(tmp_path: Path, browser: Any) -> None:
    path = tmp_path / "visits.certificate.html"
    path.write_text(render_certificate(certify(tmp_path)), "utf-8")
    complaints: list[str] = []
    tab = browser.new_page(viewport={"width": 390, "height": 800}, color_scheme="dark")
    tab.on("console", lambda message: complaints.append(message.text))
    tab.on("request", lambda request: complaints.append(request.url))
    tab.goto(path.as_uri())
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    paper = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == "rgb(21, 24, 28)"  # the style was let in by its digest, and knows the dark
    assert [word for word in complaints if word not in (path.as_uri(), "data:,")] == []
