"""Write: a draft as the text of a schema file, with a mark beside all that comes from the data.

Names and values are written by tomli-w, so that no name of a column, however odd, can break out of its place. Comments
get printable characters only.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

import tomli_w

from ripost.draft.draft_parts import DraftAttribute, OmittedColumn, Origin, SchemaDraft
from ripost.schema.review_marks import MARK

WIDTH = 116
HEAD = """\
PRIVATE draft of a schema, made by ripost init from {source}. Keep it to yourself until it has been reviewed: what
an `{mark}` line names was read off the data, and everything in a schema is published as it is, without noise. For each
such line, replace the values by what is publicly known (a code book, a calendar, the law), or make sure that they are
public; then take the names out of the line, and the line when it is empty. `ripost publish` refuses until all are
gone. Missing values get a code of their own; write missing = "drop" in an attribute to leave such rows out instead."""
OPEN_HEAD = """\
Draft of a schema, made by ripost init from {source}. Nothing in it was read off the data. Everything in a schema is
published as it is: read it once more, and fill in what is left open."""
PERSON = """\
Decide whom to protect, then delete the line `{mark} = ["unit"]`. Without a unit, each row is protected, which is enough
only if nobody has two rows. With a unit, all rows of a person are protected, and at most max_rows of them are kept. The
names of these columns suggest that they identify people:"""
NOBODY = "Each row is protected. If a person can have several rows, name the column that identifies people here."


def format_draft(draft: SchemaDraft) -> str:
    """The whole file."""
    private = any(one.unreviewed for one in draft.attributes)
    head = (HEAD if private else OPEN_HEAD).format(source=to_printable(draft.source), mark=MARK)
    names = name_attributes([one.column for one in draft.attributes])
    parts = [*format_comment(head), *format_top(draft)]
    for one in draft.columns:
        parts += [
            "",
            *(format_attribute(one, names[one.column]) if isinstance(one, DraftAttribute) else format_omitted(one)),
        ]
    return "\n".join(parts) + "\n"


def format_top(draft: SchemaDraft) -> list[str]:
    lines = [""]
    if draft.title is not None:
        lines.append(format_line("title", draft.title))
    if draft.unit is not None:
        about = "the most rows kept of one unit: more keep more of the data and need more noise"
        return [*lines, format_line("unit", draft.unit), f"{format_line('max_rows', draft.max_rows or 1)}  # {about}"]
    if not draft.must_choose_unit:
        said = "Each row is protected, as the metadata say." if draft.row_stated else NOBODY
        return [*lines, *format_comment(said)]
    mark = f"{format_line(MARK, ['unit'])}  # delete this line once you have decided"
    proposals = [f"# {to_printable(format_line('unit', name))}" for name in draft.people]
    return [*lines, *format_comment(PERSON.format(mark=MARK)), mark, *proposals, f"# {format_line('max_rows', 1)}"]


def format_attribute(one: DraftAttribute, name: str) -> list[str]:
    head = tomli_w.dumps({"attributes": {name: {"x": 0}}}).splitlines()[0]
    lines = [head, *format_comment(one.why)]
    if one.unreviewed:
        lines.append(f"{format_line(MARK, list(one.unreviewed))}  # read off the data: replace or confirm, then delete")
    if name != one.column:
        lines.append(format_line("column", one.column))
    lines += [format_line(entry.key, entry.value) for entry in one.entries]
    return [*lines, *(f"# {key} =   # fill in: nothing says what it is" for key in one.gaps)]


def format_omitted(one: OmittedColumn) -> list[str]:
    return format_comment(f"Left out, {quote_name(one.column)}: {one.why}.")


def format_line(key: str, value: Any) -> str:
    """A key and its value; lists are wrapped."""
    if not isinstance(value, list):
        return tomli_w.dumps({key: value}).rstrip("\n")
    items = [tomli_w.dumps({"x": item}).rstrip("\n").removeprefix("x = ") for item in value]
    together = f"{key} = [{', '.join(items)}]"
    return together if len(together) <= WIDTH else f"{key} = [\n" + "\n".join(wrap_items(items)) + "\n]"


def wrap_items(items: Iterable[str]) -> list[str]:
    """Items with commas, as many on a line as fit; none is ever broken."""
    lines, room = [], -1
    for item in items:
        if len(item) + 2 > room:
            lines.append(f"    {item},")
            room = WIDTH - len(item)
        else:
            lines[-1] += f" {item},"
        room -= len(item) + 2
    return lines


def format_comment(text: str) -> list[str]:
    return [f"# {one}" for one in textwrap.wrap(to_printable(text), WIDTH, break_on_hyphens=False)]


def to_printable(text: str) -> str:
    """Text with what cannot be printed replaced, so that it stays on its line and in its direction."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text.replace("\n", " "))


def quote_name(name: str) -> str:
    return to_printable(tomli_w.dumps({"x": name}).strip().removeprefix("x = "))


def name_attributes(columns: Sequence[str]) -> dict[str, str]:
    """A name for each column's attribute: its own where a schema allows that, else one like it."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for column in columns:
        base = " ".join("".join(sign if sign.isprintable() else " " for sign in column).split()) or "column"
        name, number = base, 1
        while name.casefold() in taken:
            number += 1
            name = f"{base}_{number}"
        taken.add(name.casefold())
        names[column] = name
    return names


def describe_origin(one: DraftAttribute) -> str:
    """Where an attribute comes from, for what a command prints: words, never values."""
    words = [origin.value for origin in one.origins if origin is not Origin.DATA]
    return ", ".join([*words, *(["the data"] if one.unreviewed else [])])
