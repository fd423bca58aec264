"""Small tables for readers, built by hand so that each value that a test expects can be seen in the test."""

from __future__ import annotations

from typing import Any

import polars as pl

from sago import schemas
from sago.features import ReaderInput

PLANETS = ["Mars", "Venus", "Earth"]


def example(name: str = "1", task: str = "choice", **values: Any) -> dict[str, Any]:
    """Returns a row of table ``examples``."""
    choice = {"choices": PLANETS, "answers": ["Venus"], "answer_index": 1} if task == "choice" else {"answers": ["8"]}
    row = {"dataset": "d", "example": name, "position": int(name), "task": task, "question": "Q?", "paraphrases": []}
    return {**row, "metadata": "{}", "fingerprint": "f", **choice, **values}


def variant(of: dict[str, Any], name: str = "canonical", **values: Any) -> dict[str, Any]:
    """Returns a row of table ``variants``: letters in the order of the data unless said otherwise."""
    choices = of.get("choices")
    permutation = values.get("permutation", list(range(len(choices))) if choices else None)
    shown = [choices[index] for index in permutation] if choices and permutation is not None else None
    row = {
        "dataset": of["dataset"],
        "example": of["example"],
        "variant": name,
        "position": 0 if name == "canonical" else 1,
        "family": name.split("-", maxsplit=1)[0],
        "control": False,
        "parameters": "{}",
        "messages": [{"role": "user", "content": "Q?"}],
        "question": "Q?",
        "layout": "plain",
        "shown_choices": shown,
        "shown_labels": [chr(65 + index) for index in range(len(shown))] if shown else None,
        "permutation": permutation,
        "answers": of["answers"],
        "answer_index": of.get("answer_index"),
        "edits": [],
        "dose": 0.0,
        "checks": [],
        "merged": [],
        "fingerprint": "f",
    }
    return {**row, **values}


def observation(of: dict[str, Any], response: str | None, status: str = "ok", **values: Any) -> dict[str, Any]:
    """Returns a row of table ``observations`` that answers a variant."""
    row = {"model": "m", "decoding": "greedy", "rerun": 0, "status": status, "response": response, "request_key": "k"}
    return {**row, **{name: of[name] for name in ("dataset", "example", "variant")}, **values}


def tables(
    examples: list[dict[str, Any]], variants: list[dict[str, Any]], observations: list[dict[str, Any]]
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Returns observations, variants and examples as checked tables."""
    frames = {"observations": observations, "variants": variants, "examples": examples}
    observed, asked, known = (schemas.frame(name, rows) for name, rows in frames.items())
    return observed, asked, known


def inputs(*observations: dict[str, Any], task: str = "choice", of: dict[str, Any] | None = None, **of_variant: Any) -> ReaderInput:
    """Returns the input of a reader over observations of one variant of one example; reruns are numbered."""
    one = example(task=task) if of is None else of
    asked = variant(one, **of_variant)
    rows = [{**observation(asked, "", **{}), **row, "rerun": number} for number, row in enumerate(observations)]
    return ReaderInput(*tables([one], [asked], rows))
