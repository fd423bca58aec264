"""Answer options as a recorded prompt lists them, for answers that came without their options.

Only what cannot be misread is taken: labels from A on, in order, in one style, each once in the list. Anything else is no list.
"""

from __future__ import annotations

import re
from functools import lru_cache

_STYLES = (
    re.compile(r"(?<![\w)])\((?P<label>[A-Z])\)\s+(?=\S)"),
    re.compile(r"(?:^|\n)[ \t]*(?P<label>[A-Z])[.):]\s+(?=\S)"),
)
"""``(A) text (B) text`` anywhere; ``A. text``, ``A) text``, ``A: text`` at the start of lines."""

_FEWEST = 2


@lru_cache(maxsize=65536)
def listed_choices(prompt: str) -> tuple[str, ...] | None:
    r"""Returns the texts of the options that a prompt lists last, in shown order (labels A, B, ...); null where it lists none.

    >>> listed_choices("Which is it?\n(A) k = 0. (B) k = 1. (C) None of these. ")
    ('k = 0', 'k = 1', 'None of these')
    >>> listed_choices("Which?\nA. Mars\nB. Venus\nAnswer:")
    ('Mars', 'Venus')
    >>> listed_choices("Is A) better than B) here?")
    """
    for style in _STYLES:
        found = _listed(prompt, style)
        if found is not None:
            return found
    return None


def _listed(prompt: str, style: re.Pattern[str]) -> tuple[str, ...] | None:
    marks = list(style.finditer(prompt))
    starts = [place for place, mark in enumerate(marks) if mark["label"] == "A"]
    if not starts:
        return None
    run = marks[starts[-1] :]
    if [mark["label"] for mark in run] != [chr(ord("A") + place) for place in range(len(run))] or len(run) < _FEWEST:
        return None
    ends = [mark.start() for mark in run[1:]] + [_end_of_line(prompt, run[-1].end())]
    texts = tuple(_text(prompt[mark.end() : end]) for mark, end in zip(run, ends, strict=True))
    plain = {" ".join(text.casefold().split()) for text in texts}
    return texts if all(texts) and len(plain) == len(texts) else None


def _end_of_line(prompt: str, start: int) -> int:
    end = prompt.find("\n", start)
    return len(prompt) if end < 0 else end


def _text(raw: str) -> str:
    """Returns the text of an option without the full stop that ends it in a list on one line."""
    text = raw.strip()
    return text[:-1].rstrip() if text.endswith(".") and len(text) > 1 else text
