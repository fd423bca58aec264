"""The option that a text begins with, where nothing beside or behind it says otherwise: another one, a verdict, a name that none has."""

from __future__ import annotations

import re

from sago.features.choice_options import ARTICLES, QUOTES, Found, Options
from sago.features.choice_patterns import label_pattern
from sago.features.choice_texts import behind_label, names_no_option
from sago.features.choice_words import BESIDE, EXCEPT, JUDGED_WRONG, RULED_OUT, SUPPOSED, TAKEN_BACK

_OPERATOR = re.compile(r"\s*(?:[+×*÷=≈→−]|-\s*\d|/\s*\d)")
_LABEL_STOP = re.compile(r"[).:]\s")


class SettledOptions(Options):
    """The options of one prompt, and what stands beside the one that a text begins with."""

    def settled(self, text: str, *, marked: bool, cut_off: bool) -> int | None:
        """Returns the leading option unless another one stands beside it, or the cut may have gone through it."""
        found = self.leading(text, marked=marked)
        if found is None:
            return None
        rest = text[found.end :]
        if not found.by_label and text[found.end - 1].isdigit() and _OPERATOR.match(rest):
            return None  # the beginning of a calculation
        if cut_off and not rest.strip() and text[: found.end].strip(QUOTES) in ARTICLES:
            return None
        if found.by_label and (self.is_another(found, rest) or self._is_none(found, rest)):
            return None  # its label and its text say two things
        if TAKEN_BACK.match(rest) or self.is_ruled_out(found, rest) or (self.texts[found.at].startswith("none") and EXCEPT.match(rest)):
            return None
        beside = BESIDE.match(rest)
        other = self.beside(rest[beside.end() :]) if beside else None
        return None if other is not None and other != found.at else found.at

    def is_another(self, found: Found, rest: str) -> bool:
        """Returns whether nothing but the text of another option stands behind a label."""
        line = rest.lstrip(" ).:-–—").partition("\n")[0]
        other = self.leading_text(line)
        return other is not None and self.texts[other.at] != self.texts[found.at] and not line[other.end :].strip(" .!)")

    def _is_none(self, found: Found, rest: str) -> bool:
        """Returns whether a name that no option has stands behind the label and stop of an option, and nothing more."""
        line = rest.partition("\n")[0]
        return bool(_LABEL_STOP.match(line)) and names_no_option(line.lstrip(" ).:"), self.texts[found.at], self.texts)

    def beside(self, rest: str) -> int | None:
        """Returns the option that a text goes on with, as one more answer: not where it is ruled out (``B, A is wrong``)."""
        label = label_pattern(self.labels).match(rest) if self.labels else None
        if label and label[0] in self.labels and BESIDE.match(rest[label.end() :]):
            return self.of_label[label[0].casefold()]  # one of several: B, C and D
        other = self.leading(rest, marked=False)
        return None if other is None or self.is_ruled_out(other, rest[other.end :]) else other.at

    def is_ruled_out(self, found: Found, rest: str) -> bool:
        """Returns whether an option, with its text behind its label, is said to be wrong."""
        known = self.texts[found.at]
        named = behind_label(known).match(rest) if found.by_label and known else None
        behind = rest[named.end() :] if named else rest
        return bool(RULED_OUT.match(behind) or SUPPOSED.match(behind) or (known and JUDGED_WRONG.match(behind)))
