"""The definitions of METRICS 2, pair by pair, as slowly as they read: the oracle of the closed forms."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[1] / "golden" / "index.json").read_text(encoding="utf-8"))


class Means(NamedTuple):
    across: np.ndarray
    rerun: np.ndarray
    unrelated: np.ndarray
    null: float


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(1 - a @ b / np.sqrt((a @ a) * (b @ b)))


DEFINITIONS: dict[str, Callable[[Any, Any], float]] = {
    "nominal": lambda a, b: float(a != b or a < 0),
    "absolute": lambda a, b: abs(float(a) - float(b)),
    "cosine": cosine,
    "squared_euclidean": lambda a, b: float(np.sum((a - b) ** 2)),
    "inner": lambda a, b: float(1 + a[-1] + b[-1] - a[:-1] @ b[:-1]),
}


def means_of(values: np.ndarray, example: np.ndarray, variant: np.ndarray, distance: Callable[[Any, Any], float]) -> Means:
    """Returns B_i, W_i, N_i and N over examples with at least two variants."""
    rows = range(len(example))
    names = [name for name in np.unique(example) if np.unique(variant[example == name]).size >= 2]
    weight = {}
    for row in rows:
        own = np.unique(variant[example == example[row]]).size
        weight[row] = 1 / (own * int(np.sum((example == example[row]) & (variant == variant[row]))))
    across, rerun, unrelated, top, bottom = [], [], [], 0.0, 0.0
    for name in names:
        of = {v: [row for row in rows if example[row] == name and variant[row] == v] for v in np.unique(variant[example == name])}
        between = [np.mean([distance(values[r], values[s]) for r in of[v] for s in of[w]]) for v, w in combinations(of, 2)]
        across.append(float(np.mean(between)))
        within = [np.mean([distance(values[r], values[s]) for r, s in combinations(of[v], 2)]) for v in of if len(of[v]) > 1]
        rerun.append(float(np.mean(within)) if within else np.nan)
        mine, others = [row for row in rows if example[row] == name], [row for row in rows if example[row] in names]
        pairs = [(r, s) for r in mine for s in others if example[s] != name and variant[r] != variant[s]]
        total = sum(weight[r] * weight[s] * distance(values[r], values[s]) for r, s in pairs)
        share = sum(weight[r] * weight[s] for r, s in pairs)
        unrelated.append(total / share if share else np.nan)
        top, bottom = top + total, bottom + share
    return Means(np.array(across), np.array(rerun), np.array(unrelated), top / bottom if bottom else np.nan)
