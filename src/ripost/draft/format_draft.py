"""Format a draft as the text of a schema file, with a mark beside each value from the data.

Names and values are written by tomli-w, so that no name of a column, however odd, can break out of its place. Comments
get printable characters only.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import tomli_w

from ripost.draft.column_sample import COMMON, MIDDLE
from ripost.draft.draft_parts import DraftAttribute, Origin, SchemaDraft
from ripost.schema.review_marks import MARK

WIDTH = 116
HEAD = """\
PRIVATE draft of a schema, made by ripost init from {source}. Keep it to yourself until it has been reviewed: what
an `{mark}` line names was read off the data, and everything in a schema is published as it is, without noise. For each
such line, replace the values by what is publicly known (a code book, a calendar, the law), or make sure that they are
public; then take the names out of the line, and the line when it is empty. `ripost publish` refuses until all are
gone."""
OPEN_HEAD = """\
Draft of a schema, made by ripost init from {source}. Nothing in it was read off the data. Everything in a schema is
published as it is: read it once more, and fill in what is left open."""
BOUNDS = f"""\
Bounds hold the middle {round(100 * (MIDDLE[1] - MIDDLE[0]))} % of the rows, rounded outward, and values beyond are
clamped. A bound that equals a person's value reveals that person."""
VALUES = f"""\
Listed values are those that at least {COMMON} rows hold, and the others are `(other)`. A value that few people have
reveals them. If there is a code book, name it instead: values_file = "codes.csv"."""
KEYS = """\
Missing values get a code of their own; write missing = "drop" in an attribute to leave such rows out instead. label and
description of an attribute are what readers see. The page docs/reference/schema.md has all keys."""
PERSON = """\
Decide whom to protect, then delete the line `{mark} = ["unit"]`. Without a unit, each row is protected, which is enough
only if nobody has two rows. With a unit, all rows of a person are protected, and at most max_rows of them are kept:
more keep more of the data and need more noise. The names of these columns suggest that they identify people:"""
NOBODY = "Each row is protected. If a person can have several rows, set unit and max_rows."


def format_draft(draft: SchemaDraft) -> str:
    """The whole file: one block of comments, then keys alone."""
    names = name_attributes([one.column for one in draft.attributes])
    parts = [*format_head(draft, names), *format_top(draft)]
    for one in draft.attributes:
        parts += ["", *format_attribute(one, names[one.column])]
    return "\n".join(parts) + "\n"


def format_head(draft: SchemaDraft, names: Mapping[str, str]) -> list[str]:
    """The comments: the origin of the draft, whom to protect, and which columns were left out for which reason."""
    marked = {key for one in draft.attributes for key in one.unreviewed}
    head = (HEAD if marked else OPEN_HEAD).format(source=to_printable(draft.source), mark=MARK)
    lines = format_comment(head)
    for text in (BOUNDS if "min" in marked else "", VALUES if "values" in marked else "", KEYS):
        lines += format_comment(text)
    lines += ["#", *format_unit(draft)]
    reasons: dict[str, list[str]] = {}
    for omitted in draft.left_out:
        reasons.setdefault(omitted.why, []).append(quote_name(omitted.column))
    lists = [f"Left out, {', '.join(columns)}: {why}." for why, columns in reasons.items()]
    lists += [f"{to_printable(names[one.column])}: {one.note}." for one in draft.attributes if one.note]
    gaps = [(to_printable(names[one.column]), ", ".join(one.gaps)) for one in draft.attributes if one.gaps]
    lists += [f"{name}: fill in {keys}, of which nothing is known." for name, keys in gaps]
    return [*lines, *(["#"] if lists else []), *(line for text in lists for line in format_comment(text))]


def format_unit(draft: SchemaDraft) -> list[str]:
    """The comment on the privacy unit, and the lines that would set it."""
    if draft.unit is not None:
        return format_comment(f"All rows of one {quote_name(draft.unit)} are protected; max_rows of them are kept.")
    if not draft.must_choose_unit:
        return format_comment("Each row is protected, as the metadata say." if draft.row_stated else NOBODY)
    proposals = [f"#   {to_printable(format_line('unit', name))}" for name in draft.people]
    return [*format_comment(PERSON.format(mark=MARK)), *proposals, f"#   {format_line('max_rows', 1)}"]


def format_top(draft: SchemaDraft) -> list[str]:
    lines = [] if draft.title is None else [format_line("title", draft.title)]
    if draft.unit is not None:
        lines += [format_line("unit", draft.unit), format_line("max_rows", draft.max_rows or 1)]
    elif draft.must_choose_unit:
        lines.append(format_line(MARK, ["unit"]))
    return ["", *lines] if lines else []


def format_attribute(one: DraftAttribute, name: str) -> list[str]:
    lines = tomli_w.dumps({"attributes": {name: {"x": 0}}}).splitlines()[:1]
    if one.unreviewed:
        lines.append(format_line(MARK, list(one.unreviewed)))
    if name != one.column:
        lines.append(format_line("column", one.column))
    return [*lines, *(format_line(entry.key, entry.value) for entry in one.entries)]


def format_line(key: str, value: Any) -> str:
    """A key and its value; lists are wrapped, and tables stand on one line."""
    if isinstance(value, dict):
        pairs = [f"{quote_text(name)} = {quote_text(one)}" for name, one in value.items()]
        return f"{key} = {{ {', '.join(pairs)} }}"
    if not isinstance(value, list):
        return tomli_w.dumps({key: value}).rstrip("\n")
    items = [tomli_w.dumps({"x": item}).rstrip("\n").removeprefix("x = ") for item in value]
    together = f"{key} = [{', '.join(items)}]"
    return together if len(together) <= WIDTH else f"{key} = [\n" + "\n".join(wrap_items(items)) + "\n]"


def quote_text(text: str) -> str:
    """A text in quotes, escaped as TOML needs it."""
    return tomli_w.dumps({"x": text}).removesuffix("\n").removeprefix("x = ")


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
    """Text with unprintable characters replaced, so that none breaks its line or changes its direction."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text.replace("\n", " "))


def quote_name(name: str) -> str:
    return to_printable(quote_text(name))


def name_attributes(columns: Sequence[str]) -> dict[str, str]:
    """A name for each column's attribute: that of the column if a schema allows it, else a similar one."""
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
