"""Mutations: a sound file with a fault or a few, most of them sealed again so that they pass the digest.

Everything follows from one random.Random, so a case is told by its number.
"""

from __future__ import annotations

import base64
import io
import json
import zlib
from contextlib import suppress
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ripost.release.measured_values import TYPES
from ripost.release.parquet import encode, split_columns
from ripost.release.release_file import digest
from tests.fuzz.corpus import Columns, Sound
from tests.fuzz.raw import changed_bytes, changed_footer
from tests.release.forging import build_table

Json = Any

ODD: list[Json] = [
    None, True, False, 0, 1, -1, 2, 3, 255, 2**15, 2**31 - 3, 2**31 - 1, 2**31, 2**32, 2**53, 2**53 + 1, 2**63, 10**30,
    -(2**31), -(2**63), 0.0, -0.0, 0.5, 1e-300, 5e-324, 1e99, 1e100, 1e101, 1e300, 1.7e308, "", "a", "x0", "\0", "\ud800",
    "0", "1/2", "1/3", "0/1", "1/1", "9" * 900, "1/" + "9" * 900, "1e999", "../../etc/passwd", "/dev/zero",
    "C:\\con", "<script>alert(1)</script>", "{0.__class__}", "%s%n", "日本", "seed 7", "blocks", "sample", "matrix", "buckets",
    "integer", "category", "date", "2013-02-30", "9999-12-31", "0001-01-01", "1 month", "999999999 years", "x" * 5000,
    [], {}, [[]], [None], [0], [""], {"": 0}, {"a": {"a": {}}}, [0] * 1000, {"type": "boolean"},
    {"type": "integer", "min": 0, "max": 2**31 - 4, "missing": "drop"},
    {"type": "category", "values": ["a"]}, {"type": "date", "min": "0001-01-01", "max": "9998-12-31"},
    {"type": "timestamp", "min": "0001-01-01T00:00:00", "max": "9998-12-31T00:00:00", "width": "1 second"},
    {"type": "number", "min": -1e300, "max": 1e300, "bins": 3}, {"type": "number", "edges": [0, 5e-324, 1e-323]},
]  # fmt: skip
VARIANCES = "histogram_variances"
INTS = [0, 1, 2, 3, -1, -2, 7, 2**15, 2**31 - 1, -(2**31), 2**31 - 2]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 5e-324, 1e-308, 1e99, 1e100, -1e100, 1.0001e100, 1e300, 1.7e308, *map(float, ("nan", "inf", "-inf"))]  # fmt: skip
TOKENS = ["NaN", "Infinity", "-Infinity", "1e9999", "-0", "9" * 5000, "[" * 3000 + "]" * 3000, '{"a":' * 3000 + "1" + "}" * 3000, "\\u0000", "\\ud800", " ", "\n", "//", ",", "]", "}", "null", '"digest":"",', "\ufeff", "é"]  # fmt: skip


def mutated(sound: Sound, others: tuple[Sound, ...], rng: Random) -> bytes:
    """A file that was a sound one."""
    way = rng.random()
    if way < 0.12:
        return changed_bytes(sound.content, rng)
    if way < 0.24:
        return changed_footer(sound.content, rng)
    manifest, columns = json.loads(sound.manifest), dict(sound.columns)
    if way < 0.32:
        return _write(_text(sound.manifest, rng), columns, rng)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        _one(manifest, columns, rng.choice(others), rng)
    if rng.random() < 0.5:
        _restate(manifest, columns)
    return _write(_sealed(manifest, columns, rng), columns, rng)


def _one(manifest: Json, columns: Columns, other: Sound, rng: Random) -> None:
    """One fault in the manifest, in the columns, or in both at once."""
    way = rng.random()
    if way < 0.5:
        _manifest(manifest, other, rng)
    elif way < 0.85:
        _columns(columns, rng)
    elif way < 0.92:
        _dimensions(manifest, columns, rng)
    elif way < 0.96:
        columns.clear()
        columns.update(other.columns)
    else:
        theirs = json.loads(other.manifest)
        for part in rng.sample(sorted(theirs), 3):
            manifest[part] = theirs[part]


def _places(tree: Json, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON tree; of long lists the first few."""
    found = [path] if path else []
    inside = tree.items() if isinstance(tree, dict) else enumerate(tree[:6]) if isinstance(tree, list) else ()
    for key, part in inside:
        found += _places(part, (*path, key))
    return found


def _at(tree: Json, path: tuple[Any, ...]) -> Json:
    for key in path:
        tree = tree[key]
    return tree


def _manifest(manifest: Json, other: Sound, rng: Random) -> None:
    path = rng.choice(_places(manifest))
    parent, key = _at(manifest, path[:-1]), path[-1]
    old = parent[key]
    way = rng.random()
    if way < 0.3:
        parent[key] = rng.choice(ODD)
    elif way < 0.4:
        del parent[key]
    elif way < 0.5 and isinstance(parent, dict):
        parent[rng.choice(["", "a", "kind", "tree", "name", str(rng.choice(ODD))])] = parent.pop(key)
    elif way < 0.6:
        theirs = json.loads(other.manifest)
        parent[key] = _at(theirs, rng.choice(_places(theirs)))
    elif isinstance(old, str) and len(old) > 20 and path[-1] != "digest":
        parent[key] = _packed(old, rng)
    else:
        parent[key] = _near(old, rng)


def _near(old: Json, rng: Random) -> Json:
    """A value like the old one."""
    if isinstance(old, bool) or old is None:
        return not old
    if isinstance(old, int):
        return rng.choice([old + 1, old - 1, -old, 2 * old, old * 10**9, float(old), str(old)])
    if isinstance(old, float):
        return rng.choice([old * 2, -old, old * 1e50, old * 1e-50, np.nextafter(old, 9e9).item(), int(min(old, 1e50))])
    if isinstance(old, str):
        return rng.choice([old + old, old[:-1], old.upper(), old[::-1], old + "\0", f" {old}", old.replace("1", "2")])
    if isinstance(old, list):
        return rng.choice([old[:-1], old[1:], old * 2, old[::-1], old * 50, rng.sample(old, len(old)), [old]])
    return dict(sorted(old.items(), reverse=True))


def _packed(text: str, rng: Random) -> str:
    """Packed numbers, changed: base64 of zlib."""
    try:
        raw = bytearray(zlib.decompress(base64.b64decode(text, validate=True)))
    except (ValueError, zlib.error):
        return str(_near(text, rng))
    way = rng.random()
    if way < 0.6 and raw:
        width = rng.choice([1, 2, 4, 8])
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(raw)) // width * width
            raw[at : at + width] = rng.choice([b"\0", b"\1", b"\xff", b"\x7f", rng.randbytes(1)]) * width
    elif way < 0.8:
        raw = raw[: rng.randrange(len(raw) + 1)]
    elif way < 0.95:
        raw = raw * rng.choice([2, 3, 1000])
    else:
        raw = bytearray(rng.choice([10**5, 10**7]))
    return base64.b64encode(zlib.compress(bytes(raw), 1)).decode()


def _columns(columns: Columns, rng: Random) -> None:
    if not columns:
        return
    way = rng.random()
    if way < 0.25:
        _rows(columns, rng)
        return
    name = rng.choice(sorted(columns))
    column = columns[name].copy()
    odd: list[Any] = INTS if column.dtype.kind == "i" else FLOATS
    for _ in range(rng.choice([1, 1, 2, 5])):
        if not len(column):
            break
        row = rng.randrange(len(column))
        with np.errstate(all="ignore"), suppress(OverflowError, ValueError):  # a column that cannot hold it stays
            if rng.random() < 0.5 or column.dtype.kind not in "if":
                column[row] = rng.choice(odd)
            else:
                column[row] += rng.choice([-1, 1])
    if rng.random() < 0.1:
        with suppress(OverflowError, ValueError):
            column = np.full_like(column, rng.choice(odd))
    if rng.random() < 0.05:
        with np.errstate(all="ignore"):
            column = column.astype(rng.choice(["f4", "f8", "i4", "i8", "u4", "i2", "U", "?"]))
    columns[name] = column
    if rng.random() < 0.05 and name not in TYPES:  # measurements are not as many as rows
        columns[rng.choice(["value", "variance", "depth", "bucket", "a", ""])] = columns.pop(name)


def _rows(columns: Columns, rng: Random) -> None:
    """The same change of every column's rows, or of all measurements."""
    plain, lists = split_columns(columns)
    held = {f"{name}.{field}": array for name, fields in lists.items() for field, array in fields.items()}
    chosen = held if held and rng.random() < 0.5 else plain
    count = len(chosen[min(chosen)]) if chosen else 0
    some = [rng.randrange(count) for _ in range(rng.choice([1, 2, count]))] if count else []
    order = rng.choice([range(count - 1), range(1, count), [*range(count), *some], some, rng.sample(range(count), count), [*range(count)] * 2, [0] * rng.choice([1, 10, 20000])])  # fmt: skip
    picked = np.array(list(order), np.int64)
    for name, column in chosen.items():
        columns[name] = column[picked] if count else column


def _dimensions(manifest: Json, columns: Columns, rng: Random) -> None:
    """Dimensions of one code, or a longer dimension, with the columns that they must have."""
    more = rng.choice([1, 5, 30, 70])
    plain, domain = split_columns(columns)[0], manifest.get("domain")
    rows = len(next(iter(plain.values()))) if plain else 1
    if not isinstance(domain, list) or not domain:
        return
    if rng.random() < 0.3:
        first = rng.choice(domain)
        if isinstance(first, dict):
            first["attribute"] = {
                "type": "integer",
                "min": 0,
                "max": rng.choice([0, 1, 9, 2**31 - 4]),
                "missing": "drop",
            }
        return
    ends: Columns = {}
    for i in range(more):
        domain.append({"name": f"one{i}", "attribute": {"type": "integer", "min": 0, "max": 0, "missing": "drop"}})
        ends |= {f"one{i}_lo": np.zeros(rows, np.int32), f"one{i}_hi": np.ones(rows, np.int32)}
        for part, member in (("marginals", ""), ("smoothing", "marginal_variances"), ("error_model", VARIANCES)):
            held = manifest.get(part)
            listed = held.get(member) if isinstance(held, dict) else held
            if isinstance(listed, list):
                listed.append(None)
        measures = [one for one in manifest.get("measures") or () if isinstance(one, dict)]
        for listed in [one.get("marginals") for one in measures]:
            if isinstance(listed, list):
                listed.append(None)
        for mixture in [part.get("mixture") for part in (manifest, *measures)]:
            _lengthen(mixture)
        impossible = manifest.get("impossible")
        for box in impossible.get("boxes", ()) if isinstance(impossible, dict) else ():
            if isinstance(box, list):
                box.append([0, 1])
        if isinstance(manifest.get("matrix"), dict) and isinstance(manifest["matrix"].get("grams"), list):
            manifest["matrix"]["grams"].append(base64.b64encode(zlib.compress(np.ones(1).tobytes())).decode())
    tail = {name: columns.pop(name) for name in [*columns] if not name.endswith(("_lo", "_hi"))}
    columns.update(ends | tail)


def _lengthen(mixture: Json) -> None:
    """Give a mixture one more attribute of one code."""
    if isinstance(mixture, dict) and all(isinstance(mixture.get(part), list) for part in ("weights", "attributes")):
        levels = base64.b64encode(bytes([255]) * len(mixture["weights"])).decode()
        mixture["attributes"].append({"edges": [0, 1], "levels": levels})


def _restate(manifest: Json, columns: Columns) -> None:
    """Make the ledger fit the rows again, so that what lies behind it is reached."""
    try:
        if manifest.get("kind", "blocks") == "blocks":
            for ledger in (manifest["privacy"]["ledger"], *manifest["privacy"].get("measures", {}).values()):
                steps = ledger["steps"]
                steps[-1][2] += len(columns["value"]) - sum(step[2] for step in steps)
    except (KeyError, TypeError, IndexError, AttributeError):
        return


def sealed_file(manifest: Json, columns: Columns, rng: Random) -> bytes:
    """A file of this manifest and these columns whose digest and ledger fit."""
    _restate(manifest, columns)
    manifest = {"digest": manifest.pop("digest"), **manifest}
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":"))
    return _write(text.replace(manifest["digest"], digest(text, columns), 1), columns, rng)


def _sealed(manifest: Json, columns: Columns, rng: Random) -> str:
    if rng.random() < 0.05:
        return json.dumps(manifest)
    manifest = {"digest": manifest.pop("digest", "0" * 64), **manifest}
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":"))
    try:
        return text.replace(str(manifest["digest"]), digest(text, columns), 1) if rng.random() < 0.97 else text
    except (TypeError, ValueError, AttributeError):
        return text


def _text(text: str, rng: Random) -> str:
    """The manifest's text, changed as text; the digest is what it was."""
    at = rng.randrange(len(text))
    return rng.choice([
        text[:at] + rng.choice(TOKENS) + text[at:], text[:at] + rng.choice(TOKENS) + text[at + rng.randrange(9) :],
        text[:at] + text[at + rng.randrange(9) :], text[:at], text.replace(":", f":{rng.choice(TOKENS)}", rng.randrange(9)),
        text[:-1] + "," + text[rng.randrange(len(text)) :], text[:12] + text[12:].replace("0", rng.choice(TOKENS), 1),
    ])  # fmt: skip


def _write(text: str, columns: Columns, rng: Random) -> bytes:
    """A Parquet file, as ripost writes it or as others may."""
    raw = text.encode("utf-8", "surrogatepass")
    try:
        if rng.random() < 0.7:
            return bytes(encode({name: np.ascontiguousarray(c) for name, c in columns.items()}, text))
    except (ValueError, KeyError, UnicodeError, OSError, pa.ArrowException):  # values that cannot be packed so
        pass
    try:
        table = build_table(columns).replace_schema_metadata({b"ripost": raw})
    except (ValueError, KeyError, pa.ArrowException):  # fields of measurements that are not alike make no list
        table = build_table(split_columns(columns)[0]).replace_schema_metadata({b"ripost": raw})
    sink = io.BytesIO()
    options: dict[str, Any] = {
        "compression": rng.choice(["none", "snappy", "gzip", "brotli", "zstd", "lz4"]),
        "row_group_size": rng.choice([3, 1000]) if table.num_rows < 1000 else 10**6,
        "use_dictionary": rng.random() < 0.5,
        "data_page_version": rng.choice(["1.0", "2.0"]),
        "store_schema": rng.random() < 0.5,
    }
    pq.write_table(table, sink, **options)
    return sink.getvalue()
