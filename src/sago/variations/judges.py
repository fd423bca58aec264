"""The checks of meaning that come with the package: sentence encoder, entailment both ways, a model that is asked.

What a user writes: ``encoder``, ``encoder@0.85`` (another threshold), ``nli:MODEL``, ``nli:MODEL@0.6``, ``judge:MODEL``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from sago.errors import StudyError
from sago.variations.beside import Write
from sago.variations.judging import Judge, Judgement, Pair
from sago.variations.protocol import Request
from sago.variations.specs import short_name

Encode = Callable[[Sequence[str]], np.ndarray]
"""Texts -> unit rows."""

Entail = Callable[[Sequence[tuple[str, str]]], Sequence[tuple[float, bool]]]
"""Pairs -> probability that the first entails the second, and whether contradiction is the likeliest."""

LEAST_COSINE = 0.80
"""Cosine from which on the encoder passes a pair, where the user gives none (METRICS 10)."""

LEAST_ENTAILMENT = 0.50
"""Probability of entailment, in the weaker direction, from which on a pair passes, where the user gives none (METRICS 10)."""

QUESTION = """Here are two versions of a question. Do both ask for the same thing, so that every right answer to one is a right answer to \
the other? Differences in style, spelling or politeness do not count. Answer with yes or no only.

First version:
{original}

Second version:
{wording}"""
"""What a judge is asked; the fields are filled by replacement, so braces in the data stay what they are."""

_SPEC = re.compile(r"(?P<name>encoder|nli|judge)(?::(?P<model>.+?))?(?:@(?P<threshold>[0-9.]+))?")
_VERDICT = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CheckSpec:
    """One check as the user named it.

    Attributes:
        name: ``encoder``, ``nli`` or ``judge``.
        model: The model; null for the encoder of the package.
        threshold: Value from which on a pair passes; null for a judge, who says yes or no.
    """

    name: str
    model: str | None
    threshold: float | None


def parse_checks(specs: Sequence[str]) -> tuple[CheckSpec, ...]:
    """Returns the checks that the specs name, in their order.

    Raises:
        StudyError: If one cannot be read, lacks its model, or has a threshold out of its limits.

    >>> parse_checks(["encoder@0.9"])[0].threshold
    0.9
    """
    return tuple(_parsed(spec) for spec in specs)


def encoder_judge(encode: Encode, by: str, threshold: float = LEAST_COSINE) -> Judge:
    """Returns a check by cosine of sentence vectors, in [-1, 1]; each distinct text is encoded once."""

    def judged(pairs: Sequence[Pair]) -> list[Judgement]:
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        place = {text: number for number, text in enumerate(texts)}
        rows = np.asarray(encode(texts), dtype=np.float64) if texts else np.zeros((0, 1))
        cosines = [float(rows[place[pair.original]] @ rows[place[pair.wording]]) for pair in pairs]
        return [Judgement(value, value >= threshold) for value in cosines]

    return _Judge("encoder", by, threshold, False, judged)


def entailment_judge(entail: Entail, by: str, threshold: float = LEAST_ENTAILMENT) -> Judge:
    """Returns a check by natural language inference both ways: the smaller probability counts, a contradiction either way fails."""

    def judged(pairs: Sequence[Pair]) -> list[Judgement]:
        there = entail([(pair.original, pair.wording) for pair in pairs])
        back = entail([(pair.wording, pair.original) for pair in pairs])
        found = [(min(one[0], other[0]), one[1] or other[1]) for one, other in zip(there, back, strict=True)]
        return [Judgement(value, value >= threshold and not contradicts) for value, contradicts in found]

    return _Judge("nli", by, threshold, True, judged)


def asked_judge(write: Write, model: str) -> Judge:
    """Returns a check by a model that is asked whether both mean the same; a reply that is neither yes nor no is no verdict."""

    def judged(pairs: Sequence[Pair]) -> list[Judgement]:
        asked = [Request(_question(pair), 0, max_new_tokens=8, is_whole=False, purpose="judgements") for pair in pairs]
        return [_verdict(reply) for reply in write(model, asked)]

    return _Judge("judge", short_name(model), None, True, judged)


@dataclass(frozen=True, slots=True)
class _Judge:
    name: str
    by: str
    threshold: float | None
    reads_translations: bool
    judged: Callable[[Sequence[Pair]], Sequence[Judgement]]

    def __call__(self, pairs: Sequence[Pair]) -> Sequence[Judgement]:
        return self.judged(pairs)


def _question(pair: Pair) -> str:
    before, between, after = re.split(r"\{original\}|\{wording\}", QUESTION)
    return before + pair.original + between + pair.wording + after


def _verdict(reply: str | None) -> Judgement:
    said = _VERDICT.match(reply or "")
    if said is None:
        return Judgement(None, None)
    is_same = said[1].lower() == "yes"
    return Judgement(float(is_same), is_same)


def _parsed(spec: str) -> CheckSpec:
    read = _SPEC.fullmatch(spec.strip())
    where = f"check '{spec}'"
    if read is None:
        raise StudyError("there is no such check", where=where, fix="Write encoder, encoder@0.85, nli:MODEL, nli:MODEL@0.6 or judge:MODEL")
    name, model = read["name"], read["model"]
    if (name == "encoder") != (model is None):
        fix = f"Write {name}:MODEL" if model is None else "Write encoder, or encoder@0.85"
        raise StudyError("names no model" if model is None else "the encoder is that of the package", where=where, fix=fix)
    if read["threshold"] is None:
        return CheckSpec(name, model, {"encoder": LEAST_COSINE, "nli": LEAST_ENTAILMENT}.get(name))
    if name == "judge":
        raise StudyError("a judge says yes or no, and has no threshold", where=where, fix="Leave out what stands behind @")
    try:
        threshold = float(read["threshold"])
    except ValueError:
        threshold = -1.0
    if not 0 <= threshold <= 1:
        raise StudyError(f"'{read['threshold']}' is out of its limits", where=where, fix="Give a number from 0 to 1 behind @")
    return CheckSpec(name, model, threshold)
