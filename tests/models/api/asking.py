"""What tests of models behind an API share: requests, and a model at a fault server with waits made short."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sago.errors import StoppedError
from sago.models.api.keys import Secret
from sago.models.api.model import ApiModel
from sago.models.api.openai import OpenAiProvider
from sago.records import ApiOptions, Message, ModelOptions, Observation, Request
from sago.records import Key as ObservationKey

SECRET = "sk-never-to-be-seen-4711"


def requests(count: int, *, choices: tuple[str, ...] | None = None, temperature: float = 0.0, tokens: int = 8) -> list[Request]:
    """Returns different questions."""
    return [
        Request(
            key=ObservationKey("m", "d", f"e{number}", "canonical", "sampled" if temperature else "greedy", 0),
            messages=(Message("user", f"question {number}"),),
            is_canonical=True,
            max_new_tokens=tokens,
            temperature=temperature,
            seed=number,
            choices=choices,
        )
        for number in range(count)
    ]


@contextmanager
def model_at(url: str, *, probe: bool = False, first_pause: float = 0.01, stop: tuple[str, ...] = (), **api: Any) -> Iterator[ApiModel]:
    """Gives a model of OpenAI's protocol; nothing waits long, and nothing is asked before the test asks."""
    options = ModelOptions(api=ApiOptions(base_url=url, **api), stop=stop)
    key = Secret(SECRET)
    model = ApiModel("m", source="openai:m", provider=OpenAiProvider("m", key, options), key=key, options=options.api, probe=probe)
    model._asking._first_pause = first_pause
    try:
        yield model
    finally:
        model.close()


def until_stopped(model: ApiModel, asked: Sequence[Request]) -> tuple[list[Observation], StoppedError | None]:
    """Returns every observation that came, and the stop behind them; null where there was none."""
    found: list[Observation] = []
    try:
        found.extend(model.observe(asked))
    except StoppedError as error:
        return found, error
    return found, None


def by_example(observations: Sequence[Observation]) -> dict[str, Observation]:
    """Returns observations by example, none of them double."""
    found = {one.key.example: one for one in observations}
    assert len(found) == len(observations)
    return found
