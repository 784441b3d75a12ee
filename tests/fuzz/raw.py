"""Bytes of a Parquet file, changed: anywhere, or in the numbers and texts of its footer."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.fuzz.thrift import BINARY, LIST, STRUCT, footer_of, with_footer


def changed_bytes(content: bytes, rng: Random) -> bytes:
    """Bytes flipped, cut out, doubled or put in."""
    found = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 8])):
        at, length = rng.randrange(len(found)), rng.choice([1, 1, 4, 64])
        match rng.randrange(6):
            case 0:
                found[at] ^= 1 << rng.randrange(8)
            case 1:
                found[at] = rng.randrange(256)
            case 2:
                del found[at : at + length]
            case 3:
                found[at:at] = rng.randbytes(length)
            case 4:
                found[at : at + length] = found[at // 2 : at // 2 + length]
            case _:
                del found[max(at, 5) :]
        if len(found) < 16:
            break
    return bytes(found)


def changed_footer(content: bytes, rng: Random) -> bytes:
    """Numbers and texts of the Parquet footer, changed where they stand."""
    pages, footer = footer_of(content)
    if rng.random() < 0.05:  # bytes that belong to no column
        pages += rng.randbytes(rng.choice([1, 9, 64]))
    for _ in range(rng.choice([1, 1, 2, 4])):
        place = footer
        while True:
            at = rng.randrange(len(place))
            number, kind, value = place[at]
            if kind == STRUCT and value:
                place = value
                continue
            if kind == LIST and value[1] and value[0] == STRUCT:
                place = rng.choice(value[1]) or place
                continue
            break
        place[at] = (number, kind, _field(kind, value, rng))
        if rng.random() < 0.05:
            place.pop(at)
        if not footer:
            break
    return with_footer(pages, footer)


def _field(kind: int, value: Any, rng: Random) -> Any:
    if kind == BINARY:
        if len(value) > 200:
            return changed_bytes(value, rng)
        return rng.choice([b"", value * 2, value[::-1], b"\xff" * 9, rng.randbytes(5), b"x" * 10**6])
    if kind == LIST:
        inner, items = value
        return inner, rng.choice([items * 2, items[:-1], items[::-1], []])
    if isinstance(value, int):
        odd = [
            0,
            1,
            -1,
            2,
            127,
            128,
            2**20,
            10**8,
            2**31 - 1,
            2**31,
            2**40,
            2**63 - 1,
            -(2**63),
            value + 1,
            value - 1,
            value * 2,
        ]
        return rng.choice(odd) & 255 if kind == 3 else rng.choice(odd)
    return value
