"""Sentences of findings as a reader meets them: reason codes, which programs read, put into words."""

from __future__ import annotations

import re
from collections.abc import Collection

from sago.reports.words import REASONS, meaning

_IN_BRACKETS = re.compile(r"\(([a-z0-9_]+)(?=[);:])")
_EXPLAINED = "degenerate_null: "
"""A code behind which the sentence gives the reason itself, with its numbers."""
_COUNTED = re.compile(r"not informative \(((?:[a-z0-9_]+ \d+(?:, | and |(?=\))))+)\)")


def in_words(sentence: str, names: Collection[str] = ()) -> str:
    """Returns a sentence with every reason code in brackets replaced by what it means.

    Args:
        sentence: Sentence of a finding.
        names: Names of models and data sets in it: a code that is a part of one of them stays.

    >>> in_words("m on d: not tested (no_reruns).")
    'm on d: not tested (no wording was asked twice, so the noise of asking twice was not measured).'
    >>> in_words("All 2 controls pass; 6 more were not informative (no_twin 4 and no_control 2).")
    'All 2 controls pass; 6 more were not informative (4: the data give no meaning-changed twin; 2: this control was not asked).'
    """

    def is_code(code: str) -> bool:
        return code in REASONS and not any(code in name for name in names)

    def said(found: re.Match[str]) -> str:
        return f"({meaning(found[1])}" if is_code(found[1]) else found[0]

    def counted(found: re.Match[str]) -> str:
        parts = [part.rpartition(" ") for part in re.split(r", | and ", found[1])]
        return f"not informative ({'; '.join(f'{count}: {meaning(code)}' for code, _, count in parts)})"

    return _IN_BRACKETS.sub(said, _COUNTED.sub(counted, sentence).replace(f"({_EXPLAINED}", "("))
