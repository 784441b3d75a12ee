"""The chain: no entry can be changed, left out, put in or moved, without that it shows."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from ripost.budget_ledger.chain import START, Link, chained, first_broken, next_link

text = st.text(max_size=20)
written = st.lists(st.tuples(text, text), min_size=1, max_size=8)


def linked(entries: list[tuple[str, str]]) -> list[Link]:
    links: list[Link] = []
    for kind, body in entries:
        links.append(next_link(links, kind, body))
    return links


@given(written)
def test_what_was_written_follows(entries: list[tuple[str, str]]) -> None:
    links = linked(entries)
    assert first_broken(links) is None
    assert [link.number for link in links] == list(range(len(links)))
    assert first_broken(links[:-1]) is None, "an older copy is sound in itself: only a kept head tells"


@given(written, st.data())
def test_any_edit_of_any_field_shows(entries: list[tuple[str, str]], data: st.DataObject) -> None:
    """One letter of a text changed, dropped or added; or a field of another type."""
    links = linked(entries)
    place = data.draw(st.integers(0, len(links) - 1))
    field = data.draw(st.sampled_from(Link._fields))
    old = getattr(links[place], field)
    new: Any
    if isinstance(old, str):
        at = data.draw(st.integers(0, len(old)))
        new = data.draw(
            st.sampled_from([old[:at] + old[at + 1 :], old[:at] + "0" + old[at + 1 :], old[:at] + "\0" + old[at:]])
            | st.sampled_from([None, 0, 1.5, b"", old.encode("utf-8", "surrogatepass")])
        )
    else:
        new = data.draw(st.integers() | st.sampled_from([float(old), str(old), None, b"0"]))
    assume(new != old or type(new) is not type(old))
    edited: Any = [*links[:place], links[place]._replace(**{field: new}), *links[place + 1 :]]
    assert first_broken(edited) == place


@given(written, written, st.data())
def test_leaving_out_putting_in_and_moving_show(
    entries: list[tuple[str, str]], others: list[tuple[str, str]], data: st.DataObject
) -> None:
    links = linked(entries)
    place = data.draw(st.integers(0, len(links) - 1))
    if place < len(links) - 1:
        assert first_broken(links[:place] + links[place + 1 :]) == place
        other = data.draw(st.integers(place + 1, len(links) - 1))
        moved = list(links)
        moved[place], moved[other] = moved[other], moved[place]
        assert first_broken(moved) == place
    strange = linked(others)[-1]
    if strange != next_link(links[:place], strange.kind, strange.body):
        assert first_broken([*links[:place], strange, *links[place:]]) == place
    forged = next_link(links[:place], *others[0])
    assume(forged != links[place])
    assert first_broken([*links[:place], forged, *links[place + 1 :]]) == (
        place + 1 if place < len(links) - 1 else None
    ), "who forges an entry must forge all that follow, up to the head"


one_entry = st.tuples(text, st.integers(), text, text)


@given(one_entry, one_entry)
def test_different_entries_have_different_hashes(one: Any, other: Any) -> None:
    assert (chained(*one) == chained(*other)) == (one == other)


def test_the_hash_is_the_documented_one() -> None:
    """docs/how-to/ledger.md says how to compute it without ripost."""
    import hashlib

    assert hashlib.sha256(b"ripost ledger 1").hexdigest() == START
    assert (
        chained(START, 0, "opened", '{"é"}')
        == hashlib.sha256(b'["' + START.encode() + b'",0,"opened","{\\"\\u00e9\\"}"]').hexdigest()
    )
