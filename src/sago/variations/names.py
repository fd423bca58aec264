"""Named things that many write in small letters: countries, peoples, months, planets, products, abbreviations."""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NAMES = _words(
    """
    january february april june july august september october november december monday tuesday wednesday thursday friday saturday sunday
    christmas easter hanukkah ramadan halloween thanksgiving diwali
    mercury venus earth mars jupiter saturn uranus neptune pluto
    africa america antarctica asia australia europe oceania arctic atlantic pacific mediterranean
    afghanistan albania algeria argentina austria bangladesh belgium bolivia brazil bulgaria cambodia cameroon canada chile china colombia
    croatia cuba cyprus denmark ecuador egypt england estonia ethiopia finland france germany ghana greece greenland guatemala haiti
    honduras hungary iceland india indonesia iran iraq ireland israel italy jamaica japan jordan kazakhstan kenya korea kuwait laos latvia
    lebanon libya lithuania luxembourg madagascar malaysia malta mexico mongolia morocco mozambique myanmar namibia nepal netherlands
    nicaragua niger nigeria norway pakistan palestine panama paraguay peru philippines poland portugal qatar romania russia rwanda scotland
    senegal serbia singapore slovakia slovenia somalia spain sudan sweden switzerland syria taiwan tanzania thailand tunisia turkey uganda
    ukraine uruguay venezuela vietnam wales yemen zambia zimbabwe
    african american arab asian australian austrian belgian brazilian british bulgarian canadian chinese croatian cuban czech danish dutch
    egyptian english ethiopian european finnish french german greek hebrew hindi hungarian icelandic indian indonesian iranian iraqi irish
    israeli italian japanese javanese jewish korean latin mexican mongolian moroccan nigerian norwegian pakistani persian peruvian polish
    portuguese roman romanian russian scottish serbian spanish swedish swiss syrian thai turkish ukrainian vietnamese welsh
    christian christianity muslim islam islamic buddhist buddhism hindu hinduism judaism catholic protestant bible quran torah
    amsterdam athens baghdad bangkok barcelona beijing berlin boston brussels budapest cairo chicago copenhagen delhi dublin edinburgh
    florence geneva helsinki houston istanbul jakarta jerusalem johannesburg kiev kyiv lagos lima lisbon london madrid manila melbourne
    miami milan montreal moscow mumbai munich nairobi naples oslo paris prague rome santiago seoul shanghai stockholm sydney tehran tokyo
    toronto venice vienna warsaw washington zurich alaska arizona california colorado florida georgia hawaii illinois michigan minnesota
    nevada ohio oregon pennsylvania tennessee texas utah virginia wisconsin manhattan brooklyn hollywood
    google facebook twitter youtube instagram whatsapp wikipedia amazon netflix microsoft windows linux ubuntu android iphone ipad macos
    python java javascript typescript kotlin excel photoshop bluetooth playstation xbox nintendo tesla toyota honda volkswagen ferrari
    boeing airbus ikea lego disney pixar starbucks pepsi uber spotify bitcoin ethereum chatgpt openai bach mozart beethoven shakespeare
    einstein newton darwin picasso napoleon hitler stalin lenin caesar cleopatra aristotle plato socrates buddha jesus muhammad moses
    usa uk eu uae ussr dna rna hiv aids nasa nato fbi cia un unesco pdf html css sql xml json csv http https cpu gpu ram usb gdp gps tv atm
    ceo nba nfl fifa uefa mlb covid adhd iq abc bbc cnn mtv
    """
)
"""Names in small letters; words that mean something else as well (may, march, us) are left out, save where nobody would mind."""

# Words between two capitalised ones that belong to one name: Lord of the Rings, Gone with the Wind, Ludwig van Beethoven.
_JOINED = re.compile(
    r"(?:[ \u00a0](?:a|al|an|and|at|bin|by|da|de|del|den|der|des|di|du|el|for|from|ibn|in|into|la|le|of|on|the|to|van|von|with|y))+"
)
# A clitic behind an apostrophe ("Janet's", "I'll") is no part of the name, "O'Brien" and "Lion-Heart" are one.
_TOKEN = re.compile(r"[^\W\d_]+(?:(?:[-‐‑]|['’](?!(?:s|m|re|ve|ll|d|t)(?!\w)))[^\W\d_]+)*", re.IGNORECASE)
_SENTENCE_START = re.compile(r"(?:\A|[.!?:;…]|\n)[\s\"“”«„‘'(\[*#>-]*\Z")


def name_spans(text: str, starters: frozenset[str]) -> list[tuple[int, int]]:
    """Returns the spans of words that may be names.

    That is a word with a capital that no start of a sentence explains, a word in small letters that is a known name or has a capital
    elsewhere in the text, and what joins two such words.

    Args:
        text: The text.
        starters: Words, lower case, that are capital at the start of a sentence only because they stand there.
    """
    tokens = [(match.start(), match.end(), match[0]) for match in _TOKEN.finditer(text)]
    capital = [word != word.lower() and not _only_starts(text, start, word, starters) for start, _, word in tokens]
    known = {word.casefold() for (_, _, word), is_name in zip(tokens, capital, strict=True) if is_name} - starters
    spans = [
        (start, end)
        for (start, end, word), is_name in zip(tokens, capital, strict=True)
        if is_name or word.casefold() in NAMES or (word.casefold() in known and len(word) > 1)
    ]
    starts = {start for start, _ in spans}
    joins = [match.span() for _, end in spans if (match := _JOINED.match(text, end)) and match.end() + 1 in starts]
    return spans + [(start + 1, end) for start, end in joins]


def names_within(text: str, starters: frozenset[str]) -> tuple[str, ...]:
    """Returns the words of a text that have a capital though no sentence starts with them, each once."""
    found = (match for match in _TOKEN.finditer(text) if match[0] != match[0].lower() and len(match[0]) > 2)
    names = (match[0] for match in found if not _SENTENCE_START.search(text, max(0, match.start() - 8), match.start()))
    return tuple(dict.fromkeys(name for name in names if name.casefold() not in starters))


def _only_starts(text: str, start: int, word: str, starters: frozenset[str]) -> bool:
    """Returns whether a word has its capital only because a sentence starts with it; the pronoun I is no name either."""
    if word.casefold() not in starters:
        return word == "I"
    if word[1:] != word[1:].lower():
        return True  # a question all in capitals
    return _SENTENCE_START.search(text, max(0, start - 8), start) is not None
