"""Observing is resumable: what is there is not asked again, an error is, and Ctrl-C loses nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from tests.runs.hand_made import Parrot

from sago.records import Observation, ObserveOptions, Request
from sago.runs import Missing, RunStore, Silent, observe

OPTIONS = ObserveOptions(reruns=2, audit_examples=2, audit_reruns=1)
ALL = 9 * 3 + 2


def ask(model: Parrot, store: RunStore, variants: pl.DataFrame, options: ObserveOptions = OPTIONS) -> int:
    return observe(model, Missing(variants, store.read("observations"), model.id, options), store, Silent())


def test_everything_is_asked_once(tmp_path: Path, variants: pl.DataFrame) -> None:
    store, model = RunStore(tmp_path), Parrot()
    assert ask(model, store, variants) == 0
    assert store.read("observations").height == len(model.asked) == ALL
    assert ask(model, store, variants) == 0
    assert len(model.asked) == ALL


def test_states_stand_in_their_own_table_and_only_for_prompts(tmp_path: Path, variants: pl.DataFrame) -> None:
    store = RunStore(tmp_path)
    ask(Parrot(), store, variants)
    states = store.read("states")
    assert set(states["decoding"]) == {"greedy", "audit"}
    assert states.height == 9 + 2


@pytest.mark.parametrize("break_after", [0, 1, 5, 17, ALL - 1])
def test_ctrl_c_loses_nothing(tmp_path: Path, variants: pl.DataFrame, break_after: int) -> None:
    store = RunStore(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        ask(Parrot(break_after=break_after), store, variants)
    assert store.read("observations").height == break_after
    again = Parrot()
    ask(again, store, variants)
    assert len(again.asked) == ALL - break_after
    assert store.read("observations").height == ALL


def test_the_anchor_of_a_resumed_example_is_its_stored_canonical_response(tmp_path: Path, variants: pl.DataFrame) -> None:
    store = RunStore(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        ask(Parrot(break_after=1), store, variants)
    first = store.read("observations").row(0, named=True)
    again = Parrot()
    ask(again, store, variants)
    anchors = {request.anchor for request in again.asked if request.key.example == first["example"] and request.wants_anchor}
    assert anchors == {first["response"]}


def test_an_error_is_missing_data_and_asked_again(tmp_path: Path, variants: pl.DataFrame) -> None:
    store = RunStore(tmp_path)
    assert ask(Parrot(fail_on="typo-1: Question e2"), store, variants) == 3
    assert store.read("observations").filter(pl.col("status") == "error").height == 3
    healed = Parrot()
    assert ask(healed, store, variants) == 0
    assert len(healed.asked) == 3
    assert set(store.read("observations")["status"]) == {"ok"}


def test_adding_reruns_asks_only_the_new_ones(tmp_path: Path, variants: pl.DataFrame) -> None:
    store = RunStore(tmp_path)
    ask(Parrot(), store, variants)
    more = Parrot()
    ask(more, store, variants, ObserveOptions(reruns=3, audit_examples=2, audit_reruns=1))
    assert {request.key.rerun for request in more.asked} == {2}
    assert len(more.asked) == 9


def test_half_a_surrogate_pair_does_not_cost_the_part(tmp_path: Path, variants: pl.DataFrame) -> None:
    store = RunStore(tmp_path)

    class Odd(Parrot):
        def observe(self, requests: Sequence[Request]) -> Iterator[Observation]:
            for observation in super().observe(requests):
                yield replace(observation, response="broken \ud83d end")

    ask(Odd(), store, variants)
    assert set(store.read("observations")["response"]) == {"broken ? end"}


def test_two_models_share_a_folder(tmp_path: Path, variants: pl.DataFrame) -> None:
    store = RunStore(tmp_path)
    ask(Parrot("a"), store, variants)
    ask(Parrot("b"), store, variants)
    assert store.read("observations").group_by("model").len().sort("model").rows() == [("a", ALL), ("b", ALL)]
