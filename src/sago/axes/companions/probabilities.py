"""Companions of the confidence axis on probabilities: of options, of a fixed response, of its own, and as stated (METRICS 5).

The formulas are in ``sago.arrays.probabilities`` and ``sago.arrays.logprobs``. Not here: token entropy needs the most likely alternatives
of every token, and POSIX the probability of every response under every wording (V^2 scorings); the tables hold neither. Their formulas
take plain arrays.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl

from sago.arrays import probabilities
from sago.arrays.grouping import Floats, Integers
from sago.arrays.logprobs import POSITIVE, ROUNDING, SENTINEL, sequence_logprob
from sago.axes.cells import asked
from sago.axes.companions.companion import Companion, Group, Value, given, of_distance, of_examples, with_flags
from sago.axes.distance_axis import Measure
from sago.axes.protocol import AxisInput, Scored
from sago.records import CANONICAL
from sago.schemas import KEYS

OPTIONS = "option_probabilities"
STATED = "verbalised_confidence"


def on_options(companion: Companion, inputs: AxisInput, formula: Callable[[Floats, Integers], float]) -> Scored:
    """Takes a formula of the option probabilities under all wordings of an example; null with ``one_choice`` for a single option."""

    def value(group: Group) -> Value:
        rows = group["vector"]
        if len({len(row) for row in rows}) > 1:
            return Value(None, "unmatched_choices")
        if len(rows[0]) < 2:
            return Value(None, "one_choice")
        return Value(formula(np.array(rows, dtype=np.float64), group.wording))

    readings = inputs.features.filter(pl.col("feature") == OPTIONS).select(*KEYS, "vector", "reason")
    return of_examples(companion, inputs, readings, value, prompt_only=True)


def option_margin(companion: Companion, inputs: AxisInput) -> Scored:
    """Difference of the lead of the most likely option over the next, p(1) - p(2), through the core index; blind to which option leads."""
    rows = inputs.features.filter(pl.col("feature") == OPTIONS)
    ordered = pl.col("vector").list.sort(descending=True)
    lead = ordered.list.get(0, null_on_oob=True) - ordered.list.get(1, null_on_oob=True)
    single = pl.when(pl.col("vector").list.len() < 2).then(pl.lit("one_choice"))
    rows = rows.with_columns(number=lead, reason=pl.coalesce("reason", single))
    return of_distance(companion, inputs, Measure(companion.name, OPTIONS, "absolute", prompt_only=True), rows)


def posix_anchor(companion: Companion, inputs: AxisInput) -> Scored:
    """The part of POSIX (arXiv 2410.02185) that is about one response, the one to the original wording.

        1 / (V - 1) sum_{v != 0} |log P(y_0 | x_v) - log P(y_0 | x_0)| / L_0

    POSIX itself is the mean of such parts over the responses to all V wordings, and takes V^2 scorings; a run scores the anchor alone,
    V of them. See ``sago.arrays.probabilities.posix`` for the whole. Null with ``no_canonical`` without the original wording, and as
    the anchor's probability is: ``empty_anchor``, ``not_observable``.
    """
    logprob, tokens = pl.col("anchor_logprob"), pl.col("anchor_tokens")
    reason = (
        pl.when(tokens == 0)
        .then(pl.lit("empty_anchor"))
        .when(logprob.is_null() | tokens.is_null())
        .then(pl.lit("not_observable"))
        .when(~logprob.is_finite())
        .then(pl.lit("non_finite"))
        .when(logprob / tokens > ROUNDING)
        .then(pl.lit(POSITIVE))
    )

    def value(group: Group) -> Value:
        if group.names[0] != CANONICAL:
            return Value(None, "no_canonical")
        values = np.array(group["anchor_logprob"], dtype=np.float64)
        means = np.bincount(group.wording, values) / np.bincount(group.wording)
        return Value(probabilities.posix_part(means[1:], means[0], group["anchor_tokens"][0]))

    readings = inputs.observations.select(*KEYS, "anchor_logprob", "anchor_tokens", reason=reason)
    return of_examples(companion, inputs, readings, value, prompt_only=True)


def response_probability(companion: Companion, inputs: AxisInput) -> Scored:
    """Difference of exp(mean log-probability of a token) of two responses, through the core index; of each response's own text."""
    return of_distance(companion, inputs, Measure(companion.name, "response_probability", "absolute"))


def response_logprob(companion: Companion, inputs: AxisInput) -> Scored:
    """Difference of the summed log-probability of two responses (nats), through the core index; longer responses have lower sums.

    Null where the log-probability of a token is not known, and with ``minus_inf`` where one is minus infinity.
    """
    tokens = pl.col("token_logprobs")
    rows = inputs.observations.select(*KEYS, "token_logprobs")
    known = tokens.list.drop_nulls()
    plain = (known.list.len() == tokens.list.len()) & (known.list.min() > SENTINEL) & (known.list.max() <= ROUNDING)
    easy = rows.filter(plain).select(*KEYS, number=tokens.list.sum(), reason=pl.lit(None, pl.String))
    odd = rows.join(easy, on=list(KEYS), how="anti")
    found = [(None, "not_observable") if one is None else _total(one) for one in odd["token_logprobs"].to_list()]
    others = odd.select(KEYS).with_columns(
        number=pl.Series([total for total, _ in found], dtype=pl.Float64), reason=pl.Series([why for _, why in found], dtype=pl.String)
    )
    nothing = {"category": pl.lit(None, pl.String), "vector": pl.lit(None, pl.List(pl.Float64))}
    every = pl.concat([easy, others]).with_columns(**nothing)
    return of_distance(companion, inputs, Measure(companion.name, companion.name, "absolute"), every)


def verbalised_confidence(companion: Companion, inputs: AxisInput) -> Scored:
    """Difference of the confidence that two replies state, through the core index; flag ``parse_rate``: share that state one."""
    scored = of_distance(companion, inputs, Measure(companion.name, STATED, "absolute"))
    readings = inputs.features.filter(pl.col("feature") == STATED).select(*KEYS, "reason")
    remarks = {}
    for part in asked(inputs, readings):
        rows = part.rows.filter(~pl.col("control") & (pl.col("decoding") == part.decoding))
        if rows.height:
            remarks[part.model, part.dataset, part.decoding] = [f"parse_rate={1 - rows['reason'].count() / rows.height:.3f}"]
    return with_flags(scored, companion, remarks)


def _total(tokens: list[float | None]) -> tuple[float | None, str | None]:
    found = sequence_logprob(tokens)
    if found.total is not None:
        return found.total, None
    return None, found.reason or "unknown_logprob"


def _made(
    name: str, compute: Callable[[Companion, AxisInput], Scored], unit: str, zero: str, source: str, needs: str, upper: float | None = 1.0
) -> Companion:
    return Companion(
        name=name,
        axis="confidence",
        level="example",
        lower=0.0,
        upper=upper,
        unit=unit,
        zero=zero,
        source=source,
        compute=compute,
        needs=(needs,) if needs else (),
    )


_SAME = "the same probabilities of the options under every wording"

COMPANIONS: tuple[Companion, ...] = (
    _made("option_jsd", given(on_options, formula=probabilities.mean_divergence), "bits", _SAME, "Lin 1991", OPTIONS),
    _made(
        "option_jsd_generalised",
        given(on_options, formula=probabilities.generalised_divergence),
        "share of log2 min(V, K) bits",
        _SAME,
        "Lin 1991",
        OPTIONS,
    ),
    _made("option_tvd", given(on_options, formula=probabilities.mean_variation), "probability that moves", _SAME, "own", OPTIONS),
    _made("option_margin", option_margin, "probability", "the same lead of the first option over the next", "own", OPTIONS),
    _made(
        "posix_anchor",
        posix_anchor,
        "nats per token",
        "the original response is as likely under every wording",
        "arXiv 2410.02185, the part of one response",
        "",
        upper=None,
    ),
    _made(
        "response_probability",
        response_probability,
        "probability per token",
        "every response is as likely as the others",
        "Malinin & Gales 2020",
        "response_probability",
    ),
    _made(
        "response_logprob", response_logprob, "nats", "every response is as likely as the others", "Malinin & Gales 2020", "", upper=None
    ),
    _made(
        STATED, verbalised_confidence, "stated probability", "the same stated confidence under every wording", "Tian et al. 2023", STATED
    ),
)
"""Companions on probabilities."""
