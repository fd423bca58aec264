"""Hand-made questions and a model without any machinery, for tests of run folders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sago.records import Capability, ModelDescription, Observation, Request, StateVector
from sago.seeds import content_hash


def example_row(name: str, dataset: str = "d") -> dict[str, Any]:
    return {
        "dataset": dataset,
        "example": name,
        "position": 0,
        "task": "text",
        "question": f"Question {name}?",
        "answers": ["yes"],
        "paraphrases": [],
        "metadata": "{}",
        "fingerprint": content_hash(name),
    }


def variant_row(example: str, variant: str, position: int, dataset: str = "d", text: str | None = None) -> dict[str, Any]:
    content = text or f"{variant}: Question {example}?"
    family = variant.rsplit("-", 1)[0] if variant != "canonical" else variant
    return {
        "dataset": dataset,
        "example": example,
        "variant": variant,
        "position": position,
        "family": family,
        "control": family == "identity",
        "parameters": "{}",
        "messages": [{"role": "user", "content": content}],
        "question": content,
        "layout": "plain",
        "answers": ["yes"],
        "edits": [],
        "dose": 0.1 if position else 0.0,
        "checks": [],
        "merged": [],
        "fingerprint": content_hash(content),
    }


class Parrot:
    """Repeats the prompt; can be told to break off or to fail on some prompts."""

    capabilities: frozenset[Capability] = frozenset({"generate", "anchor_logprobs", "states"})

    def __init__(self, name: str = "parrot", *, break_after: int | None = None, fail_on: str | None = None, weights: str = "w1") -> None:
        self.id = name
        self.break_after = break_after
        self.fail_on = fail_on
        self.weights = weights
        self.asked: list[Request] = []

    def describe(self) -> ModelDescription:
        return ModelDescription(id=self.id, source="test", weights_hash=self.weights)

    def observe(self, requests: Sequence[Request]) -> Iterator[Observation]:
        for request in requests:
            if self.break_after is not None and len(self.asked) >= self.break_after:
                raise KeyboardInterrupt
            self.asked.append(request)
            text = request.messages[-1].content
            if self.fail_on is not None and self.fail_on in text:
                yield Observation(key=request.key, status="error", error="told to fail")
                continue
            states = (StateVector("last_prompt_token/block_1", 1, 0.5, (1.0, float(len(text)))),) if request.wants_states else ()
            yield Observation(key=request.key, status="ok", response=text, anchor_logprob=-1.0, anchor_tokens=2, states=states)

    def close(self) -> None:
        self.asked = list(self.asked)
