"""The chain: no entry can be changed, left out, put in or moved, without that it shows."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from ripost.budget_ledger.hash_chain import START, LedgerEntry, find_broken_entry, hash_entry, next_entry

text = st.text(max_size=20)
written = st.lists(st.tuples(text, text), min_size=1, max_size=8)


def chain(records: list[tuple[str, str]]) -> list[LedgerEntry]:
    entries: list[LedgerEntry] = []
    for kind, body in records:
        entries.append(next_entry(entries, kind, body))
    return entries


@given(written)
def test_what_was_written_follows(records: list[tuple[str, str]]) -> None:
    entries = chain(records)
    assert find_broken_entry(entries) is None
    assert [entry.number for entry in entries] == list(range(len(entries)))
    assert find_broken_entry(entries[:-1]) is None, "an older copy is sound in itself: only a kept head tells"


@given(written, st.data())
def test_any_edit_of_any_field_shows(records: list[tuple[str, str]], data: st.DataObject) -> None:
    """One letter of a text changed, dropped or added; or a field of another type."""
    entries = chain(records)
    place = data.draw(st.integers(0, len(entries) - 1))
    field = data.draw(st.sampled_from(LedgerEntry._fields))
    old = getattr(entries[place], field)
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
    edited: Any = [*entries[:place], entries[place]._replace(**{field: new}), *entries[place + 1 :]]
    assert find_broken_entry(edited) == place


@given(written, written, st.data())
def test_leaving_out_putting_in_and_moving_show(
    records: list[tuple[str, str]], others: list[tuple[str, str]], data: st.DataObject
) -> None:
    entries = chain(records)
    place = data.draw(st.integers(0, len(entries) - 1))
    if place < len(entries) - 1:
        assert find_broken_entry(entries[:place] + entries[place + 1 :]) == place
        other = data.draw(st.integers(place + 1, len(entries) - 1))
        moved = list(entries)
        moved[place], moved[other] = moved[other], moved[place]
        assert find_broken_entry(moved) == place
    strange = chain(others)[-1]
    if strange != next_entry(entries[:place], strange.kind, strange.body):
        assert find_broken_entry([*entries[:place], strange, *entries[place:]]) == place
    forged = next_entry(entries[:place], *others[0])
    assume(forged != entries[place])
    assert find_broken_entry([*entries[:place], forged, *entries[place + 1 :]]) == (
        place + 1 if place < len(entries) - 1 else None
    ), "who forges an entry must forge all that follow, up to the head"


one_entry = st.tuples(text, st.integers(), text, text)


@given(one_entry, one_entry)
def test_different_entries_have_different_hashes(one: Any, other: Any) -> None:
    assert (hash_entry(*one) == hash_entry(*other)) == (one == other)


def test_the_hash_is_the_documented_one() -> None:
    """docs/ledger.md says how to compute it without ripost."""
    import hashlib

    assert hashlib.sha256(b"ripost ledger 1").hexdigest() == START
    assert (
        hash_entry(START, 0, "opened", '{"é"}')
        == hashlib.sha256(b'["' + START.encode() + b'",0,"opened","{\\"\\u00e9\\"}"]').hexdigest()
    )
