"""Where a response ends: what follows the end of the model's own turn is no part of its answer."""

from __future__ import annotations

import re
from typing import NamedTuple

_END = re.compile(
    r"<\|(?:eot_id|end_of_text|im_end|endoftext|end|eom_id|end_of_turn)\|>|</s>|<eos>|<end_of_turn>"
    r"|<\|im_start\|>|<\|start_header_id\|>"
)
"""Control tokens that end a turn, or begin the next one, where a server left them in the text."""

_NEXT = re.compile(
    r"^[ \t]*(?:#{2,}[ \t]*(?:Instructions?|Input|Question|User|Human)\b"
    r"|(?:\*\*)?(?:Question|Q|Problem|User|Human)[ \t]*\d*[ \t]*(?:\*\*)?:)",
    re.MULTILINE,
)
"""The next question of a model that goes on after its answer: a line that opens as questions do in prompts."""


_OPENING = re.compile(
    r"(?:sure|certainly|of\s+course|okay|ok|alright|absolutely|great|here|let|i['’]?ll|i\s+will|i\s+can|happy\s+to)\b[^\n]*", re.IGNORECASE
)
"""What a model says before it repeats the question: no answer yet."""


class Turn(NamedTuple):
    """A response up to its end.

    Attributes:
        text: The model's own turn.
        went_on: Whether something followed, so that the turn itself is complete.
    """

    text: str
    went_on: bool


def own_turn(response: str) -> Turn:
    r"""Returns the model's own turn: up to a control token that ends it, or to a question that the model asks itself after an answer.

    A response that begins with the question repeats it, and is whole.

    >>> own_turn(" A\n\nQuestion: Which gas is lightest?\\nAnswer: B")
    Turn(text=' A\n\n', went_on=True)
    >>> own_turn("Question: Is it A or B?\nAnswer: B").went_on
    False
    """
    found = [match.start() for pattern in (_END, _NEXT) for match in pattern.finditer(response)]
    ends = [start for start in found if response[:start].strip() and not _OPENING.fullmatch(response[:start].strip())]
    return Turn(response[: min(ends)], went_on=True) if ends else Turn(response, went_on=False)
