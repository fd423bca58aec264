"""What a run has to ask: requests from variants, and how many there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from sago.records import CANONICAL, Capability, Decoding, Key, Message, ObserveOptions, Request
from sago.seeds import content_hash, seed_of


@dataclass(frozen=True)
class Plan:
    """What a study would cost, counted before anything is spent.

    Attributes:
        examples: Examples over all data sets.
        wordings: Variants over all examples, controls included.
        calls: Observations for all models together.
        prompt_characters: Characters of all distinct prompts, once for each model.
        sent_characters: Characters of all prompts over all calls: a prompt that is asked again is sent again.
        new_tokens: Most response tokens that all calls together can make.
        counts: Table ``variation_counts``.
        notes: What a person should know, for instance a random draw.
        models: Number of models.
        sizes: Examples of each data set, by name.
        wordings_of_each: Wordings of a question that count, mean over examples: the original one included, controls left out.
    """

    examples: int
    wordings: int
    calls: int
    prompt_characters: int
    sent_characters: int
    new_tokens: int
    counts: pl.DataFrame
    notes: tuple[str, ...] = ()
    models: int = 1
    sizes: Mapping[str, int] = field(default_factory=dict)
    wordings_of_each: float = 0.0


class _Variant:
    """One row of table ``variants``, ready to be asked."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        self.dataset: str = row["dataset"]
        self.example: str = row["example"]
        self.name: str = row["variant"]
        self.family: str = row["family"]
        self.messages = tuple(Message(role=part["role"], content=part["content"]) for part in row["messages"])
        self.choices = None if row["scored_choices"] is None else tuple(row["scored_choices"])


def audit_sample(variants: pl.DataFrame, options: ObserveOptions) -> set[tuple[str, str]]:
    """Draws the examples of each data set whose canonical prompt is asked again in other batch make-ups (METRICS 2.3)."""
    chosen: set[tuple[str, str]] = set()
    examples = variants.select("dataset", "example").unique()
    for (dataset,), group in examples.group_by("dataset"):
        ids = sorted(group["example"].to_list(), key=lambda name: seed_of("audit", options.seed, dataset, name))
        chosen |= {(str(dataset), str(name)) for name in ids[: options.audit_examples]}
    return chosen


def ways_of_asking(variant: str, options: ObserveOptions, *, audited: bool) -> Iterator[tuple[Decoding, int]]:
    """Yields (decoding, rerun) of everything that is asked of one variant; ``audited`` says whether its example is in the batch audit."""
    yield "greedy", 0
    for rerun in range(options.reruns):
        yield "sampled", rerun
    if audited and variant == CANONICAL:
        for rerun in range(options.audit_reruns):
            yield "audit", rerun


def requests_of_example(
    rows: list[dict[str, Any]], model: str, options: ObserveOptions, capabilities: frozenset[Capability], *, audited: bool
) -> Iterator[Request]:
    """Yields every request of one example for one model, the canonical greedy one first.

    Args:
        rows: The example's rows of table ``variants``, canonical first.
        model: Name of the model, as in tables.
        options: What to ask.
        capabilities: What the model declared; nothing else is asked of it.
        audited: Whether this example takes part in the batch audit.
    """
    for row in rows:
        variant = _Variant(row)
        # The identity control is the same prompt in another batch make-up; that is its whole point.
        group = 1 if variant.family == "identity" else 0
        for decoding, rerun in ways_of_asking(variant.name, options, audited=audited):
            batch = rerun + 1 if decoding == "audit" else group
            yield _request(variant, model, options, capabilities, decoding, rerun, batch)


def _request(
    variant: _Variant, model: str, options: ObserveOptions, capabilities: frozenset[Capability], decoding: Decoding, rerun: int, group: int
) -> Request:
    prompt_only = decoding != "sampled"
    return Request(
        key=Key(model, variant.dataset, variant.example, variant.name, decoding, rerun),
        messages=variant.messages,
        is_canonical=variant.name == CANONICAL,
        max_new_tokens=options.max_new_tokens,
        temperature=0.0 if prompt_only else options.temperature,
        seed=seed_of(options.seed, variant.dataset, variant.example, variant.name, decoding, rerun),
        choices=variant.choices if prompt_only and "choice_logprobs" in capabilities else None,
        wants_anchor=prompt_only and "anchor_logprobs" in capabilities,
        wants_states=prompt_only and "states" in capabilities and options.wants_states,
        batch_group=group,
    )


def request_key(request: Request, description: Mapping[str, Any]) -> str:
    """Returns the sha256 of everything that could change the observation of this request."""
    return content_hash(
        description,
        [[message.role, message.content] for message in request.messages],
        request.max_new_tokens,
        request.temperature,
        request.seed if request.temperature else None,
        request.choices,
        request.key.decoding,
        request.key.rerun,
    )


def calls_per_model(variants: pl.DataFrame, options: ObserveOptions) -> int:
    """Returns how many observations one model will be asked for."""
    audited = len(audit_sample(variants, options))
    return variants.height * (1 + options.reruns) + audited * options.audit_reruns


def make_plan(variants: pl.DataFrame, counts: pl.DataFrame, options: ObserveOptions, *, models: int, notes: tuple[str, ...] = ()) -> Plan:
    """Counts what the variants would ask of that many models."""
    calls = calls_per_model(variants, options) * models
    contents = pl.col("messages").list.eval(pl.element().struct.field("content").str.len_chars()).list.sum()
    sized = variants.select("dataset", "example", "variant", "control", characters=contents)
    characters = int(sized["characters"].sum())
    audited = pl.DataFrame(sorted(audit_sample(variants, options)), schema={"dataset": pl.String, "example": pl.String}, orient="row")
    again = sized.filter(pl.col("variant") == CANONICAL).join(audited, on=["dataset", "example"], how="semi")["characters"].sum()
    examples = variants.select("dataset", "example").unique()
    sizes = examples.group_by("dataset").len().sort("dataset").iter_rows()
    return Plan(
        examples=examples.height,
        wordings=variants.height,
        calls=calls,
        prompt_characters=characters * models,
        sent_characters=(characters * (1 + options.reruns) + int(again) * options.audit_reruns) * models,
        new_tokens=calls * options.max_new_tokens,
        counts=counts,
        notes=notes,
        models=models,
        sizes=dict(sizes),
        wordings_of_each=int((~sized["control"]).sum()) / examples.height if examples.height else 0.0,
    )
