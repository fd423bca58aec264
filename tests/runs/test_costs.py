"""Time and money of a plan, and what an earlier run tells of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.runs.hand_made import example_row, variant_row

from sago import schemas
from sago.errors import InputError, RunFolderError
from sago.records import ObserveOptions
from sago.runs import Plan, RunStore, make_plan
from sago.runs.costs import Measured, costs_of, measured_in
from sago.runs.manifest import new_manifest

LIKE = Measured("runs/x", seconds={"a": 1.0, "b": 3.0}, characters_per_token=2.0, new_tokens=5.0)


@pytest.fixture
def plan(variants: pl.DataFrame) -> Plan:
    return make_plan(variants, pl.DataFrame(), ObserveOptions(reruns=1, audit_examples=0, max_new_tokens=10), models=2)


def test_without_an_earlier_run_four_characters_are_a_token_and_responses_are_as_long_as_they_may(plan: Plan) -> None:
    """Nine prompts, asked twice of two models: 36 calls of at most 10 tokens."""
    found = costs_of(plan, ["a", "b"])
    assert found.prompt_tokens == plan.sent_characters / 4
    assert (found.new_tokens, found.seconds, found.money) == (360, None, None)


def test_an_earlier_run_gives_speed_and_tokens(plan: Plan) -> None:
    """18 calls a model: 18 x 1 s and, of a model that the run lacks, 18 x the mean of 2 s."""
    found = costs_of(plan, ["a", "new"], like=LIKE, price_in=1e6, price_out=2e6)
    assert (found.prompt_tokens, found.new_tokens) == (plan.sent_characters / 2, 180)
    assert found.seconds == pytest.approx(18 * 1.0 + 18 * 2.0)
    assert found.money == pytest.approx(plan.sent_characters / 2 + 2 * 180)
    assert costs_of(plan, ["a", "b"], like=LIKE, seconds_per_call=0.5).seconds == 18
    assert costs_of(plan, ["a", "b"], price_out=1e6).money == 360


@pytest.mark.parametrize(
    ("name", "flag"), [("seconds_per_call", "--seconds-per-call"), ("price_in", "--price-in"), ("price_out", "--price-out")]
)
@pytest.mark.parametrize("value", [-1.0, float("nan"), float("inf")])
def test_no_amount_is_one_line(plan: Plan, name: str, flag: str, value: float) -> None:
    with pytest.raises(InputError, match=flag):
        costs_of(plan, ["a", "b"], **{name: value})  # type: ignore[arg-type]


def write_run(folder: Path, *, halves: bool = True) -> None:
    """Writes a run of two models with known speed, tokens and spread."""
    store, examples = RunStore(folder), [f"e{i}" for i in range(4)]
    table = schemas.frame("examples", [example_row(name) for name in examples])
    manifest = {**new_manifest(table, []), "models": {name: {"spec": f"hf:{name}"} for name in ("m1", "m2")}, "finished": True}
    store.write_manifest(manifest)
    store.write_text("study.yaml", "seed: 0\n")
    store.write("variants", schemas.frame("variants", [variant_row(name, "canonical", 0, text="x" * 30) for name in examples]))
    rows, scores, profiles, split = [], [], [], []
    cell = {"dataset": "d", "axis": "generation", "measure": "answer_flip", "decoding": "greedy"}
    for model, seconds in (("m1", 0.5), ("m2", 1.5)):
        for place, name in enumerate(examples):
            key = {"model": model, "dataset": "d", "example": name, "variant": "canonical", "decoding": "greedy", "rerun": 0}
            known = {"status": "ok", "seconds": seconds, "prompt_tokens": 10, "response_token_ids": [1, 2, 3], "request_key": "k"}
            rows.append({**key, **known})
            score = {"instability": 0.1 * place, "influence": 0.1 * place if model == "m1" else 0.0, "across": 0.1 * place}
            scores.append({**cell, "model": model, "example": name, **score, "n_variants": 8, "n_observations": 8})
            sides = {"first": [float(place), float(place)], "second": [float(place**2), float(place % 2)]}
            split.append({**cell, "model": model, "example": name, **sides})
        row = {**cell, "model": model, "default": True, "n": 4, "n_left_out": 0, "n_variants": 8.0, "flags": []}
        profiles.append({**row, "instability": 0.15, "se": 0.1 if model == "m1" else 0.2, "across": 0.15})
    store.append("observations", schemas.frame("observations", rows), 1)
    store.write("scores", schemas.frame("scores", scores))
    store.write("profiles", schemas.frame("profiles", profiles))
    if halves:
        store.write("halves", schemas.frame("halves", split))


def test_what_a_run_shows_by_hand(tmp_path: Path) -> None:
    write_run(tmp_path)
    found = measured_in(tmp_path)
    assert found.seconds == {"hf:m1": 0.5, "hf:m2": 1.5}
    assert (found.characters_per_token, found.new_tokens) == (3.0, 3.0)
    assert found.sd == pytest.approx((0.2 + 0.4) / 2)
    assert found.paired_sd == pytest.approx(0.1 * np.std(range(4), ddof=1))
    places = np.arange(4)
    half = (np.corrcoef(places, places**2)[0, 1] + np.corrcoef(places, places % 2)[0, 1]) / 2
    assert found.reliability == pytest.approx(2 * half / (1 + half))
    assert found.variants == 8


def test_what_a_run_does_not_show_is_null(tmp_path: Path) -> None:
    write_run(tmp_path, halves=False)
    found = measured_in(tmp_path)
    assert found.reliability is found.variants is None
    RunStore(tmp_path).write("profiles", schemas.empty("profiles"))
    assert measured_in(tmp_path).sd is None


def test_a_folder_without_answers_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="not a run folder"):
        measured_in(tmp_path / "nothing")
    write_run(tmp_path)
    (tmp_path / "observations" / "part-000001.parquet").unlink()
    with pytest.raises(RunFolderError, match="holds no answers"):
        measured_in(tmp_path)
