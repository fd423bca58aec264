"""The answer of a response that is, or holds, a JSON object: ``{"Answer": "B"}``, in a code fence or behind reasoning."""

from __future__ import annotations

import json
import re

_NOUN = r"(?:answer|choice|option|letter|label|result|solution|prediction)"
_NAME = rf"(?:final|correct|chosen|my)?[ _-]?{_NOUN}(?:[ _-]?(?:letter|choice|option|index|text|value))?"
_STRING = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
_CODE = r"(?!//|\#)[^\"'{}\[\]\n"
_NUMBER = rf"(?=[-+−–.\\$€£¥₹]*[\d¼½¾⅐-⅞])(?:{_CODE},]|,(?=\d{{3}}(?!\d)))+"
"""The whole text of a field that begins like a number, valid or not: ``1/2``, ``1,000``."""
_ITEM = rf"(?=[-+−–.\\$€£¥₹]*[\d¼½¾⅐-⅞])(?:{_CODE},])+"
_FIELD = re.compile(
    rf"(?<=[{{,\s])[\"'](?P<name>{_NAME})[\"']\s*:\s*(?:\{{\s*[\"']\w+[\"']\s*:\s*|(?P<list>\[)\s*)?"
    rf"(?P<value>{_STRING}|true\b|false\b|(?P<bare>(?(list){_ITEM}|{_NUMBER})))",
    re.IGNORECASE,
)
_OPEN = re.compile(r"\s*,?\d{0,3}")
_LATEX = re.compile(r"(?<!\\)\\(?=(?:frac|boxed|text|times|sqrt)\b)")
"""Commands that a JSON reader takes for a sign of control where their backslash is not doubled."""
_WEAK = ("solution", "result", "prediction", "label", "option")
"""Names of a field that may hold the way to the answer."""


def json_answer(response: str, *, cut_off: bool = False) -> str | None:
    r"""Returns the value of the field of a JSON object that is called answer, choice, option, ... in any case; null without one.

    A field ``answer`` comes first wherever it stands, then ``final_answer``, then any other; of equals it is the last. A list counts by its
    first item. The rest of the object need not be valid, so a reply that was cut off behind its answer is read; a number at the very end of
    one is not, for more digits could have followed.

    >>> json_answer('```json\n{"Reason": "x", "Answer": "B"}\n```'), json_answer('{"final_answer": 42}'), json_answer("Answer: B")
    ('B', '42', None)
    """
    if "{" not in response:
        return None
    fields = [match for match in _FIELD.finditer(response) if not (cut_off and _is_open(match))]
    if not fields:
        return None
    return _scalar(min(reversed(fields), key=lambda match: _rank(match["name"]))["value"].strip())


def _is_open(match: re.Match[str]) -> bool:
    """Returns whether the text ends so close behind a value that more of the value could have followed."""
    end = match.end()
    return end == len(match.string) or (match["bare"] is not None and _OPEN.fullmatch(match.string, end) is not None)


def _rank(name: str) -> int:
    words = re.sub(r"[ _-]", "", name.casefold())
    if words in {"answer", "finalanswer"}:
        return 0 if words == "answer" else 1
    return 3 if any(weak in words for weak in _WEAK) and "answer" not in words else 2


def _scalar(spelled: str) -> str:
    if spelled[:1] == "'":
        return re.sub(r"\\(.)", r"\1", spelled[1:-1])
    if spelled[:1] == '"':
        try:
            return str(json.loads(_LATEX.sub(r"\\\\", spelled), strict=False))
        except ValueError:
            return spelled[1:-1]
    return spelled
