"""Pages: what the pages of a Parquet file say they unpack to, read from their headers alone.

Arrow unpacks a whole page before it looks at a single value, and believes the page: sixty kilobytes can ask for two
gigabytes, whatever the footer says. So the headers are added up first. They are Thrift structs in the compact protocol.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

LONGEST_HEADER = 1 << 10  # bytes; those of numbers have some fifty
MOST_PAGES = 1 << 18
DEEPEST = 4  # structs in a header
PAGE_KINDS = (
    5,
    7,
    8,
)  # members of a header: data page, dictionary, data page of version 2; each begins with its values

Place = tuple[int, int]  # first byte, and number of bytes

MAGIC_LENGTH = 4  # bytes before the first column
TAIL = 8  # bytes after the footer: its length, and four letters
DEEPEST_IN_FOOTER = 16
GROUPS, CHUNKS, CHUNK_FACTS, LENGTH, FIRST, DICTIONARY = 4, 1, 3, 7, 9, 11  # members of the footer and of its parts
WHOLE, LIST, STRUCT = 6, 9, 12  # their types
Layout = dict[int, Any]  # of each member that is read: its type, and what is inside
FOOTER: Layout = {
    GROUPS: (LIST, {CHUNKS: (LIST, {CHUNK_FACTS: (STRUCT, dict.fromkeys((LENGTH, FIRST, DICTIONARY), (WHOLE, {})))})})
}


def locate_chunks(file: BinaryIO, size: int, *, groups: int, columns: int) -> Iterator[Place]:
    """Where the pages of each column of each row group lie, by the footer; ValueError if it is none.

    It is not asked of Arrow, which ends the process where it meets a histogram of the wrong size. All bytes before the
    footer belong to exactly one column: what no reader reads could hold anything.
    """
    if groups * columns > MOST_PAGES:
        raise ValueError("there are more parts than pages")
    file.seek(size - TAIL)
    length = int.from_bytes(file.read(4), "little")
    file.seek(max(size - TAIL - length, 0))
    try:
        footer = _FooterReader(file.read(length)).read_struct(FOOTER)
        found = [[chunk[CHUNK_FACTS] for chunk in group[CHUNKS]] for group in footer[GROUPS]]
        stated = [(facts[FIRST], facts.get(DICTIONARY), facts[LENGTH]) for group in found for facts in group]
    except (IndexError, KeyError):
        raise ValueError("a column has no place") from None
    if len(found) != groups or any(len(group) != columns for group in found):
        raise ValueError("its parts are not those of its footer")
    places = [(min(first, dictionary) if dictionary else first, held) for first, dictionary, held in stated]
    ends = [MAGIC_LENGTH, *(first + held for first, held in places)]
    if [*(first for first, _ in places), size - TAIL - length] != ends:
        raise ValueError("some bytes belong to no column, or to two")
    yield from places


def add_unpacked_sizes(file: BinaryIO, places: Iterator[Place]) -> tuple[int, int]:
    """Bytes and values that all pages unpack to, by their own word; ValueError if they are no pages."""
    total, values, pages = 0, 0, 0
    for first, length in places:
        at, end = first, first + length
        while at < end:
            file.seek(at)
            size, packed, number, header = _header(file.read(LONGEST_HEADER))
            pages += 1
            if size < 0 or packed < 0 or number < 0 or pages > MOST_PAGES:
                raise ValueError("these are no pages")
            total += size
            values += number
            at += header + packed
    return total, values


def _header(raw: bytes) -> tuple[int, int, int, int]:
    """Of one page: its size unpacked and packed, its number of values, and the length of its header."""
    reader = _Reader(raw)
    try:
        found = dict(reader.fields())
    except IndexError:
        raise ValueError("a page has no header") from None
    values = max(found.get(kind, 0) for kind in PAGE_KINDS)
    return found.get(2, -1), found.get(3, -1), values, reader.at


class _Reader:
    """Walks over a struct. Only whole numbers are kept, and of a struct inside it its first member."""

    def __init__(self, raw: bytes) -> None:
        self.raw, self.at = raw, 0

    def fields(self, depth: int = 0) -> Iterator[tuple[int, int]]:
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._whole()
            yield number, self._value(head & 15, depth)

    def _value(self, kind: int, depth: int) -> int:
        match kind:
            case 1 | 2:  # true, false
                return 0
            case 3:
                return self._byte()
            case 4 | 5 | 6:
                return self._whole()
            case 7:
                self.at += 8
                return 0
            case 8:
                length = self._varint()
                self.at += length
                return 0
            case 12 if depth < DEEPEST:
                return dict(self.fields(depth + 1)).get(1, 0)
        raise ValueError("a page's header has something that none has")

    def _whole(self) -> int:
        raw = self._varint()
        return raw >> 1 ^ -(raw & 1)

    def _varint(self) -> int:
        found, shift = 0, 0
        while (byte := self._byte()) > 127:
            found |= (byte & 127) << shift
            shift += 7
        return found | byte << shift

    def _byte(self) -> int:
        self.at += 1
        return self.raw[self.at - 1]


class _FooterReader(_Reader):
    """Reads some members of a footer, and passes over all others."""

    def read_struct(self, layout: Layout, depth: int = 0) -> dict[int, Any]:
        """The members of a layout; ValueError where one is there twice or of another type, which readers differ on."""
        found, number = dict[int, Any](), 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._whole()
            kind = head & 15
            if number not in layout:
                self._skip(kind, depth)
                continue
            wanted, inside = layout[number]
            if number in found or kind != wanted:
                raise ValueError("a member of the footer is there twice, or of another type")
            found[number] = self._whole() if kind == WHOLE else self._read_parts(kind, inside, depth + 1)
        return found

    def _read_parts(self, kind: int, layout: Layout, depth: int) -> Any:
        if kind == STRUCT:
            return self.read_struct(layout, depth)
        count, inner = self._list_head()
        if inner != STRUCT and count:
            raise ValueError("a list of the footer holds something else")
        return [self.read_struct(layout, depth) for _ in range(count)]

    def _list_head(self) -> tuple[int, int]:
        head = self._byte()
        count = head >> 4 if head >> 4 < 15 else self._varint()
        if count > len(self.raw) - self.at:
            raise ValueError("a list is longer than the footer")
        return count, head & 15

    def _skip(self, kind: int, depth: int) -> None:
        if depth > DEEPEST_IN_FOOTER:
            raise ValueError("the footer is nested too deep")
        if kind in (LIST, LIST + 1):  # a set is written as a list
            count, inner = self._list_head()
            for _ in range(count):
                if inner in (1, 2):  # in a list each has a byte of its own
                    self._byte()
                else:
                    self._skip(inner, depth + 1)
        elif kind == STRUCT:
            self.read_struct({}, depth + 1)
        else:
            self._value(kind, DEEPEST)
        if self.at > len(self.raw):
            raise IndexError
