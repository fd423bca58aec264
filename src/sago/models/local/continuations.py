"""Which tokens of a text are the continuation: the whole-string rule.

Prompt and continuation are encoded as ONE string. The tokens scored are those behind the common beginning of that string's tokens and the
prompt's own tokens, where trailing spaces of a plain prompt belong to the continuation. So ``Answer:`` and ``Answer: `` give the same
value, and a token that grew across the seam is scored as the model would really read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Continuation:
    """What is scored, and what it is scored behind.

    Attributes:
        context: Token ids in front; never empty.
        tokens: Token ids scored; never empty.
    """

    context: tuple[int, ...]
    tokens: tuple[int, ...]


def split_whole(whole: Sequence[int], prompt: Sequence[int]) -> Continuation | None:
    """Splits the tokens of prompt and continuation, encoded as one string, behind their common beginning with the prompt.

    Args:
        whole: Token ids of the whole string.
        prompt: Token ids of the prompt, a plain one without its trailing spaces.

    Returns:
        The two parts; null where the continuation has no token of its own, or where its first token has nothing in front.

    >>> split_whole([5, 6, 9], [5, 6, 7])
    Continuation(context=(5, 6), tokens=(9,))
    """
    common = 0
    for mine, theirs in zip(whole, prompt, strict=False):
        if mine != theirs:
            break
        common += 1
    if common == len(whole) or common == 0:
        return None
    return Continuation(tuple(whole[:common]), tuple(whole[common:]))
