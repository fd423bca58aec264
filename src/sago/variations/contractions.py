"""English contractions, drawn together and written out, where no reader could take them for something else."""

from __future__ import annotations

import re

_EDGE = r"(?<![\w'’-])"
# What follows shows that 's is "is": "what's the", "it's a". "It's been" and "let's" are something else.
_IS_NEXT = r"(?= (?:an?|the|not(?! been)|in|on|at|this|that|these|those|its|their|his|her|your|my|our)\b)"
# In "Isn't it" and "Why doesn't he" the negation cannot be written out in place; behind its subject it can.
_SUBJECT = r"(?:it|he|she|they|we|you|that|this|there|who|which|I)"
_HELPER = r"(?:is|are|was|were|do|does|did|has|have|had|could|would|should)"
_NOT_NEXT = r"(?= (?!(?:only|just|merely|simply|all|every|even|to|at|an?|the)\b)[a-z])"

_WRITTEN_OUT = tuple(
    (re.compile(_EDGE + rule, re.IGNORECASE), text)
    for rule, text in (
        (rf"({_SUBJECT} {_HELPER})n['’]t(?= [a-z])", r"\1 not"),
        (rf"(what|who|where|it|he|she|that|there)['’]s{_IS_NEXT}", r"\1 is"),
        (r"(they|we|you)['’]re(?= [a-z])", r"\1 are"),
        (r"(they|we|you|I)['’]ve(?= [a-z])", r"\1 have"),
        (r"(it|he|she|they|we|you|I)['’]ll(?= [a-z])", r"\1 will"),
        (r"(I)['’]m(?= [a-z])", r"\1 am"),
    )
)
_DRAWN_TOGETHER = tuple(
    (re.compile(_EDGE + rule, re.IGNORECASE), text)
    for rule, text in (
        (rf"({_SUBJECT} {_HELPER}) not{_NOT_NEXT}", r"\1n't"),
        (rf"(what|who|where|it|he|she|that|there) is{_IS_NEXT}", r"\1's"),
        (r"(?<!of )(?<!and )(they|we|you) are(?= (?:an?|the|in|on|at|going|also)\b)", r"\1're"),
        (r"(they|we|you|I) have(?= (?:been|already|also)\b)", r"\1've"),
        (r"(it|he|she|they|we|you|I) will(?= (?!not\b|have\b)[a-z])", r"\1'll"),
        (r"(I) am(?= [a-z])", r"\1'm"),
    )
)


def drawn_together(text: str) -> str:
    """Returns a text with what is usually contracted contracted; the number of its negations stays.

    >>> drawn_together("What is the age at which it does not grow?")
    "What's the age at which it doesn't grow?"
    """
    return _replaced(text, _DRAWN_TOGETHER)


def written_out(text: str) -> str:
    """Returns a text with its contractions written out where that is sure.

    >>> written_out("What's the plant that isn't eaten? Isn't it Janet's?")
    "What is the plant that is not eaten? Isn't it Janet's?"
    """
    return _replaced(text, _WRITTEN_OUT)


def _replaced(text: str, rules: tuple[tuple[re.Pattern[str], str], ...]) -> str:
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return text
