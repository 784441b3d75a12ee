"""Templates escape all text, and fail rather than leave a gap."""

from __future__ import annotations

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from ripost.markup.notebook import Piece, TextTable, line_html
from ripost.markup.render import render

EVIL = "<script>alert('x')</script>\"&{{ 7 * 7 }}"
SAFE = "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&#34;&amp;{{ 7 * 7 }}"


def test_every_text_is_escaped_wherever_it_stands() -> None:
    table = TextTable([[EVIL]], [EVIL])
    html = Piece([table, EVIL, Piece([EVIL], EVIL, EVIL)], title=EVIL, warning=EVIL).html()
    assert html.count(SAFE) == 8 and "<script" not in html and "49" not in html
    assert line_html(EVIL) == f"<span>{SAFE}</span>"


def test_a_piece_has_nothing_that_it_was_not_given() -> None:
    assert Piece([]).html() == "<div></div>"
    assert Piece([TextTable([["a"]])]).html().count("<t") == 3  # table, tr, td
    assert Piece(["a"], warning="NOT PRIVATE").html().count("#b00020") == 1


def test_a_value_that_is_missing_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="'text' is undefined"):
        render("ripost.markup", "line.html")


def test_only_markup_is_left_as_it_is() -> None:
    assert render("ripost.markup", "line.html", text=Markup("<b>")) == "<span><b></span>"
