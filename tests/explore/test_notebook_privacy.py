"""What a notebook shows of a promise and its ledger: all of it, escaped, and no colours of its own."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import ripost
import ripost.privacy
from ripost.explore.notebook import ledger_html, privacy_html
from ripost.privacy.ledger import Charge, Ledger, Privacy, Step
from ripost.schema.measure import Unit

EVIL = "<script>alert(1)</script>"


def promise(number: int = 2, **given: object) -> Privacy:
    entries = tuple(
        Charge(f"axis {i} {EVIL}", "discrete Laplace", "totals", 1, Fraction(1, 10), 10.0, 1234) for i in range(number)
    )
    steps = (Step(None, None, 0), *(Step(i, i, int(i == number - 1)) for i in range(number)))
    made = Privacy(Fraction(1, 2), Unit("person", 1), "operating system", Ledger(entries, steps))
    return replace(made, **given)  # type: ignore[arg-type]


def test_a_promise() -> None:
    html = privacy_html(promise())
    assert "<script" not in html and "&lt;script&gt;" in html
    for words in ("pure epsilon-differential privacy", ">0.5<", ">0.2<", "one person", "operating system", "1,234"):
        assert words in html
    assert "NOT PRIVATE" not in html and "color" not in html and "delta<" not in html


def test_a_seed_and_a_delta() -> None:
    html = privacy_html(promise(entropy=f"seed {EVIL}", delta=Fraction(1, 10**6)))
    assert "NOT PRIVATE: the noise comes from seed &lt;script&gt;" in html and "<script" not in html
    assert ">1e-06<" in html and ">rho<" in html


def test_a_long_ledger() -> None:
    html = ledger_html(promise(100).ledger)
    assert html.count("<tr>") == 1 + 40 and "and 60 more entries" in html
    assert "the most along any path: 10" in html


def test_a_notebook_shows_the_privacy_and_the_ledger_of_a_view() -> None:
    """A cell that ends in view.privacy or view.privacy.ledger shows it, although the trusted core makes no HTML."""
    privacy = ripost.publish(ripost.Tensor.from_arrays((4,), [[1]], [50]), epsilon=1, seed=3).privacy
    for shown, title in ((privacy, "ripost privacy"), (privacy.ledger, "ripost ledger")):
        html = shown._repr_html_()  # type: ignore[attr-defined]
        assert title in html and "discrete Laplace" in html


def test_the_trusted_core_makes_no_html() -> None:
    assert not list(Path(ripost.privacy.__path__[0]).rglob("*.html"))
    for path in Path(ripost.privacy.__path__[0]).rglob("*.py"):
        assert not re.search(r"html|markup|jinja", path.read_text("utf-8")), path.name
