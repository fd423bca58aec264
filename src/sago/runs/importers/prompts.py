"""Prompts of recorded answers: which text was one, and which prompt an example and variant have for every model alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sago.runs.importers.rows import AnswerRow, AnswerRows, Messages
from sago.variations.edits import changed_by
from sago.wordings import same_words

Key = tuple[str, str]
"""Example and variant."""


@dataclass(frozen=True)
class Prompts:
    """What the models were given.

    Attributes:
        kept: Prompt of every example and variant that all models were given alike; what was given otherwise has none, for it would be that
            of another model.
        said: What the user says in each, once for each text that a model was given.
    """

    kept: Mapping[Key, Messages] = field(default_factory=dict)
    said: Mapping[Key, tuple[str, ...]] = field(default_factory=dict)

    def question(self, key: Key) -> str | None:
        """Returns what the user says, if it is the same for all models and not nothing."""
        said = self.said.get(key, ())
        return said[0] if len(said) == 1 and said[0] else None

    def changed_by(self, example: str, variant: str, canonical: str) -> dict[str, int | float]:
        """Returns how far a prompt is from that of the original wording; nothing where one of them is not kept."""
        known = [self.kept.get((example, name)) for name in (canonical, variant)]
        return changed_by(*("\n\n".join(content for _, content in messages or ()) for messages in known)) if all(known) else {}


def settle_prompts(dataset: str, rows: Sequence[AnswerRow], notes: list[str]) -> None:
    """Decides, for one data set, which text is the prompt and which the question.

    A text that is the same for every variant of every example is the question, not what the model saw: as a prompt it would make all
    variants one and the same. The other way round, questions that differ between the variants of an example are its prompts. Both are
    looked at for each model on its own: models with system messages of their own differ in another way than variants do.
    """
    if any(row.prompt for row in rows):
        if _is_constant([(row.model, row.example, row.variant, row.prompt) for row in rows if row.prompt]):
            notes.append(
                f"{dataset}: every variant of an example has the same prompt text: taken as the question, not as what the model saw"
            )
            for row in rows:
                row.question = row.question or user_text(row.prompt)
                row.prompt = ()
        return
    texts: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        if row.question:
            texts.setdefault((row.model, row.example), set()).add(row.question)
    if any(len(asked) > 1 for asked in texts.values()):
        for row in rows:
            row.prompt = (("user", row.question),) if row.question else ()
        notes.append(f"{dataset}: the question differs between the variants of an example: taken as the prompt")


def check_prompts(dataset: str, rows: Sequence[AnswerRow], found: AnswerRows) -> Prompts:
    """Returns the prompts of a data set.

    Answers of one model to two prompts under one name are a problem: they would be taken for reruns. Two models may have been given other
    prompts under one name (system messages or templates of their own): then none is kept, and a note says so.
    """
    mine: dict[tuple[str, str, str], AnswerRow] = {}
    given: dict[Key, dict[tuple[str, ...], Messages]] = {}
    words: dict[Messages, tuple[str, ...]] = {}
    for row in rows:
        if not row.prompt:
            continue
        key = (row.example, str(row.variant))
        mine_first = mine.setdefault((row.model, *key), row)
        if row.prompt not in words:
            words[row.prompt] = same_words(content for _, content in row.prompt)
        if words[mine_first.prompt] != words[row.prompt]:
            found.problems.append(
                f"{row.place}: {row.model} was given two prompts as variant '{row.variant}' of example '{row.example}' (the other one in "
                f"{mine_first.unit} {mine_first.number})"
            )
        alike = given.setdefault(key, {})
        # The smallest of those that differ in white space alone, so that the order of rows does not matter.
        alike[words[row.prompt]] = min(alike.get(words[row.prompt], row.prompt), row.prompt)
    kept = {key: next(iter(prompts.values())) for key, prompts in given.items() if len(prompts) == 1}
    if len(kept) < len(given):
        found.notes.append(_withheld(dataset, [key for key in given if key not in kept], mine, words))
    said = {key: tuple(sorted({user_text(prompt) or "" for prompt in prompts.values()})) for key, prompts in given.items()}
    return Prompts(kept, said)


def user_text(prompt: Messages) -> str | None:
    """Returns what the user says last; null where there is no such message."""
    return next((content for role, content in reversed(prompt) if role == "user"), None)


def _withheld(
    dataset: str, keys: Sequence[Key], mine: Mapping[tuple[str, str, str], AnswerRow], words: Mapping[Messages, tuple[str, ...]]
) -> str:
    """Returns the note about prompts that are not kept, and how many of them are two variants of one model all the same."""
    of_model = Counter((model, example, words[row.prompt]) for (model, example, _), row in mine.items())
    withheld = set(keys)
    alike = sum(
        of_model[model, example, words[row.prompt]] > 1 for (model, example, variant), row in mine.items() if (example, variant) in withheld
    )
    first = min(keys)
    told = (
        f"{dataset}: {len(keys)} variants of {len({example for example, _ in keys})} examples were put to the models in different "
        f"prompts (the first: '{first[1]}' of '{first[0]}'): none is kept, so that what needs one (mirroring, dose) is not observable there"
    )
    return told + (f"; {alike} of these prompts are those of another variant too, and are not merged" if alike else "")


def _is_constant(asked: Iterable[tuple[str, str, str | None, Messages]]) -> bool:
    """Returns whether a model was given one text for all variants of an example, always, and there is such an example."""
    variants: dict[tuple[str, str], set[str | None]] = {}
    texts: dict[tuple[str, str], set[Messages]] = {}
    for model, example, variant, text in asked:
        variants.setdefault((model, example), set()).add(variant)
        texts.setdefault((model, example), set()).add(text)
    several = [key for key, names in variants.items() if len(names) > 1]
    return bool(several) and all(len(texts[key]) == 1 for key in several)
