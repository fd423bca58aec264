"""Paraphrases by a few rules of English syntax, each of which leaves the words of the question as they are.

Every rule either keeps the order of the words ("How many legs" becomes "What number of legs"), moves what may stand at either end
("afterwards"), or turns a question whose order needs no turning ("Who wrote Emma?") into a request. Where none fits surely there is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from sago.records import Draft, Example
from sago.variations.equivalence import RULES, checks_passed
from sago.variations.languages import is_english
from sago.variations.protect import exact_spans, named_by_user, phrases_of, protected_spans
from sago.variations.protocol import Parameter
from sago.variations.specs import names_in

_HELPER = r"(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|must)"
_ANY_HELPER = re.compile(rf"\b{_HELPER}\b|n['’]t\b|['’](?:s|re|ll|d|ve)\b(?! [A-Za-z-]+s?\b)", re.IGNORECASE)
_NOUN = r"(?:[a-z]{3,}(?: [a-z]{3,})?)"
_NOT_A_NOUN = re.compile(
    r"\b(?:of|more|other|less|fewer|total|times|else|further|additional|longer|extra|do|does|did|many|much|shorter|taller|higher|lower"
    r"|older|younger|heavier|lighter|deeper|wider|farther|faster|slower|larger|smaller|bigger|earlier|later|closer|nearer|greater|warmer"
    r"|colder|hotter|cooler|thicker|thinner|richer|cheaper|worse|better|apart|away|ahead|behind|ago|left)\b"
)
_PREPOSITION = r"(?:in|on|at|from|to|for|of|with|by|about|under|into|during|as|like|after|before|through|than|up|off|out|over)"
_ENDS_LOOSE = re.compile(rf"\b{_PREPOSITION}\?\Z", re.IGNORECASE)
# "What is the colour of grass?" has nothing but a noun behind its verb; with one of these words something else may follow.
_PREDICATE = re.compile(
    r"\b(?:[a-z]+(?:ing|ed|en)|called|known|made|like|do|be|being|been|to|if|when|would|will|does|did|is|are|was|were|has|have|had|can|"
    r"could|should|whose|where|that|which|who|what|likely|and|or|as|about|wrong|due|worth|because|so|than|[a-z]+ly|"
    r"sent|built|found|held|kept|left|lost|meant|paid|put|read|said|sold|set|spent|thought|told|won|born|based)\b",
    re.IGNORECASE,
)
_POLAR_ITEMS = re.compile(r"\b(?:any|anyone|anybody|anything|anywhere|ever|either|yet|not|n['’]t|please|or)\b", re.IGNORECASE)
_LAST_SENTENCE = re.compile(r"(?:\A|(?<=[.!?] )|(?<=[.!?]  ))(?=\S)")
_YES_NO = frozenset({"yes", "no", "true", "false"})
_PRONOUN = r"(?:you|it|they|we|he|she|someone|somebody|everyone|people|there)"
_LATER = r"(?:afterwards|afterward|as a result|after this|before this|in total|in all|(?<=do )next)"

Rule = Callable[[str], str | None]


def _sub(pattern: str, replacement: str) -> Rule:
    compiled = re.compile(pattern)

    def rule(sentence: str) -> str | None:
        match = compiled.fullmatch(sentence)
        return match.expand(replacement) if match else None

    return rule


def _what_number(sentence: str) -> str | None:
    match = re.fullmatch(rf"How many ({_NOUN}) ({_HELPER} .+\?)", sentence)
    if match is None or _NOT_A_NOUN.search(match[1]):
        return None
    return f"What number of {match[1]} {match[2]}"


def _what_amount(sentence: str) -> str | None:
    match = re.fullmatch(rf"How much ([a-z]{{3,}}) ({_HELPER} .+\?)", sentence)
    if match is None or _NOT_A_NOUN.search(match[1]) or re.fullmatch(rf"{_HELPER}|(?!water|paper|power|butter).*er", match[1]):
        return None
    return f"What amount of {match[1]} {match[2]}"


def _tell_what(sentence: str) -> str | None:
    """Returns "Tell me the N of X." for "What is the N of X?" where nothing but nouns follows."""
    match = re.fullmatch(r"What (?:is|was) (the [a-z ]+? (?:of|in|for|on) .+)\?", sentence)
    if match is None or _PREDICATE.search(match[1]) or _ENDS_LOOSE.search(sentence) or re.search(r"[,;:\"“(]", match[1]):
        return None
    return f"Tell me {match[1]}."


def _tell_who(sentence: str) -> str | None:
    """Returns "Tell me who wrote X." where the question word is the subject, so that no word has to move."""
    match = re.fullmatch(
        rf"(Who|Which {_NOUN}|What {_NOUN}) ([a-z]+(?:ed|es|s|te|ght|de|ew|id|ade|ook|un|ave|ent|ad|elt|old|ays) .+)\?", sentence
    )
    if (
        match is None
        or _ANY_HELPER.search(sentence)
        or not re.match(r"[a-z]+ (?:[A-Zad\"“0-9]|the\b|in\b|to\b|from\b|on\b|by\b|with\b|over\b)", match[2])
    ):
        return None
    return f"Tell me {match[1][0].lower()}{match[1][1:]} {match[2]}."


def _of_these(sentence: str) -> str | None:
    match = re.fullmatch(rf"Which of ((?:these|those|the following)(?: {_NOUN})?) ({_HELPER} .+\?)", sentence)
    return f"Of {match[1]}, which {match[2]}" if match else None


def _preposition_last(sentence: str) -> str | None:
    match = re.fullmatch(rf"(In|On|From|At) (which|what) ({_NOUN}) ((?:do|does|did|is|are|was|were|can) [^,;]+)\?", sentence)
    if match is None or len(match[4].split()) > 7 or re.search(rf"\b{_PREPOSITION}\b|\b(?:and|or|but|when|that|who)\b", match[4]):
        return None
    return f"{match[2].capitalize()} {match[3]} {match[4]} {match[1].lower()}?"


def _adverb_first(sentence: str) -> str | None:
    match = re.fullmatch(rf"((?:What|How|Why|Who) .+?) ({_LATER})\?", sentence)
    if match is None or re.search(r"[,;:\"“]|\b(?:if|when|after|before|that|and|or)\b", match[1]):
        return None
    return f"{match[2].capitalize()}, {match[1][0].lower()}{match[1][1:]}?"


def _going_to(sentence: str) -> str | None:
    match = re.fullmatch(r"What will (?:happen to ([A-Z][a-z]+)|([A-Z][a-z]+) want to do next)\?", sentence)
    if match is None:
        return None
    if match[1]:
        return f"What is going to happen to {match[1]}?"
    return f"What {'are' if match[2] == 'Others' else 'is'} {match[2]} going to want to do next?"


def _is_it_true(sentence: str) -> str | None:
    """Returns "Is it true that whales sing?" for "Do whales sing?", whose verb needs no other form."""
    if _POLAR_ITEMS.search(sentence):
        return None
    plural = re.fullmatch(r"Do (?!you know|you have)([A-Za-z].+\?)", sentence)
    if plural:
        return "Is it true that " + plural[1]
    turned = re.fullmatch(rf"(Can|Could|Would|Will|Is|Are|Was|Were|Should|Has|Have) ({_PRONOUN}) (.+\?)", sentence)
    if turned and turned[3].split()[0] not in ("who", "that", "with", "in", "from", "on", "at", "of", "without", "born", "living", "like"):
        return f"Is it true that {turned[2]} {turned[1].lower()} {turned[3]}"
    return None


_RULES: dict[str, Rule] = {
    "what-number": _what_number,
    "what-amount": _what_amount,
    "cost": _sub(r"How much (does|did|will|would) ([^,;?]+) cost\?", r"What \1 \2 cost?"),
    "how-long": _sub(r"How long (does|did|will|would|should) (it take .+\?)", r"How much time \1 \2"),
    "for-what-reason": _sub(r"Why ((?:did|does|do|is|are|was|were) .+\?)", r"For what reason \1"),
    "kind": _sub(r"What kind of (.+\?)", r"What type of \1"),
    "type": _sub(r"What type of (.+\?)", r"What kind of \1"),
    "in-what-year": _sub(r"What year (did|was|were) ((?:(?! in\?).)+\?)", r"In what year \1 \2"),
    "tell-what": _tell_what,
    "of-these": _of_these,
    "tell-who": _tell_who,
    "preposition-last": _preposition_last,
    "adverb-first": _adverb_first,
    "going-to": _going_to,
    "describe": _sub(r"How would you describe ([A-Z][a-z]+)\?", r"In what words would you describe \1?"),
    "is-it-true": _is_it_true,
}


class Rephrase:
    """The last sentence of the question, said otherwise by rule; a draft is named by its rule, which is the same for all examples."""

    name: str = "rephrase"
    description: str = "paraphrases by a few safe rules of English syntax"
    control: bool = False
    draws: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "to_check"
    protects: str = (
        "context and choices; every sentence but the last; numbers, units, negations, quantifiers (but 'how many' itself), names, "
        "quotations, code, links, formulas, fields, choices and gold answers inside the question, texts in the metadata field 'protect'"
    )
    parameters: Mapping[str, Parameter] = MappingProxyType(
        {
            "n": Parameter(2, "most wordings, in the order of the rules", minimum=1, maximum=len(_RULES)),
            "rules": Parameter("+".join(_RULES), "which rules, joined by +"),
        }
    )

    def applies(self, example: Example) -> bool:
        """Returns whether a rule fits the question."""
        return bool(_reworded(example, tuple(_RULES)))

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns how many wordings the rules give, at most ``n``."""
        return min(int(parameters["n"]), len(_reworded(example, _chosen(parameters))))

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns the wordings of the first rules that fit; nothing is drawn."""
        found = list(_reworded(example, _chosen(parameters)).items())[: parameters["n"]]
        return tuple(Draft(rule, question=text, parameters={"rule": rule}, checks=("protected_spans",)) for rule, text in found)


def _chosen(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    return names_in(parameters["rules"], tuple(_RULES), "variation 'rephrase': rules")


def _reworded(example: Example, rules: Sequence[str]) -> dict[str, str]:
    """Returns rule -> wording for the rules that fit and keep every protected span."""
    question = example.question
    start = [match.start() for match in _LAST_SENTENCE.finditer(question.rstrip())][-1:]
    sentence = question[start[0] :].rstrip() if start else ""
    if not sentence.endswith("?") or "\n" in sentence or not is_english(question):
        return {}
    found = {}
    for rule in rules:
        if rule == "is-it-true" and not _is_yes_no(example):
            continue
        said = _RULES[rule](sentence)
        if said is not None and said != sentence:
            wording = question[: start[0]] + said
            if _is_kept(example, sentence, said):
                found[rule] = wording
    return found


def _is_yes_no(example: Example) -> bool:
    given = {text.strip().casefold().rstrip(".") for text in (*(example.choices or ()), *example.answers)}
    return bool(given) and given <= _YES_NO


def _is_kept(example: Example, sentence: str, said: str) -> bool:
    """Returns whether a wording keeps numbers, negations and protected spans; an adverb that moved may stand elsewhere."""
    if checks_passed(sentence, said) != RULES:
        return False
    named = named_by_user(example)
    spans = {sentence[start:end].strip() for start, end in protected_spans(sentence, phrases_of(example), named)}
    exact = {sentence[start:end] for start, end in exact_spans(sentence, named)}
    wanted = {span for span in spans if span.casefold() not in _REWORDED}
    return all(span in said for span in exact) and all(span.casefold() in said.casefold() for span in wanted)


_REWORDED = frozenset({"many", "much", "will", "year"})
"""Protected words that rules replace by what means the same: how many, how much, will."""

rephrase = Rephrase()
