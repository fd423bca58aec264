"""A run that never happened, but could have: two models, options and free text, nulls with reasons, odd responses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from sago import schemas
from sago.reports import RunSummary
from sago.schemas import Tables
from sago.seeds import content_hash, generator
from sago.stats import equivalence_counts

MODELS = ("SmolLM2-135M-Instruct", "gemma-3-270m-it")
CHOICE, TEXT = "everyday-choice", "passages"

_CASES = Path(__file__).parents[1] / "cases" / "data" / "20-html-outputs.jsonl"
HOSTILE: list[dict[str, str]] = [json.loads(line) for line in _CASES.read_text(encoding="utf-8").splitlines()]
"""Case 20: outputs (and an id) that try to become part of the page."""

CHOICE_QUESTIONS = [
    ("q1", "Which planet is the hottest?", ["Mars", "Venus", "Earth", "Mercury"], 1, "Of all planets, which one is hottest?"),
    ("q2", "Which animal lays eggs?", ["dog", "hen", "cow"], 1, "Which of these animals is an egg layer?"),
    ("q3", "What do bees make?", ["milk", "honey", "silk", "wool"], 1, "Which product comes from bees?"),
    ("q4", "Which of these is a metal?", ["glass", "copper", "wood"], 1, "Which material here counts as a metal?"),
    ("q5", "What freezes at 0 °C?", ["water", "oil", "alcohol"], 0, "At 0 °C, which liquid turns to ice?"),
    ("q6", "Which season follows winter?", ["autumn", "summer", "spring"], 2, "After winter, which season comes?"),
    ("q7", "How many minutes are in an hour?", ["30", "60", "100"], 1, "An hour has how many minutes?"),
    ("q8", "Which instrument has keys?", ["piano", "drum", "flute"], 0, "Which of these is played with keys?"),
    ("<b>id</b>", "Which colour do red and white make?", ["pink", "green", "blue"], 0, "Mixing red with white gives which colour?"),
]
TEXT_QUESTIONS = [
    ("t1", "Who controlled Sicily before the Normans?", "Saracens", "Before the Normans, who held Sicily?"),
    ("t2", "What is the capital of Norway?", "Oslo", "Which city is Norway's capital?"),
    ("t3", "Who wrote the letter?", "Anna", "By whom was the letter written?"),
    ("t4", "Where was the bridge built?", "over the Tamar", "In which place did they build the bridge?"),
]
CONTEXT = (
    "From these bases, the Normans eventually captured Sicily and Malta from the Saracens, under the leadership of the famous Robert "
    "Guiscard, a Hauteville, and his younger brother Roger the Great Count. Roger's son, Roger II of Sicily, was crowned king in 1130."
)
VARIANTS = ("canonical", "paraphrase-1", "format-lines", "choice-order-1", "typo-1", "case-upper", "identity", "meaning-changed")


def family_of(variant: str) -> str:
    return next((name for name in ("choice-order", "meaning-changed") if variant.startswith(name)), variant.split("-", maxsplit=1)[0])


def examples() -> list[dict[str, Any]]:
    shared = {"metadata": "{}", "fingerprint": "0" * 64}
    choice = [
        {**shared, "dataset": CHOICE, "example": name, "position": place, "task": "choice", "question": question, "choices": choices}
        | {"answers": [choices[gold]], "answer_index": gold, "paraphrases": [paraphrase]}
        for place, (name, question, choices, gold, paraphrase) in enumerate(CHOICE_QUESTIONS)
    ]
    text = [
        {**shared, "dataset": TEXT, "example": name, "position": place, "task": "text", "question": question, "context": CONTEXT}
        | {"answers": [] if name == "t3" else [answer], "paraphrases": [paraphrase]}
        for place, (name, question, answer, paraphrase) in enumerate(TEXT_QUESTIONS)
    ]
    return choice + text


def variants() -> list[dict[str, Any]]:
    rows = []
    for example in examples():
        for position, variant in enumerate(VARIANTS):
            if example["task"] == "text" and variant in ("choice-order-1", "meaning-changed"):
                continue
            rows.append(_variant(example, variant, position))
    return rows


def _variant(example: dict[str, Any], variant: str, position: int) -> dict[str, Any]:
    question = {
        "paraphrase-1": example["paraphrases"][0],
        "typo-1": example["question"].replace("the", "teh", 1).replace("of", "fo", 1).replace("many", "mnay"),
        "case-upper": example["question"].upper(),
        "meaning-changed": example["question"].replace("hottest", "coldest").replace("Which", "Which other"),
    }.get(variant, example["question"])
    choices = example.get("choices")
    permutation = None if choices is None else list(range(len(choices)))
    if permutation and variant == "choice-order-1":
        permutation = permutation[1:] + permutation[:1]
    shown = None if choices is None or permutation is None else [choices[index] for index in permutation]
    prompt = _prompt(question, shown, example.get("context"), variant)
    return {
        "dataset": example["dataset"],
        "example": example["example"],
        "variant": variant,
        "position": position,
        "family": family_of(variant),
        "control": variant in ("identity", "meaning-changed"),
        "parameters": "{}",
        "messages": [{"role": "user", "content": prompt}],
        "question": question,
        "layout": "plain",
        "shown_choices": shown,
        "permutation": permutation,
        "answers": example["answers"],
        "answer_index": example.get("answer_index"),
        "edits": [],
        "dose": 0.0 if variant in ("canonical", "identity") else 0.2,
        "checks": ["by_construction"],
        "merged": ["case-title"] if variant == "case-upper" else [],
        "fingerprint": content_hash(prompt),
    }


def _prompt(question: str, shown: list[str] | None, context: str | None, variant: str) -> str:
    if shown is None:
        asked = f"### Question\n{question}\n### Answer" if variant == "format-lines" else f"{question}\n\nAnswer in a few words."
        return f"{context}\n\n{asked}"
    if variant == "format-lines":
        return "\n".join([f"Question: {question}", "Options:", *(f"  ({'ABCD'[i]}) {text}" for i, text in enumerate(shown))])
    return "\n".join([question, *(f"{'ABCD'[i]}. {text}" for i, text in enumerate(shown)), "Answer with the letter only."])


def calls() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yields every observation with the features read from it, by name."""
    golds = {(row["dataset"], row["example"]): row for row in examples()}
    for model in MODELS:
        for place, variant in enumerate(variants()):
            example = golds[variant["dataset"], variant["example"]]
            for decoding, rerun in (("greedy", 0), ("sampled", 0), ("sampled", 1)):
                rng = generator(model, variant["example"], variant["variant"], decoding, rerun)
                key = {"model": model, "dataset": variant["dataset"], "example": variant["example"], "variant": variant["variant"]}
                key |= {"decoding": decoding, "rerun": rerun}
                yield _call(key, variant, example, rng, HOSTILE[place % len(HOSTILE)]["output"])


def _call(
    key: dict[str, Any], variant: dict[str, Any], example: dict[str, Any], rng: np.random.Generator, hostile: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    status, draw, weak = "ok", rng.random(), key["model"] == MODELS[0]
    answer: dict[str, Any]
    choices = example.get("choices")
    probabilities = None
    if example["example"] == "<b>id</b>" or (example["example"] == "t3" and draw < 0.6):
        response, answer = hostile, {"reason": "unparsed"}
    elif draw < 0.03:
        response, answer, status = "I cannot help with that.", {"category": "<refusal>"}, "refusal"
    elif draw < 0.06:
        response, answer, status = "Well, let me think about this step by step, first of all we", {"reason": "truncated"}, "truncated"
    elif choices is not None:
        right = rng.random() < (0.5 if weak else 0.8)
        index = example["answer_index"] if right else int(rng.integers(len(choices)))
        letter = "ABCD"[variant["permutation"].index(index)]
        response, answer = f"{letter}. {choices[index]}" if weak else letter, {"category": choices[index]}
        weights = rng.random(len(choices)) + 2.0 * (np.arange(len(choices)) == index)
        probabilities = [float(value) for value in weights / weights.sum()]
    else:
        wrong = f"It was held by {rng.choice(['the Byzantines', 'King Roger II', 'Robert Guiscard'])}."
        text = f"The {example['answers'][0]}." if example["answers"] and rng.random() < 0.6 else wrong
        response, answer = text, {"category": text.lower().strip(".")}
    gold = None if not example["answers"] else float(example["answers"][0].lower() in str(answer.get("category")).lower())
    observation = key | {"status": status, "response": response, "finish_reason": "stop", "request_key": content_hash(key)}
    greedy = key["decoding"] == "greedy"
    features: dict[str, Any] = {
        "answer": answer,
        "correct": {"number": gold} if gold is not None else {"reason": "no_gold"},
        "option_probabilities": {"vector": probabilities} if probabilities and greedy else {"reason": "not_observable"},
        "anchor_probability": {"number": float(0.2 + 0.6 * rng.random())} if greedy else {"reason": "not_observable"},
    }
    return observation, features


MEASURES = {
    CHOICE: {"generation": "answer_flip", "confidence": "option_probability"},
    TEXT: {"generation": "embedding", "confidence": "anchor_probability"},
}
CENTRES = {"generation": 0.42, "activations": 0.19, "confidence": 0.24, "mirroring": 0.06}


def profiles() -> list[dict[str, Any]]:
    rows = []
    for model in MODELS:
        for dataset in (CHOICE, TEXT):
            measures = {"activations": "state_cosine", "mirroring": "distinctive_uptake"} | MEASURES[dataset]
            for axis in CENTRES:
                for decoding in ("greedy", "sampled"):
                    rows += _cells(model, dataset, axis, measures[axis], decoding)
    return rows


def _cells(model: str, dataset: str, axis: str, measure: str, decoding: str) -> list[dict[str, Any]]:
    key = {"model": model, "dataset": dataset, "axis": axis, "measure": measure, "decoding": decoding}
    if decoding == "sampled" and axis in ("activations", "confidence"):
        return [key | {"default": True, "n": 0, "n_left_out": 9, "flags": [], "reason": "not_observable"}]
    if (model, dataset, axis, decoding) == (MODELS[1], TEXT, "generation", "greedy"):
        raw: dict[str, Any] = {"across": 0.0, "across_se": 0.0, "across_lower": 0.0, "across_upper": 0.0, "unrelated": 0.0}
        raw |= {"n": 4, "n_left_out": 0, "n_variants": 5.0}
        return [key | raw | {"default": True, "flags": ["small_n"], "reason": "degenerate_null"}]
    rows = [key | _values(key, None, None) | {"default": True}]
    if decoding == "greedy" and axis == "activations":
        rows += [key | _values(key, None, layer) | {"default": False} for layer in (8, 15, 22, 30)]
    if decoding == "greedy":
        rows += [key | _values(key, family, None) | {"default": False} for family in ("paraphrase", "format", "typo", "case")]
    if axis == "generation":
        rows.append(key | {"measure": "surface"} | _values(key, None, None) | {"default": False})
    return rows


def _values(key: dict[str, Any], family: str | None, layer: int | None) -> dict[str, Any]:
    if family == "case" and key["axis"] == "mirroring":
        return {"family": family, "n": 0, "n_left_out": 9, "flags": [], "reason": "no_distinctive_surface"}
    rng = generator("profiles", key, family, layer)
    value = CENTRES[key["axis"]] * (1.15 if key["model"] == MODELS[0] else 0.6) + rng.normal(0, 0.05)
    se = 0.03 + 0.04 * rng.random()
    mirroring, audited = key["axis"] == "mirroring", key["dataset"] == CHOICE
    rerun = None if mirroring or (key["decoding"] == "greedy" and not audited) else 0.0 if key["decoding"] == "greedy" else 0.11
    unrelated = 0.02 if mirroring else 0.74
    across = value if mirroring else value * (unrelated - (rerun or 0.0)) + (rerun or 0.0)
    floor = [] if mirroring or key["decoding"] == "sampled" else ["noise_floor=audit" if audited else "noise_floor=assumed_zero"]
    return {
        "family": family,
        "layer": layer,
        "n": 9 if audited else 4,
        "n_left_out": 1 if key["axis"] == "confidence" else 0,
        "n_variants": 5.5,
        "n_reruns": 1.0 if key["decoding"] == "greedy" else 2.0,
        "across": across,
        "across_se": se * 0.7,
        "across_lower": across - 1.4 * se,
        "across_upper": across + 1.4 * se,
        "rerun": rerun,
        "unrelated": unrelated,
        "instability": value,
        "se": se,
        "lower": value - 1.96 * se,
        "upper": value + 1.96 * se,
        "rerun_p": 0.012 if key["decoding"] == "sampled" and not mirroring else None,
        "flags": ["small_n", *floor],
    }


def scores() -> list[dict[str, Any]]:
    rows = []
    for model in MODELS:
        for example in examples():
            rng = generator("scores", model, example["example"])
            key = {"model": model, "dataset": example["dataset"], "example": example["example"], "axis": "generation"}
            key |= {"measure": MEASURES[example["dataset"]]["generation"], "n_variants": 6, "n_observations": 6}
            null = model == MODELS[1] and example["dataset"] == TEXT
            across = 0.0 if null else 0.9 if example["example"] == "<b>id</b>" else float(rng.random() * 0.8)
            greedy = {"across": across, "rerun": 0.0, "unrelated": 0.74, "instability": None if null else across / 0.74}
            rows.append(key | greedy | {"decoding": "greedy", "reason": "degenerate_null" if null else None})
            rows.append(key | greedy | {"decoding": "sampled", "instability": across / 0.74 - 0.1})
    return rows


def controls() -> list[dict[str, Any]]:
    rows = []
    for cell in profiles():
        if not cell["default"] or cell["axis"] == "mirroring" or cell.get("reason"):
            continue
        key = {name: cell[name] for name in ("model", "dataset", "axis", "measure", "decoding", "n")}
        point = cell["decoding"] == "greedy" and cell["axis"] == "generation"
        same = {"across": 0.0, "instability": 0.0, "se": 0.0, "lower": 0.0, "upper": 0.0} if point else {}
        same = same or {"across": 0.02, "instability": 0.01, "se": 0.02, "lower": -0.03, "upper": 0.05}
        verdict = {"verdict": "not_informative", "reason": "width_zero"} if point else {"verdict": "pass"}
        rows.append(key | same | verdict | {"kind": "identity", "expected": "covers 0"})
        moved = {"across": 0.75, "instability": 1.01, "se": 0.02, "lower": 0.97, "upper": 1.05, "verdict": "pass"}
        rows.append(key | moved | {"kind": "shuffled", "expected": "covers 1"})
        changed = {"across": 0.5, "instability": 0.31, "se": 0.06, "lower": 0.19, "upper": 0.43, "verdict": "fail"}
        none = {"across": None, "instability": None, "verdict": "not_informative", "reason": "no_twin", "n": 0}
        rows.append(key | (changed if cell["dataset"] == CHOICE else none) | {"kind": "meaning-changed", "expected": "above the wordings"})
    return rows


def accuracy() -> list[dict[str, Any]]:
    rows = []
    for model in MODELS:
        for dataset in (CHOICE, TEXT):
            for decoding in ("greedy", "sampled"):
                base = 0.55 if model == MODELS[0] else 0.78
                row: dict[str, Any] = {"model": model, "dataset": dataset, "decoding": decoding, "n": 9 if dataset == CHOICE else 3}
                row |= {"n_no_gold": 0 if dataset == CHOICE else 1, "canonical": base, "canonical_lower": base - 0.2}
                row |= {"canonical_upper": base + 0.18, "mean": base - 0.06, "mean_lower": base - 0.2, "mean_upper": base + 0.1}
                row |= {"worst": base - 0.25, "best": base + 0.15, "stable_correct": base - 0.25, "stable_wrong": 0.11}
                rows.append(row | {"unstable": 1 - 0.11 - (base - 0.25)})
    return rows


def findings() -> list[dict[str, Any]]:
    rows = []
    for cell in profiles():
        if not cell["default"]:
            continue
        key = {name: cell[name] for name in ("axis", "measure", "decoding", "n")}
        key |= {"models": [cell["model"]], "datasets": [cell["dataset"]], "claim": "instability", "mode": "calibrated"}
        key |= {"threshold": 0.05, "estimate": cell.get("instability")}
        key |= {name: cell.get(name) for name in ("se", "lower", "upper")}
        place = f"{cell['model']} on {cell['dataset']}, {cell['axis']} ({cell['decoding']})"
        if cell.get("instability") is None:
            rows.append(key | {"verdict": "NOT_TESTED", "reason": cell["reason"], "sentence": f"{place}: not tested."})
            continue
        verdict = "UNSTABLE" if cell["lower"] > 0.05 else "STABLE" if cell["upper"] < 0.05 else "INCONCLUSIVE"
        sentence = f"{place}: instability {cell['instability']:.2f} [{cell['lower']:.2f}, {cell['upper']:.2f}] is {verdict} against .05."
        rows.append(key | {"p": 0.003, "p_adjusted": 0.021, "verdict": verdict, "sentence": sentence})
    return rows


def variation_counts() -> list[dict[str, Any]]:
    rows = []
    for dataset, size in ((CHOICE, 9), (TEXT, 4)):
        for family in ("paraphrase", "format", "choice-order", "typo", "case", "identity", "meaning-changed"):
            missing = dataset == TEXT and family in ("choice-order", "meaning-changed")
            made = 0 if missing else size - (1 if family == "typo" else 0)
            row = {"dataset": dataset, "family": family, "examples": size, "asked": 0 if missing else size, "made": made}
            row |= {"dropped_same": 1 if family == "typo" else 0, "dropped_duplicate": 0, "dropped_unsafe": 0, "dropped_changed": 0}
            rows.append(row | {"not_applicable": size if missing else 0})
    return rows


def sample_tables() -> Tables:
    observed = list(calls())
    features = [
        {name: observation[name] for name in schemas.KEYS} | {"feature": feature, "reader": feature, "version": "1"} | reading
        for observation, readings in observed
        for feature, reading in readings.items()
    ]
    return Tables(
        examples=schemas.frame("examples", examples()),
        variants=schemas.frame("variants", variants()),
        variation_counts=schemas.frame("variation_counts", variation_counts()),
        equivalence=equivalence_counts(schemas.frame("variants", variants())),
        observations=schemas.frame("observations", [observation for observation, _ in observed]),
        features=schemas.frame("features", features),
        scores=schemas.frame("scores", scores()),
        halves=schemas.empty("halves"),
        covariates=schemas.empty("covariates"),
        profiles=schemas.frame("profiles", profiles()),
        controls=schemas.frame("controls", controls()),
        accuracy=schemas.frame("accuracy", accuracy()),
        wording_accuracy=schemas.empty("wording_accuracy"),
        components=schemas.empty("components"),
        findings=schemas.frame("findings", findings()),
    )


def empty_tables() -> Tables:
    return Tables(**{name: schemas.empty(name) for name in Tables.__dataclass_fields__})


def sample_summary() -> RunSummary:
    return RunSummary(
        name="runs/first, runs/second",
        study={
            "models": ["embedded", "hf:gemma"],
            "data": [CHOICE, TEXT],
            "variations": ["identity", "meaning-changed", "paraphrase", "format", "choice-order", "typo", "case"],
            "reruns": 2,
            "temperature": 0.7,
            "seed": 0,
            "max_new_tokens": 16,
            "smallest_effect": 0.05,
            "alpha": 0.05,
            "system": None,
        },
        models=[
            {"id": MODELS[0], "source": "embedded", "revision": "0.1.2", "weights_hash": "b179c9523d0e6a0f98a330c7562b6827"}
            | {"dtype": "float32", "device": "cpu", "chat_template_hash": "77aa", "notes": ["dequantised from 4-bit files"]},
            {"id": MODELS[1], "source": "hf:gemma", "weights_hash": "11ff", "dtype": "float32", "device": "cpu", "notes": []},
        ],
        created="2026-06-01T09:30:00+00:00",
        seed=0,
        versions={"sago": "0.1.0", "python": "3.11.9", "torch": "2.13.0"},
        notes=("40 of 120 examples of everyday-choice drawn at random with seed 0",),
    )
