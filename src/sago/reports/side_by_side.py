"""The least stable examples for the page: wordings and responses side by side, what differs marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl
from markupsafe import Markup

from sago.reports.cells import models_of
from sago.reports.least_stable import least_stable, main_decoding
from sago.reports.marks import marked, shown
from sago.schemas import Tables

_OF_EXAMPLE = ["dataset", "example"]


@dataclass(frozen=True)
class Chip:
    """An answer as read. Equal answers of one example have the same ``kind``, so that a flip is seen at a glance."""

    text: str
    kind: int
    """0 = the first answer of the example, 1 = the next other one, ...; -1 = no answer was read."""
    count: int = 1


@dataclass(frozen=True)
class Reply:
    """What one model made of one wording."""

    status: str
    text: Markup | None
    same: bool
    """Whether the response is that to the original wording."""
    answer: Chip | None
    correct: bool | None
    confidence: float | None
    """Probability of the option that was chosen, in [0, 1]; null = not observable, or no options."""
    anchor: float | None
    """Probability per token of the original response under this wording; null = not observable."""
    drawn: tuple[Chip, ...]
    """Answers of the other reruns and decodings, counted."""
    reasoning: str | None


@dataclass(frozen=True)
class Wording:
    """One variant and the replies to it, one for each model (null = it was not asked)."""

    name: str
    family: str
    control: bool
    merged: tuple[str, ...]
    prompt: Markup
    same: bool
    replies: tuple[Reply | None, ...]


@dataclass(frozen=True)
class Card:
    """One example."""

    rank: int
    dataset: str
    example: str
    measure: str
    decoding: str
    instability: float | None
    across: float | None
    models: int
    question: str
    choices: tuple[str, ...]
    gold: tuple[str, ...]
    wordings: tuple[Wording, ...]


def cards(tables: Tables, n: int = 10) -> list[Card]:
    """Returns the ``n`` least stable examples, the least stable first."""
    ranking = least_stable(tables, n)
    chosen = ranking.select(_OF_EXAMPLE)
    part = {
        name: getattr(tables, name).join(chosen, on=_OF_EXAMPLE, how="semi")
        for name in ("examples", "variants", "observations", "features")
    }
    read = _readings(part["features"])
    observed: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in part["observations"].sort("decoding", "rerun").iter_rows(named=True):
        observed.setdefault((row["dataset"], row["example"]), []).append(row)
    examples = {(row["dataset"], row["example"]): row for row in part["examples"].iter_rows(named=True)}
    variants: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in part["variants"].sort("control", "position").iter_rows(named=True):
        variants.setdefault((row["dataset"], row["example"]), []).append(row)
    made = []
    for row in ranking.iter_rows(named=True):
        key = (row["dataset"], row["example"])
        if key in examples:
            builder = _CardBuilder(examples[key], observed.get(key, []), read, models_of(tables), main_decoding(tables))
            made.append(_card(row, examples[key], tuple(builder.wordings(variants.get(key, [])))))
    return made


def _card(row: Mapping[str, Any], example: Mapping[str, Any], wordings: tuple[Wording, ...]) -> Card:
    same = ("rank", "dataset", "example", "measure", "decoding", "instability", "across", "models")
    return Card(
        **{name: row[name] for name in same},
        question=example["question"],
        choices=tuple(example["choices"] or ()),
        gold=tuple(example["answers"]),
        wordings=wordings,
    )


def _readings(features: pl.DataFrame) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Returns every reading by model, dataset, example, variant, decoding, rerun, feature; vectors of embeddings are not looked at."""
    wanted = features.filter(pl.col("feature").is_in(["answer", "correct", "option_probabilities", "anchor_probability"]))
    keys = ("model", "dataset", "example", "variant", "decoding", "rerun", "feature")
    return {tuple(row[name] for name in keys): row for row in wanted.iter_rows(named=True)}


class _CardBuilder:
    """Holds what the replies of one example have in common: its answers' colours and the responses to compare with."""

    def __init__(
        self,
        example: Mapping[str, Any],
        observed: list[dict[str, Any]],
        read: Mapping[tuple[Any, ...], dict[str, Any]],
        models: list[str],
        decoding: str,
    ) -> None:
        self._example = example
        self._observed = observed
        self._read = read
        self._models = models
        self._decoding = decoding
        self._kinds: dict[str, int] = {}

    def wordings(self, variants: list[dict[str, Any]]) -> list[Wording]:
        canonical = next((_prompt(row) for row in variants if row["position"] == 0), None)
        return [self._wording(row, canonical) for row in variants]

    def _wording(self, variant: Mapping[str, Any], canonical: str | None) -> Wording:
        prompt = _prompt(variant)
        compared = canonical is not None and variant["position"] != 0
        return Wording(
            name=variant["variant"],
            family=variant["family"],
            control=variant["control"],
            merged=tuple(variant["merged"]),
            prompt=marked(canonical, prompt) if compared and canonical is not None else shown(prompt),
            same=compared and prompt == canonical,
            replies=tuple(self._reply(model, variant) for model in self._models),
        )

    def _reply(self, model: str, variant: Mapping[str, Any]) -> Reply | None:
        rows = [row for row in self._observed if row["model"] == model and row["variant"] == variant["variant"]]
        main = next((row for row in rows if row["decoding"] == self._decoding and row["rerun"] == 0), None)
        if main is None:
            return None
        original = next((row for row in self._observed if row["model"] == model and self._is_original(row)), None)
        before = original["response"] if original is not None and variant["position"] != 0 else None
        text = main["response"]
        correct = self._reading(main, "correct").get("number")
        answer = self._chip(main)
        return Reply(
            status=main["status"],
            text=None if text is None else shown(text) if before is None else marked(before, text),
            same=before is not None and before == text,
            answer=answer,
            correct=None if correct is None else correct >= 1,
            confidence=self._confidence(main),
            anchor=self._reading(main, "anchor_probability").get("number"),
            drawn=self._drawn([row for row in rows if row is not main and row["decoding"] != "audit"]),
            reasoning=main["reasoning"],
        )

    def _is_original(self, row: Mapping[str, Any]) -> bool:
        return bool(row["variant"] == "canonical" and row["decoding"] == self._decoding and row["rerun"] == 0)

    def _reading(self, row: Mapping[str, Any], feature: str) -> dict[str, Any]:
        key = tuple(row[name] for name in ("model", "dataset", "example", "variant", "decoding", "rerun"))
        return self._read.get((*key, feature), {})

    def _chip(self, row: Mapping[str, Any]) -> Chip | None:
        reading = self._reading(row, "answer")
        if not reading:
            return None
        category = reading["category"]
        if category is None:
            return Chip(reading["reason"] or "no answer", -1)
        return Chip(category, self._kinds.setdefault(category, len(self._kinds)))

    def _drawn(self, rows: list[dict[str, Any]]) -> tuple[Chip, ...]:
        chips = [chip for row in rows if (chip := self._chip(row)) is not None]
        counted = Counter((chip.text, chip.kind) for chip in chips)
        return tuple(Chip(text, kind, count) for (text, kind), count in counted.most_common())

    def _confidence(self, row: Mapping[str, Any]) -> float | None:
        category, choices = self._reading(row, "answer").get("category"), self._example["choices"]
        vector = self._reading(row, "option_probabilities").get("vector")
        if not choices or not vector or category not in choices or len(vector) != len(choices):
            return None
        return float(vector[choices.index(category)])


def _prompt(variant: Mapping[str, Any]) -> str:
    messages = variant["messages"]
    if len(messages) == 1:
        return str(messages[0]["content"])
    return "\n\n".join(f"[{message['role']}] {message['content']}" for message in messages)
