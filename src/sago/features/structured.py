"""The answer of a response that is, or holds, a JSON object: ``{"Answer": "B"}``, in a code fence or behind reasoning."""

from __future__ import annotations

import json
import re

_NOUN = r"(?:answer|choice|option|letter|label|result|solution|prediction)"
_NAME = rf"(?:final|correct|chosen|my)?[ _-]?{_NOUN}(?:[ _-]?(?:letter|choice|option|index|text|value))?"
_STRING = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
_LOOSE = r"-?\d{1,3}(?:,\d{3})+(?![\w.,])|-?\d+(?:\.\d+)?\s?/\s?\d+(?![\w./])"
"""Numbers that JSON does not know, but models write: ``1,000`` and ``1/2``."""
_SCALAR = rf"(?:{_STRING}|{_LOOSE}|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])|true\b|false\b)"
_FIELD = re.compile(
    rf"(?<=[{{,\s])[\"'](?P<name>{_NAME})[\"']\s*:\s*(?:\{{\s*[\"']\w+[\"']\s*:\s*|\[\s*)?(?P<value>{_SCALAR})", re.IGNORECASE
)


def json_answer(response: str, *, cut_off: bool = False) -> str | None:
    r"""Returns the value of the last field of a JSON object that is called answer, choice, option, ... in any case; null without one.

    A field whose name says ``answer`` goes before all others: a solution or a label beside it is something else. A list counts by its
    first item. The rest of the object need not be valid, so a reply that was cut off behind its answer is read; a number at the very end
    of one is not, for more digits could have followed.

    >>> json_answer('```json\n{"Reason": "x", "Answer": "B"}\n```'), json_answer('{"final_answer": 42}'), json_answer("Answer: B")
    ('B', '42', None)
    """
    if "{" not in response:
        return None
    fields = [match for match in _FIELD.finditer(response) if not (cut_off and match.end() == len(response))]
    found = [match["value"] for match in fields if "answer" in match["name"].casefold()] or [match["value"] for match in fields]
    return _scalar(found[-1]) if found else None


def _scalar(spelled: str) -> str:
    if spelled[:1] == "'":
        return re.sub(r"\\(.)", r"\1", spelled[1:-1])
    if spelled[:1] == '"':
        try:
            return str(json.loads(spelled, strict=False))
        except ValueError:
            return spelled[1:-1]
    return spelled
