"""A certificate as one HTML page that can be printed; it fetches nothing and runs nothing."""

from __future__ import annotations

from html import escape
from importlib.resources import files

from ripost.certify.statement import Section, Table, kind_of, sections_of
from ripost.certify.subject import Subject
from ripost.explore.page import digest

LONG = 12  # rows of a table that is folded away on screen


def certificate_page(subject: Subject) -> str:
    """The whole certificate. All text is escaped: names come from others."""
    style = files("ripost.certify").joinpath("assets/certificate.css").read_text("utf-8")
    policy = f"default-src 'none'; style-src '{digest(style)}'; img-src data:; base-uri 'none'; form-action 'none'"
    privacy = subject.view.privacy
    warning = f'<p class="warning" role="alert">{escape(privacy.warning)}. Never give this release away.</p>' if (
        privacy.warning
    ) else ""  # fmt: skip
    name = escape(subject.name)
    body = "\n".join(_section(section) for section in sections_of(subject))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<link rel="icon" href="data:,">\n'
        f"<title>{name}: certificate</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n{warning}\n"
        f'<header><p class="kind">{escape(kind_of(subject))}</p><h1>{name}</h1></header>\n'
        f"{body}\n</main>\n</body>\n</html>\n"
    )


def _section(section: Section) -> str:
    parts = [f"<h2>{escape(section.title)}</h2>"]
    parts += [f"<p>{escape(words)}</p>" for words in section.words]
    if section.facts:
        pairs = "".join(f"<dt>{escape(name)}</dt><dd>{escape(fact)}</dd>" for name, fact in section.facts)
        parts.append(f"<dl>{pairs}</dl>")
    if section.points:
        parts.append(f"<ul>{''.join(f'<li>{escape(point)}</li>' for point in section.points)}</ul>")
    if section.table is not None:
        parts.append(_table(section.table, section.title))
    return f"<section>{''.join(parts)}</section>"


def _table(table: Table, title: str) -> str:
    head = _row(table.head, "th", table.right)
    rows = "".join(_row(row, "td", table.right) for row in table.rows)
    whole = (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(title)}"><table><thead>{head}</thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )
    if len(table.rows) <= LONG:
        return whole
    return f"<details open><summary>{len(table.rows):,} lines</summary>{whole}</details>"


def _row(cells: tuple[str, ...], tag: str, right: int) -> str:
    scope = ' scope="col"' if tag == "th" else ""
    made = (
        f"<{tag}{scope}{' class=number' if number >= right else ''}>{escape(cell)}</{tag}>"
        for number, cell in enumerate(cells)
    )
    return f"<tr>{''.join(made)}</tr>"
