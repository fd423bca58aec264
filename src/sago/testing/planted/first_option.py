"""``always-first-option``: it goes by the place alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sago.records import Capability, Request
from sago.testing.planted.base import PlantedModel, user_text

_OPTION = re.compile(r"^[^\w\n]*([A-Z]|\d{1,2})[^\w\s]+[ \t]*\S", re.MULTILINE)

FIRST_SHARE = 0.9
"""Probability of the first option."""


class FirstOptionModel(PlantedModel):
    """Takes the first option shown, whatever it says: its choice flips with the order of the options and with nothing else.

    Truth under V different orders of K options, drawn at random: two of them share their first option with probability
    ((K-1)! - 1) / (K! - 1), so B = (K! - (K-1)!) / (K! - 1) (18/23 for K = 4, 4/5 for K = 3, 1 for K = 2; exact where all K! orders are
    asked). W = 0. Where questions have options of their own N = 1 and S = T = B; where all share theirs in random order N is about
    1 - 1/K, and S reaches (K!) / (K! - 1), a little above 1: orders are drawn without replacement, other questions are not.
    """

    name = "always-first-option"
    capabilities: frozenset[Capability] = frozenset({"generate", "choice_logprobs"})

    def reply(self, request: Request, choices: Sequence[str] | None) -> str:
        """Returns the first choice as it is scored: its label, or its text."""
        if choices:
            return choices[0]
        found = _OPTION.search(user_text(request))
        return found.group(1) if found else "A"

    def shares(self, request: Request, choices: Sequence[str]) -> Sequence[float]:
        """Returns 0.9 for the first choice and equal parts of the rest for the others."""
        if len(choices) == 1:
            return [1.0]
        return [FIRST_SHARE, *[(1 - FIRST_SHARE) / (len(choices) - 1)] * (len(choices) - 1)]
