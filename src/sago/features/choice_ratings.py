"""The option that a response rates highest where it gives a share of every option, and nothing else: ``{"A": 0.1, "B": 0.9}``."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FENCED = re.compile(r"\A\s*```[\w+-]*[ \t]*\n(.*?)\n?[ \t]*```\s*\Z", re.DOTALL)
_WRAPPED = re.compile(r"\{\s*[\"']\w+[\"']\s*:\s*(\{.*\})\s*\}", re.DOTALL)
_PAIR = re.compile(
    r"\s*[-*•]?\s*[*_(]*(?:\"(?P<double>[^\"\n]+)\"|'(?P<single>[^'\n]+)'|(?P<bare>[^\W_](?:[^:=\n,;%\"]*[^\W_])?))[)*_]*\s*[:=]\s*[*_]*"
    r"(?P<value>(?:\d+(?:\.\d*)?|\.\d+)\s*%?|true\b|false\b)[*_]*\s*(?:[,;]|\n|\Z)",
    re.IGNORECASE,
)
_TOLERANCE = 0.05
"""By how much shares of a whole may miss 1, since models round them."""


def is_rating(response: str, labels: Sequence[str] | None, shown: Sequence[str]) -> bool:
    """Returns whether a response says a number, or true or false, of two or more options, and nothing else.

    >>> is_rating('{"A": 0.1, "B": 0.9}', "AB", ["Mars", "Venus"]), is_rating("A: Mars", "AB", ["Mars", "Venus"])
    (True, False)
    """
    return len(_rated(response, labels, shown)) > 1


def highest_rated(response: str, labels: Sequence[str] | None, shown: Sequence[str]) -> int | None:
    """Returns the place of the option with the largest share, or the only true one.

    Null where two are equally high, and where the numbers are no shares of a whole (they add up neither to 1 nor to 100): they may be
    ranks, of which the lowest is the best. Numbers that are the options themselves are a list of them.

    >>> highest_rated('{"A": 0.1, "B": 0.9}', "AB", ["Mars", "Venus"]), highest_rated("A: 2, B: 1", "AB", ["Mars", "Venus"])
    (1, None)
    """
    rated = _rated(response, labels, shown)
    if len({place for place, _ in rated}) < len(rated) or all(value.rstrip("% ") == shown[place].strip() for place, value in rated):
        return None
    is_said = [value.casefold() in ("true", "false") for _, value in rated]
    if any(is_said):
        numbers = [float(value.casefold() == "true") for _, value in rated]
        is_whole = all(is_said) and sum(numbers) == 1
    else:
        numbers = [float(value.rstrip("% ")) for _, value in rated]
        is_whole = any(abs(sum(numbers) / whole - 1) <= _TOLERANCE for whole in (1, 100))
    highest = [place for (place, _), number in zip(rated, numbers, strict=True) if number == max(numbers)]
    return highest[0] if is_whole and len(highest) == 1 else None


def _rated(response: str, labels: Sequence[str] | None, shown: Sequence[str]) -> list[tuple[int, str]]:
    """Returns the options that a response names, by place, each with what it says of it; none where it says anything else."""
    text = _FENCED.sub(r"\1", response).strip()
    wrapped = _WRAPPED.fullmatch(text)
    text = wrapped[1] if wrapped is not None else text
    if text.startswith("{") and text.endswith("}"):
        text = text[1:-1].rstrip()
    places = {option.strip().casefold(): place for place, option in enumerate(shown)}
    places |= {label.strip().casefold(): place for place, label in enumerate(labels or ())}
    found, end = [], 0
    while end < len(text):
        pair = _PAIR.match(text, end)
        name = None if pair is None else (pair["double"] or pair["single"] or pair["bare"]).strip().casefold()
        if pair is None or name not in places:
            return []
        found.append((places[name], pair["value"].strip()))
        end = pair.end()
    return found
