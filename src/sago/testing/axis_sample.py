"""What ``check_axis`` scores: two models on two small data sets, with controls, reruns, an audit and missing data."""

from __future__ import annotations

from typing import Any

import numpy as np

from sago import schemas
from sago.axes import AxisInput

_CHOICES = ("Venus", "Mars", "Earth")
_FAMILIES = {
    "canonical": "canonical",
    "paraphrase-1": "paraphrase",
    "paraphrase-2": "paraphrase",
    "format-json": "format",
    "typo-1": "typo",
    "identity": "identity",
    "meaning-changed": "meaning-changed",
}
_WORDS = ("please", "kindly", "tell", "say", "name", "pick")
_DATASETS = {"options": "choice", "texts": "text"}
_FEATURES = ("answer", "embedding", "option_probabilities", "anchor_probability")
_PROMPT_ONLY = ("option_probabilities", "anchor_probability")


def sample_inputs(examples: int = 12, seed: int = 0) -> AxisInput:
    """Returns tables as a run makes them: two models, options and free text, five wordings, both controls, reruns and an audit.

    Answers, vectors, probabilities and states depend on the example most, on the wording somewhat and on the rerun a little; a few
    observations are missing data, empty or unread.
    """
    rng = np.random.default_rng(seed)
    example_rows = [_example(dataset, number) for dataset in _DATASETS for number in range(examples)]
    variant_rows = [_variant(row, place, name) for row in example_rows for place, name in enumerate(_FAMILIES)]
    observations: list[dict[str, Any]] = []
    features: list[dict[str, Any]] = []
    states: list[dict[str, Any]] = []
    for model in ("model-a", "model-b"):
        for row in variant_rows:
            for decoding, rerun in _calls(str(row["variant"])):
                key = {
                    "model": model,
                    **{name: row[name] for name in ("dataset", "example", "variant")},
                    "decoding": decoding,
                    "rerun": rerun,
                }
                made = _observed(key, row, rng)
                observations.append(made[0])
                features += made[1]
                states += made[2]
    return AxisInput(
        features=schemas.frame("features", features),
        states=schemas.frame("states", states),
        observations=schemas.frame("observations", observations),
        variants=schemas.frame("variants", variant_rows),
        examples=schemas.frame("examples", example_rows),
    )


def _example(dataset: str, number: int) -> dict[str, Any]:
    task = _DATASETS[dataset]
    return {
        "dataset": dataset,
        "example": f"e{number:02d}",
        "position": number,
        "task": task,
        "question": f"What is number {number}?",
        "choices": list(_CHOICES) if task == "choice" else None,
        "answers": [_CHOICES[number % 3]],
        "answer_index": number % 3 if task == "choice" else None,
        "paraphrases": [],
        "twin_question": f"What is not number {number}?",
        "twin_answers": [_CHOICES[(number + 1) % 3]],
        "metadata": "{}",
        "fingerprint": f"{dataset}{number}",
    }


def _variant(example: dict[str, Any], place: int, name: str) -> dict[str, Any]:
    wording = "canonical" if name == "identity" else name
    question = f"{_WORDS[list(_FAMILIES).index(wording) % len(_WORDS)]} {wording.replace('-', ' ')} number {example['position']}"
    choices = example["choices"]
    return {
        "dataset": example["dataset"],
        "example": example["example"],
        "variant": name,
        "position": place,
        "family": _FAMILIES[name],
        "control": name in ("identity", "meaning-changed"),
        "parameters": "{}",
        "messages": [{"role": "user", "content": question}],
        "question": question,
        "layout": "plain",
        "shown_choices": choices,
        "permutation": list(range(len(choices))) if choices else None,
        "answers": example["answers"],
        "answer_index": example["answer_index"],
        "edits": [],
        "dose": 0.1,
        "checks": [],
        "merged": [],
        "fingerprint": question,
    }


def _calls(variant: str) -> list[tuple[str, int]]:
    audits = [("audit", 0), ("audit", 1)] if variant == "canonical" else []
    return [("greedy", 0), ("sampled", 0), ("sampled", 1), *audits]


def _observed(
    key: dict[str, Any], variant: dict[str, Any], rng: np.random.Generator
) -> tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]:
    """Returns one observation with its features and states."""
    number, decoding, draw = int(str(key["example"])[1:]), key["decoding"], rng.random()
    status = "error" if draw < 0.01 else "empty" if draw < 0.03 else "truncated" if draw < 0.05 else "ok"
    answer = _CHOICES[number % 3] if rng.random() < 0.8 else str(rng.choice(_CHOICES))
    said = {"error": None, "empty": "", "truncated": "so"}.get(status, f"{variant['question'].split()[0]} {answer}")
    observation = {**key, "status": status, "response": said, "request_key": "k"}
    centre = np.eye(16)[number % 16] + 0.2 * rng.normal(size=16)
    readings: dict[str, dict[str, Any]] = {
        "answer": {"category": answer},
        "embedding": {"vector": (centre / np.linalg.norm(centre)).tolist()},
        "option_probabilities": {"vector": rng.dirichlet(np.full(3, 2.0) + 4 * np.eye(3)[number % 3]).tolist()},
        "anchor_probability": {"number": float(np.clip(0.06 * number + 0.05 * rng.normal() + 0.2, 0.01, 1))},
    }
    if variant["permutation"] is None:
        readings["option_probabilities"] = {"reason": "no_choices"}
    if status == "empty":
        readings["answer"], readings["embedding"] = {"category": "<empty>"}, {"category": "<empty>", "reason": "empty"}
    elif status == "truncated":
        readings["answer"] = {"reason": "truncated"}
    for name in _PROMPT_ONLY if decoding == "sampled" else ():
        readings[name] = {"reason": "not_observable"}
    if status == "error":
        readings = {name: {"reason": "error"} for name in _FEATURES}
    features = [{**key, "feature": name, "reader": name, "version": "1", **reading} for name, reading in readings.items()]
    states = [
        {**key, "tap": f"last_prompt_token/block_{layer}", "layer": layer, "depth": layer / 4, "vector": (3 * centre + layer).tolist()}
        for layer in ((0, 2, 4) if decoding != "sampled" and status != "error" else ())
    ]
    return observation, features, states
