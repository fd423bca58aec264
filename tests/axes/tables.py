"""Small runs built by hand, so that every number that a test expects can be worked out on paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from sago import schemas
from sago.axes import AxisInput

READINGS = ("answer", "embedding", "option_probabilities", "anchor_probability")


def call(example: str, variant: str = "canonical", **values: Any) -> dict[str, Any]:
    """Returns one observation with what was read of it.

    Besides columns of ``observations``: ``answer`` (category), ``embedding`` and ``option_probabilities`` (vector), ``anchor_probability``
    (number), each with ``NAME_reason`` where null; ``states`` (layer -> vector); ``prompt``, ``family`` and ``control`` of the variant.
    """
    return {"example": example, "variant": variant, **values}


def run_of(calls: Sequence[dict[str, Any]], *, task: str = "choice", twins: bool = False, **options: Any) -> AxisInput:
    """Returns the tables of one model on one data set."""
    names = sorted({one["example"] for one in calls})
    variants = {(one["example"], one["variant"]): one for one in reversed(calls)}
    return AxisInput(
        features=schemas.frame("features", [row for one in calls for row in _features(one)]),
        states=schemas.frame("states", [row for one in calls for row in _states(one)]),
        observations=schemas.frame("observations", [_observation(one) for one in calls]),
        variants=schemas.frame("variants", [_variant(one) for one in variants.values()]),
        examples=schemas.frame("examples", [_example(name, task, twins) for name in names]),
        **options,
    )


def only(table: pl.DataFrame, **values: Any) -> dict[str, Any]:
    """Returns the one row that has these values; null is a value."""
    rows = table.filter([pl.col(name).is_null() if value is None else pl.col(name) == value for name, value in values.items()])
    assert rows.height == 1, rows
    return rows.row(0, named=True)


def whole(profiles: pl.DataFrame, **values: Any) -> dict[str, Any]:
    """Returns the default profile row over all families and layers."""
    return only(profiles, **({"default": True, "family": None, "layer": None} | values))


def _key(one: dict[str, Any]) -> dict[str, Any]:
    own = {name: one[name] for name in ("example", "variant")}
    return {"model": one.get("model", "m"), "dataset": "d", **own, "decoding": one.get("decoding", "greedy"), "rerun": one.get("rerun", 0)}


def _observation(one: dict[str, Any]) -> dict[str, Any]:
    return {**_key(one), "status": one.get("status", "ok"), "response": one.get("response"), "request_key": "k"}


def _features(one: dict[str, Any]) -> list[dict[str, Any]]:
    column = {"answer": "category", "anchor_probability": "number"}
    rows = []
    for name in READINGS:
        if name in one or f"{name}_reason" in one:
            values = {column.get(name, "vector"): one.get(name), "reason": one.get(f"{name}_reason")}
            if name == "embedding" and "silent" in one:
                values["category"] = one["silent"]
            rows.append({**_key(one), "feature": name, "reader": name, "version": "1", **values})
    return rows


def _states(one: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {**_key(one), "tap": f"last_prompt_token/block_{layer}", "layer": layer, "depth": layer / 10, "vector": vector}
        for layer, vector in one.get("states", {}).items()
    ]


def _variant(one: dict[str, Any]) -> dict[str, Any]:
    name = one["variant"]
    family = one.get("family", name if name in ("identity", "meaning-changed") else name.rsplit("-", maxsplit=1)[0])
    prompt = one.get("prompt", f"{one['example']} {'canonical' if name == 'identity' else name}")
    return {
        "dataset": "d",
        "example": one["example"],
        "variant": name,
        "position": 0 if name == "canonical" else 1,
        "family": family,
        "control": one.get("control", family in ("identity", "meaning-changed")),
        "parameters": "{}",
        "messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": prompt}] if prompt else [],
        "question": prompt,
        "layout": "plain",
        "answers": [],
        "edits": [],
        "dose": 0.0,
        "checks": [],
        "merged": [],
        "fingerprint": prompt,
    }


def _example(name: str, task: str, twins: bool) -> dict[str, Any]:
    return {
        "dataset": "d",
        "example": name,
        "position": 0,
        "task": task,
        "question": "Q?",
        "answers": [],
        "paraphrases": [],
        "twin_question": "not Q?" if twins else None,
        "metadata": "{}",
        "fingerprint": name,
    }
