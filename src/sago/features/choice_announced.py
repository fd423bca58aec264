"""Short replies and last sentences that say nothing but which option is meant (``Definitely B!``, ``选B``)."""

from __future__ import annotations

import re
from functools import lru_cache

from sago.features.choice_patterns import is_called
from sago.features.choice_texts import behind_label

_TEXT_OF_LEADS = r"""
definitely certainly clearly probably surely obviously absolutely simply just easily so therefore thus hence it['’]s
it\s+is that['’]s that\s+is the is would\s+be correct right best final answer letter number option ending sentence statement choice
no\. assistant response output i(?:['’]d|\s+would)?\s+(?:say|pick|choose) i\s+think my (?:pick|guess)
daher also somit folglich deshalb demnach ist die das richtig korrekt richtige antwort lösung buchstabe es wäre
es sería la el opción respuesta letra correcta por\s+(?:lo\s+)?tanto alternativa
c['’]est donc réponse lettre bonne è lettera risposta opzione corretta quindi é a resposta opção correta portanto
poprawna odpowiedź doğru cevap doğrudur het juiste antwoord
"""
_LEADS = "|".join(sorted(_TEXT_OF_LEADS.split(), key=len, reverse=True))
_SIGNS = (
    r"因此|所以|故|综上(?:所述)?|而是|最终|正确|最佳|答案|本题|此题|选项|选择|选|应该?|当|我|的|是|为|正解|答え|よって|は|정답|답|은"
    r"|सही|उत्तर|विकल्प|इसलिए|الإجابة|الصحيحة|هي|#|№|\d{1,2}[.)](?=\s)"
)
_BEHIND = (
    r"(?:\s*(?:it\s+is|选项|项|正确|是正确的?|对|です|だ|でしょう|입니다|이다|है|सही\s+है|ist|is|es|est|the|right|correct|richtig|korrekt|richtige|correcta"
    r"|answer|option|choice|antwort|die|la))*"
)
_LAST = re.compile(r"[.!?]\s+(?=\S)|[。！？।!\n]+\s*(?=\S)")
_CLAUSE = re.compile(r"[，；,;]\s*(?=因此|所以|故|而是|答案|应?选|よって)")
_IF = re.compile(r"如果|若|的话|ならば|なら")


def announced(text: str, labels: tuple[str, ...], texts: tuple[str, ...]) -> int | None:
    """Returns the option that a response, or its last or first sentence, says is meant by its label and by no other words.

    Every word of it belongs to a closed list of such words, so nothing is denied, supposed or compared. Null where it says more, where
    no word stands around the label, and where the label could be the text of an option as well. The first sentence counts where no label
    is named behind it.

    >>> announced("Definitely B!", ("A", "B"), ("mars", "venus")), announced("It is not B.", ("A", "B"), ("mars", "venus"))
    (1, None)
    """
    if not labels or _IF.search(text) or {label.casefold() for label in labels} & set(texts):
        return None
    whole = text.strip()
    again = _said_again(labels).fullmatch(whole)
    if again is not None:
        return labels.index(again["label"])
    first, last = _LAST.split(whole)[0], _LAST.split(whole)[-1]
    opening = () if is_called(whole[len(first) :], labels) else (first,)
    for said in dict.fromkeys((whole, last, _CLAUSE.split(last)[-1], *opening)):
        match = _pattern(labels).match(said)
        if match is None:
            continue
        at = labels.index(match["label"])
        named = behind_label(texts[at]).match(said, match.end("label")) if texts[at] else None
        ends = [_rest().fullmatch(said, place) for place in {match.end("label"), named.end() if named else match.end("label")}]
        if any(end is not None and (match["lead"].strip() or end["behind"].strip()) for end in ends):
            return at
    return None


@lru_cache(maxsize=1024)
def _pattern(labels: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(
        rf"(?!is\b)(?P<lead>(?:(?:(?<!\w)(?i:{_LEADS})(?!\w)|{_SIGNS})[\s,:：，—–-]*)*)[(\[\"']?(?P<label>{_any(labels)})(?![^\W\u0900-\uffff]|['’-]\w)"
    )


@lru_cache(maxsize=1024)
def _said_again(labels: tuple[str, ...]) -> re.Pattern[str]:
    """Matches a label that is said again and again, as base models do."""
    return re.compile(rf"(?P<label>{_any(labels)})(?:[\s,.;]+(?P=label))+[\s,.;]*")


def _any(labels: tuple[str, ...]) -> str:
    return "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))


@lru_cache(maxsize=1)
def _rest() -> re.Pattern[str]:
    return re.compile(rf"[)\]\"'.:]*(?P<behind>{_BEHIND})[)\]\"'.!。！।]*\s*", re.IGNORECASE)
