"""The contract of a model as code: what a plug-in is held to before its observations are trusted."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np

from sago.errors import PluginError
from sago.models.protocol import Model
from sago.records import MISSING_STATUSES, Capability, Key, Message, ModelDescription, Observation, Request, Status

TOLERANCE = 1e-4
"""How far a log-probability may move with the batch (nats), and a state, relative to its root mean square."""

_FIX = "Correct the plug-in; sago.models.protocol says what is expected"
_QUESTIONS = (
    ("Which of these is a planet?\nA. Venus\nB. Copper\nC. Paris\nAnswer with the letter only.", ("A", "B", "C")),
    ("Name the metal.\nA. Granite, a hard stone\nB. Copper\nAnswer with the letter only.", ("A", "B")),
    ("What is 7 plus 5? Answer with a number only.", None),
)
_WORDINGS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("canonical", str),
    ("case-lower", str.lower),
    ("format-1", lambda text: f"Read this with care, take your time, and then reply.\n\n{text}"),
)
_Found = dict[Key, Observation]


def sample_requests(model: Model) -> list[Request]:
    """Returns requests as a run would make them: three questions, three wordings, greedy, sampled and audit; only what was declared."""
    asked = []
    for number, (question, choices) in enumerate(_QUESTIONS):
        for variant, reworded in _WORDINGS:
            messages = (Message("user", reworded(question)),)
            greedy = Request(
                key=Key(model.id, "check", str(number), variant, "greedy", 0),
                messages=messages,
                is_canonical=variant == "canonical",
                max_new_tokens=8,
                choices=choices if "choice_logprobs" in model.capabilities else None,
                wants_anchor="anchor_logprobs" in model.capabilities,
                wants_states="states" in model.capabilities,
            )
            asked.append(greedy)
            sampled = replace(greedy, temperature=0.8, choices=None, wants_anchor=False, wants_states=False)
            asked += [
                replace(sampled, key=replace(greedy.key, decoding="sampled", rerun=rerun), seed=1000 * number + rerun) for rerun in range(2)
            ]
            if variant == "canonical":
                asked.append(replace(greedy, key=replace(greedy.key, decoding="audit"), batch_group=1))
    return asked


def check_model(model: Any, requests: Sequence[Request] | None = None) -> None:
    """Holds a model to its protocol.

    One observation per request with its key; exactly the capabilities declared; log-probabilities finite and at most 0; the same request
    gives the same observation, alone, among others, in any order of examples, and with its seed; what cannot be answered becomes an
    observation, never an exception; what is handed in stays as it is.

    Args:
        model: The opened model; it is not closed.
        requests: What to ask, at least two examples; null = :func:`sample_requests`.

    Raises:
        PluginError: At the first point that is not kept.
    """
    _check_declaration(model)
    asked = list(sample_requests(model) if requests is None else requests)
    found = _ask(model, asked)
    for request in asked:
        _check_observation(model, request, found[request.key])
    _check_something_is_observed(model, asked, found)
    _check_same(found, _ask(model, asked), "asked again")
    examples = _by_example(asked)
    one_by_one: _Found = {}
    for part in examples:
        one_by_one |= _ask(model, part)
    _check_same(found, one_by_one, "each example alone")
    _check_same(found, _ask(model, [request for part in reversed(examples) for request in part]), "examples in another order")
    _check_trouble(model, asked)


def _fail(model: Any, what: str) -> PluginError:
    return PluginError(what, where=f"model '{getattr(model, 'id', type(model).__name__)}'", fix=_FIX)


def _check_declaration(model: Any) -> None:
    if not isinstance(model, Model):
        raise _fail(model, "lacks one of id, capabilities, describe, observe, close")
    if not isinstance(model.id, str) or not model.id.strip():
        raise _fail(model, "has no id")
    unknown = set(model.capabilities) - set(get_args(Capability))
    if unknown or not isinstance(model.capabilities, frozenset):
        raise _fail(model, f"capabilities are a frozenset of known names, found {sorted(map(str, model.capabilities))}")
    description = model.describe()
    if not isinstance(description, ModelDescription) or description.id != model.id:
        raise _fail(model, "describe() returns no ModelDescription with the model's id")
    if description != model.describe():
        raise _fail(model, "describe() says something else the second time")


def _ask(model: Model, asked: Sequence[Request]) -> _Found:
    given = list(asked)
    try:
        answered = list(model.observe(given))
    except Exception as error:
        raise _fail(model, f"observe() raised {error!r} instead of yielding an error observation") from error
    if given != list(asked):
        raise _fail(model, "observe() changed the requests that it was given")
    if any(not isinstance(one, Observation) for one in answered):
        raise _fail(model, "observe() yielded something that is no Observation")
    keys = [one.key for one in answered]
    wanted = {request.key for request in asked}
    if len(keys) != len(set(keys)) or set(keys) != wanted:
        missing, foreign = len(wanted - set(keys)), len(set(keys) - wanted)
        doubled = len(keys) - len(set(keys))
        raise _fail(model, f"one observation per request is due: {missing} missing, {foreign} with a foreign key, {doubled} double")
    return {one.key: one for one in answered}


def _check_observation(model: Model, request: Request, found: Observation) -> None:
    def unless(holds: bool, what: str) -> None:
        if not holds:
            raise _fail(model, f"{request.key.example}/{request.key.variant}/{request.key.decoding}: {what}")

    unless(found.status in get_args(Status), f"status '{found.status}' is not known")
    if found.status in MISSING_STATUSES:
        unless(bool(found.error), f"status {found.status} without a message")
        values = (found.response, found.choice_logprobs, found.anchor_logprob, found.token_logprobs)
        unless(all(value is None for value in values) and not found.states, f"status {found.status} with values")
        return
    unless(found.status != "ok" or bool((found.response or "").strip()), "status ok without text")
    declared = model.capabilities
    unless("token_logprobs" in declared or found.token_logprobs is None, "token_logprobs given but not declared")
    unless("choice_logprobs" in declared or found.choice_logprobs is None, "choice_logprobs given but not declared")
    unless("anchor_logprobs" in declared or found.anchor_logprob is None, "anchor_logprob given but not declared")
    unless("states" in declared or not found.states, "states given but not declared")
    if found.choice_logprobs is not None:
        unless(len(found.choice_logprobs) == len(request.choices or ()), "choice_logprobs are not one for each choice")
    elif request.choices and "choice_logprobs" in declared:
        unless(bool(found.error), "choice_logprobs asked for, declared, and null without a reason")
    unless((found.anchor_logprob is None) == (found.anchor_tokens is None), "anchor_logprob and anchor_tokens go together")
    logprobs = [value for value in (*(found.token_logprobs or ()), *(found.choice_logprobs or ())) if value is not None]
    logprobs += [] if found.anchor_logprob is None else [found.anchor_logprob]
    unless(all(math.isfinite(value) and value <= 0 for value in logprobs), "a log-probability is above 0 or not finite")
    taps = [state.tap for state in found.states]
    unless(len(taps) == len(set(taps)), "a tap point occurs twice")
    for state in found.states:
        unless(bool(state.vector) and all(map(math.isfinite, state.vector)), f"the state at {state.tap} is empty or not finite")
        unless(0 <= state.depth <= 1, f"the depth of {state.tap} is not in [0, 1]")


def _check_something_is_observed(model: Model, asked: Sequence[Request], found: Mapping[Key, Observation]) -> None:
    """A capability that was declared has to show at least once; nothing is observable of a model that only fails."""
    shown: dict[str, Callable[[Observation], bool]] = {
        "generate": lambda one: one.response is not None,
        "token_logprobs": lambda one: one.token_logprobs is not None,
        "choice_logprobs": lambda one: one.choice_logprobs is not None,
        "anchor_logprobs": lambda one: one.anchor_logprob is not None,
        "states": lambda one: bool(one.states),
    }
    wanted: dict[str, bool] = {
        "generate": True,
        "token_logprobs": True,
        "choice_logprobs": any(request.choices for request in asked),
        "anchor_logprobs": any(request.wants_anchor for request in asked),
        "states": any(request.wants_states for request in asked),
    }
    for capability in sorted(model.capabilities):
        if wanted[capability] and not any(shown[capability](one) for one in found.values()):
            raise _fail(model, f"declares {capability} and gives none")


def _check_same(one: Mapping[Key, Observation], other: Mapping[Key, Observation], how: str) -> None:
    for key, mine in one.items():
        theirs = other[key]
        where = f"model '{key.model}', {key.example}/{key.variant}/{key.decoding}"
        if (mine.status, mine.response) != (theirs.status, theirs.response):
            raise PluginError(f"{how}, it answers {theirs.response!r} instead of {mine.response!r}", where=where, fix=_FIX)
        for name in ("token_logprobs", "choice_logprobs", "anchor_logprob"):
            _check_close(getattr(mine, name), getattr(theirs, name), f"{how}, {name} differ by more than {TOLERANCE}", where)
        if [state.tap for state in mine.states] != [state.tap for state in theirs.states]:
            raise PluginError(f"{how}, it gives other tap points", where=where, fix=_FIX)
        for state, twin in zip(mine.states, theirs.states, strict=True):
            scale = math.sqrt(float(np.mean(np.square(state.vector)))) or 1.0
            what = f"{how}, the state at {state.tap} differs by more than {TOLERANCE} of its root mean square"
            _check_close(np.array(state.vector) / scale, np.array(twin.vector) / scale, what, where)


def _check_close(one: Any, other: Any, what: str, where: str) -> None:
    if one is None and other is None:
        return
    mine, theirs = (None if value is None else np.atleast_1d(np.asarray(value, dtype=float)) for value in (one, other))
    if (
        mine is None
        or theirs is None
        or mine.shape != theirs.shape
        or not np.allclose(mine, theirs, rtol=0, atol=TOLERANCE, equal_nan=True)
    ):
        raise PluginError(what, where=where, fix=_FIX)


def _by_example(asked: Iterable[Request]) -> list[list[Request]]:
    parts: dict[tuple[str, str], list[Request]] = {}
    for request in asked:
        parts.setdefault((request.key.dataset, request.key.example), []).append(request)
    return list(parts.values())


def _check_trouble(model: Model, asked: Sequence[Request]) -> None:
    """Prompts that are hard to answer, between two ordinary ones: each gets its observation."""
    first = asked[0]
    contents = {"fine": "What is 2 + 2?", "half-a-pair": "broken \ud800 text", "nothing": "", "also-fine": "What is 3 + 3?"}
    hard = [
        replace(first, key=replace(first.key, dataset="trouble", example=name), messages=(Message("user", content),), anchor=None)
        for name, content in contents.items()
    ]
    found = _ask(model, hard)
    for request in hard:
        _check_observation(model, request, found[request.key])
