"""The words of a text in any script."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_ASCII_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")
_NO_SPACES = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3100-\u312f\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Thai, Lao, Burmese, Khmer, Japanese and Chinese: scripts without spaces between words."""


@cache
def _word() -> re.Pattern[str]:
    """The pattern of a word in any script: combining marks belong to their letter, characters of scripts without spaces stand alone."""
    marks = "".join(re.escape(chr(code)) for code in range(0x300, 0x1E950) if unicodedata.category(chr(code)).startswith("M"))
    letter = rf"(?:(?![{_NO_SPACES}])[^\W_][{marks}]*)"
    return re.compile(rf"[{_NO_SPACES}][{marks}]*|{letter}+(?:['\u2019]{letter}+)*")


def tokens(text: str) -> tuple[str, ...]:
    """Returns the words of a text in order: lower case, NFC, punctuation and symbols left out, characters for scripts without spaces.

    >>> tokens("Don't, don't say HELLO."), tokens("今天")
    (("don't", "don't", 'say', 'hello'), ('今', '天'))
    """
    if text.isascii():
        return tuple(_ASCII_WORD.findall(text.lower()))
    lowered = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).lower())
    return tuple(_word().findall(lowered.replace("\u2019", "'")))
