"""Likelihoods of options in samples of the LM Evaluation Harness."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sago.errors import DataError

_CHOICES = ("choices", "options", "endings", "answer_choices")
_LONGEST_LABEL = 3


class Scored(NamedTuple):
    """Likelihoods of the options of one document.

    Attributes:
        choices: Options as the row showed them, texts or pairs of label and text; null = one continuation alone, which is no choice.
        logprobs: Log-likelihood of each, in nats, summed over its tokens.
        best: Place of the likeliest; null where two are equally likely: which the harness would take is then the order alone.
        texts: What the model would have had to write for each.
    """

    choices: list[Any] | None
    logprobs: list[float]
    best: int | None
    texts: list[str]

    def gold(self, target: Any, verdict: float | None) -> Any:
        """Returns the place of the right option, or places; the text of the target where it names none.

        A log spells an index and the text of an option alike (``"2"``). Where it could be either, the verdict decides.
        """
        if self.choices is None:
            return None
        listed = _listed(target)
        if listed is not None:
            places = [self._place(part, None) for part in listed]
            return [place for place in places if place is not None] or target
        place = self._place(target, verdict)
        return target if place is None else place

    def _place(self, target: Any, verdict: float | None) -> int | None:
        text = str(target).strip()
        as_index = int(text) if text.isascii() and text.isdigit() and int(text) < len(self.texts) else None
        as_text = self.texts.index(text) if text in self.texts else None
        if as_index is None or as_text is None or as_index == as_text or verdict not in (0.0, 1.0) or self.best is None:
            return as_text if as_index is None else as_index
        says_best = verdict == 1.0
        return next((place for place in (as_index, as_text) if (place == self.best) == says_best), as_index)


def scored_choices(fields: Mapping[str, Any], document: Mapping[str, Any], *, is_normalised: bool) -> Scored | None:
    """Returns the likelihoods of a row; null where texts were generated.

    Requests without a context (the harness asks them for mutual information) are left out.

    Args:
        fields: The row.
        document: Its document.
        is_normalised: Whether the answer is the option that is likeliest per character (``acc_norm``).

    Raises:
        DataError: If the row scores a text alone (perplexity).
    """
    pairs = [_pair(reply) for reply in fields.get("resps") or ()]
    if not pairs or any(pair is None for pair in pairs):
        return None
    asked = [_request(fields, place) for place in range(len(pairs))]
    kept = [place for place, (context, _) in enumerate(asked) if context or len(pairs) == 1]
    texts = [asked[place][1].strip() for place in kept]
    logprobs = [float(pair[0]) for place in kept if (pair := pairs[place]) is not None]
    if len(kept) == 1:
        if not texts[0]:
            raise DataError("scores a text alone (perplexity): no answer was given")
        return Scored(None, logprobs, None, texts)
    return Scored(_choices(document, texts), logprobs, _best(logprobs, texts, is_normalised=is_normalised), texts)


def shown_choices(document: Mapping[str, Any], prompt: Any) -> list[str] | None:
    """Returns the options of a document that its prompt shows, every one; null where it lists none, or asks without them."""
    if not isinstance(prompt, str):
        return None
    listed = next((texts for texts in _option_texts(document) if len(texts) > 1), None)
    if listed is None or len(set(listed)) < len(listed) or not all(text.strip() in prompt for text in listed):
        return None
    return listed


def _option_texts(document: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yields the lists of options in a document, field by field; those that are no texts, or hold a blank one, are left out."""
    for name in _CHOICES:
        listed = document.get(name)
        if isinstance(listed, Mapping):
            listed = listed.get("text")
        if isinstance(listed, list) and all(isinstance(part, str) and part.strip() for part in listed):
            yield list(listed)


def _pair(reply: Any) -> tuple[float, Any] | None:
    """Returns likelihood and greediness of one request: ``[["-1.5", "False"]]``, or without the outer list."""
    one = reply[0] if isinstance(reply, list) and len(reply) == 1 and isinstance(reply[0], list) else reply
    if not (isinstance(one, list) and len(one) == 2 and str(one[1]) in ("True", "False", "0", "1")):
        return None
    try:
        return float(one[0]), one[1]
    except (TypeError, ValueError):
        return None


def _request(fields: Mapping[str, Any], place: int) -> tuple[str, str]:
    given = fields.get("arguments") or []
    one = given.get(f"gen_args_{place}", {}) if isinstance(given, Mapping) else given[place]
    context, text = (one.get("arg_0"), one.get("arg_1")) if isinstance(one, Mapping) else (*one, None)[:2]
    return _text(context), _text(text)


def _text(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else str(value)


def _best(logprobs: Sequence[float], texts: Sequence[str], *, is_normalised: bool) -> int | None:
    values = [value / max(len(text), 1) for value, text in zip(logprobs, texts, strict=True)] if is_normalised else list(logprobs)
    if any(math.isnan(value) for value in values):
        return None
    top = max(values)
    return values.index(top) if values.count(top) == 1 else None


def _choices(document: Mapping[str, Any], texts: Sequence[str]) -> list[Any]:
    """Returns the options: texts of the document where it lists as many, with what was scored as their labels where that is short."""
    for listed in _option_texts(document):
        if len(listed) != len(texts):
            continue
        if list(map(str.strip, listed)) == list(texts) or len(set(listed)) < len(listed):
            break
        if len(set(texts)) == len(texts) and all(0 < len(text) <= _LONGEST_LABEL for text in texts):
            return [{"label": label, "text": text} for label, text in zip(texts, listed, strict=True)]
        return listed
    return list(texts)


def _listed(target: Any) -> list[Any] | None:
    import ast

    if isinstance(target, list):
        return target
    if not (isinstance(target, str) and target.startswith("[") and target.endswith("]")):
        return None
    try:
        found = ast.literal_eval(target)
    except (ValueError, SyntaxError):
        return None
    return found if isinstance(found, list) else None
