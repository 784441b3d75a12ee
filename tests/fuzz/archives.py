"""Archives: the file of a series with a fault or a few: in its bytes, in the headers of its ZIP archive, in its members.

Everything follows from one random.Random, so a case is told by its number.
"""

from __future__ import annotations

import io
import struct
import warnings
import zipfile
from random import Random

from tests.fuzz.corpus import Archive, Sound
from tests.fuzz.mutate import mutated
from tests.fuzz.raw import changed_bytes

HEADERS = {b"PK\x03\x04": 30, b"PK\x01\x02": 46, b"PK\x05\x06": 22, b"PK\x06\x06": 56, b"PK\x06\x07": 20}
NUMBERS = [0, 1, 2, 8, 12, 99, 255, 0x7FFF, 0x8000, 0xFFFF, 2**31 - 1, 2**31, 2**32 - 1]
NAMES = ["", "/", "../up", "/etc/passwd", "2026-01.ripost.parquet", "2026-13.ripost.parquet", "2026-02.RIPOST.parquet", "a" * 60_000, "\u202e", "\0", "é", "x\n", "con", "2026-03.ripost.parquet/"]  # fmt: skip
METHODS = [zipfile.ZIP_STORED] * 8 + [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
Members = list[tuple[str, bytes]]


def mutated_archive(archive: Archive, others: tuple[Sound, ...], rng: Random) -> bytes:
    """An archive that was a sound one."""
    way = rng.random()
    if way < 0.15:
        return changed_bytes(archive.content, rng)
    if way < 0.45:
        return _headers(archive.content, rng)
    members = [(name, sound.content) for name, sound in archive.members]
    for _ in range(rng.choice([1, 1, 2])):
        members = _members(members, archive, others, rng)
    content = _zip(members, rng)
    return _headers(content, rng) if rng.random() < 0.1 and content else content


def _members(members: Members, archive: Archive, others: tuple[Sound, ...], rng: Random) -> Members:
    """Another list of members, most of them as they were."""
    if not members:
        return [("2026-01.ripost.parquet", rng.choice(others).content)]
    found, at = list(members), rng.randrange(len(members))
    name, content = found[at]
    match rng.randrange(8):
        case 0:
            found[at] = (rng.choice([*NAMES, name.upper(), f"./{name}", name[:-1]]), content)
        case 1:
            found[at] = (name, rng.choice(others).content)
        case 2:
            found[at] = (name, rng.choice([b"", b"PAR1", content[:-1], content + b"\0", archive.content]))
        case 3:
            found.append(rng.choice(members))
        case 4:
            del found[at]
        case 5:
            rng.shuffle(found)
        case _:  # as a forger of one release file would make it, most of them with a matching digest
            sound = dict(archive.members).get(name)
            found[at] = (name, mutated(sound, others, rng) if sound else changed_bytes(content or b"\0" * 32, rng))
    return found


def _zip(members: Members, rng: Random) -> bytes:
    """A ZIP archive, as ripost writes it or as others may."""
    target, method = io.BytesIO(), rng.choice(METHODS)
    with warnings.catch_warnings(), zipfile.ZipFile(target, "w", method) as archive:
        warnings.simplefilter("ignore")  # of a name that is given twice
        for name, content in members:
            with archive.open(zipfile.ZipInfo(name), "w", force_zip64=rng.random() < 0.1) as member:
                member.write(content)
        if rng.random() < 0.1:
            archive.comment = rng.randbytes(rng.choice([1, 22, 60_000]))
    content = target.getvalue()
    return content if rng.random() < 0.9 else rng.choice([b"\0" * 9, b"MZ"]) + content


def _headers(content: bytes, rng: Random) -> bytes:
    """Numbers in the headers, changed where they stand."""
    found = bytearray(content)
    places = [(at, size) for start, size in HEADERS.items() for at in _find(content, start)]
    for _ in range(rng.choice([1, 1, 2, 4])):
        if not places:
            break
        at, size = rng.choice(places)
        width = rng.choice([1, 2, 2, 4, 4, 8])
        place = at + rng.randrange(0 if rng.random() < 0.05 else 4, size)
        if place + width > len(found):
            continue
        old = int.from_bytes(found[place : place + width], "little")
        new = rng.choice([*NUMBERS, old + 1, old - 1, old * 2, len(content), at, rng.choice(places)[0]])
        found[place : place + width] = struct.pack("<Q", new % 2**64)[:width]
    return bytes(found)


def _find(content: bytes, start: bytes) -> list[int]:
    found, at = [], content.find(start)
    while at >= 0:
        found.append(at)
        at = content.find(start, at + 1)
    return found
