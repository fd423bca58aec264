"""Where the answer of a response begins and ends: thinking before it and what follows the model's own turn are no part of it."""

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
    r"|(?:\*\*)?(?:Question|Q|Problem|User|Human)[ \t]*\d*[ \t]*(?:\*\*)?:"
    r"|(?:The[ \t]+following|Below)[ \t]+(?:is|are)[ \t]+(?:an?[ \t]+)?(?:multiple[ -]choice[ \t]+)?questions?\b)",
    re.MULTILINE,
)
"""The next question of a model that goes on after its answer: a line that opens as questions do in prompts."""

_ANOTHER = re.compile(
    r"^(?![^\n]*\b(?:wait|hmm+|right|correct|really|sure)\b)[ \t]*(?:\d{1,3}[.)][ \t]+)?[^\n]*\?[ \t]*\n\s*"
    r"(?:\(?A[.)][ \t]+[^\n]+\n\s*\(?B[.)][ \t]|(?:A|Answer):)",
    re.IGNORECASE | re.MULTILINE,
)
"""A question without such an opening, over its options or its answer."""
_ANSWERED = re.compile(
    r"\A\s*(?:\(?[A-J]\)?[.:]?[ \t]*\n|\(?[A-J][.)][ \t][^\n]*\n|(?:yes|no|[-$€£]*\d[\d.,/]*)\b[^\n]{0,40}\n)"
    r"|####\s*\S|(?i:\banswer\b[ \t]*(?:is\b|:))[ \t]*\S",
    re.IGNORECASE,
)
"""What stands in front of it where the first question is answered: a model that says its own question again has not answered yet."""


_OPENING = re.compile(
    r"(?:sure|certainly|of\s+course|okay|ok|alright|absolutely|great|here|let|i['’]?ll|i\s+will|i\s+can|happy\s+to)\b[^\n]*", re.IGNORECASE
)
"""What a model says before it repeats the question: no answer yet."""


_THINKING = r"(?:think|thinking|thoughts?|reasoning|scratchpad|reflection)"
_THOUGHT = re.compile(rf"\A\s*<(?P<tag>{_THINKING})>.*?(?:</(?P=tag)>|(?=<answer>)|\Z)", re.IGNORECASE | re.DOTALL)
_THOUGHT_ENDS = re.compile(rf"</{_THINKING}>", re.IGNORECASE)
_FINAL = re.compile(r"<\|channel\|>final(?:<\|constrain\|>\w+)?<\|message\|>")
"""What opens the answer of a model that thinks in a channel of its own."""
_ASKED = re.compile(r"\A\s*(?:Q|Question)\s*\d*\s*[:.][^\n]*?\?\s+A\s*:[ \t]*(?=\S)(?!.*\bB\s*[:.)])", re.DOTALL)
"""The question said again over ``A:``; with a ``B:`` below these are options."""
_SPEAKER = re.compile(
    r"\A\s*(?:\[/INST\]|<\|assistant\|>|<\|im_start\|>assistant\s*\n|<\|start_header_id\|>assistant<\|end_header_id\|>)\s*(?=\S)"
    r"|\A\s*(?:#+[ \t]*)?(?:\*\*)?(?:Response|Output|Assistant|Reply|Completion)(?:\*\*)?[ \t]*[:：](?:\*\*)?\s*(?=\S)"
)
"""The heading over a reply in the template that a model was tuned on (``### Response:``, ``Assistant:``), or its control token."""


_BLANKS = re.compile(r"[^\S\n]{9,}")
_LINES = re.compile(r"\n(?:[^\S\n]{0,8}\n){4,}")


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

    A response that begins with the question repeats it, and is whole; behind ``A:`` stands its answer. Thinking in tags, or in a channel
    of its own, is left out, and thinking that never ends leaves nothing. Long runs of blanks are made short: they say nothing, and readers
    that look on from each of them would take the square of their number.

    >>> own_turn(" A\n\nQuestion: Which gas is lightest?\\nAnswer: B")
    Turn(text=' A\n\n', went_on=True)
    >>> own_turn("Question: Is it A or B?\nAnswer: B").went_on
    False
    """
    response = _LINES.sub("\n\n\n\n", _BLANKS.sub(" " * 8, without_thinking(response)))
    found = [match.start() for pattern in (_END, _NEXT) for match in pattern.finditer(response)]
    found += [match.start() for match in _ANOTHER.finditer(response) if _ANSWERED.search(response[: match.start()])]
    ends = [start for start in found if response[:start].strip() and not _OPENING.fullmatch(response[:start].strip())]
    own = response[: min(ends)] if ends else response
    return Turn(_ASKED.sub("", _SPEAKER.sub("", own, count=1), count=1), went_on=bool(ends))


def without_thinking(response: str) -> str:
    """Returns a response without the thinking that its model wrote into it.

    >>> without_thinking("<think>Lyon?</think>Paris"), without_thinking("Lyon? </think> Paris"), without_thinking("<think>Lyon?")
    ('Paris', ' Paris', '')
    """
    final = next(reversed(list(_FINAL.finditer(response))), None)
    if final is not None:
        return response[final.end() :]
    if "<" not in response:
        return response
    while (thought := _THOUGHT.match(response)) is not None:
        response = response[thought.end() :]
    last = next(reversed(list(_THOUGHT_ENDS.finditer(response))), None)
    return response[last.end() :] if last is not None and response[last.end() :].strip() else response
