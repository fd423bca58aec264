"""Small tables for what is concluded, built by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from sago import schemas

Answers = dict[str, dict[str, list[tuple[str | None, float | None]]]]
"""Example -> variant -> replies as (answer, correct)."""


def cell(**values: Any) -> dict[str, Any]:
    """Returns a row of table ``profiles``: a default cell with a clear instability, noise measured by reruns."""
    row = {"model": "m", "dataset": "d", "axis": "generation", "measure": "answer_flip", "decoding": "sampled", "default": True}
    numbers = {"n": 200, "n_left_out": 0, "n_variants": 6.0, "n_reruns": 2.0, "across": 0.2, "rerun": 0.1, "unrelated": 0.9}
    found = {"instability": 0.12, "se": 0.02, "lower": 0.0808, "upper": 0.1592, "rerun_p": 0.001, "flags": []}
    return {**row, **numbers, **found, **values}


def missing(reason: str, **values: Any) -> dict[str, Any]:
    """Returns a row of table ``profiles`` without numbers."""
    none = dict.fromkeys(("n_variants", "n_reruns", "across", "rerun", "unrelated", "instability", "se", "lower", "upper", "rerun_p"))
    return {**cell(), **none, "n": 0, "n_left_out": 5, "reason": reason, **values}


def profiles(*rows: dict[str, Any]) -> pl.DataFrame:
    """Returns table ``profiles``."""
    return schemas.frame("profiles", list(rows))


def variant(example: str, name: str, *, control: bool = False) -> dict[str, Any]:
    """Returns a row of table ``variants``."""
    row = {"dataset": "d", "example": example, "variant": name, "position": 0, "family": name.split("-", maxsplit=1)[0], "control": control}
    made = {"parameters": "{}", "messages": [{"role": "user", "content": name}], "question": name, "layout": "plain"}
    return {**row, **made, "answers": ["x"], "edits": [], "dose": 0.0, "checks": [], "merged": [], "fingerprint": "f"}


def readings(answers: Answers, *, decoding: str = "greedy", reason: str | None = None) -> pl.DataFrame:
    """Returns table ``features``: for each example and variant, the replies as (answer, correct).

    Args:
        answers: Example -> variant -> replies.
        decoding: Way of decoding of all of them.
        reason: Why ``correct`` is null, where it is.
    """
    rows: list[dict[str, Any]] = []
    for example, variants in answers.items():
        for name, replies in variants.items():
            for rerun, (answer, correct) in enumerate(replies):
                key = {"model": "m", "dataset": "d", "example": example, "variant": name, "decoding": decoding, "rerun": rerun}
                shared = {**key, "reader": "r", "version": "1"}
                rows.append({**shared, "feature": "answer", "category": answer, "reason": None if answer else "unparsed"})
                rows.append({**shared, "feature": "correct", "number": correct, "reason": reason if correct is None else None})
    return schemas.frame("features", rows)


def variants_of(*examples: str, names: tuple[str, ...] = ("canonical", "typo-1", "format-1"), control: str | None = None) -> pl.DataFrame:
    """Returns table ``variants`` of these examples; ``control`` adds a control of that name."""
    rows = [variant(example, name) for example in examples for name in names]
    rows += [variant(example, control, control=True) for example in examples if control]
    return schemas.frame("variants", rows)


def scored(
    row: dict[str, Any], across: Sequence[float], rerun: Sequence[float | None] | None = None, **columns: Any
) -> list[dict[str, Any]]:
    """Returns rows of table ``scores`` for the cell of a row of ``profiles``: one example for each B_i, with its W_i where it has one.

    Args:
        row: Row of ``profiles``.
        across: B_i.
        rerun: W_i; null = no example was asked twice.
        columns: Other columns; a list gives each example its own value.
    """
    head = {name: row[name] for name in ("model", "dataset", "axis", "measure", "decoding")}
    known = {"n_variants": 4, "n_observations": 8, "unrelated": 0.9, "instability": 0.1, "influence": 0.0} | columns
    rows = []
    for place, value in enumerate(across):
        own = {name: given[place] if isinstance(given, list) else given for name, given in known.items()}
        rows.append({**head, "example": f"e{place:04d}", "across": value, "rerun": None if rerun is None else rerun[place], **own})
    return rows
