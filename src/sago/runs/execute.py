"""The observe stage on this machine: what is missing is asked, batch by batch, and every batch is written before the next begins."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import polars as pl

from sago import schemas
from sago.models.protocol import Model
from sago.records import CANONICAL, Key, ModelDescription, Observation, ObserveOptions, Request
from sago.runs.plan import audit_sample, request_key, requests_of_example, ways_of_asking
from sago.runs.progress import Progress
from sago.runs.store import RunStore
from sago.seeds import content_hash

REQUESTS_PER_CALL = 288
"""Whole examples are gathered until they hold this many requests: enough for a model to fill its batches. One that wants more at a time
says so by an attribute ``requests_per_call``."""
SECONDS_PER_WORD = 0.5
"""How often the progress is told of rate, errors and cost."""
SECONDS_PER_PART = 10.0
"""What came back is written at least this often; a power cut loses no more than this and the batch in flight."""

_OBSERVATION_FIELDS = (
    "status",
    "response",
    "reasoning",
    "finish_reason",
    "error",
    "response_token_ids",
    "token_logprobs",
    "choice_logprobs",
    "choice_token_ids",
    "anchor_logprob",
    "anchor_tokens",
    "prompt_tokens",
    "prompt_hash",
    "batch_size",
    "seconds",
    "response_tokens",
    "reasoning_tokens",
    "attempts",
    "model_version",
    "server_fingerprint",
    "request_id",
    "asked_at",
)


class Missing:
    """What is still to be asked of one model.

    Args:
        variants: Table ``variants``.
        done: Table ``observations``, as far as there is one.
        model: Name of the model.
        options: What to ask.
    """

    def __init__(self, variants: pl.DataFrame, done: pl.DataFrame, model: str, options: ObserveOptions) -> None:
        self._variants = variants.sort("dataset", "example", "position")
        self._model = model
        self._options = options
        self._audited = audit_sample(variants, options)
        mine = done.filter((pl.col("model") == model) & (pl.col("status") != "error"))
        self._done: set[tuple[Any, ...]] = set(mine.select(schemas.KEYS[1:]).iter_rows())
        canonical = mine.filter((pl.col("variant") == CANONICAL) & (pl.col("decoding") == "greedy"))
        answers = canonical.select("dataset", "example", "response").iter_rows()
        self._anchors: dict[tuple[str, str], str] = {(dataset, example): text for dataset, example, text in answers}
        self.total = self._count()

    def _count(self) -> int:
        return sum(
            (*key, *way) not in self._done
            for key in self._variants.select("dataset", "example", "variant").iter_rows()
            for way in ways_of_asking(key[2], self._options, audited=key[:2] in self._audited)
        )

    def chunks(self, model: Model) -> Iterator[list[Request]]:
        """Yields the missing requests of whole examples, about ``REQUESTS_PER_CALL`` or as the model wants at a time."""
        chunk: list[Request] = []
        size = max(REQUESTS_PER_CALL, getattr(model, "requests_per_call", 0))
        for (dataset, example), rows in self._variants.group_by("dataset", "example", maintain_order=True):
            name = (str(dataset), str(example))
            every = requests_of_example(rows.to_dicts(), self._model, self._options, model.capabilities, audited=name in self._audited)
            for request in every:
                key = request.key
                if (key.dataset, key.example, key.variant, key.decoding, key.rerun) not in self._done:
                    chunk.append(self._with_anchor(request))
            if len(chunk) >= size:
                yield chunk
                chunk = []
        if chunk:
            yield chunk

    def _with_anchor(self, request: Request) -> Request:
        anchor = self._anchors.get((request.key.dataset, request.key.example))
        if anchor is None or not request.wants_anchor:
            return request
        return replace(request, anchor=anchor)


def observe(model: Model, missing: Missing, store: RunStore, progress: Progress) -> int:
    """Asks a model for everything that is missing and writes it part by part.

    Args:
        model: The opened model.
        missing: What to ask.
        store: Where the parts go.
        progress: Told of every observation.

    Returns:
        Number of observations that ended in error; they are asked again by the next run.

    Raises:
        KeyboardInterrupt: After what was observed so far has been written.
        ModelError: If the model fails as a whole; what was observed so far has been written.
    """
    description = describe(model)
    identity = content_hash({name: value for name, value in description.items() if name not in ("notes", "source", "device")})
    failed = 0
    progress.start(f"asking {model.id}", missing.total)
    pulse = _Pulse(model, progress)
    for chunk in missing.chunks(model):
        asked = {request.key: request for request in chunk}
        part = _Part(asked, identity, store)
        try:
            for observation in model.observe(chunk):
                part.add(observation)
                failed += observation.status == "error"
                progress.advance()
                pulse.beat(failed)
        finally:
            part.write()
    progress.stop()
    return failed


def describe(model: Model) -> dict[str, Any]:
    """Returns the model's description as it stands in the manifest."""
    description: ModelDescription = model.describe()
    return {**asdict(description), "notes": list(description.notes), "capabilities": sorted(model.capabilities)}


class _Pulse:
    """Tells the progress how a model behind an API is getting on; of others, nothing beside their count."""

    def __init__(self, model: Model, progress: Progress) -> None:
        self._spending = getattr(model, "spending", None)
        self._progress = progress
        self._started = self._told = time.monotonic()
        self._done = 0

    def beat(self, failed: int) -> None:
        self._done += 1
        now = time.monotonic()
        if self._spending is None or now - self._told < SECONDS_PER_WORD:
            return
        self._told = now
        cost = self._spending.cost
        parts = [f"{self._done / (now - self._started):.1f}/s", f"{failed} errors", *([] if cost is None else [f"cost {cost:.4g}"])]
        self._progress.tell(", ".join(parts))


class _Part:
    """Observations that came back and are not written yet."""

    def __init__(self, asked: Mapping[Key, Request], identity: str, store: RunStore) -> None:
        self._asked = asked
        self._identity = identity
        self._store = store
        self._waiting: list[Observation] = []
        self._written = time.monotonic()

    def add(self, observation: Observation) -> None:
        self._waiting.append(observation)
        if time.monotonic() - self._written > SECONDS_PER_PART:
            self.write()

    def write(self) -> None:
        _write(self._waiting, self._asked, self._identity, self._store)
        self._waiting = []
        self._written = time.monotonic()


def _write(answered: Sequence[Observation], asked: Mapping[Key, Request], identity: str, store: RunStore) -> None:
    if not answered:
        return
    rows, states = [], []
    for observation in answered:
        key = asdict(observation.key)
        content = {name: _plain(getattr(observation, name)) for name in _OBSERVATION_FIELDS}
        rows.append({**key, **content, "request_key": request_key(asked[observation.key], {"model": identity})})
        states += [{**key, **asdict(state), "vector": list(state.vector)} for state in observation.states]
    part = store.next_part()
    if states:
        store.append("states", schemas.frame("states", states), part)
    store.append("observations", schemas.frame("observations", rows), part)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, str):
        # A response may hold half of a surrogate pair; one such text must not cost a whole part at write time.
        return value.encode("utf-8", "replace").decode("utf-8")
    return value
