"""The answer option that a response states, whatever decoration stands around it.

In this order, and the first that decides counts:

1. what stands behind the last answer mark (``ANSWER: B``, ``The answer is (B) because``);
2. what a response ends with: a last line that is a label alone, an option alone behind a line that ends in a colon, or a conclusion
   (``Therefore, the largest one is (B)``); where a mark was followed by no option and there is no such end, nothing was answered;
3. an option at the very start (``B.``, ``b) Because``, ``Venus, of course``);
4. the one option that is named as such (``option B``, ``(B)``);
5. the one choice text that the response contains;
6. the option that it says is right (``I'd go with D``, ``D is correct``), or means by a few words alone (``Definitely B!``, ``Yeah``).

Where a response turns from what it opened with or marked to another option (``A is tempting, but B is right``, ``Yes, he did. But ..., so
no``) that one counts, and none where it wavers or splits by cases (``yes for mammals, but no for birds``).

Two options side by side (``A or B``) are no answer, the article "A" is no label, a negated text (``not Mars``) is no mention, and a
response that lists the options again has not chosen one, unless it ends with one. Of a response that was cut off, only what was clearly
stated before the cut is read. Where the texts of the options are not known (they are their labels), labels alone are read.
"""

from __future__ import annotations

import re

from sago.features.choice_announced import announced
from sago.features.choice_assertions import TEMPTING, assertions, depends_on_the_case
from sago.features.choice_judgements import is_denied, judgement, last_judgement, turned
from sago.features.choice_lists import enumerates, walks_through
from sago.features.choice_options import CLOSING, QUOTES, Found
from sago.features.choice_patterns import is_called, item_pattern, list_pattern, named_pattern, verdicts
from sago.features.choice_settled import SettledOptions
from sago.features.choice_texts import (
    bare_texts,
    behind_label,
    counts_anywhere,
    occurrences,
    plain_text,
    stands_in,
    undecorated,
)
from sago.features.choice_words import (
    ALONE,
    AS_SUBJECT,
    ASSERTED,
    BESIDE,
    CONCLUSION,
    CONTRAST,
    CORRECTED,
    DENIED,
    EXCEPT,
    GRANTED,
    LEAD,
    LEFT_OVER,
    MARK,
    RECONSIDERED,
    SENTENCE_END,
    SUPPOSED,
    SWALLOWED,
    VERB,
)
from sago.features.formulas import boxed, is_open
from sago.features.statements import stating

_BULLET = re.compile(r"[-•–—]\s+")
_POINTER = re.compile(r"\A\s*(?:[→➡👉✅✔☑]\ufe0f?\s*)+")
_SO = re.compile(r"\b(?:so|therefore|thus|hence)\b", re.IGNORECASE)
_STOPS = re.compile(r"\W*\Z|[)\"'”]*[.!]\s")
_DENIES = re.compile(r"not\b", re.IGNORECASE)
_NOT_BUT = re.compile(r"(?:not|nicht|no)\s+[^.!?\n]{1,80}?,?\s+(?:but|sondern|sino)\s+(?:rather\s+|actually\s+)?", re.IGNORECASE)
_LONGEST_LIST = 10_000
"""Longer responses are no options said again."""
_SENTENCES = 3  # of the last line are looked at, the last one first
_WORD = re.compile(r"[^\W\d_]{3}|[\u2e80-\uffff]")


def read_choice(response: str, labels: tuple[str, ...] | None, texts: tuple[str, ...], *, cut_off: bool = False) -> int | None:
    """Returns the position of the option that a response states, or null where it states none.

    Args:
        response: What the model said.
        labels: Labels as shown; null where none were shown.
        texts: Choice texts as shown, in the same order.
        cut_off: Whether the response ended because of its length.

    >>> read_choice("ANSWER: **B**", ("A", "B"), ("Mars", "Venus")), read_choice("I think it is Venus.", None, ("Mars", "Venus"))
    (1, 1)
    >>> read_choice("A or B", ("A", "B"), ("Mars", "Venus"))
    """
    reply = _Reply(labels, bare_texts(texts))
    is_list = len(response) <= _LONGEST_LIST and enumerates(undecorated(response), reply.labels, reply.texts)
    if is_list:
        return None
    stated = reply.read(response, cut_off=cut_off)
    return reply.said_shortly(response) if stated is None and not cut_off else stated


class _Reply(SettledOptions):
    """Reads replies to one prompt."""

    def read(self, response: str, *, cut_off: bool) -> int | None:
        text = _POINTER.sub("", undecorated(response), count=1)
        corrected = None if cut_off else self._corrected(text)
        if corrected is not None:
            return corrected
        marks = stating(list(MARK.finditer(text)))
        for mark in reversed(marks):
            payload = text[mark.end() :].lstrip()
            if len(marks) > 1 and mark is not marks[0] and _DENIES.match(payload):
                continue  # the answer that is none stands behind the one that is given
            instead = _NOT_BUT.match(payload)
            payload = payload[instead.end() :] if instead else payload
            if payload and not self._lists(payload):
                stated = self._marked(payload, text, cut_off=cut_off)
                return None if stated is not None and self._means_another(stated, payload, text[: mark.start()]) else stated
        judged = {} if cut_off else verdicts(text, self.labels)
        # Where the cut came between a mark and the answer, what stands before it is no answer.
        if (marks and cut_off) or len(judged) > 1:
            right = [label for label, is_right in judged.items() if is_right]
            if right or cut_off:
                return self.of_label[right[0]] if len(right) == 1 else None
            return self._concluded(text)
        cut_off = cut_off or is_open(response)
        in_box = None if cut_off else boxed(response)
        if in_box is not None:
            stated = self._boxed(in_box)
            return stated if stated is not None else self._named(text)
        return self._unmarked(text, cut_off=cut_off)

    def _unmarked(self, text: str, *, cut_off: bool) -> int | None:
        """Returns the option that a response without a mark ends or begins with, names, holds or says is right."""
        stated = None if cut_off else self._ended_or_opened(text)
        if stated is not None:
            return stated
        if self._is_list(text) or walks_through(text, self.labels, self.texts):
            return None if cut_off else self._named(text)
        begun = self._begun(text.lstrip(), cut_off=cut_off)
        if begun is not None:
            return begun[0]
        if cut_off:
            return self._contained(text, asserted=True)
        return next(
            (read for read in (self._named(text), self._contained(text, asserted=False), self._asserted(text)) if read is not None), None
        )

    def said_shortly(self, response: str) -> int | None:
        """Returns the option that a response means by few words (``Definitely B!``, ``Yeah``), where it marks no other one."""
        text = undecorated(response)
        found = announced(text, self.labels, self.texts)
        marks = stating(list(MARK.finditer(text)))
        if found is None:
            judged = text[marks[-1].end() :].lstrip() if marks else text
            return judgement(judged, self.texts if any(self.texts) else tuple(map(str.casefold, self.labels)))
        # What it marks was read already, and it contradicts something.
        return None if any(self.leading(text[mark.end() :].lstrip(), marked=True) for mark in marks) else found

    def _ended_or_opened(self, text: str) -> int | None:
        """Returns the option that a response ends with, unless it says of another one that this is right; else one that it opens with."""
        concluded = self._concluded(text)
        if concluded is None:
            return self._opened(text)
        said = {each.option for each in assertions(text, self.labels, self.texts)}
        return None if len(said) == 1 and concluded not in said else concluded

    def _begun(self, text: str, *, cut_off: bool) -> tuple[int | None] | None:
        """Returns what comes of the option that a response opens with, maybe none; null where it opens with none."""
        left = LEFT_OVER.search(text) if self.labels and not cut_off else None
        if left is not None and left["label"].casefold() in self.of_label:
            return (self.of_label[left["label"].casefold()],)
        found = self.leading(text, marked=False)
        if found is None or (found.by_label and self._ends_in_another(found, text)):
            return (None,) if found else None
        is_several = not found.by_label and self._is_one_of_several(found, text)
        if not (is_several or found.by_label or CLOSING.match(text[found.end :])):
            return None
        settled = None if is_several else self.settled(text, marked=False, cut_off=cut_off)
        if is_several or cut_off:
            return (settled,)
        return (self._asserted(text) if settled is None else self._kept(settled, text[found.end :], marked=False),)

    def _ends_in_another(self, found: Found, text: str) -> bool:
        """Returns whether the line behind a label is a sentence about another option, as in ``A: The capital is Rome``."""
        line = text[found.end :].partition("\n")[0]
        said = VERB.split(line)[-1].strip(" .!").casefold() if VERB.search(line) and not DENIED.search(line) else ""
        return bool({said, said.removeprefix("the ")} & set(self.texts)) and self.texts[found.at] not in line.casefold()

    def _kept(self, option: int, rest: str, *, marked: bool) -> int | None:
        """Returns the option that a response began with, or the one that it turns to; null where it wavers between them."""
        turns, instead = turned(rest, self.texts, option)
        if turns or depends_on_the_case(rest, self.labels, self.texts, option):
            return instead
        said = assertions(rest, self.labels, self.texts)
        other = said[-1] if said and said[-1].option != option else None
        is_again = RECONSIDERED.search(rest) is not None
        if not marked and (is_again or (TEMPTING.match(rest) and CONTRAST.search(rest))):
            return said[-1].option if said else None
        if other is not None and (other.contrasts or is_again or not marked):
            return other.option if other.contrasts or is_again else None
        return option

    def _asserted(self, text: str) -> int | None:
        """Returns the option that a response says is right, the last one where it stands against the others."""
        said = assertions(text, self.labels, self.texts)
        return said[-1].option if said and (said[-1].contrasts or len({each.option for each in said}) == 1) else None

    def _marked(self, payload: str, text: str, *, cut_off: bool) -> int | None:
        """Returns the option behind an answer mark; what is concluded instead where it is looked at again, or where there is none."""
        stated = self._behind_mark(payload, cut_off=cut_off)
        if stated is None:
            return None if cut_off else self._concluded(text)
        concluded = self._concluded(payload) if not cut_off and RECONSIDERED.search(payload) else None
        if concluded is not None or cut_off:
            return stated if concluded is None else concluded
        begun = self.leading(payload, marked=True)
        return self._kept(stated, payload[begun.end if begun else 0 :], marked=True)

    def _is_one_of_several(self, found: Found, text: str) -> bool:
        """Returns whether another option stands beside the choice text that begins a response, or alone on its last line."""
        beside = BESIDE.match(text, found.end)
        last = text[found.end :].strip().rpartition("\n")[2].rstrip(" .!")
        closing = self.leading_text(last)
        others = {self.beside(text[beside.end() :]) if beside else None, closing.at if closing and closing.end == len(last) else None}
        return bool(others - {None, found.at})

    def _corrected(self, text: str) -> int | None:
        """Returns the option of the last correction (``A. Wait, actually B.``), where no answer is marked behind it."""
        last = next(reversed(list(CORRECTED.finditer(text))), None)
        if last is None or MARK.search(text, last.end()):
            return None
        if "no" in self.texts and SWALLOWED.search(last[0]):
            return self.texts.index("no")  # the word that takes back is an option, too
        rest = text[last.end() :]
        sentence = SENTENCE_END.split(rest.partition("\n")[0], maxsplit=1)[0]
        if DENIED.search(sentence) or GRANTED.search(sentence):
            return None
        instead = self._behind_mark(rest, cut_off=False)
        return instead if instead is None or not _SO.search(rest) else self._concluded(rest)

    def _boxed(self, content: str) -> int | None:
        """Returns the option that stands in a box, by its label or its text."""
        text = undecorated(content)
        labelled = self.bare_label(text)
        if labelled is not None:
            return labelled
        same = [index for index, known in enumerate(self.texts) if known and known == plain_text(content)]
        if same:
            return same[0]
        found = self.leading(text, marked=True)
        if found is None:
            return None
        known = self.texts[found.at]
        named = behind_label(known).match(text, found.end) if found.by_label and known else None
        return found.at if not text[named.end() if named else found.end :].strip(" .)]") else None

    def _behind_mark(self, payload: str, *, cut_off: bool) -> int | None:
        payload = _BULLET.sub("", payload, count=1) if _BULLET.match(payload) else payload
        plain = self.settled(payload, marked=True, cut_off=cut_off)
        lead = LEAD.match(payload)
        return plain if plain is not None or not lead else self.settled(payload[lead.end() :], marked=True, cut_off=cut_off)

    def _concluded(self, text: str) -> int | None:
        """Returns the option that a response ends with."""
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if not lines:
            return None
        bare = self.bare_label(lines[-1])
        if bare is not None:
            return bare
        if len(lines) > 1 and self.labels and all(item_pattern(self.labels).match(line) for line in lines[-2:]):
            return None  # the end of a list of options
        if len(lines) > 1 and lines[-2].endswith((":", "：")):
            return self._called(lines[-1])
        # A choice may hold full stops itself, so the line is tried from its last sentence back to its first.
        starts = [0, *(end.end() for end in SENTENCE_END.finditer(lines[-1]))]
        return next(
            (found for start in reversed(starts[-_SENTENCES:]) if (found := self._of_sentence(lines[-1][start:])) is not None), None
        )

    def _opened(self, text: str) -> int | None:
        """Returns the option that a response opens with in a sentence of its own: ``The largest is (B).``, ``... is (B) Venus``."""
        line = text.lstrip().partition("\n")[0]
        longest = 200 + 2 * max(map(len, self.texts), default=0)
        for verb in VERB.finditer(line):
            rest = line[verb.end() : verb.end() + longest]
            found = self.leading(rest, marked=True)
            if found is None or not found.by_label:
                continue
            behind, known = rest[found.end :], self.texts[found.at]
            named = behind_label(known).match(behind) if known else None
            is_alone = named is not None and _STOPS.match(behind, named.end()) and rest[: found.end].strip(QUOTES) in self.labels
            if is_alone or (rest.startswith("(") and not behind.strip(" ).")):
                return found.at
        return None

    def _of_sentence(self, sentence: str) -> int | None:
        """Returns the option that a closing sentence comes to: ``Thus, the largest is (B)``, ``Therefore, (B) is the largest``."""
        concluding = CONCLUSION.match(sentence)
        if concluding:
            subject = self.leading(sentence[concluding.end() :], marked=True)
            behind = sentence[concluding.end() :][subject.end :] if subject is not None else ""
            is_it = (
                not behind.strip(" .)]!\"'") and sentence[concluding.end() :][: subject.end if subject else 0].strip(QUOTES) in self.labels
            )
            is_said_of = AS_SUBJECT.match(behind) is not None
            if (
                subject is not None
                and (subject.by_label or self._contained(sentence, asserted=False) == subject.at)
                and (is_it or is_said_of)
            ):
                return subject.at
        for verb in reversed(list(VERB.finditer(sentence))):
            rest = sentence[verb.end() :]
            if concluding or rest.startswith("("):
                found = self._called(rest)
                if found is not None:
                    return found
        if not self.labels or DENIED.search(sentence):
            return None
        called = {match["word"] for match in named_pattern(self.labels).finditer(sentence) if not SUPPOSED.match(sentence, match.end())}
        return self.of_label[called.pop().casefold()] if len(called) == 1 and None not in called else None

    def _called(self, text: str) -> int | None:
        """Returns the option that a text starts with, called by its label (``(B) because``, ``B.``) or by nothing but its text."""
        found = self.leading(text, marked=True)
        if found is None or not (found.by_label or not text[found.end :].strip(" .!)]}\"'")):
            return None
        # A lower-case letter, or one in front of a dash or a sign, is a variable of a formula as often as a label.
        if found.by_label and not (ALONE.match(text[found.end :]) and text[: found.end].strip(QUOTES) in self.labels):
            return None
        return self.settled(text, marked=True, cut_off=False)

    def _means_another(self, option: int, payload: str, before: str) -> bool:
        """Returns whether an option is marked by its label alone, which the response gave to the text of another one before."""
        found = self.leading(payload, marked=True)
        if found is None or not found.by_label or found.at != option or payload.partition("\n")[0][found.end :].strip(" .)!"):
            return False
        for line in before.splitlines():
            item = self.leading(line, marked=False)
            if item is not None and item.by_label and item.at == option:
                return self.is_another(item, line[item.end :])
        return False

    def _lists(self, payload: str) -> bool:
        """Returns whether what stands behind a mark goes through the options one by one: it is a heading then."""
        lines = [line for line in payload.splitlines() if line.strip()][:2]
        if len(lines) < 2 or not self.labels:
            return False
        found = [item_pattern(self.labels).match(line.strip()) for line in lines]
        return all(found) and len({match["label"].casefold() for match in found if match}) == len(lines)

    def _is_list(self, text: str) -> bool:
        if len(self.labels) < 2:
            return False
        return len({match["label"] for match in list_pattern(self.labels).finditer(text)}) > 1

    def _named(self, text: str) -> int | None:
        """Returns the one option that is called by its label inside a sentence."""
        if not self.labels:
            return None
        named = [match for match in named_pattern(self.labels).finditer(text) if not SUPPOSED.match(text, match.end())]
        found = {match["word"] or match["bracket"] for match in named}
        return self.of_label[found.pop().casefold()] if len(found) == 1 else None

    def _contained(self, text: str, *, asserted: bool) -> int | None:
        """Returns the one option whose text a response contains outside negations."""
        said = plain_text(text)
        last_line = len(said) - len(plain_text(text.rstrip().rpartition("\n")[2]))
        mentions: list[tuple[int, int, int]] = []
        for index in self.by_length:
            # A number or a formula turns up in any calculation: only where the response ends does it answer.
            begin = 0 if _WORD.search(self.texts[index]) else last_line
            for start, end in occurrences(said, self.texts[index]) if self.texts[index] else ():
                if start >= begin and all(end <= other or start >= until for other, until, _ in mentions):
                    mentions.append((start, end, index))
        if any(stands_in(said, text) for text in self.texts if text and not counts_anywhere(text)):
            return last_judgement(said, self.texts)  # a text too short or common to count is there as well
        if is_called(text, self.labels):
            return None  # an option is called by its letter, and this text belongs to another or to the reasons
        affirmed = [mention for mention in mentions if not is_denied(said, mention[0], mention[1])]
        if len({self.texts[index] for _, _, index in affirmed}) != 1:
            return None
        start, end, index = affirmed[0]
        if self.texts[index].startswith("none") and EXCEPT.match(said, end):
            return None
        beside = BESIDE.match(said, end)
        if beside is not None and self.beside(said[beside.end() :]) not in {None, index}:
            return None
        if asserted and not (end < len(said) and ASSERTED.search(said[max(0, start - 20) : start])):
            return None
        return index
