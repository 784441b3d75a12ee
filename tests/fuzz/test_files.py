"""No mutated file crashes the reader, and none is answered from that verify rejects: a slice of `python -m tests.fuzz`."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from ripost.methods import METHODS
from tests.fuzz.cases import Cases
from tests.fuzz.corpus import archives, sounds
from tests.fuzz.judge import judge_file
from tests.fuzz.thrift import footer_of, with_footer
from tests.marks import slow_after

CASES = 1000


@pytest.fixture(scope="module")
def cases() -> Cases:
    return Cases()


@pytest.mark.parametrize("part", slow_after(2, range(4)))
def test_mutated_files_are_refused_or_harmless(cases: Cases, part: int) -> None:
    ends: Counter[str] = Counter()
    for number in range(part, CASES, 4):
        verdict = cases.judge("files", number)
        assert not verdict.is_fault, (number, verdict)
        ends[verdict.end] += 1
    assert ends["refused"] > 100
    assert ends["answered"] > 10  # some faults harm nobody, and what lies behind the digest is reached


def test_the_corpus_has_every_method_and_kind(tmp_path: Path) -> None:
    assert {json.loads(sound.manifest)["method"] for sound in sounds()} >= set(METHODS)
    manifests = [json.loads(sound.manifest) for sound in sounds()]
    assert {facts.get("kind", "blocks") for facts in manifests} == {"blocks", "buckets", "matrix", "tables", "sample"}
    assert {facts["version"] for facts in manifests} == {1, 2, 3, 4, 5}
    parts = {"measures", "impossible", "period", "measurements", "origin", "mixture", "title", "description"}
    assert parts <= {part for facts in manifests for part in facts}
    assert any("discovery" in facts["privacy"] for facts in manifests)
    assert any('"levels":[{' in sound.manifest for sound in sounds())
    for start in (*sounds(), *archives()):
        path = tmp_path / "sound"
        path.write_bytes(start.content)
        assert judge_file(path, Random(0)).end == "answered", start.name


def test_the_footer_comes_back_as_it_was() -> None:
    """Mutations of the Parquet footer are of the footer that ripost writes."""
    for sound in sounds():
        assert with_footer(*footer_of(sound.content)) == sound.content


def test_a_file_that_verify_rejects_and_open_answers_would_be_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fuzzer can fail: without the check of variances it does."""
    from ripost.release.contents.blocks import BlocksReader
    from tests.release.forging import forge

    path = tmp_path / "v"
    path.write_bytes(next(sound.content for sound in sounds() if sound.name == "every type"))
    forge(path, lambda _, columns: columns["variance"].__setitem__(0, 123.0))
    assert judge_file(path, Random(0)).end == "refused"
    checked = BlocksReader.checked_tree
    monkeypatch.setattr(BlocksReader, "checked_tree", BlocksReader.read_tree)
    monkeypatch.setattr(BlocksReader, "check_variances", lambda self: str(checked(self)))
    assert judge_file(path, Random(0)).end == "answered a file that verify rejects"
