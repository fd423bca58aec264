"""Small tables for axes, built by hand so that each number that a test expects can be seen in the test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import polars as pl

from sago import schemas
from sago.axes import AxisInput

CONTROLS = ("identity", "meaning-changed")
Reading = dict[str, Any]
"""Value columns of a feature row, with ``status`` and ``response`` of its observation where they matter."""


def example(name: str, task: str = "choice", **values: Any) -> dict[str, Any]:
    """Returns a row of table ``examples``."""
    row = {"dataset": "d", "example": name, "position": 0, "task": task, "question": f"Question {name}?", "paraphrases": []}
    return {**row, "answers": [], "metadata": "{}", "fingerprint": name, **values}


def variant(of: str, name: str, prompt: str | None = None, **values: Any) -> dict[str, Any]:
    """Returns a row of table ``variants``; each name has a prompt of its own unless one is given, ``identity`` the canonical one."""
    said = f"{of} {'canonical' if name == 'identity' else name}" if prompt is None else prompt
    family = name if name in CONTROLS or name == "canonical" else name.rsplit("-", 1)[0]
    row = {"dataset": "d", "example": of, "variant": name, "position": 0 if name == "canonical" else 1, "family": family}
    made = {"parameters": "{}", "messages": [{"role": "user", "content": said}], "question": said, "layout": "plain", "answers": []}
    rest = {"edits": [], "dose": 0.0, "checks": [], "merged": [], "fingerprint": said}
    return {**row, "control": name in CONTROLS, **made, **rest, **values}


def key(of: str, name: str, decoding: str = "greedy", rerun: int = 0, model: str = "m") -> dict[str, Any]:
    """Returns the key of an observation."""
    return {"model": model, "dataset": "d", "example": of, "variant": name, "decoding": decoding, "rerun": rerun}


def reading(value: Any) -> Reading:
    """Returns the columns of a reading: a text is a category, a number a number, a list a vector, a dictionary itself, null unread."""
    if value is None:
        return {"reason": "unparsed"}
    if isinstance(value, dict):
        return value
    if isinstance(value, str):
        return {"category": value}
    return {"vector": list(value)} if isinstance(value, Sequence) else {"number": float(value)}


def tables(
    replies: Mapping[str, Mapping[str, Any]],
    feature: str = "answer",
    *,
    decoding: str = "greedy",
    audit: Mapping[str, Sequence[Any]] | None = None,
    task: str = "choice",
    prompts: Mapping[str, str] | None = None,
    twins: bool = False,
) -> AxisInput:
    """Returns the input of an axis from one feature.

    Args:
        replies: Example -> variant -> its reading, or a tuple of readings, one a rerun.
        feature: Name of the feature; ``response`` makes observations alone, ``state`` makes states.
        decoding: Way of decoding of all replies.
        audit: Example -> readings of its canonical wording in the audit.
        task: Task of every example.
        prompts: Variant -> prompt, in place of one of its own for every variant.
        twins: Whether the examples have meaning-changed twins.
    """
    values = {"twin_question": "Other?"} if twins else {}
    found = [example(name, task, **values) for name in replies]
    asked = [variant(of, name, (prompts or {}).get(name)) for of, wordings in replies.items() for name in wordings]
    called = [
        (key(of, name, decoding, rerun), value)
        for of, wordings in replies.items()
        for name, given in wordings.items()
        for rerun, value in enumerate(given if isinstance(given, tuple) else (given,))
    ]
    called += [(key(of, "canonical", "audit", rerun), value) for of, given in (audit or {}).items() for rerun, value in enumerate(given)]
    observations, features, states = [], [], []
    for one, value in called:
        columns = {"response": value} if feature == "response" else dict(reading(value))
        said = {name: columns.pop(name) for name in ("status", "response") if name in columns}
        observations.append({**one, "status": "ok", "request_key": "k", "response": "a reply", **said})
        if feature == "state":
            states += [
                {**one, "tap": f"block_{layer}", "layer": layer, "depth": layer / 4, "vector": row} for layer, row in enumerate(value)
            ]
        elif feature != "response" and columns:
            features.append({**one, "feature": feature, "reader": feature, "version": "1", **columns})
    given = {"features": features, "states": states, "observations": observations, "variants": asked, "examples": found}
    return AxisInput(**{name: schemas.frame(name, rows) for name, rows in given.items()})


def together(*inputs: AxisInput) -> AxisInput:
    """Returns the tables of several inputs as one, each row once."""
    names = [item.name for item in fields(AxisInput) if isinstance(getattr(inputs[0], item.name), pl.DataFrame)]
    joined = {name: pl.concat([getattr(one, name) for one in inputs]) for name in names}
    keyed = {name: [column for column in ("tap", "feature", *schemas.KEYS) if column in table.columns] for name, table in joined.items()}
    return replace(inputs[0], **{name: table.unique(keyed[name], maintain_order=True) for name, table in joined.items()})


def only(table: pl.DataFrame, **wanted: Any) -> dict[str, Any]:
    """Returns the one row of a table with these values; null is looked for as null."""
    found = table.filter(*(pl.col(name).eq_missing(pl.lit(value)) for name, value in wanted.items()))
    assert found.height == 1, found
    return found.row(0, named=True)
