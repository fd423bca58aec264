"""What one value of a recorded answer means: verdicts, statuses, prompts, log-probabilities, vectors.

Every function raises ``DataError`` with the problem alone; whoever reads the row puts its line in front.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

from sago.arrays.logprobs import SENTINEL
from sago.datasets.values import is_blank, items_of, text_of
from sago.errors import DataError
from sago.features.structured import json_answer
from sago.models.replies import FILTER_REASONS, joined_text
from sago.records import Decoding, Status

_VERDICTS: dict[str, float] = {
    **dict.fromkeys(("1", "true", "yes", "correct", "right", "pass", "passed", "c"), 1.0),
    **dict.fromkeys(("0", "false", "no", "incorrect", "wrong", "fail", "failed", "i"), 0.0),
}
_STATUSES: dict[str, Status] = {
    **{name: name for name in get_args(Status)},
    **dict.fromkeys(("success", "succeeded", "completed", "complete", "stop"), "ok"),
    **dict.fromkeys(FILTER_REASONS, "filtered"),
    **dict.fromkeys(("length", "cut_off", "max_tokens"), "truncated"),
    **dict.fromkeys(("refused",), "refusal"),
    **dict.fromkeys(("failed", "failure", "timeout"), "error"),
}
_DECODINGS: dict[str, Decoding] = {name: name for name in get_args(Decoding)} | {"sampling": "sampled", "sample": "sampled"}
_ROUNDING = 1e-6
"""A log-probability above 0 by no more than this is rounding and counts as 0."""
_AS_WRITTEN = re.compile(r"(?<=[\[\s,:])(?:-inf|nan|None)(?=\s*[\],}])")
"""Values of a list as Python writes them into a table, where JSON has other names."""
_SHOWN = 40


def key_text(value: Any, what: str) -> str:
    """Returns a name or id as text without outer white space; a blank one is an error."""
    if type(value) is str and (stripped := value.strip()):
        return stripped
    text = None if is_blank(value) else text_of(value)
    if text is None or not text.strip():
        raise DataError(f"no {what}" if is_blank(value) else f"its {what} is no text or number")
    return text.strip()


def plain_text(value: Any, what: str) -> str | None:
    """Returns a text exactly as given, the text parts of a message joined; null where none was recorded."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, list) and len(value) > 1 and all(isinstance(part, str) for part in value):
        raise DataError(f"its {what} is a list of {len(value)} texts; give each a row of its own, as a rerun")
    if isinstance(value, list) and len(value) > 1 and not all(isinstance(part, Mapping) for part in value):
        raise DataError(f"its {what} is a list that mixes texts and objects; give one text, or the parts of one message as objects")
    text = text_of(value) if not isinstance(value, list) else joined_text(value)
    if text is None:
        raise DataError(f"its {what} is no text")
    return text


def whole_number(value: Any, what: str) -> int:
    """Returns a count from 0: ``2``, ``"2"``, ``2.0``."""
    text = text_of(value)
    if text is None or not text.strip().isascii() or not text.strip().isdigit() or isinstance(value, bool):
        raise DataError(f"{what} {_shown(value)} is no whole number from 0")
    return int(text)


def verdict(value: Any) -> float | None:
    """Returns how right an answer is, in [0, 1]: 0 and 1, true and false, correct and incorrect, or a share.

    >>> verdict(True), verdict("incorrect"), verdict("0.5"), verdict("")
    (1.0, 0.0, 0.5, None)
    """
    if type(value) is str and value in _VERDICTS:
        return _VERDICTS[value]
    if is_blank(value):
        return None
    text = text_of(value)
    known = None if text is None else _VERDICTS.get(text.strip().casefold())
    if known is not None:
        return known
    try:
        number = float(text or "")
    except ValueError:
        number = math.nan
    if not 0 <= number <= 1:
        raise DataError(f"correct is {_shown(value)}, not 0, 1, true, false or a share between them")
    return number


def status(value: Any) -> Status | None:
    """Returns a status by its own or a common other name; null where it says nothing."""
    if is_blank(value):
        return None
    found = _STATUSES.get((text_of(value) or "").strip().casefold().replace(" ", "_"))
    if found is None:
        raise DataError(f"status {_shown(value)} is not known: {', '.join(get_args(Status))}")
    return found


def temperature(value: Any) -> float | None:
    """Returns a temperature; null where none is given."""
    if is_blank(value):
        return None
    try:
        number = float(text_of(value) or "")
    except ValueError:
        number = math.nan
    if not number >= 0:
        raise DataError(f"temperature is {_shown(value)}, not a number from 0")
    return number


def decoding(value: Any, heat: float | None) -> Decoding:
    """Returns how an answer was decoded, by name, else by temperature; ``recorded`` where neither says.

    >>> decoding(None, 0.0), decoding(None, 0.7), decoding("greedy", None), decoding(None, None)
    ('greedy', 'sampled', 'greedy', 'recorded')
    """
    if not is_blank(value):
        found = _DECODINGS.get((text_of(value) or "").strip().casefold())
        if found is None or found == "audit":
            raise DataError(f"decoding {_shown(value)} is not known: greedy, sampled or recorded")
        return found
    return "recorded" if heat is None else "sampled" if heat > 0 else "greedy"


def prompt(value: Any) -> tuple[tuple[str, str], ...]:
    """Returns the messages of a prompt as (role, content): a chat as list or JSON, or one text as the user's; empty where not recorded."""
    if is_blank(value):
        return ()
    listed = items_of(value, split=False)
    if isinstance(value, str) and not (listed and all(isinstance(part, Mapping) for part in listed)):
        return (("user", value),)
    if listed is None or not all(isinstance(part, Mapping) and "content" in part for part in listed):
        raise DataError("its prompt is neither a text nor a list of messages with role and content")
    return tuple((str(part.get("role", "user")), joined_text(part["content"]) or "") for part in listed)


def mapping(value: Any, what: str) -> Mapping[str, Any]:
    """Returns an object, also one that is spelled as JSON."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as error:
            raise DataError(f"its {what} is no JSON object") from error
    if not isinstance(value, Mapping):
        raise DataError(f"its {what} is no JSON object")
    return value


def accepted(value: Any) -> Any:
    """Returns right answers with all their other names, where they come as an object with ``value`` and ``aliases`` (TriviaQA).

    Another object that states an answer, as object or spelled as JSON, is that answer: it is read like one of a response.

    >>> accepted({"value": "Paris", "aliases": ["Paris", "City of Paris"]}), accepted("Paris"), accepted('{"answer": "C"}')
    (['Paris', 'City of Paris'], 'Paris', 'C')
    """
    found = _object(value) if isinstance(value, str) else value
    if isinstance(found, Mapping) and not is_blank(found.get("value")) and isinstance(found.get("aliases"), list | tuple):
        return list(dict.fromkeys([found["value"], *found["aliases"]]))
    if isinstance(value, Mapping) and ({"text", "texts", "value"} & value.keys() or any(isinstance(item, list) for item in value.values())):
        return value  # one of a data set of its own, or several right answers
    return stated(value)


def stated(value: Any) -> Any:
    """Returns the answer that an object states, as object or spelled as JSON; any other value as it is.

    >>> stated('{"answer": "Paris"}'), stated({"Final Answer": 42}), stated('{"name": "x"}')
    ('Paris', '42', '{"name": "x"}')
    """
    if isinstance(value, Mapping):
        spelled = json.dumps(value, ensure_ascii=False, default=str)
    elif isinstance(value, str) and value.lstrip().startswith("{"):
        spelled = value
    else:
        return value
    found = json_answer(spelled)
    return value if found is None else found


def _object(text: str) -> Any:
    """Returns a text that spells a JSON object as that object; any other text as null."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def vector(value: Any, what: str) -> list[float] | None:
    """Returns a list of numbers; null where one of them is not finite."""
    listed = items_of(value, split=False)
    if not listed or not all((isinstance(item, int | float) and not isinstance(item, bool)) or item is None for item in listed):
        raise DataError(f"its {what} is no list of numbers")
    numbers = [math.nan if item is None else float(item) for item in listed]
    return numbers if all(map(math.isfinite, numbers)) else None


def layers(value: Any) -> dict[int, list[float] | None]:
    """Returns layer -> hidden state: an object layer -> list, a list of lists (layer 0 first), or one list (layer 1)."""
    if isinstance(value, str | Mapping):
        text = value.lstrip() if isinstance(value, str) else "{"
        if text.startswith("{"):
            given = mapping(value, "hidden_states")
            return {whole_number(name, "layer"): vector(state, "hidden_states") for name, state in given.items() if state is not None}
    listed = items_of(value, split=False)
    if listed and all(isinstance(item, Sequence) and not isinstance(item, str) for item in listed):
        return {place: vector(state, "hidden_states") for place, state in enumerate(listed)}
    return {1: vector(value, "hidden_states")}


def token_logprobs(value: Any) -> list[float | None]:
    """Returns the log-probability of each token: numbers, ``{"logprob": x}``, ``[token, x]``, or a server's ``{"content": [...]}``."""
    if isinstance(value, str):
        value = json.loads(_AS_WRITTEN.sub(_as_json, value)) if value.lstrip()[:1] in ("[", "{") else value
    if isinstance(value, Mapping):
        value = value.get("content", value.get("token_logprobs"))
    if value is None:
        return []
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise DataError("its token_logprobs is no list")
    return logprobs(_of_token(item) for item in value)


def scores_of_choices(value: Any, what: str) -> Mapping[str, Any] | list[Any]:
    """Returns what was recorded for each option: by label or text, or in the order of the options."""
    if isinstance(value, Mapping) or (isinstance(value, str) and value.lstrip().startswith("{")):
        return mapping(value, what)
    listed = items_of(value, split=True)
    if listed is None:
        raise DataError(f"its {what} is neither a list nor an object")
    return listed


def logprobs(values: Iterable[Any]) -> list[float | None]:
    """Returns log-probabilities of tokens; one that was not given is null, one above 0 an error.

    A sentinel stays apart from what was not given, as ``SENTINEL``: it is a token without a usable number, and not the null that is usual
    at the start. Minus infinity is a probability of 0, and stays what it is.
    """
    numbers = [_logprob(value) for value in values]
    return [None if math.isnan(number) else number if number == -math.inf else max(number, SENTINEL) for number in numbers]


def option_logprobs(values: Iterable[Any]) -> list[float | None] | None:
    """Returns log-probabilities of options, minus infinity as null; null altogether where one is not known.

    >>> option_logprobs([-0.5, "-Infinity"]), option_logprobs([-0.5, -9999]), option_logprobs([-0.5, None])
    ([-0.5, None], None, None)
    """
    numbers = [_logprob(value) for value in values]
    if any(math.isnan(number) or -math.inf < number <= SENTINEL for number in numbers):
        return None
    return [number if number > -math.inf else None for number in numbers]


def logs_of_probabilities(values: Iterable[Any]) -> list[float | None] | None:
    """Returns the logarithms of probabilities of options, that of 0 as null; null altogether where one is not known.

    >>> logs_of_probabilities([1, 0]), logs_of_probabilities([1, None])
    ([0.0, None], None)
    """
    found: list[float | None] = []
    for value in values:
        number = _number(value, "a probability")
        if number < 0 or number > 1 + _ROUNDING:
            raise DataError(f"a probability is {number:g}, not in [0, 1]")
        found.append(math.log(min(number, 1.0)) if number > 0 else math.nan if math.isnan(number) else None)
    return None if any(number is not None and math.isnan(number) for number in found) else found


def _logprob(value: Any) -> float:
    """Returns a log-probability, at most 0; not a number where none is given."""
    number = _number(value, "a log-probability")
    if number > _ROUNDING:
        raise DataError(f"a log-probability is {number:g}, above 0")
    return number if math.isnan(number) else min(number, 0.0)


def _number(value: Any, what: str) -> float:
    try:
        return math.nan if is_blank(value) or isinstance(value, bool) else float(value)
    except (TypeError, ValueError) as error:
        raise DataError(f"{what} is {_shown(value)}, not a number") from error


def _as_json(match: re.Match[str]) -> str:
    return {"-inf": "-Infinity", "nan": "NaN", "None": "null"}[match[0]]


def _of_token(item: Any) -> Any:
    if isinstance(item, Mapping):
        return item.get("logprob")
    if isinstance(item, Sequence) and not isinstance(item, str) and len(item) == 2:
        return item[1]
    return item


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
