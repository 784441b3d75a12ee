"""What a notebook shows of a promise and its ledger: all of it, escaped, and no colours of its own."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

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
    html = promise()._repr_html_()
    assert "<script" not in html and "&lt;script&gt;" in html
    for words in ("pure epsilon-differential privacy", ">0.5<", ">0.2<", "one person", "operating system", "1,234"):
        assert words in html
    assert "NOT PRIVATE" not in html and "color" not in html and "delta<" not in html


def test_a_seed_and_a_delta() -> None:
    html = promise(entropy=f"seed {EVIL}", delta=Fraction(1, 10**6))._repr_html_()
    assert "NOT PRIVATE: the noise comes from seed &lt;script&gt;" in html and "<script" not in html
    assert ">1e-06<" in html and ">rho<" in html


def test_a_long_ledger() -> None:
    html = promise(100).ledger._repr_html_()
    assert html.count("<tr>") == 1 + 40 and "and 60 more entries" in html
    assert "the most along any path: 10" in html
