"""What came back and what was read of it."""

from __future__ import annotations

import dataframely as dy

from sago.schemas.columns import DATASET, DECODING, EXAMPLE, MODEL, VARIANT, count_column, counts_column, number_column, text_column

_TOKENS = dy.List(
    dy.List(dy.Int64()),
    nullable=True,
    description="token ids really scored for each choice; null where none was",
)


class Observations(dy.Schema):
    """One call: model x variant x decoding x rerun; only what cannot be recomputed without the model."""

    model = text_column(MODEL, key=True)
    dataset = text_column(DATASET, key=True)
    example = text_column(EXAMPLE, key=True)
    variant = text_column(VARIANT, key=True)
    decoding = text_column(DECODING, key=True)
    rerun = count_column("number of the rerun, from 0", key=True)
    status = text_column("`ok, empty, refusal, filtered, truncated, too_long, error`; the last two are missing data")
    response = text_column("response text; null = none came (see status), or it was not recorded (status `ok`)", nullable=True)
    reasoning = text_column("thinking text, kept apart; null = none", nullable=True)
    finish_reason = text_column("`stop`, `length`, or as the server said; null = unknown", nullable=True)
    error = text_column("message of the error; null = none", nullable=True)
    response_token_ids = counts_column("token ids of the response; null = not observable")
    token_logprobs = dy.List(
        dy.Float64(nullable=True),
        nullable=True,
        description="log-probability of each response token (nats); null = not observable; null within = that token's is not known",
    )
    choice_logprobs = dy.List(
        dy.Float64(nullable=True),
        nullable=True,
        description="summed log-probability of each scored choice (nats), shown order; null within = minus infinity, or not given",
    )
    choice_token_ids = _TOKENS
    anchor_logprob = number_column("summed log-probability of the canonical response under this prompt (nats)")
    anchor_tokens = count_column("tokens of the anchor; null where it was not scored", nullable=True)
    prompt_tokens = count_column("tokens of the prompt; null = not observable", nullable=True)
    prompt_hash = text_column("sha256 of the prompt's token ids, or of its messages; null = error before", nullable=True)
    batch_size = count_column("prompts that shared the pass; null = not known", nullable=True)
    seconds = number_column(
        "wall time of the batch / its observations (s); behind an API, of the call / the calls in flight with it; null = not known"
    )
    response_tokens = count_column("tokens of the response with its thinking, as the server counted them; null = it did not", nullable=True)
    reasoning_tokens = count_column("those of them that were thinking; null = the server did not say", nullable=True)
    attempts = count_column("requests that were sent for it, failed ones included; null on this machine", nullable=True)
    model_version = text_column("model as the server named it in its reply; null = on this machine, or not said", nullable=True)
    server_fingerprint = text_column("what the server said of its own configuration; null = nothing", nullable=True)
    request_id = text_column("name of the reply at the server; null = on this machine, or not said", nullable=True)
    asked_at = text_column("date and time of the reply (UTC, ISO 8601); null on this machine", nullable=True)
    request_key = text_column("sha256 of everything that could change this observation; of recorded answers, of key and content")


class States(dy.Schema):
    """Pooled hidden states, one tap point a row."""

    model = text_column(MODEL, key=True)
    dataset = text_column(DATASET, key=True)
    example = text_column(EXAMPLE, key=True)
    variant = text_column(VARIANT, key=True)
    decoding = text_column(DECODING, key=True)
    rerun = count_column("number of the rerun, from 0", key=True)
    tap = text_column("where it was read, for instance `last_prompt_token/block_15`", key=True)
    layer = count_column("0 = embeddings, k = output of block k, before the final norm")
    depth = number_column("layer / number of blocks, in [0, 1]", nullable=False)
    vector = dy.List(dy.Float32(), nullable=True, description="the state; null where it was not finite (`non_finite`)")


class Features(dy.Schema):
    """One reading of one observation: a category, a number or a vector, or null with a reason."""

    model = text_column(MODEL, key=True)
    dataset = text_column(DATASET, key=True)
    example = text_column(EXAMPLE, key=True)
    variant = text_column(VARIANT, key=True)
    decoding = text_column(DECODING, key=True)
    rerun = count_column("number of the rerun, from 0", key=True)
    feature = text_column("name of the reading, for instance `answer`", key=True)
    category = text_column("value of a nominal reading", nullable=True)
    number = number_column("value of a numeric reading")
    vector = dy.List(dy.Float64(), nullable=True, description="value of a vector reading")
    reason = text_column("why the reading is null: `unparsed`, `truncated`, `no_gold`, ...; null where there is a value", nullable=True)
    reader = text_column("name of the reader; `recorded` = it came with the answers and wins over every reader")
    version = text_column("version of the reader")
