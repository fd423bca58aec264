"""Speed of the mirroring axis, tables in and tables out, against a plain loop that keeps nothing."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import polars as pl

from sago import schemas
from sago.axes.mirroring import axis
from sago.axes.protocol import AxisInput
from table import Row, seconds, show

EXAMPLES, WORDINGS, PROMPT_WORDS, REPLY_WORDS = 1_000, 8, 30, 150
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")


def texts(rng: np.random.Generator, count: int, length: int) -> list[str]:
    """Returns texts of words drawn from 5,000, so that prompts of an example share few of them."""
    drawn = rng.integers(0, 5_000, (count, length))
    return [" ".join(f"word{number}" for number in row) + "." for row in drawn.tolist()]


def run() -> AxisInput:
    """Returns the tables of one model: each wording differs from the canonical one by six of its thirty words."""
    rng = np.random.default_rng(0)
    stems = [text.split() for text in texts(rng, EXAMPLES, PROMPT_WORDS - 6)]
    own = texts(rng, EXAMPLES * WORDINGS, 6)
    replies = texts(rng, EXAMPLES * WORDINGS, REPLY_WORDS)
    variants, observations = [], []
    for place, (example, wording) in enumerate(product(range(EXAMPLES), range(WORDINGS))):
        prompt = " ".join([*stems[example], own[place]])
        name = "canonical" if wording == 0 else f"paraphrase-{wording}"
        key = {"dataset": "d", "example": str(example), "variant": name}
        variants.append({**key, **_variant(wording, prompt)})
        observations.append({**key, **_observation(replies[place])})
    examples = [_example(str(example)) for example in range(EXAMPLES)]
    return AxisInput(
        features=schemas.empty("features"),
        states=schemas.empty("states"),
        observations=schemas.frame("observations", observations),
        variants=schemas.frame("variants", variants),
        examples=schemas.frame("examples", examples),
    )


def _variant(wording: int, prompt: str) -> dict[str, object]:
    return {
        "position": wording,
        "family": "paraphrase" if wording else "canonical",
        "control": False,
        "parameters": "{}",
        "messages": [{"role": "user", "content": prompt}],
        "question": prompt,
        "layout": "plain",
        "answers": [],
        "edits": [],
        "dose": 0.0,
        "checks": [],
        "merged": [],
        "fingerprint": prompt,
    }


def _observation(reply: str) -> dict[str, object]:
    return {"model": "m", "decoding": "greedy", "rerun": 0, "status": "ok", "response": reply, "request_key": "k"}


def _example(name: str) -> dict[str, object]:
    own = {"position": 0, "task": "text", "question": "Q?", "answers": [], "paraphrases": [], "metadata": "{}", "fingerprint": name}
    return {"dataset": "d", "example": name, **own}


def looped(inputs: AxisInput) -> float:
    """Takes the same number by the formula as it is written, text by text: every pair of wordings reads its texts anew."""
    rows = inputs.observations.join(inputs.variants, on=["dataset", "example", "variant"])
    gains = []
    for _, group in rows.group_by("example"):
        prompts, replies = group["question"].to_list(), group["response"].to_list()
        own = sibling = total = 0
        for mine in range(len(prompts)):
            others = [set(_WORD.findall(text.lower())) for place, text in enumerate(prompts) if place != mine]
            marks = set(_WORD.findall(prompts[mine].lower())) - set().union(*others)
            total += len(marks)
            for place, reply in enumerate(replies):
                taken = len(marks & set(_WORD.findall(reply.lower())))
                own, sibling = (own + taken, sibling) if place == mine else (own, sibling + taken)
        gains.append((own - sibling / (len(prompts) - 1)) / total)
    return float(np.mean(gains))


def main() -> None:
    """Measures and prints."""
    inputs = run()
    whole = axis.score(inputs).profiles.filter(pl.col("default"))["instability"][0]
    if abs(whole - looped(inputs)) > 1e-12:
        raise SystemExit("the axis and the loop disagree")
    taken, plain = seconds(lambda: axis.score(inputs)), seconds(lambda: looped(inputs), repeats=1)
    show(
        [
            Row("mirroring, 1,000 examples x 8 wordings", taken, "s", target=1.0),
            Row("the same, by formula and without tables", taken, "s", "plain loop, nothing kept", plain, plain / taken),
        ]
    )


if __name__ == "__main__":
    main()
