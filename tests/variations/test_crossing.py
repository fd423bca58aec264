from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from tests.variations.tables import row, table

from sago import registry, schemas
from sago.errors import PluginError
from sago.records import Draft, Example, Message
from sago.seeds import content_hash
from sago.variations import vary
from sago.variations.crossing import NO_DRAWS, _parameters, draws, variants_table
from sago.variations.stacked import stacked

_QUIET = ("case", "format", "register", "position", "enumerator", "identity", "meaning-changed", "rephrase", "instruction", "persona")


def test_families_that_draw_nothing_say_so_and_a_stack_draws_if_one_of_its_layers_does() -> None:
    assert not any(draws(registry.get("variations", name)) for name in _QUIET)
    assert all(draws(registry.get("variations", name)) for name in ("typo", "surface", "choice-order", "few-shot", "distractor"))
    case, position, typo = (registry.get("variations", name) for name in ("case", "position", "typo"))
    assert (draws(stacked([case, position])), draws(stacked([typo, case]))) == (False, True)


def test_what_says_that_it_draws_nothing_cannot_draw() -> None:
    assert isinstance(NO_DRAWS, np.random.Generator)
    with pytest.raises(PluginError, match="draws that says it does not"):
        NO_DRAWS.random(3)


class _Talk:
    """A variation with turns before the question."""

    name = "talk"
    description = "a conversation"
    control = False
    draws = False
    equivalence = "by_construction"
    protects = "everything"
    parameters: Mapping[str, Any] = MappingProxyType({})

    def applies(self, example: Example) -> bool:
        return True

    def vary(self, example: Example, parameters: Any, rng: np.random.Generator) -> tuple[Draft, ...]:
        turns = (Message("user", "Is it “{x}”?"), Message("assistant", 'No.\n"\\"'))
        return (Draft("a", system="Be brief.", turns=turns),)


def test_messages_and_edits_come_through_whole() -> None:
    registry.register("variations", "talk", _Talk())
    try:
        made = vary(table(row("1", "Is it?")), ["talk", "case:styles=lower+upper"]).variants
    finally:
        registry.unregister("variations", "talk")
    rows = made.to_dicts()
    assert [message["role"] for message in rows[1]["messages"]] == ["system", "user", "assistant", "user"]
    assert [message["content"] for message in rows[1]["messages"]][:3] == ["Be brief.", "Is it “{x}”?", 'No.\n"\\"']
    assert [one["fingerprint"] for one in rows] == [content_hash(one["messages"]) for one in rows]
    assert rows[1]["edits"] == []
    assert rows[2]["edits"] == [{"start": 0, "end": 2, "before": "Is", "after": "is"}]
    assert [edit["after"] for edit in rows[3]["edits"]] == ["IS", "IT"]


def test_no_rows_make_an_empty_table() -> None:
    assert variants_table([]).equals(schemas.empty("variants"))


def test_parameters_of_a_draft_that_only_compare_as_equal_are_kept_apart() -> None:
    recorded = '{"n": 2, "rate": 0.1}'
    written = [_parameters(recorded, own) for own in ({"at": 1}, {"at": True}, {"at": 1.0}, {"at": "1"}, {"n": "ü"}, {})]
    assert written == [
        '{"at": 1, "n": 2, "rate": 0.1}',
        '{"at": true, "n": 2, "rate": 0.1}',
        '{"at": 1.0, "n": 2, "rate": 0.1}',
        '{"at": "1", "n": 2, "rate": 0.1}',
        '{"n": "ü", "rate": 0.1}',
        recorded,
    ]
