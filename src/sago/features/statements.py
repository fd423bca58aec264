"""Which answer marks state the answer of a response, and which speak about another one, or about answers.

``The answer is D`` states nothing in ``Many think the answer is D``, ``A common wrong answer is D``, ``At first the answer is D, but`` and
``If it were so, the answer would be D``; nor do ``This answer is based on``, ``each option:`` and ``To find the answer:``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

HEADING = r"^[ \t]*(?:(?:the|my|your|final|correct|short)[ \t]+)*answer[ \t]*$"
"""A line that is a heading over the answer; for patterns that are multi-line and take any case."""

_LONGEST_ROW = 20
"""Lines of a response that repeats its answer without end that are looked at."""
_SENTENCE = re.compile(r"[.!?;]\s|\n|[.!?;]\Z")
_CONTRAST = re.compile(r"\bbut\s+|\bhowever\s*,\s*|\b(?:while|although|though)\b[^,]*,\s*", re.IGNORECASE)
_OTHER = re.compile(
    r"\b(?:wrong|incorrect|false|common|alternative|another|other|second(?:[- ]best)?|next[- ]best|possible|plausible|tempting|popular"
    r"|trap|worst|worse|bad|least(?:\s+\w+)?|long(?:er)?|previous|initial|each|every|this|that|such|any|which|these|those)\s+"
    r"(?:(?:best|correct|right|final|likely|possible|given)\s+)*[\"'(\[]?$",
    re.IGNORECASE,
)
"""What stands in front of ``answer`` where it is not the one that is given."""
_SOUGHT = re.compile(
    r"\b(?:find|determine|get|reach|arrive\s+at|verify|check|explain|justify|evaluate|analy[sz]e|identify|calculate|consider|examine|review"
    r"|double[- ]check|compare|support|show|derive|work\s+out|figure\s+out)\s+(?:\w+\s+){0,3}$",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:people|many|others|someone|students?|you|one|they|some|most\s+people)\s+(?:\w+\s+){0,2}"
    r"(?:think|thinks|thought|assume|assumes|assumed|believe|believes|say|says|said|guess|guesses|expect|expects|claim|claims|answer)\b"
    r"|\bat\s+first\b|\binitially\b|\bfirst\s+glance\b|\bmisconception\b|\bmistake\w*\b|\btempt\w*\b|\bhope\b|\bused\s+to\b"
    r"|\b(?:might|may|could)\s+(?:think|assume|guess|seem|say|believe)\b",
    re.IGNORECASE,
)
_IF = re.compile(r"\b(?:if|were|had|unless|suppose|supposing)\b", re.IGNORECASE)
_WOULD = re.compile(r"\b(?:would|might|could)\b", re.IGNORECASE)
_VERB = re.compile(r"\b(?:is|was|are)\b", re.IGNORECASE)
_REMARK = re.compile(
    r"\W*(?:rounded|based|expressed|accurate|consistent|derived|calculated|computed|obtained|valid|helpful|assuming|subject\s+to|reasonable"
    r"|given\s+(?:in|as|to)|written|supported|backed|explained|no\s+(?:longer|one|doubt|matter)|nobody|correct\s+(?:for|because|as|since|to|if)"
    r"|the\s+same\s+(?:as|for|in))\b",
    re.IGNORECASE,
)
"""What follows ``the answer is`` in a remark about it."""

_BARE = re.compile(
    r"\W*(?:(?:so|thus|therefore|hence)\b[,\s]*)?(?:(?:the|my|(?P<last>final|correct))\s+)*answer\b(?:\s+is\b\s*:?|\s*[:=])\W{0,6}?"
    r"(?P<said>[\w\\$€£({-].{0,60}?)?[\s*.]*",
    re.IGNORECASE,
)
"""A line that marks an answer and says no more."""


def answers_in_a_row(text: str) -> list[str]:
    r"""Returns what the lines say that end a response, where two or more in a row mark an answer and nothing stands between them.

    Where the last of them is called the final or the correct one and those before are not, it counts alone: then there are none.

    >>> answers_in_a_row("The answer is yes.\nThe answer is no."), answers_in_a_row("Answer: 5\nFinal answer: 6")
    (['yes', 'no'], [])
    """
    row: list[re.Match[str]] = []
    for line in reversed([line for line in text.splitlines() if line.strip()][-_LONGEST_ROW:]):
        bare = _BARE.fullmatch(line)
        if bare is None:
            break
        row.insert(0, bare)
    said = [line for line in row if line["said"]]
    is_last = len(said) > 1 and said[-1]["last"] is not None and said[-2]["last"] is None
    return [] if len(said) < 2 or is_last else [line["said"] for line in said]


def stating(marks: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """Returns the marks behind which a response states its own answer, in their order.

    >>> [mark[0] for mark in stating(list(re.finditer("answer is|answer:", "The answer is 5. A common wrong answer is 6.")))]
    ['answer is']
    """
    return [mark for mark in marks if _is_stating(mark)]


def _is_stating(mark: re.Match[str]) -> bool:
    text = mark.string
    start = max(0, mark.start() - 200)
    # What is said in front of a contrast is about another answer: ``Many think it is D, but the answer is``.
    before = _CONTRAST.split(_SENTENCE.split(text[start : mark.start()])[-1])[-1]
    behind = text[mark.end() : mark.end() + 40]
    if _OTHER.search(before) or _SOUGHT.search(before) or _SUPPOSED.search(before):
        return False
    around = before + mark[0]
    if _WOULD.search(around) and (_IF.search(around) or _IF.search(text[mark.end() : mark.end() + 80].split("\n")[0].split(". ")[0])):
        return False
    return not (_VERB.search(mark[0]) and _REMARK.match(behind))
