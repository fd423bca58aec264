"""Whether a text is English: families that know English words only leave every other text alone."""

from __future__ import annotations

from functools import lru_cache

from sago.variations.words import folded_words


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ENGLISH = _words(
    """
    the of and what which who whose how does did are to has have had with for from that this these those when where why would could should
    many much it they you your he she his her their is was were an by at if be been do there than will can into about it's what's who's
    name list find calculate compute solve choose explain describe write give tell please answer
    """
)
_OTHERS = _words(
    """
    der die das und ist nicht ein eine einen den dem des wie wer welche welcher welches zu von mit für auf sind war hat im wird
    le la les un une est du et dans que qui quel quelle quels quelles sont pour avec sur au aux ce cette combien où pourquoi comment
    el los las una por para con es en del qué cuál cuáles cuántos cómo dónde quién son fue
    il lo gli della delle dei degli di che chi quale quali quanti come dove è sono nel nella per
    o os uma não do da dos das em no na qual quais quantos como onde são
    de het een van wat welke hoe zijn niet op voor met aan bij
    och att det som är på en ett av hva hvad hvor jest nie się czy jak jaki która
    """
) - _words("do no come die war on")


@lru_cache(maxsize=4096)
def is_english(text: str) -> bool:
    """Returns whether a text is English, judged by its smallest words: some are English, and more of them than of other languages.

    >>> is_english("What is rain?"), is_english("Was ist Regen?"), is_english("12 + 30 = ?")
    (True, False, False)
    """
    words = folded_words(text)
    return sum(map(_ENGLISH.__contains__, words)) > sum(map(_OTHERS.__contains__, words))
