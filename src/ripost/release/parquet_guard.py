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


def locate_chunks(metadata: Any) -> Iterator[Place]:
    """Where the pages of each column of each row group lie."""
    if metadata.num_row_groups * metadata.num_columns > MOST_PAGES:
        raise ValueError("there are more parts than pages")
    for group in range(metadata.num_row_groups):
        row_group = metadata.row_group(group)
        for number in range(row_group.num_columns):
            column = row_group.column(number)
            first = column.data_page_offset
            if column.has_dictionary_page and column.dictionary_page_offset:
                first = min(first, column.dictionary_page_offset)
            yield first, column.total_compressed_size


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
