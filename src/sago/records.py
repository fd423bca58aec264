"""The nouns as frozen records, for the places where one thing is handled at a time.

Tables (``schemas``) carry data between stages; these records are what a variation is given and what a model is asked and answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Task = Literal["choice", "numeric", "text"]
Status = Literal["ok", "empty", "refusal", "filtered", "truncated", "too_long", "error"]
Decoding = Literal["greedy", "sampled", "audit", "recorded"]
Capability = Literal["generate", "token_logprobs", "choice_logprobs", "anchor_logprobs", "states"]

MISSING_STATUSES: frozenset[str] = frozenset({"too_long", "error"})
"""Statuses that mean missing data; every other status is behaviour and takes part (METRICS 1)."""

AXES = ("generation", "activations", "confidence", "mirroring")
"""The axes of this package in the order in which they are named; others follow by name."""

CANONICAL = "canonical"
"""Name and family of the canonical wording, variant 0."""

BY_CONSTRUCTION = "by_construction"
"""Check of a wording whose way of being made cannot touch the meaning; all others have to be judged."""

REVIEW = "review"
"""Check by people."""

EXPECTED_OF_CONTROLS: Mapping[str, str] = {"identity": "covers 0", "shuffled": "covers 1", "meaning-changed": "above the wordings"}
"""Kind of control -> what it should be: ``expected`` of table ``controls``, and ``test`` of the finding about one that failed."""

CONTROL_FAILED_HERE = "failed in this cell"
"""What a sentence about a number says of a control of the same cell, by which reports know that it does."""

CONTROL_FAMILIES: frozenset[str] = frozenset({"identity", "meaning-changed"})
"""Families that check the measurement and never count as wordings of the question."""


@dataclass(frozen=True, slots=True)
class Twin:
    """The meaning-changed twin of an example: a control whose right answer differs."""

    question: str
    answers: tuple[str, ...]
    answer_index: int | None = None
    """Index into the example's own choices; null for questions without choices."""


@dataclass(frozen=True, slots=True)
class Example:
    """One question of one dataset."""

    dataset: str
    example: str
    question: str
    context: str | None = None
    choices: tuple[str, ...] | None = None
    """Answer options in the order of the data; null for open questions."""
    answers: tuple[str, ...] = ()
    """Accepted answers as text; empty = no gold answer, correctness is then null."""
    answer_index: int | None = None
    """Index of the gold choice; null without choices or without gold."""
    task: Task = "text"
    paraphrases: tuple[str, ...] = ()
    """Other wordings of the question that the data gives and that keep its meaning."""
    twin: Twin | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Edit:
    """One replaced span of the question: characters ``start:end`` of the canonical question became ``after``."""

    start: int
    end: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Draft:
    """What a variation makes of one example, before it is rendered, compared and numbered.

    Fields left at null are those of the canonical wording. A variation returns no draft rather than one that changes nothing.
    """

    name: str
    """Name within its family, for instance ``upper``; a template that all examples share has one name (METRICS 2.7)."""
    question: str | None = None
    context: str | None = None
    permutation: tuple[int, ...] | None = None
    """Original choice index at each shown position."""
    choices: tuple[str, ...] | None = None
    """Choice texts as shown, only where they were rewritten (references such as "Both A and B" in a new order)."""
    layout: str | None = None
    """Name of a prompt layout of :mod:`sago.variations.layouts`."""
    instruction: str | Mapping[str, str] | None = None
    """What the prompt asks for, in place of the instruction of the task; by style of the labels where it depends on what is shown."""
    labels: str | None = None
    """Style of the labels in front of the choices (``sago.variations.layouts.LABELS``), in place of the layout's own."""
    lead: str | None = None
    """Text in front of everything else that the user says, a blank line between."""
    system: str | None = None
    """What the system message says; a system message of the study stands in front of it."""
    turns: tuple[Message, ...] = ()
    """Turns of a conversation before the question: examples that were answered already."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    checks: tuple[str, ...] = ()
    """Equivalence checks that this draft passed, for instance ``by_construction`` or ``protected_spans``."""
    answers: tuple[str, ...] | None = None
    """Accepted answers where they differ from the example's (the meaning-changed control)."""
    answer_index: int | None = None
    """Index into the example's own choices, together with ``answers``."""
    refused: str | None = None
    """Why this draft is not to be used: its family found it unsafe. It is counted as such, and never becomes a variant."""


@dataclass(frozen=True, slots=True)
class Key:
    """What makes an observation unique within a run."""

    model: str
    dataset: str
    example: str
    variant: str
    decoding: Decoding
    rerun: int


@dataclass(frozen=True, slots=True)
class Request:
    """One call to ask of a model: one variant, one way of decoding, one rerun.

    All requests of one example come together and its canonical greedy request first, so that a model may share prefixes and may
    score the canonical response as the anchor of the others.
    """

    key: Key
    messages: tuple[Message, ...]
    is_canonical: bool
    max_new_tokens: int
    temperature: float = 0.0
    """0 is greedy; above 0 samples with ``seed``."""
    seed: int = 0
    """Seed of this request's own sampling stream, from content; independent of the batch."""
    choices: tuple[str, ...] | None = None
    """Continuations to score, in shown order: option labels or texts. Null where nothing is to be scored."""
    wants_anchor: bool = False
    """Whether the anchor's log-likelihood is wanted."""
    anchor: str | None = None
    """The canonical response, where it is known already; otherwise taken from the canonical request of the same call."""
    wants_states: bool = False
    batch_group: int = 0
    """Requests of different groups never share a batch; group g runs with a batch size divided by g + 1 (the batch audit)."""


@dataclass(frozen=True, slots=True)
class StateVector:
    """One pooled hidden state of one observation."""

    tap: str
    """Where it was read, for instance ``last_prompt_token/block_15``."""
    layer: int
    """0 = embeddings, k = output of block k."""
    depth: float
    """layer / number of blocks, in [0, 1]."""
    vector: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Observation:
    """What came back from one request: only what cannot be recomputed without the model.

    Log-probabilities are natural logarithms from a float32 log-softmax. Null means not observable or not asked for.
    """

    key: Key
    status: Status
    response: str | None = None
    reasoning: str | None = None
    """Thinking text, kept apart from the answer."""
    finish_reason: str | None = None
    error: str | None = None
    response_token_ids: tuple[int, ...] | None = None
    token_logprobs: tuple[float | None, ...] | None = None
    """Null within: the server did not give that token's."""
    choice_logprobs: tuple[float | None, ...] | None = None
    """Sum of log-probabilities of each scored choice, shown order; null within: not among the tokens that the server gave."""
    choice_token_ids: tuple[tuple[int, ...], ...] | None = None
    """The tokens really scored for each choice."""
    anchor_logprob: float | None = None
    """Sum over the anchor's tokens."""
    anchor_tokens: int | None = None
    prompt_tokens: int | None = None
    prompt_hash: str | None = None
    """sha256 of the token ids (or of the messages) that the model really saw."""
    batch_size: int | None = None
    seconds: float | None = None
    """Wall time of the batch divided by its observations; behind an API, of the call divided by the calls that were in flight."""
    response_tokens: int | None = None
    """Tokens of the response, thinking included, as the server counted them."""
    reasoning_tokens: int | None = None
    """Those of them that were thinking."""
    attempts: int | None = None
    """Requests that were sent for it, those that failed included; null on this machine."""
    model_version: str | None = None
    """Model as the server named it in its reply."""
    server_fingerprint: str | None = None
    """What the server said of its own configuration."""
    request_id: str | None = None
    """Name of the reply at the server."""
    asked_at: str | None = None
    """Date and time of the reply (UTC, ISO 8601)."""
    states: tuple[StateVector, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelDescription:
    """What could change a model's observations, for the manifest and for the key of resumption."""

    id: str
    """Name used in tables."""
    source: str
    revision: str | None = None
    weights_hash: str | None = None
    dtype: str | None = None
    device: str | None = None
    chat_template_hash: str | None = None
    server: str | None = None
    """Where the model is asked and by which kind of call; null on this machine."""
    notes: tuple[str, ...] = ()
    """Anything a reader of the numbers should know, for instance ``system message folded into the user turn``."""


Endpoint = Literal["chat", "completions"]


@dataclass(frozen=True, slots=True)
class ApiOptions:
    """How models behind an API are reached, and what they may cost. No key stands here, only where one is found."""

    base_url: str | None = None
    """Address of a compatible server; null = the provider's own."""
    key_file: str | None = None
    """File with the key, alone or as ``NAME=key``; null = the provider's environment variable."""
    endpoint: Endpoint = "chat"
    max_connections: int = 16
    """Most calls in flight at once; fewer where the server limits the rate."""
    max_retries: int = 5
    """How often a call that failed in passing is sent again."""
    timeout: float = 120.0
    """Longest time that one call may take (s)."""
    max_requests: int | None = None
    """Most requests that are sent, failed ones included; null = as many as it takes."""
    max_cost: float | None = None
    """Most that may be spent, in the currency of the prices; null = as much as it takes."""
    price_in: float | None = None
    """Price of a million prompt tokens."""
    price_out: float | None = None
    """Price of a million response tokens."""


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How to open a model; each model uses what applies to it."""

    revision: str | None = None
    dtype: str = "auto"
    """Number type of the weights; ``auto`` = float32 on a CPU, elsewhere the type they were saved in."""
    device: str = "auto"
    """``cpu``, ``cuda``, ``cuda:1``, ``mps``; ``auto`` = the first accelerator there is, else the CPU."""
    batch_size: int = 16
    batch_tokens: int | None = None
    """Most distinct prompt tokens of one pass; null = as many as memory has room for."""
    truncate: Literal["left", "middle"] | None = None
    """Where a prompt that does not fit into the context is cut; null = it is not asked (``too_long``)."""
    depths: tuple[float, ...] | Literal["all"] = (0.25, 0.5, 0.75, 1.0)
    """Relative depths at which hidden states are pooled; ``all`` = behind every block."""
    taps: tuple[str, ...] = ("last_prompt_token",)
    """Which states are pooled: ``last_prompt_token`` at each depth, ``final`` = the same token behind the final norm,
    ``response_mean`` = the mean over the tokens of the response at each depth."""
    enable_thinking: bool | None = None
    """Passed to the chat template of models that think; null leaves the template's default."""
    chat_template: bool | None = None
    """Null: use the tokenizer's chat template where there is one; false: plain text."""
    stop: tuple[str, ...] = ()
    """Texts at which a response ends; plain-text prompts stop at a line break as well."""
    threads: int | None = None
    api: ApiOptions = ApiOptions()


@dataclass(frozen=True, slots=True)
class ObserveOptions:
    """What to ask of every model, whatever the model is."""

    seed: int = 0
    reruns: int = 0
    """Sampled answers per variant."""
    temperature: float = 0.7
    """Temperature of the sampled answers."""
    max_new_tokens: int = 32
    audit_examples: int = 50
    """Examples of each data set whose canonical prompt is asked again in other batch make-ups (METRICS 2.3)."""
    audit_reruns: int = 2
    wants_states: bool = True


VERDICTS_ALONE = "answers=verdicts"
"""Flag of a cell whose answers are somebody's verdicts: two different wrong answers are the same one there."""

_VERDICTS = frozenset({"correct", "incorrect", "not attempted", "partially correct", "partly correct", "right", "wrong"})


def are_verdicts(answers: Iterable[str]) -> bool:
    """Returns whether answers are nothing but verdicts on answers, and there are two of them or more.

    >>> are_verdicts({"Correct", "not_attempted"}), are_verdicts({"correct", "Paris"}), are_verdicts({"correct"})
    (True, False, False)
    """
    said = {answer.casefold().replace("_", " ") for answer in answers}
    return len(said) > 1 and said <= _VERDICTS


def most_frequent(reasons: Iterable[str]) -> str:
    """Returns the reason that comes up most; ties by name, so that order does not matter.

    >>> most_frequent(["no_gold", "empty", "no_gold", "empty"])
    'empty'
    """
    return Counter(sorted(reasons)).most_common(1)[0][0]
