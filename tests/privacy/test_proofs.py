"""Every mechanism and sensitivity has a proof, and no code under a proof changes unless someone reads the proof again.

python tests/privacy/test_proofs.py --reread laplace.md     after reading proof and code together
python tests/privacy/test_proofs.py --reread --all
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import re
import sys
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
PACKAGE = SOURCE / "ripost"
READINGS = ROOT / "experiments" / "paper" / "readings" / "proofs"
PROOFS = sorted(
    [*(PACKAGE / "privacy" / "proofs").glob("*.md"), *(PACKAGE / "peers").glob("*/*.md"), *READINGS.glob("*.md")]
)
HEADINGS = ["## Claim", "## Preconditions", "## Proof"]
PROVED = [  # modules in which everything needs a proof
    *(
        f"privacy.{name}"
        for name in ("account", "paths", "partition", "paid_queries", "mechanisms", "noise", "opendp_measurements")
    ),
    "privacy.subsampling",
    "statistics.statistic",
]
NEEDS_NONE = {
    "ripost.privacy.paths:Watch",
    "ripost.privacy.paid_queries:CHUNK",
    "ripost.privacy.paid_queries:M",
    "ripost.privacy.mechanisms:gaussian_variance",
    "ripost.privacy.mechanisms:laplace_variance",  # a statement about noise, not a draw
    "ripost.privacy.noise:Noise",  # a protocol
    "ripost.privacy.opendp_measurements:import_opendp",
    "ripost.privacy.subsampling:SampleSource",  # a protocol
    "ripost.privacy.noise:SystemNoise",  # by its methods
    "ripost.statistics.statistic:KNOWN",
    "ripost.statistics.statistic:PROOFS",
}


@dataclass(frozen=True)
class Proof:
    """A proof file: a block that names the code it is about, each with its digest, and the text."""

    path: Path
    code: dict[str, str]  # module:object -> digest when the proof was last read
    text: str

    @classmethod
    def load(cls, path: Path) -> Proof:
        found = re.fullmatch(r"---\ncode:\n((?:  \S+:\S+(?: \w+)?\n)+)---\n(.*)", path.read_text("utf-8"), re.DOTALL)
        assert found, f"{path.name} must begin with a block that names the code it is about"
        rows = [line.split() for line in found[1].splitlines()]
        return cls(path, {row[0]: row[1] if len(row) > 1 else "" for row in rows}, found[2])

    @property
    def name(self) -> str:
        """By which it is reread: total.md of the core, dawa/proof.md of a peer."""
        return self.path.name if self.path.parent.name == "proofs" else f"{self.path.parent.name}/{self.path.name}"

    def save(self) -> None:
        """Tie the proof to the code as it is now."""
        block = "".join(f"  {name} {digest(name)}\n" for name in self.code)
        self.path.write_text(f"---\ncode:\n{block}---\n{self.text}", "utf-8")

    @property
    def changed(self) -> list[str]:
        return [name for name, known in self.code.items() if digest(name) != known]


def digest(name: str) -> str:
    """SHA-256 of the source of an object, whatever its line breaks."""
    return hashlib.sha256("".join(source(name).split()).encode()).hexdigest()


def source(name: str) -> str:
    """The text of a function, class, method or constant, named module:object."""
    module, path = name.split(":")
    root = SOURCE if module.startswith("ripost.") else ROOT
    text, node = parse_source(root / f"{module.replace('.', '/')}.py")
    for part in path.split("."):
        inside = [child for child in node.body if part in names(child)]
        assert inside, f"there is no {part} in {module}: a proof is about code that is gone"
        node = inside[-1]
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
    return "\n".join(text.splitlines()[first - 1 : node.end_lineno])


def names(node: ast.stmt) -> list[str]:
    """What a statement defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


@lru_cache
def parse_source(path: Path) -> tuple[str, ast.Module]:
    text = path.read_text("utf-8")
    return text, ast.parse(text)


ALL = [Proof.load(path) for path in PROOFS]
each_proof = pytest.mark.parametrize("proof", ALL, ids=lambda proof: proof.name)


@each_proof
def test_the_code_is_as_it_was_proved(proof: Proof) -> None:
    assert not proof.changed, (
        f"{', '.join(proof.changed)} changed since {proof.name} was read: read the proof and the code together, mend "
        f"either, then run `python tests/privacy/test_proofs.py --reread {proof.name}`"
    )


@each_proof
def test_a_proof_says_what_it_proves_and_when(proof: Proof) -> None:
    assert [line for line in proof.text.splitlines() if line.startswith("## ")] == HEADINGS


def test_every_statistic_has_a_proof_of_itself_and_of_the_code_that_computes_it() -> None:
    from ripost.statistics.registry import find_statistic

    proofs, found = {proof.path: proof for proof in ALL}, 0
    for path in PACKAGE.rglob("*.py"):
        module = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        for node in parse_source(path)[1].body:
            if isinstance(node, ast.Assign) and re.match(r"Statistic\(", ast.unparse(node.value)):
                statistic = getattr(import_module(module), names(node)[0])
                steps = statistic.steps
                code = proofs[statistic.proof].code
                assert {f"{module}:{names(node)[0]}", f"{steps.__module__}:{steps.__name__}"} <= code.keys()
                assert "ripost.statistics.statistic:Statistic" in code
                assert find_statistic(statistic.name) is statistic
                found += 1
    assert found == 15


def test_a_statistic_that_its_proof_does_not_name_is_not_proved() -> None:
    from ripost.statistics.statistic import PROOFS as CORE
    from ripost.statistics.statistic import is_proved
    from ripost.statistics.totals import TOTAL

    assert is_proved(TOTAL)
    assert not is_proved(replace(TOTAL, per_count=2))
    assert not is_proved(replace(TOTAL, proof=CORE / "deviation.md"))
    assert not is_proved(replace(TOTAL, proof=CORE / "nothing.md"))


def test_every_mechanism_has_a_proof() -> None:
    from ripost.privacy.mechanisms import Mechanism

    concrete = {kind for kind in descendants(Mechanism) if hasattr(kind, "proof")}
    assert len(concrete) >= 3
    proofs = {proof.name: proof for proof in ALL}
    for kind in concrete:
        assert f"ripost.privacy.mechanisms:{kind.__name__}" in proofs[kind.proof].code


def descendants(kind: type) -> set[type]:
    return {kind}.union(*(descendants(child) for child in kind.__subclasses__()))


def test_nothing_of_the_core_is_without_a_proof() -> None:
    covered = {name for proof in ALL for name in proof.code}
    for module in PROVED:
        _, tree = parse_source(PACKAGE / f"{module.replace('.', '/')}.py")
        defined = {f"ripost.{module}:{name}" for node in tree.body for name in names(node)}
        assert defined - covered - NEEDS_NONE == set()
    _, tree = parse_source(SOURCE / "ripost" / "privacy" / "noise.py")
    (system,) = [node for node in tree.body if "SystemNoise" in names(node)]
    draws = {f"ripost.privacy.noise:SystemNoise.{name}" for node in system.body for name in names(node)}
    public = {f"ripost.privacy.noise:SystemNoise.{name}" for name in ("entropy", "sample", "uniforms")}
    assert draws - covered == public


def test_no_proof_is_an_orphan() -> None:
    """The code names every proof, as a reader of the code should find it."""
    code = "\n".join(path.read_text("utf-8") for home in (SOURCE, ROOT / "experiments") for path in home.rglob("*.py"))
    assert [proof.name for proof in ALL if not re.search(rf"\b{re.escape(proof.path.name)}\b", code)] == []


def test_a_change_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = next(proof for proof in ALL if proof.name == "series.md")
    path = SOURCE / "ripost" / "privacy" / "budget.py"
    text, _ = parse_source(path)

    def reads(changed: str) -> list[str]:
        assert changed != text
        monkeypatch.setattr(sys.modules[__name__], "parse_source", lambda _: (changed, ast.parse(changed)))
        return proof.changed

    assert reads(text.replace("shifted = depth + k - 1", "shifted = depth + k - 2")) == list(proof.code)
    assert reads(text.replace("LARGEST_EPSILON = 1000", "LARGEST_EPSILON = 10")) == []
    assert reads(text.replace("shifted = depth", "shifted =  depth")) == []
    with pytest.raises(AssertionError, match="code that is gone"):
        reads(text.replace("def weight", "def weigh"))


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reread", nargs="*", metavar="NAME.md", required=True, help="proofs that were read again")
    parser.add_argument("--all", action="store_true", help="all of them")
    given = parser.parse_args(arguments)
    unknown = set(given.reread) - {proof.name for proof in ALL}
    if unknown or not (given.all or given.reread):
        parser.error(f"known proofs: {', '.join(proof.name for proof in ALL)}")
    for proof in ALL:
        if (given.all or proof.name in given.reread) and proof.changed:
            proof.save()
            sys.stdout.write(f"{proof.name}: {', '.join(proof.changed)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
