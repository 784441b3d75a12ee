"""A method of one's own: the page works, the exam catches faults, and packages can offer methods by name."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

import ripost
from ripost.errors import InputError, PrivacyError
from ripost.methods import BUILT_IN, GROUP, METHODS, MethodRegistry, resolve_method
from ripost.methods.identity import Identity
from ripost.methods.method import PublicInputs
from ripost.testing import (
    check_budget,
    check_method,
    check_refusals,
    check_release,
    check_seed,
    check_source,
    count_tensor,
)
from tests.docs.snippets import replay
from tests.methods.faulty import Dices, OneBlock, Overspends, RefusesLate, SpendsNothing

PAGE = Path(__file__).parents[2] / "docs" / "methods" / "your-own.md"


def test_the_page_shows_what_its_code_prints(tmp_path: Path) -> None:
    text = PAGE.read_text("utf-8")
    assert replay(text, tmp_path) == text


PEEKS = """
from tests.methods.faulty import OneBlock

class Peeks(OneBlock):
    def run(self, account):
        assert account._data is not None
        return super().run(account)
"""


def test_a_sound_method_passes() -> None:
    check_method(OneBlock())
    check_method(OneBlock)


def test_the_exam_catches_faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PrivacyError):
        check_budget(Overspends())
    with pytest.raises(AssertionError, match="bad variances"):
        check_release(SpendsNothing())
    with pytest.raises(AssertionError, match="refuses in run what check allows"):
        check_refusals(RefusesLate())
    with pytest.raises(AssertionError, match="draws randomness outside the account"):
        check_seed(Dices())
    (tmp_path / "peeking.py").write_text(PEEKS, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(AssertionError, match=r"uses what is private: account\._data"):
        check_source(import_module("peeking").Peeks())


def test_publish_takes_an_instance() -> None:
    view = ripost.publish(count_tensor((4, 3)), epsilon=1, method=OneBlock(), seed=1)
    assert view.method == "one-block" and len(view.blocks) == 1


def test_a_refusal_comes_before_the_table_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    tensor = count_tensor((4, 3))
    monkeypatch.setattr("ripost.data.memory.MemoryBlockData.of", lambda tensor: pytest.fail("the table was read"))

    class Refuses(OneBlock):
        def check(self, inputs: PublicInputs) -> None:
            raise InputError(f"not for {inputs.shape}, {inputs.epsilon}, {inputs.bound}")

    with pytest.raises(InputError, match=r"not for \(4, 3\), 1/2, 1"):
        ripost.publish(tensor, epsilon=0.5, method=Refuses())


def test_methods_are_resolved_by_name_class_and_instance() -> None:
    assert resolve_method("identity", {}) == resolve_method(Identity, {}) == resolve_method(Identity(), {})
    assert resolve_method("ripost", {"k": 3}).parameters()["k"] == 3
    with pytest.raises(InputError, match="options must be given to the method itself, got k"):
        resolve_method(Identity(), {"k": 3})
    wrong: Any = 5
    with pytest.raises(InputError, match="method must be a name or an instance of Method, got 5"):
        resolve_method(wrong, {})


def test_a_package_adds_methods_and_replaces_none(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("one-block", f"{__name__}:OneBlock", GROUP),
        EntryPoint("identity", f"{__name__}:OneBlock", GROUP),
        EntryPoint("broken", f"{__name__}:PAGE", GROUP),
    ]
    monkeypatch.setattr("ripost.methods.entry_points", lambda group: points if group == GROUP else [])
    registry = MethodRegistry()
    assert registry["one-block"].name == "one-block" and list(registry) == [*BUILT_IN, "one-block", "broken"]
    assert registry["identity"] is Identity
    with pytest.raises(InputError, match=r"entry point 'broken' of group .* must name a subclass of Method"):
        registry["broken"]


def test_the_registry_prints_its_names() -> None:
    assert repr(METHODS).startswith("METHODS(ripost+, ripost, ") and "hdmm" in repr(METHODS)
