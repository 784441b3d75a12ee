"""The compact protocol of Thrift, both ways: enough to change any number or text in the footer of a Parquet file.

A struct is a list of (field number, type, value), a list is (type, values); everything else is a number or bytes.
"""

from __future__ import annotations

import struct
from typing import Any

TRUE, FALSE, BYTE, DOUBLE, BINARY, LIST, SET, STRUCT = 1, 2, 3, 7, 8, 9, 10, 12

Struct = list[tuple[int, int, Any]]


def footer_of(content: bytes) -> tuple[bytes, Struct]:
    """What comes before the footer of a Parquet file, and the footer."""
    (length,) = struct.unpack("<I", content[-8:-4])
    return content[: -8 - length], _Reader(content[-8 - length : -8]).struct()


def with_footer(pages: bytes, footer: Struct) -> bytes:
    """A Parquet file of these pages and this footer."""
    written = write_struct(footer)
    return pages + written + struct.pack("<I", len(written)) + b"PAR1"


def read_struct(content: bytes) -> tuple[Struct, int]:
    """The struct that some bytes start with, and its length."""
    reader = _Reader(content)
    return reader.struct(), reader.at


def write_struct(fields: Struct) -> bytes:
    found, last = bytearray(), 0
    for number, kind, value in fields:
        if 0 < number - last < 16:
            found.append((number - last) << 4 | kind)
        else:
            found.append(kind)
            found += _varint(_zigzag(number))
        last = number
        found += _value(kind, value)
    return bytes(found + b"\0")


class _Reader:
    def __init__(self, content: bytes) -> None:
        self.content, self.at = content, 0

    def struct(self) -> Struct:
        found: Struct = []
        last = 0
        while head := self.byte():
            kind, step = head & 15, head >> 4
            last = last + step if step else self.number()
            found.append((last, kind, self.value(kind)))
        return found

    def value(self, kind: int) -> Any:
        match kind:
            case 1 | 2:
                return None
            case 3:
                return self.byte()
            case 7:
                self.at += 8
                return self.content[self.at - 8 : self.at]
            case 8:
                length = self.varint()
                self.at += length
                return self.content[self.at - length : self.at]
            case 9 | 10:
                head = self.byte()
                length, inner = head >> 4, head & 15
                length = self.varint() if length == 15 else length
                return inner, [self.value(inner) for _ in range(length)]
            case 12:
                return self.struct()
        return self.number()

    def byte(self) -> int:
        self.at += 1
        return self.content[self.at - 1]

    def varint(self) -> int:
        found, shift = 0, 0
        while True:
            byte = self.byte()
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found

    def number(self) -> int:
        raw = self.varint()
        return raw >> 1 ^ -(raw & 1)


def _value(kind: int, value: Any) -> bytes:
    match kind:
        case 1 | 2:
            return b""
        case 3:
            return bytes([value & 255])
        case 7:
            return bytes(value)
        case 8:
            return _varint(len(value)) + value
        case 9 | 10:
            inner, items = value
            head = bytes([len(items) << 4 | inner]) if len(items) < 15 else bytes([0xF0 | inner]) + _varint(len(items))
            return head + b"".join(_value(inner, item) for item in items)
        case 12:
            return write_struct(value)
    return _varint(_zigzag(value))


def _zigzag(number: int) -> int:
    return (number << 1 ^ number >> 63) & (1 << 64) - 1


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])
