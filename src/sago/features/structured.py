"""The answer of a response that is, or holds, a JSON object: ``{"Answer": "B"}``, in a code fence or behind reasoning."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_NOUN = r"(?:answer|choice|option|letter|label|result|solution|prediction)"
_NAME = rf"(?:final|correct|chosen|selected|predicted|best|my)?[ _-]?{_NOUN}(?:[ _-]?(?:letter|choice|option|index|text|value))?"
_STRING = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
_CODE = r"(?!//|\#)[^\"'{}\[\]\n"
_NUMBER = rf"(?=[-+−–.\\$€£¥₹]*[\d¼½¾⅐-⅞])(?:{_CODE},]|,(?=\d{{3}}(?!\d)))+"
"""The whole text of a field that begins like a number, valid or not: ``1/2``, ``1,000``."""
_ITEM = rf"(?=[-+−–.\\$€£¥₹]*[\d¼½¾⅐-⅞])(?:{_CODE},])+"
_FIELD = re.compile(
    rf"(?<=[{{,\s])[\"'](?P<name>{_NAME})[\"']\s*:\s*(?:(?P<object>\{{)\s*[\"']\w+[\"']\s*:\s*|(?P<list>\[)\s*)?"
    rf"(?P<value>{_STRING}|true\b|false\b|(?P<null>(?:null|none|nan)\b)|(?P<bare>(?(list){_ITEM}|{_NUMBER})))",
    re.IGNORECASE,
)
_ITEMS = re.compile(rf"\s*(?:,\s*)?(?P<value>{_STRING}|true\b|false\b|{_ITEM})", re.IGNORECASE)
_PAIRS = re.compile(rf"\s*(?:,\s*)?[\"'](?P<name>\w+)[\"']\s*:\s*(?P<value>{_STRING}|true\b|false\b|null\b|{_NUMBER})", re.IGNORECASE)
_MEANT = ("value", "answer", "letter", "label", "choice", "option", "number", "amount", "text", "name")
"""Fields of an object that is the answer; the first of them that is there says it."""
_OBJECTS = re.compile(r"\[\s*\{\s*\Z|\[\s*\{[^\]]*\Z")
_OPEN = re.compile(r"\s*,?\d{0,3}")
_LATEX = re.compile(r"(?<!\\)\\(?=(?:frac|boxed|text|times|sqrt)\b)")
"""Commands that a JSON reader takes for a sign of control where their backslash is not doubled."""
_FENCED = re.compile(r"\A\s*```[\w+-]*[ \t]*\n(.*?)\n[ \t]*```\s*\Z", re.DOTALL)
_FENCES = re.compile(r"^[ \t]*```[\w+-]*[ \t]*$", re.MULTILINE)
_DECODER = json.JSONDecoder(strict=False)
_RANKED = re.compile(_NAME, re.IGNORECASE)
_TORN = re.compile(r"\s*(?:```[\w+-]*\s*)?\{\s*[\"'][^\"'\n]{1,60}[\"']\s*:")
_WEAK = ("solution", "result", "prediction", "label", "option")
"""Names of a field that may hold the way to the answer."""


def json_answer(response: str, *, cut_off: bool = False) -> str | None:
    r"""Returns the value of the field of a JSON object that is called answer, choice, option, ... in any case; null without one.

    A field ``answer`` comes first, the outermost before those inside others, then ``final_answer``, then any other; of equals it is the
    last. All items of a list are the answer, separated by commas, and of an object the field ``value``, ``letter``, ... or all of them. A
    field that is null states none: then it is an empty text. The rest of the object need not be valid, so a reply that was cut off behind
    its answer is read; a number at the very end of one is not, for more digits could have followed, and neither is a list without its end.
    Objects in a row, with nothing between them, that answer differently state no answer: an empty text as well.

    >>> json_answer('```json\n{"Reason": "x", "Answer": "B"}\n```'), json_answer('{"final_answer": 42}'), json_answer("Answer: B")
    ('B', '42', None)
    """
    if "{" not in response:
        return None
    fields = [match for match in _FIELD.finditer(response) if not (cut_off and _is_open(match))]
    if not fields:
        return None
    if len({_whole(match).casefold() for match in fields}) > 1 and _are_objects(response):
        return ""
    best = min(reversed(fields), key=lambda match: (match["null"] is not None, _rank(match["name"]), _depth(match)))
    beside = {match["value"] for match in fields if _rank(match["name"]) == _rank(best["name"]) and _depth(match) == _depth(best)}
    if len(beside) > 1 and _rank(best["name"]) > 1 and _OBJECTS.search(response[: fields[0].start()]):
        return ""  # a list of options, each with what is said of it
    return _whole(best)


def whole_json(response: str) -> str | None:
    r"""Returns a response that is one JSON object and nothing else in one spelling: sorted, without needless space; null for any other.

    An object of one field that is a text or a number is that value: whoever calls it ``capital`` means an answer, too. Read by lines, all
    objects that are spread over several would be the same ``{``.

    >>> whole_json('{"capital": "Paris"}'), whole_json('```json\n{\n "b": 1,\n "a": "x"\n}\n```'), whole_json("{x | x > 2}")
    ('Paris', '{"a":"x","b":1}', None)
    """
    text = _FENCED.sub(r"\1", response).strip()
    if not text.startswith("{"):
        return None
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    if len(value) == 1:
        (only,) = value.values()
        if isinstance(only, (str, int, float)) and not isinstance(only, bool):
            return str(only)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def is_torn(response: str) -> bool:
    """Returns whether a response is a JSON object that breaks off.

    >>> is_torn('{"answer": "Par'), is_torn('{"answer": "Paris"}'), is_torn("{1, 2")
    (True, False, False)
    """
    return _TORN.match(response) is not None and not response.rstrip().rstrip("`").rstrip().endswith("}")


def json_names(response: str) -> list[str]:
    """Returns the names of the fields of a response that is one JSON object and nothing else; none of any other.

    >>> json_names('{"A": 0.2, "B": 0.8}'), json_names("A")
    (['A', 'B'], [])
    """
    text = _FENCED.sub(r"\1", response).strip()
    try:
        return list(json.loads(text, strict=False)) if text.startswith("{") else []
    except (ValueError, RecursionError):
        return []


def _are_objects(text: str) -> bool:
    """Returns whether a text is two or more JSON objects that answer and nothing else."""
    rest, count = _FENCES.sub("", text).strip(), 0
    while rest:
        try:
            value, end = _DECODER.raw_decode(rest)
        except (ValueError, RecursionError):
            return False
        if not isinstance(value, dict) or not any(_RANKED.fullmatch(name) for name in value):
            return False
        rest, count = rest[end:].lstrip(" \t\r\n,;"), count + 1
    return count > 1


def _whole(match: re.Match[str]) -> str:
    """Returns the whole value of a field: all items of a list, the part of an object that says the answer."""
    if match["null"] is not None:
        return ""
    if match["list"] is not None:
        return ", ".join(dict.fromkeys(_scalar(item["value"].strip()) for item in _run(_ITEMS, match.string, match.start("value"))))
    if match["object"] is not None:
        parts = {pair["name"].casefold(): pair["value"].strip() for pair in _run(_PAIRS, match.string, match.end("object"))}
        meant = next((parts[name] for name in _MEANT if name in parts), None)
        return _scalar(meant) if meant is not None else ", ".join(map(_scalar, parts.values()))
    return _scalar(match["value"].strip())


def _run(pattern: re.Pattern[str], text: str, start: int) -> Iterator[re.Match[str]]:
    """Yields matches that follow each other without a gap."""
    match = pattern.match(text, start)
    while match is not None:
        yield match
        match = pattern.match(text, match.end())


def _is_open(match: re.Match[str]) -> bool:
    """Returns whether the text ends so close behind a value that more of the value could have followed."""
    end = match.end()
    if match["list"] is not None and "]" not in match.string[end:]:
        return True
    return end == len(match.string) or (match["bare"] is not None and _OPEN.fullmatch(match.string, end) is not None)


def _depth(match: re.Match[str]) -> int:
    """Returns how many objects a field stands in."""
    return match.string.count("{", 0, match.start()) - match.string.count("}", 0, match.start())


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
