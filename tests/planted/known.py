"""What the tests of planted models share: data sets written on the spot, true numbers by formula, and how a run is read.

Truths are derived in the docstrings of the models (``sago.testing.planted``) and of the tests; here they are only computed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from sago.runs import Run
from sago.testing.planted import IccModel
from sago.testing.planted.icc import SPREAD

WITHIN = 3.3
"""Standard errors within which an estimate has to lie: 1 in 1000 would fail, and seeds are fixed."""


def write_numeric(folder: Path, count: int) -> str:
    """Writes questions that ask for a number."""
    rows = [
        {"id": f"n{i:04d}", "question": f"A crate holds {i + 2} boxes of {i % 7 + 3} pears each. How many pears are there?"}
        for i in range(count)
    ]
    return _write(folder / "numeric.jsonl", [row | {"answer": (i + 2) * (i % 7 + 3)} for i, row in enumerate(rows)])


def write_text(folder: Path, count: int) -> str:
    """Writes questions that ask for a text."""
    rows = [{"id": f"t{i:04d}", "question": f"What is the name of ship number {i}?", "answer": f"ship {i}"} for i in range(count)]
    return _write(folder / "text.jsonl", rows)


def write_choice(folder: Path, count: int, options: int, *, shared: bool, name: str = "choice") -> str:
    """Writes choice questions whose options are their own, or the same for all, then in every order equally often."""
    orders = list(permutations(range(options)))
    rows = []
    for i in range(count):
        texts = [f"colour {place}" for place in orders[i % len(orders)]] if shared else [f"stone {i}-{place}" for place in range(options)]
        rows.append({"id": f"c{i:04d}", "question": f"Which one is under cup number {i}?", "choices": texts, "answer": texts[0]})
    return _write(folder / f"{name}.jsonl", rows)


def _write(file: Path, rows: Sequence[dict[str, Any]]) -> str:
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return str(file)


def profile(
    run: Run, model: str, axis: str = "generation", *, dataset: str = "numeric", decoding: str = "greedy", layer: int | None = None
) -> dict[str, Any]:
    """Returns the one row over all families of a model's default measure; of a layer where one is given."""
    rows = run.profiles.filter(
        pl.col("model") == f"planted-{model}",
        pl.col("axis") == axis,
        pl.col("dataset") == dataset,
        pl.col("decoding") == decoding,
        pl.col("family").is_null(),
        pl.col("default") if layer is None else pl.col("layer") == layer,
    )
    assert rows.height == 1, rows
    return rows.row(0, named=True)


def control(run: Run, model: str, kind: str, axis: str = "generation", *, decoding: str = "greedy") -> dict[str, Any]:
    """Returns the row of a control on the numeric data set."""
    rows = run.controls.filter(
        pl.col("model") == f"planted-{model}",
        pl.col("axis") == axis,
        pl.col("dataset") == "numeric",
        pl.col("decoding") == decoding,
        pl.col("kind") == kind,
    )
    assert rows.height == 1, rows
    return rows.row(0, named=True)


def verdict(run: Run, claim: str, model: str, axis: str = "generation", *, dataset: str = "numeric", decoding: str = "greedy") -> str:
    """Returns the verdict of a claim about one cell."""
    rows = run.findings.filter(
        pl.col("claim") == claim,
        pl.col("models").list.first() == f"planted-{model}",
        pl.col("datasets").list.first() == dataset,
        pl.col("axis") == axis,
        pl.col("decoding") == decoding,
        pl.col("mode") == ("raw" if claim == "rerun_floor" else "calibrated"),
    )
    assert rows.height == 1, rows
    return str(rows["verdict"][0])


def is_near(row: dict[str, Any], truth: float) -> bool:
    """Returns whether the truth lies within some standard errors of the instability of a profile row."""
    return bool(abs(row["instability"] - truth) < WITHIN * row["se"])


def flips(rate: float, answers: int) -> float:
    """Returns the probability that two answers differ, each the own one or with probability ``rate`` one of the others: F(rate, K)."""
    return 2 * rate - rate**2 * answers / (answers - 1)


def reordered(options: int) -> float:
    """Returns the probability that two different random orders of K options begin differently: (K! - (K-1)!) / (K! - 1)."""
    return (math.factorial(options) - math.factorial(options - 1)) / (math.factorial(options) - 1)


def mean_absolute(shift: float, variance: float) -> float:
    """Returns E|x| of a normal x: the folded normal distribution's mean."""
    deviation = math.sqrt(variance)
    below = 0.5 * math.erfc(shift / deviation / math.sqrt(2))
    return deviation * math.sqrt(2 / math.pi) * math.exp(-(shift**2) / (2 * variance)) + shift * (1 - 2 * below)


def icc_squared(model: IccModel, variants: Sequence[str], places: slice) -> tuple[float, float, float, float]:
    """Returns B, W, N and S with squared distances, summed over some of its values, given the effects of these variants."""
    a, _, c, e = shares(model)
    effects = np.array([model.effect("variant", name)[places] for name in variants])
    size, of_variants = effects.shape[1], effects.var(axis=0, ddof=1).sum()
    across, rerun, unrelated = 2 * (of_variants + size * (c + e)), 2 * size * e, 2 * (of_variants + size * (a + c + e))
    return across, rerun, unrelated, (across - rerun) / (unrelated - rerun)


def icc_absolute(model: IccModel, variants: Sequence[str]) -> tuple[float, float, float, float]:
    """Returns B, W, N and S of the certainty with absolute differences, given the effects of these variants."""
    a, _, c, e = shares(model)
    effects = [float(model.effect("variant", name)[0]) for name in variants]
    pairs = [abs(one - two) for place, one in enumerate(effects) for two in effects[place + 1 :]]
    across = SPREAD * float(np.mean([mean_absolute(shift, 2 * (c + e)) for shift in pairs]))
    unrelated = SPREAD * float(np.mean([mean_absolute(shift, 2 * (a + c + e)) for shift in pairs]))
    rerun = SPREAD * mean_absolute(0.0, 2 * e) if e else 0.0
    return across, rerun, unrelated, (across - rerun) / (unrelated - rerun)


def shares(model: IccModel) -> tuple[float, float, float, float]:
    """Returns the model's shares of variance: example, variant, interaction, rerun."""
    a, b, c, e = (float(model.given[name]) for name in ("example", "variant", "interaction", "rerun"))
    return a, b, c, e
