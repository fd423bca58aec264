"""Mirroring by what a reply takes up of its own wording alone: longer pieces, misspellings, and any similarity (METRICS 6).

All are signed and stand in the tables like the default measure: ``across`` own, ``unrelated`` siblings, ``instability`` what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet

import numpy as np

from sago.arrays import uptake_matrix, words
from sago.arrays.similarity import characters, containment, jaccard, mirror_gain, overlap_f, similarities
from sago.axes.cells import Asked
from sago.axes.companions.companion import Companion, given
from sago.axes.mirroring import taken_up, uptake_by_family
from sago.axes.protocol import AxisInput, Scored
from sago.axes.siblings import Mirrored, Value, Wordings, mirrored, parts_of

_TYPO = "typo"
_FOLLOWS_NONE = "a reply holds its own wording no more than the replies to the other wordings do"
_SOURCE = "own (METRICS 6), after Danescu-Niculescu-Mizil et al. (2011)"


def distinctive_uptake(companion: Companion, inputs: AxisInput, n: int) -> Scored:
    """Takes ``uptake`` of word n-grams: pieces of n words that stand in one wording only."""

    def value(_: Asked, one: Wordings) -> Mapping[str | None, Mirrored]:
        grams = [words(prompt, n) for prompt in one.prompts]
        return {None: taken_up(*uptake_matrix(grams, [[words(reply, n) for reply in own] for own in one.replies]))}

    return _signed(companion, inputs, value)


def pooled_uptake(companion: Companion, inputs: AxisInput) -> Scored:
    """Takes the default measure as sums over examples: each weighs as many distinctive words as it has. One number a cell."""
    return mirrored(companion.axis, companion.name, parts_of(inputs), _whole, seed=inputs.seed, pooled=True)


def typo_uptake(companion: Companion, inputs: AxisInput) -> Scored:
    """Takes ``uptake`` of the misspelt words of family ``typo`` alone: chance hardly ever makes one.

    Misspelt are the words that the edits of a wording put in place of others, where no other wording has them. Null with
    ``no_variants`` without a wording of the family, with ``no_edits`` where its edits are not known.
    """
    misspelt = inputs.once("misspelt words", lambda: _misspelt(inputs))

    def value(part: Asked, one: Wordings) -> Mapping[str | None, Mirrored]:
        if _TYPO not in one.families:
            return {None: Mirrored(reason="no_variants")}
        marked = [misspelt.get((part.dataset, one.example, name), frozenset()) for name in one.names]
        if not any(marked):
            return {None: Mirrored(reason="no_edits")}
        replies = [[words(reply) for reply in own] for own in one.replies]
        return {None: taken_up(*uptake_matrix([words(prompt) for prompt in one.prompts], replies, marked))}

    return _signed(companion, inputs, value)


def similarity_gain(
    companion: Companion,
    inputs: AxisInput,
    read: Callable[[str], AbstractSet[str]],
    similarity: Callable[[AbstractSet[str], AbstractSet[str]], float],
) -> Scored:
    """Takes ``mirror_gain`` of a similarity of prompt and reply; null with ``no_distinctive_surface`` where all wordings are alike."""

    def value(_: Asked, one: Wordings) -> Mapping[str | None, Mirrored]:
        prompts, replies = [read(prompt) for prompt in one.prompts], [[read(reply) for reply in own] for own in one.replies]
        found = mirror_gain(*similarities(prompts, replies, similarity))
        return {None: Mirrored(*found, reason="no_distinctive_surface" if np.isnan(found.gain) else None)}

    return _signed(companion, inputs, value)


def _signed(companion: Companion, inputs: AxisInput, value: Value) -> Scored:
    return mirrored(companion.axis, companion.name, parts_of(inputs), value, seed=inputs.seed)


def _whole(part: Asked, one: Wordings) -> Mapping[str | None, Mirrored]:
    return {None: uptake_by_family(part, one)[None]}


def _misspelt(inputs: AxisInput) -> dict[tuple[str, str, str], AbstractSet[str]]:
    rows = inputs.variants.filter(family=_TYPO).select("dataset", "example", "variant", "edits")
    return {
        (dataset, example, variant): frozenset(word for edit in edits for word in words(edit["after"]) - words(edit["before"]))
        for dataset, example, variant, edits in rows.iter_rows()
    }


def _made(name: str, compute: Callable[[Companion, AxisInput], Scored], unit: str, level: str = "example") -> Companion:
    return Companion(
        name=name,
        axis="mirroring",
        level="cell" if level == "cell" else "example",
        lower=-1.0,
        upper=1.0,
        unit=unit,
        zero=_FOLLOWS_NONE,
        source=_SOURCE,
        compute=compute,
    )


COMPANIONS: tuple[Companion, ...] = (
    _made("pooled_uptake", pooled_uptake, "share of distinctive words", "cell"),
    _made("distinctive_uptake_2", given(distinctive_uptake, n=2), "share of distinctive pairs of words"),
    _made("distinctive_uptake_3", given(distinctive_uptake, n=3), "share of distinctive runs of three words"),
    _made("typo_uptake", typo_uptake, "share of misspelt words"),
    _made("similarity_gain_jaccard", given(similarity_gain, read=words, similarity=jaccard), "share of the way to an echo, words"),
    _made(
        "similarity_gain_characters",
        given(similarity_gain, read=characters, similarity=overlap_f),
        "share of the way to an echo, runs of three characters",
    ),
    _made(
        "similarity_gain_containment",
        given(similarity_gain, read=words, similarity=containment),
        "share of the way to an echo, words of the prompt",
    ),
)
