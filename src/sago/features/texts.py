"""The short answer of a free-text response, and the form in which two answers are the same (as SQuAD's, for any script).

Two answers that differ are never made equal: what goes is named below, and every other sign, operator and bracket stays.
"""

from __future__ import annotations

import re
import unicodedata

from sago.features.answer_words import IS, NOUN
from sago.features.statements import HEADING, stating
from sago.features.text_lines import first_line
from sago.features.turns import without_thinking

_MARK = re.compile(
    rf"{NOUN}(?:\s+(?:to|for)\b[^.:\n]{{0,80}}?)?\s*(?:{IS}\s*:?|[:=：])\s*"
    r"(?:(?:as\s+follows|the\s+following|(?:given\s+)?below)\s*(?:[:：]|\.(?=\s*\n))\s*)?",
    re.IGNORECASE,
)
_OVER = re.compile(HEADING, re.IGNORECASE | re.MULTILINE)
_HEADING = re.compile(r"^#+\s+|^>\s+", re.MULTILINE)
_EMPHASIS = re.compile(r"[*`]+")
_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[\w+#-]*[ \t]*(?:\n|\Z)", re.MULTILINE)
_TAGGED = re.compile(r"<answer>(.*?)</answer>", re.IGNORECASE | re.DOTALL)
_ANSWERED = re.compile(r"\A\s*A:[ \t]+(?=\S)(?![\s\S]*^\s*B:)", re.MULTILINE)
"""What stands in front of an answer to ``Q:``; with a ``B:`` below it is one of several."""
_NOT_BUT = re.compile(r"not\s+(?!(?:only|just|merely)\b).{1,60}?,?\s+but\s+(?:rather\s+)?(?P<said>.+)", re.IGNORECASE)
_TURNED = re.compile(
    r"[.!?…—–]\s*(?:(?:no|oh|hmm|but)\b[\s,.!]*)?(?:(?:wait|hold\s+on|actually|correction|sorry(?=[,.]?\s+(?:i\s+meant?|it['’]s|no)\b)|scratch\s+that|i\s+meant?)\b[\s,.:;!—–-]*)+"
    r"(?:(?:no|it['’]s|it\s+is|the\s+(?:correct\s+)?answer\s+is|i\s+meant?)\b[\s,:]*)*(?P<said>(?:[^\W\d_][\w'’-]*\s?){1,3})[.!]?\s*\Z",
    re.IGNORECASE,
)
"""Words that take an answer back for another one, which ends the line."""
_NO_BUT = re.compile(
    r"[^\W\d_][\w'’]*(?:[ ][^\W\d_][\w'’]*){0,2}[ ]?[,.!…—–]+\s*[Nn]o(?:,|[ ]wait\b,?|[ ]?[—–-])\s*"
    r"(?P<said>[A-Z][\w'’-]*(?:[ ][A-Z][\w'’-]*){0,2})[.!]?"
)
"""A name that is taken back at once: ``Lyon... no, Paris``."""
_MOST_BOXES = 20
_BOX = re.compile(r"\\(?:boxed|fbox)\s*\{")
_WRAPPER = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf)\s*\{([^{}]*)\}")
_OPENING, _CLOSING = "([{", ")]}"
_FULL_WIDTH = {place: place - 0xFEE0 for place in range(0xFF01, 0xFF5F)}
_SAME_AS = str.maketrans(
    _FULL_WIDTH | {ord(char): plain for chars, plain in (("‐‑‒–—―−﹣־", "-"), ("’‘′ʼ׳", "'"), ("“”‟″״", '"')) for char in chars}
)
_SPACED_DASH = re.compile(r"(?<=[^\W\d_]{2})\s[-–—―]\s(?=[^\W\d_]{2})")
_BEFORE_ALL = re.compile(r"[-*•]\s(?=[^\W\d_]{2}|[(\[]?[^\W\d_][)\]])")
"""The mark of a list before a word or an option."""
_LABEL = re.compile(r"[(\[]([^\W\d_][)\]])\s")
_LAYOUT = re.compile(r"(?<!\\)\\(?:[()\[\]]|(?:left|right)(?![a-z]))\s*")
"""Where a formula begins and ends, and how large its brackets are."""
_SPACED_SIGN = re.compile(r"-\s(?=\.?\d[\d.,]*$)")
_WRAPPED = re.compile(
    r"(?:\$\$?(?P<math>[^$]+)\$\$?"
    r"|\((?P<round>[^()\[\]{},;:]+)\)|\[(?P<square>[^()\[\]{},;:]+)\]"
    r"|(?P<mark>\*{1,3}|`+)(?P<emphasis>[^*`]+)(?P=mark)|_(?P<italic>[^\W\d_]{2,}(?:\s[^\W\d_]{2,})*)_)[.?]*",
    re.DOTALL,
)
"""What stands around a whole answer; a pair or an interval is no answer in brackets."""
_GROUPED = re.compile(r"(?<![\w.,(\[{])[1-9]\d{0,2}(?:,\d{3})+(?![\d,)\]}])")
_PROSE_BRACKET = re.compile(r"(?<!\S)[(\[]([^\W\d_]{2,}(?:[\s,'-]+[^\W\d_]{2,})*)[)\]](?![^\s.,;:!?])")
_SPACED_PERCENT = re.compile(r"(?<=\d)\s(?=[%‰])")
_MARKS = re.compile(r"([^\w\s]|_)\1*")
_AROUND_COMMA = re.compile(r" ?([,;]) ?")
_ARTICLE = re.compile(r"(?:(?:an|the)\s+(?=\w)|a\s+(?=[^\W\d_]{2}|\d+[^\W\d_]{2}|\d\S*\s+[^\W\d_]{2}))+")
_ARTICLES = ("a", "an", "the")
_STOPS = frozenset(",;¿¡。、।॥،؛؟۔።፣။၊։«»‹›„‚")
"""Punctuation that parts words wherever it stands."""
_PREAMBLE = re.compile(
    r"\s*(?:(?:sure|certainly|of\s+course|absolutely|okay|ok|alright)(?:\s+thing)?[!.,]?|(?:that['’]s\s+a\s+)?(?:great|good)\s+question[!.]"
    r"|let['’]?s\s+think[^\n]*|let\s+me\s+think[^\n]*|here\s+(?:is|are)[^\n]*:"
    r"|[^\n]{0,80}\b(?:is|are|was|were)[ \t]*:)[ \t]*\n(?=[\s\S]*\S)",
    re.IGNORECASE,
)
"""A line that opens a reply and is no answer: what it says comes below."""
_ASKED_AGAIN = re.compile(
    r"\s*(?:(?:In|On|At|For|To|By)\s+)?(?:(?:[Ww]hat|[Ww]ho|[Ww]hom|[Ww]hen|[Ww]here|[Ww]hich|[Ww]hose)(?:[ ]\w+)?"
    r"[ ](?:is|was|are|were|did|does|do|has|have|had|can)|[Hh]ow[ ](?:many|much|long|old|tall|far))\b[^\n?]{8,}\?\s+(?=\S)"
)
"""The question said again in front of its answer; of a title (``Who Is It?``) every word is a capital or it is shorter."""
_FINITE = r"(?:\w+\s+){0,2}(?:%s)\b"
_TOLD_OF_IT = re.compile(
    # A sentence does not end behind a lone letter, as in ``John D.``, but it may behind ``D.C.``, whose stop stays.
    r"(?:(?<=[^\W\d_]{2}|\d[\d)\]\"'”]|[^\W\d_][)\]\"'”])[.]|(?<=\.[^\W\d_]\.))\s+"
    r"(?=(?:He|She|It|They|This|That|These|Those|His|Her|Its|Their|There|In|As|Because|Since|While"
    r"|However|Although|Note|Here)\b[,'’]?\s*\w"
    rf"|The\s+(?=[a-z]){_FINITE % 'is|are|was|were|has|had|lies|does|did|says|states|mentions|won|became'}"
    rf"|(?:Die|Der|Das|Er|Sie|Es|Diese[rs]?)\s+{_FINITE % 'ist|sind|war|waren|hat|hatte|liegt|wurde|wird|steht|gilt|befindet'}"
    rf"|(?:Es|Fue|Está|La|El|Esta|Este)\s+{_FINITE % 'es|fue|era|está|tiene|la|el|una?'}"
    rf"|(?:Il|Elle|Ce|Cette|La|Le)\s+{_FINITE % 'est|était|fut|a|se'}|C['’]est\s"
    r"|(?:و?هي|و?هو|تقع|يقع)\s)"
    r"|।\s*(?=(?:यह|वह|ये|वे|इस\S*|उस\S*)\s)"
    r"|。\s*(?=[它他她这這那其])|。(?=[^。]*(?:是|位于|成立|です|である))"
)
"""Where a sentence about a short answer begins behind it: ``Paris. It lies on the Seine.``"""
_MOST_SIGNS = 15
"""A first sentence of a script without spaces that has more signs is a text of its own, not a short answer."""
_MOST_WORDS = 8
"""A first sentence of more words is a text of its own, not a short answer."""
_SENTENCE_END = re.compile(r"(?<=[^\W\d_]{2}[.!?])\s+(?=[A-Z])")
_WORDS_BEFORE = re.compile(r"(?:[^\W\d_]{2,}[\s,'-]+)+\w+\Z|\d{3,}\Z")
_SOFT = frozenset(".:!?…'\"") | _STOPS


def stated_text(response: str, *, cut_off: bool = False) -> str | None:
    r"""Returns the short answer of a response: in its tag or box, else behind its last answer mark, else its first line.

    Blank lines are passed over, and of a list that begins there all items are the answer. Null where there is none:
    nothing but decoration, or a line that was cut off before it ended.

    >>> stated_text("Answer: **Paris**"), stated_text("Paris\n\nIt lies on the Seine."), stated_text("The capital of", cut_off=True)
    ('Paris', 'Paris', None)
    """
    response = without_thinking(response)
    tagged = _TAGGED.findall(response)
    boxes = [] if tagged else _boxes(response)
    if tagged or boxes:
        return (tagged[-1] if tagged else _WRAPPER.sub(r"\1", boxes[-1])).strip() or None
    response = _ANSWERED.sub("", response, count=1)
    # A fence of code is no emphasis: its language would be left of it.
    response = _FENCE.sub("", response)
    text = _HEADING.sub("", "".join(map(_without_emphasis, response.splitlines(keepends=True))))
    spoken_of = list(_MARK.finditer(text))
    marks = sorted([*stating(spoken_of), *_OVER.finditer(text)], key=lambda mark: mark.end())
    for mark in reversed(marks):
        line = first_line(text[mark.end() :], cut_off=cut_off, is_below=text[: mark.end()].endswith("\n") or text[mark.end() :][:1] == "\n")
        if line is not None:
            return _instead(line)
    opening = _PREAMBLE.match(text) or _ASKED_AGAIN.match(text)
    line = None if marks and cut_off else first_line(text[opening.end() :] if opening else text, cut_off=cut_off)
    # Where another answer is spoken of in the same line, the first sentence is the answer.
    if line is None or marks or not spoken_of:
        return line if line is None else _instead(line)
    return _SENTENCE_END.split(line, maxsplit=1)[0]


def normal_text(text: str) -> str:
    r"""Returns a text in the form in which answers are compared: NFC, no case, outer punctuation, article at the start or needless space.

    What makes another number, term or name stays: signs, operators, decimal points, fractions, brackets in terms, the sign of ``C#``.
    Hyphens within words, apostrophes and the stops of abbreviations join; commas, quotes and stops are a space. Texts of which nothing
    would be left keep their punctuation, so that ``?`` is still an answer.

    >>> normal_text(" The  Eiffel-Tower! "), normal_text("A"), normal_text("25 °C"), normal_text("-3.5 million, not 1,000")
    ('eiffeltower', 'a', '25 °c', '-3.5 million not 1000')
    >>> normal_text(r"-\frac{1}{12}"), normal_text("10−2"), normal_text("1;2"), normal_text("Vitamin A"), normal_text("[0, 1)")
    ('-\\frac{1}{12}', '10-2', '1 2', 'vitamin a', '[0,1)')
    """
    # Removing one mark may show that another is decoration too, and equal forms must not depend on how often this is done.
    found = _normalised(text)
    while (again := _normalised(found)) != found:
        found = again
    return found


def normal_category(text: str) -> str:
    """Returns an answer of a closed set, given as read, in the form in which two are the same: NFC, no case, single spaces.

    >>> normal_category(" Not  attempted"), normal_category("A+") == normal_category("A-")
    ('not attempted', False)
    """
    return " ".join(_folded(text).split())


def _folded(text: str) -> str:
    # Case folding may take a composed letter apart again.
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def _normalised(text: str) -> str:
    # The signs first: a dash between words is none of them, and what full width hides may have a case.
    plain = " ".join(_folded(text.translate(_FULL_WIDTH)).split())
    formulas = " ".join(_LAYOUT.sub(_layout, plain).split()) or plain
    folded = _SPACED_DASH.sub(" ", formulas).translate(_SAME_AS)
    if not _MARKS.search(folded):
        bare = folded
    else:
        wrapped = _WRAPPED.fullmatch(folded)
        whole = next(inner for name, inner in wrapped.groupdict().items() if inner and name != "mark").strip() if wrapped else folded
        whole = _SPACED_SIGN.sub("-", whole, count=1) if _SPACED_SIGN.match(whole) else whole
        whole = _BEFORE_ALL.sub("", whole, count=1) if _BEFORE_ALL.match(whole) else whole
        whole = _LABEL.sub(r"\1 ", whole, count=1) if _LABEL.match(whole) else whole
        whole = _GROUPED.sub(lambda match: match[0].replace(",", ""), _SPACED_PERCENT.sub("", whole))
        bare = _Marks(_PROSE_BRACKET.sub(r" \1 ", whole)).judged()
    bare = _AROUND_COMMA.sub(r"\1", " ".join(bare.split()))
    return _ARTICLE.sub("", bare, count=1) if _ARTICLE.match(bare) else bare or folded


def _layout(match: re.Match[str]) -> str:
    return "" if match[0][1] in "lr" else " "


class _Marks:
    """The punctuation of one text, judged from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._partner = _brackets(text)
        self._depth = 0
        self._open_quotes = 0

    def judged(self) -> str:
        """Returns the text without the punctuation that says nothing."""
        return _MARKS.sub(self._kept, self._text)

    def _kept(self, match: re.Match[str]) -> str:
        """Returns what becomes of a run of one mark: itself, a space, or nothing where it joins the parts of a word."""
        marks, start, end = match[0], match.start(), match.end()
        mark = marks[0]
        if mark in _OPENING + _CLOSING:
            paired = [place in self._partner for place in range(start, end)]
            self._depth += sum(paired) * (1 if mark in _OPENING else -1)
            unpaired = "," if self._follows_article(start, end) else " "
            return "".join(char if is_paired else unpaired for char, is_paired in zip(marks, paired, strict=True))
        if not unicodedata.category(mark).startswith("P"):
            return marks
        if _joins(self._text, marks, start, end):
            return ""
        if self._begins_name(marks, start, end) or self._means(marks, start, end):
            return marks
        return "," if self._follows_article(start, end) else " "

    def _follows_article(self, start: int, end: int) -> bool:
        # "A, B" and "A) Paris" begin with no article; as "A B" they would.
        return start <= len("the") and self._text[:start] in _ARTICLES and re.search(r"[^\W_]", self._text[end:]) is not None

    def _begins_name(self, marks: str, start: int, end: int) -> bool:
        """Returns whether one mark begins a name or a path: ``.NET``, ``@user``, ``#include``, ``/etc``."""
        first = self._text[end : end + 1]
        begins = len(marks) == 1 and not self._text[max(start - 1, 0) : start].strip()
        return begins and ((marks in ".#" and first.isalpha()) or (marks in "@/" and first.isalnum()))

    def _means(self, marks: str, start: int, end: int) -> bool:
        """Returns whether marks make another number, term or name."""
        text, mark = self._text, marks[0]
        last, first = text[max(start - 1, 0) : start], text[end : end + 1]
        is_between = _is_solid(last) and _is_solid(first)
        if mark in _STOPS:
            self._open_quotes += len(marks) * (mark in "„‚")
            return mark in ",;" and (self._depth > 0 or (mark == "," and last.isnumeric() and first.isnumeric()))
        if mark == ".":
            is_point = first.isnumeric() and (last.isnumeric() or not last.isalnum())
            return is_point or (last.isalpha() and first.isalpha())
        if mark in "'\"":
            return self._is_prime(marks, start, end)
        if mark in ":?…":
            return is_between
        if mark == "!":
            # Behind a word before it, a number or a letter is no term with a factorial: Vitamin C! Apollo 11!
            return _is_solid(first) or (self._ends_term(start) and (bool(text[end:].strip()) or not _WORDS_BEFORE.match(text[:start])))
        if mark == "*":
            return bool(text[:1] != mark and start and end < len(text)) or self._ends_term(start)
        if mark in "-_%‰":
            return mark == "-" or bool(last.strip() or first.strip())
        if mark in "#\\":
            return last.isalnum() if mark == "#" else bool(first.strip())
        # Other brackets, such as those of rounding, are never decoration.
        return (unicodedata.category(mark) in ("Ps", "Pe") and mark < "\u3000") or (start > 0 and end < len(text))

    def _is_prime(self, marks: str, start: int, end: int) -> bool:
        if start == 0 or self._text[start - 1] in " ([{-":
            self._open_quotes += len(marks)
            return False
        if self._open_quotes:
            self._open_quotes = max(self._open_quotes - len(marks), 0)
            return False
        return self._ends_term(start)

    def _ends_term(self, end: int) -> bool:
        last = self._text[end - 1] if end else ""
        return last.isnumeric() or last in tuple(_CLOSING) or (last.isalpha() and _letters(self._text, end - 1, -1) == 1)


def _brackets(text: str) -> set[int]:
    """Returns the places of brackets that have a partner, of any kind: intervals are half open."""
    paired: set[int] = set()
    opened: list[int] = []
    for place, char in enumerate(text):
        if char in _OPENING:
            opened.append(place)
        elif char in _CLOSING and opened:
            paired |= {opened.pop(), place}
    return paired


def _is_solid(char: str) -> bool:
    return bool(char.strip()) and char not in _SOFT


def _joins(text: str, marks: str, start: int, end: int) -> bool:
    if marks not in ("-", ".", "'", "・"):
        return False
    left, right = _letters(text, start - 1, -1), _letters(text, end, 1)
    if marks == ".":
        return bool(left and right and min(left, right) == 1)
    return bool(left and right) and left + right >= (3 if marks == "'" else 4)


def _letters(text: str, place: int, step: int) -> int:
    """Returns how many letters stand at a place and on from it, at most two; marks on letters count as part of them."""
    found = 0
    while 0 <= place < len(text) and found < 2:
        kind = unicodedata.category(text[place])[0]
        if kind not in "LM":
            break
        found += kind == "L"
        place += step
    return found


def _without_emphasis(line: str) -> str:
    """Returns a line without the stars and ticks of markdown; those of ``2*3`` and a lone one as in ``A*`` are no emphasis."""
    is_lone = line.count("*") == 1
    begins = len(line) - len(line.lstrip())

    def kept(match: re.Match[str]) -> str:
        last, first = line[max(match.start() - 1, 0) : match.start()], line[match.end() : match.end() + 1]
        is_operator = (last.isalnum() or last in tuple(_CLOSING)) and (first.isalnum() or first in tuple(_OPENING + "\\"))
        is_spaced = last == " " == first and match.start() > begins and "*" in match[0]
        return match[0] if is_operator or is_spaced or (is_lone and match[0] == "*" and last.isalnum()) else ""

    return _EMPHASIS.sub(kept, line)


def _boxes(text: str) -> list[str]:
    """Returns what stands in the boxes of a text; one that was cut off is none."""
    found = []
    for opening in list(_BOX.finditer(text))[-_MOST_BOXES:]:
        depth = 1
        for place in range(opening.end(), len(text)):
            depth += (text[place] == "{") - (text[place] == "}")
            if depth == 0:
                found.append(text[opening.end() : place])
                break
    return found


def _instead(line: str) -> str:
    """Returns the answer that a line ends up with: ``not Lyon but Paris``, ``Lyon. Actually, Paris``, and what is told of it is no part."""
    contrast = _NOT_BUT.fullmatch(line)
    if contrast is not None:
        return contrast["said"]
    corrected = _NO_BUT.fullmatch(line) or next(reversed(list(_TURNED.finditer(line))), None)
    if corrected is not None:
        return corrected["said"]
    short = _TOLD_OF_IT.split(line, maxsplit=1)[0]
    is_short = len(short.split()) <= _MOST_WORDS and (len(short) <= _MOST_SIGNS or line[len(short) : len(short) + 1] != "。")
    return short if is_short else line
