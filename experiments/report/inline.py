"""Inline text: `code`, **bold**, *italic* and [links](url), read once and written as Markdown or as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markupsafe import Markup, escape

_MARKS = re.compile(
    r"(?P<fence>`+)(?P<code>[^`]|[^`].*?[^`])(?P=fence)(?!`)"
    r"|\[(?P<words>(?:[^\[\]]|\[[^\[\]]*\])+)\]\((?P<url>[^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)"
    r"|\*\*(?=\S)(?P<bold>.+?)(?<=\S)\*\*(?!\*)"
    r"|\*(?=[^\s*])(?P<italic>.+?)(?<=[^\s*])\*(?!\*)"
)
_SAFE = re.compile(r"(?:https?:|mailto:)|(?![a-z][a-z0-9+.-]*:)", re.IGNORECASE)  # one of these schemes, or none


def html_of(words: str) -> Markup:
    """The text as HTML, with all that is no mark escaped."""
    return Markup().join(_html(piece) for piece in _pieces(words))


def markdown_of(words: str) -> str:
    """The text as Markdown in which nothing but the four marks means anything."""
    return "".join(_markdown(piece) for piece in _pieces(words))


def plain_of(words: str) -> str:
    """The text without its marks."""
    return "".join(_plain(piece) for piece in _pieces(words))


def cell_of(words: str) -> str:
    """The text as a cell of a Markdown table, where a bar would end the cell, even in code."""
    return markdown_of(words).replace("|", "\\|")


def _pieces(words: str) -> Iterator[str | re.Match[str]]:
    """Plain runs and marks in turn; white space of any kind is one space."""
    words, at = " ".join(words.split()), 0
    for found in _MARKS.finditer(words):
        yield words[at : found.start()]
        yield found
        at = found.end()
    yield words[at:]


def _html(piece: str | re.Match[str]) -> Markup:
    """Markup.format escapes what is not Markup."""
    if isinstance(piece, str):
        return escape(piece)
    if piece["code"]:
        return Markup("<code>{}</code>").format(piece["code"])
    if piece["url"]:
        return Markup('<a href="{}">{}</a>').format(_check_link(piece["url"]), html_of(piece["words"]))
    if piece["bold"]:
        return Markup("<strong>{}</strong>").format(html_of(piece["bold"]))
    return Markup("<em>{}</em>").format(html_of(piece["italic"]))


def _markdown(piece: str | re.Match[str]) -> str:
    if isinstance(piece, str):
        return _escape(piece)
    if piece["code"]:
        return piece[0]
    if piece["url"]:
        return f"[{markdown_of(piece['words'])}]({_check_link(piece['url'])})"
    if piece["bold"]:
        return f"**{markdown_of(piece['bold'])}**"
    return f"*{markdown_of(piece['italic'])}*"


def _plain(piece: str | re.Match[str]) -> str:
    if isinstance(piece, str):
        return piece
    return piece["code"] or plain_of(piece["words"] or piece["bold"] or piece["italic"])


def _check_link(url: str) -> str:
    if not _SAFE.match(url):
        raise ValueError(f"a link must be http, https, mailto or a place beside the page, got {url}")
    return url


def _escape(words: str) -> str:
    words = re.sub(r"[\\`*~$]|(?<!\w)_|_(?!\w)", r"\\\g<0>", words)
    words = re.sub(r"&(?=#?\w+;)", "&amp;", words)
    return re.sub(r"<(?=[a-zA-Z/!?])", "&lt;", words)
