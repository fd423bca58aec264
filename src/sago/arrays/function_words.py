"""English word lists, written for this project: nine categories of function words, contractions, politeness markers."""

from __future__ import annotations

import re
from collections.abc import Mapping


def _all(words: str) -> frozenset[str]:
    return frozenset(words.split())


CATEGORIES: Mapping[str, frozenset[str]] = {
    "personal_pronouns": _all(
        "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself they "
        "them their theirs themselves i'm i've i'd i'll we're we've we'd we'll you're you've you'd you'll he's he'd he'll she's she'd "
        "she'll they're they've they'd they'll"
    ),
    "impersonal_pronouns": _all(
        "it its itself it's it'll it'd this that these those that's who whom whose what which who's what's something anything nothing "
        "everything someone anyone everyone somebody anybody everybody nobody one oneself other others another thing things"
    ),
    "articles": _all("a an the"),
    "conjunctions": _all(
        "and but or nor so yet because although though while whereas if unless until when whenever since as than whether also plus"
    ),
    "prepositions": _all(
        "of in to for with on at by from about into over after under between through during before without within against among "
        "toward towards upon across behind beyond near off onto out above below beside besides around along despite except inside "
        "outside per via like up down"
    ),
    "auxiliary_verbs": _all(
        "be am is are was were been being do does did have has had having will would shall should can could may might must ought i'm "
        "you're we're they're i've you've we've they've i'll you'll he'll she'll it'll we'll they'll i'd you'd he'd she'd it'd we'd "
        "they'd it's that's there's he's she's isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't won't wouldn't "
        "shouldn't can't couldn't mustn't"
    ),
    "frequent_adverbs": _all(
        "very really just so too quite rather still even already always often sometimes usually again almost now then there here "
        "perhaps maybe soon ever yet only well actually simply especially generally probably"
    ),
    "negations": _all(
        "no not never none nor neither nobody nothing nowhere cannot isn't aren't wasn't weren't don't doesn't didn't haven't hasn't "
        "hadn't won't wouldn't shouldn't can't couldn't mustn't ain't"
    ),
    "quantifiers": _all(
        "all any some many much more most few fewer less least several both each every enough half lot lots plenty little either"
    ),
}
"""Category -> its words, in lower case; a contraction stands in each category that it speaks for."""

CONTRACTED = re.compile(r"(?:n't|'(?:re|ve|ll|d|m))$|^(?:it|that|there|here|what|who|where|when|how|he|she|let)'s$")
"""A word that is contracted; a possessive is not."""

POLITE = re.compile(
    r"\b(?:please|kindly|thanks|thank you|sorry|apologies|pardon|excuse me|(?:could|would|can|will) you|would you mind|"
    r"i(?: would|'d) (?:appreciate|be grateful)|grateful|you're welcome)\b"
)
"""A marker of politeness in words joined by a space."""
