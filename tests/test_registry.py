"""Names to plug-ins: every built-in loads, an unknown name suggests its neighbours."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sago import registry
from sago.errors import PluginError, UnknownNameError

BUILT_IN = [(group, name) for group in registry.GROUPS for name in registry.names(group)]


def test_every_group_has_built_ins() -> None:
    assert {group for group, _ in BUILT_IN} == set(registry.GROUPS)


@pytest.mark.parametrize(("group", "name"), BUILT_IN)
def test_every_built_in_loads(group: registry.Group, name: str) -> None:
    assert registry.get(group, name) is not None


@pytest.fixture
def planted() -> Iterator[str]:
    registry.register("axes", "a-test-axis", object())
    yield "a-test-axis"
    registry.unregister("axes", "a-test-axis")


def test_registered_by_hand_is_found_and_listed(planted: str) -> None:
    assert planted in registry.names("axes")
    assert registry.get("axes", planted) is not None


def test_a_taken_name_is_refused(planted: str) -> None:
    with pytest.raises(PluginError, match="already registered"):
        registry.register("axes", planted, object())


@pytest.mark.parametrize(
    ("group", "wrong", "expected"),
    [
        ("variations", "tipo", "Did you mean typo"),
        ("axes", "confidance", "Did you mean confidence"),
        ("models", "xyzzy", "Known: anthropic, embedded"),
    ],
)
def test_unknown_name_suggests_its_neighbours(group: registry.Group, wrong: str, expected: str) -> None:
    with pytest.raises(UnknownNameError, match=expected):
        registry.get(group, wrong)
