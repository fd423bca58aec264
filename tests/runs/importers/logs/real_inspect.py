"""Logs that Inspect itself writes: its own mock model, answers made of the prompt, nothing downloaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

COLOURS = ("red", "blue", "green")


def choice_samples(count: int = 6) -> list[Any]:
    from inspect_ai.dataset import Sample

    return [
        Sample(id=f"q{place}", input=f"What is number {place}?", choices=list(COLOURS), target="ABC"[place % 3]) for place in range(count)
    ]


def open_samples(count: int = 6) -> list[Any]:
    from inspect_ai.dataset import Sample

    return [Sample(id=f"t{place}", input=f"What is {place}+1?", target=str(place + 1)) for place in range(count)]


def model_that_says(say: Callable[[str, int], str], **arguments: Any) -> Any:
    """A model that answers by what it was asked and how often it was asked anything; usage is given: to count tokens takes a network."""
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    asked: list[str] = []

    def reply(messages: Sequence[Any], *_: Any) -> Any:
        asked.append(str(messages[-1].text))
        output = ModelOutput.from_content("mockllm/model", say(asked[-1], len(asked) - 1))
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    return get_model("mockllm/model", custom_outputs=reply, memoize=False, **arguments)


def evaluate(task: Any, model: Any, folder: Path, **options: Any) -> Any:
    """Runs a task as Inspect's own command does, and returns the log; its file is ``log.location``."""
    from inspect_ai import eval as run

    given = {"display": "none", "max_samples": 1, **options}
    return run(task, model=model, log_dir=str(folder), **given)[0]
