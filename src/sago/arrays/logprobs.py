"""Log-probabilities as servers and files give them, and what may be said of a response by them (METRICS 2.3 and 5).

A log-probability is a number at or below 0 (nats). What comes instead, and what it is taken for:

    0.0           probability 1, a known value like any other
    null          not given. At the start of a sequence that is usual (nothing stands before the first token): the mean is over the rest
    -9999, less   a sentinel for "not among those that were kept"; the token is unknown, and rather an improbable one, so that a mean
                  without it would be too high. A null behind the start says no more than that
    -inf          probability 0. Not a number that JSON has, so the log-probability is null and the probability is 0
    above 0       no log-probability at all (often its negative); the whole sequence is not used. One odd reply does not stop a run,
                  and never becomes a confidence above 100 %
    NaN           not finite; the whole sequence is not used
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sago.errors import DataError

Raw = float | int | str | None
"""One log-probability as it comes: a number, its spelling (``"-Infinity"``), or null."""

SENTINEL = -9999.0
"""Values at or below this say that a log-probability is not known."""

ROUNDING = 1e-6
"""A log-probability above 0 by no more than this (nats) is rounding and counts as 0."""

NO_LOGPROBS = "no_logprobs"
UNKNOWN_LOGPROB = "unknown_logprob"
MINUS_INF = "minus_inf"
POSITIVE = "positive_logprob"
NON_FINITE = "non_finite"
BELOW_TOP_K = "below_top_k"
ABOVE_ONE = "above_one"

FIRST_UNKNOWN = "first_unknown"
"""Flag of a mean that leaves out tokens without a log-probability at the start of the sequence."""

TRUNCATED = "truncated"
"""Flag of option probabilities of which some are below the top k: shares are over those that were seen."""

_WORD_STARTS = "\u2581\u0120"
"""Characters that vocabularies write for a space in front of a token."""


class SequenceLogprob(NamedTuple):
    """What the log-probabilities of the tokens of one sequence say.

    Attributes:
        values: Log-probability of each token (nats, at or below 0); null where there is no finite one.
        n: Tokens. n_known: Tokens with a finite log-probability.
        total: Sum over all tokens (nats); null with ``reason``, or where tokens at the start are not known.
        mean: Mean over the known tokens (nats per token); null with ``reason``.
        probability: exp(total), in [0, 1]; 0 where a token has probability 0; null where the total is not known.
        per_token: exp(mean), in [0, 1], the geometric mean; 0 where a token has probability 0; null where the mean is not known.
        reason: Why there is no mean: ``no_logprobs``, ``unknown_logprob``, ``minus_inf``, ``positive_logprob`` or ``non_finite``; of
            several the one that says most (the last of these first).
        flags: ``first_unknown`` where the mean leaves out tokens at the start.
    """

    values: tuple[float | None, ...]
    n: int
    n_known: int
    total: float | None
    mean: float | None
    probability: float | None
    per_token: float | None
    reason: str | None
    flags: tuple[str, ...] = ()


class TopKOptions(NamedTuple):
    """Probabilities of options, as far as the most likely tokens tell.

    Attributes:
        probabilities: Probability of each option, summed over its spellings, in [0, 1]; null = below the top k, which is not 0. A spelling
            that is itself below the top k is missing from the sum, so that each is a lower bound.
        shares: The same over their sum, so that those seen sum to 1; null = below the top k.
        k: Tokens that were given.
        rest: Probability that is left for everything that was not given, in [0, 1]: no unseen option can have more.
        reason: Why there is nothing: ``no_logprobs``, ``below_top_k`` (no option was seen), ``positive_logprob``, ``non_finite``, or
            ``above_one`` (the given probabilities sum to more than 1); null where at least one option was seen.
        flags: ``truncated`` where an option was not seen.
    """

    probabilities: tuple[float | None, ...]
    shares: tuple[float | None, ...]
    k: int
    rest: float | None
    reason: str | None
    flags: tuple[str, ...] = ()


def sequence_logprob(raw: Iterable[Raw] | None) -> SequenceLogprob:
    """Returns sum, mean and probability of the tokens of a sequence, from log-probabilities as they come (METRICS 5, 2.3).

    Sequence log-probability: sum_t log p_t in (-inf, 0], nats. Length-normalised: its mean over tokens, and exp of that in (0, 1].
    0 nats (probability 1) = the model was certain of every token. See the module for values that are no log-probabilities. Null with
    ``no_logprobs`` for null, an empty list or nothing but null. Source: Malinin & Gales (2020).

    >>> sequence_logprob([-0.5, 0.0, -0.25])[1:5]
    (3, 3, -0.75, -0.25)
    >>> found = sequence_logprob([-0.1, -9999.0, -0.2])
    >>> found.values, found.n_known, found.mean, found.reason
    ((-0.1, None, -0.2), 2, None, 'unknown_logprob')

    Raises:
        DataError: If an entry is no number and no spelling of one.
    """
    read = [_number(one) for one in raw] if raw is not None else []
    values = tuple(value if kind is None else None for value, kind in read)
    known = [value for value in values if value is not None]
    start = next((place for place, (_, kind) in enumerate(read) if kind != NO_LOGPROBS), len(read))
    kinds = {UNKNOWN_LOGPROB if kind == NO_LOGPROBS else kind for _, kind in read[start:]} - {None}
    reason = next((kind for kind in (NON_FINITE, POSITIVE, MINUS_INF, UNKNOWN_LOGPROB) if kind in kinds), None)
    if not known and reason is None:
        return SequenceLogprob(values, len(values), 0, None, None, None, None, NO_LOGPROBS)
    flags = (FIRST_UNKNOWN,) if start else ()
    if reason is not None:
        zero = 0.0 if reason == MINUS_INF else None
        return SequenceLogprob(values, len(values), len(known), None, None, zero, zero, reason, flags)
    total = math.fsum(known)
    mean = total / len(known)
    whole = None if start else total
    likely = None if whole is None else math.exp(whole)
    return SequenceLogprob(values, len(values), len(known), whole, mean, likely, math.exp(mean), None, flags)


def top_k_options(top: Iterable[tuple[str, Raw]] | None, options: Sequence[str]) -> TopKOptions:
    """Returns the probability of each option from the most likely tokens at the place of the answer (case 14).

    P(option) = sum over the given tokens that spell it, with or without space around it, of exp(log p). An option that no given token
    spells is below the top k: null, never 0. Shares are over the options that were seen. A token with an unknown log-probability counts as
    not given, one of minus infinity as seen with probability 0.

    >>> found = top_k_options([(" A", -0.2231435513), ("A", -2.9957322736), (" B", -2.302585093)], "ABC")
    >>> [p and round(p, 6) for p in found.probabilities], [s and round(s, 6) for s in found.shares], found.flags
    ([0.85, 0.1, None], [0.894737, 0.105263, None], ('truncated',))

    Args:
        top: Tokens with their log-probabilities as they come; null = none were given.
        options: Options as they would be spelled, for instance letters. Upper and lower case are different.

    Raises:
        DataError: If two options have the same spelling, or a log-probability is no number.
    """
    names = [spelling(option) for option in options]
    if len(set(names)) < len(names):
        raise DataError(f"options with the same spelling cannot be told apart by their tokens: {list(options)}", fix="Use labels")
    nothing = (None,) * len(names)
    read = [(spelling(token), *_number(value)) for token, value in top] if top is not None else []
    if not read:
        return TopKOptions(nothing, nothing, 0, None, NO_LOGPROBS)
    kinds = {kind for _, _, kind in read}
    bad = next((kind for kind in (NON_FINITE, POSITIVE) if kind in kinds), None)
    given = [(token, math.exp(value)) for token, value, kind in read if kind in (None, MINUS_INF)]
    whole = math.fsum(likely for _, likely in given)
    if bad is None and whole > 1 + 1e-3:
        bad = ABOVE_ONE
    if bad is not None:
        return TopKOptions(nothing, nothing, len(read), None, bad)
    seen = {token for token, _ in given}
    probabilities = [math.fsum(likely for token, likely in given if token == name) if name in seen else None for name in names]
    total = math.fsum(value for value in probabilities if value is not None)
    shares = [None if value is None or total <= 0 else value / total for value in probabilities]
    rest = max(0.0, 1 - whole)
    if not any(value is not None for value in probabilities):
        return TopKOptions(nothing, nothing, len(read), rest, BELOW_TOP_K, (TRUNCATED,))
    reason = MINUS_INF if total <= 0 else None
    flags = (TRUNCATED,) if None in probabilities else ()
    return TopKOptions(tuple(probabilities), tuple(shares), len(read), rest, reason, flags)


def _number(raw: Raw) -> tuple[float, str | None]:
    """Returns a log-probability and null, or a value without meaning and what it is instead."""
    if raw is None:
        return math.nan, NO_LOGPROBS
    try:
        value = math.nan if isinstance(raw, bool) else float(raw)
    except (TypeError, ValueError) as error:
        raise DataError(f"log-probability {raw!r} is no number", fix="Give numbers at or below 0, null, or '-Infinity'") from error
    if math.isnan(value):
        return value, NON_FINITE
    if value > ROUNDING:
        return value, POSITIVE
    if value == -math.inf:
        return value, MINUS_INF
    if value <= SENTINEL:
        return value, UNKNOWN_LOGPROB
    return min(value, 0.0), None


def spelling(token: str) -> str:
    r"""Returns what a token spells, without the space around it.

    >>> spelling("\u0120A"), spelling(" B\n")
    ('A', 'B')
    """
    return token.strip().strip(_WORD_STARTS).strip()
