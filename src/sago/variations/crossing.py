"""All variants of one example: what its families draft, rendered, compared, checked and counted, and the rows that this makes."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import accumulate, chain, repeat
from operator import itemgetter
from typing import Any, NamedTuple, cast

import numpy as np
import polars as pl
import pyarrow as pa

from sago import schemas
from sago.errors import PluginError
from sago.records import BY_CONSTRUCTION, CANONICAL, Draft, Example
from sago.seeds import ExampleSeeds, hash_of_messages, stream
from sago.variations.edits import changed_by, replaced_spans
from sago.variations.equivalence import RULES, checks_passed
from sago.variations.protect import protected_in
from sago.variations.protocol import CountsAsked, Variation
from sago.variations.rendering import Prompt, render
from sago.variations.specs import Family

_IDENTITY = "identity"
"""The one family whose prompt is meant to be the canonical one, and is never dropped for it."""
_CANONICAL = Draft(CANONICAL)
_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False)


class Ready(NamedTuple):
    """A family with the variation to use now."""

    family: Family
    variation: Variation
    recorded: str
    """Its parameters as they are kept, JSON."""
    seeds: ExampleSeeds

    @classmethod
    def of(cls, family: Family, seed: int) -> Ready:
        """Returns a family as it is before it sees any example, to be drawn from a seed."""
        recorded = family.recorded()
        return cls(family, family.variation, _json(recorded), ExampleSeeds(seed, family.variation.name, recorded))


@dataclass(slots=True)
class Count:
    """What became of the variants that one family was asked for; see table ``variation_counts``."""

    examples: int = 0
    asked: int = 0
    made: int = 0
    dropped_same: int = 0
    dropped_duplicate: int = 0
    dropped_unsafe: int = 0
    dropped_changed: int = 0
    not_applicable: int = 0

    def as_row(self) -> dict[str, int]:
        """Returns the counts by name."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(slots=True)
class _Kept:
    row: dict[str, Any]
    merged: list[str] = field(default_factory=list)


class Crossing:
    """All variants of one example."""

    def __init__(self, example: Example, system: str | None) -> None:
        self._example = example
        self._system = system
        canonical = render(example, system=system)
        self._whole = canonical.whole
        made = {"family": CANONICAL, "control": False, "parameters": "{}", "seed": None}
        self._kept = [_Kept(self._row(CANONICAL, canonical, self._whole, _CANONICAL, (), made))]
        self._by_prompt = {_comparable(self._whole): self._kept[0]}

    def rows(self, families: Sequence[Ready], counts: Mapping[tuple[str, str], Count]) -> list[dict[str, Any]]:
        """Returns the rows of table ``variants``, canonical first, and adds to the counts."""
        for ready in families:
            self._add(ready, counts[self._example.dataset, ready.family.name])
        for position, kept in enumerate(self._kept):
            kept.row["position"] = position
            kept.row["merged"] = kept.merged
        return [kept.row for kept in self._kept]

    def _add(self, ready: Ready, count: Count) -> None:
        family, variation, parameters = ready.family, ready.variation, dict(ready.family.parameters)
        count.examples += 1
        if not variation.applies(self._example):
            count.not_applicable += 1
            return
        seed = ready.seeds.seed(self._example.dataset, self._example.example)
        drafts = tuple(variation.vary(self._example, parameters, stream(seed) if draws(variation) else NO_DRAWS))
        asked = max(_asked(variation, self._example, parameters, len(drafts)), len(drafts))
        if not asked:
            count.not_applicable += 1  # it does apply to such examples, but with these parameters has nothing to do for this one
        count.asked += asked
        count.dropped_same += asked - len(drafts)
        taken: set[str] = set()
        for draft in drafts:
            name = _variant_name(family.name, variation, draft, len(drafts))
            if name in taken:
                raise PluginError(
                    f"variation '{variation.name}' names two drafts '{draft.name}'",
                    where=f"example '{self._example.example}'",
                    fix="Give each draft of an example its own name",
                )
            taken.add(name)
            written = _parameters(ready.recorded, draft.parameters)
            made = {"family": family.name, "control": variation.control, "parameters": written, "seed": seed}
            self._add_draft(variation, name, draft, count, made)

    def _add_draft(self, variation: Variation, name: str, draft: Draft, count: Count, made: Mapping[str, Any]) -> None:
        prompt = render(self._example, draft, self._system)
        checks = None if draft.refused else _checks(variation, draft, self._example)
        if checks is None:
            count.dropped_unsafe += 1
            return
        whole = prompt.whole
        key = _comparable(whole)
        twin = None if variation.name == _IDENTITY else self._by_prompt.get(key)
        if twin is not None:
            twin.merged.append(name)
            if twin is self._kept[0]:
                count.dropped_same += 1
            else:
                count.dropped_duplicate += 1
            return
        kept = _Kept(self._row(name, prompt, whole, draft, checks, made))
        self._kept.append(kept)
        self._by_prompt.setdefault(key, kept)
        count.made += 1

    def _row(self, name: str, prompt: Prompt, whole: str, draft: Draft, checks: tuple[str, ...], made: Mapping[str, Any]) -> dict[str, Any]:
        example = self._example
        messages = prompt.messages
        has_own_answers = draft.answers is not None
        return {
            "dataset": example.dataset,
            "example": example.example,
            "variant": name,
            "messages": messages,
            "question": prompt.question,
            "layout": prompt.layout,
            "shown_choices": prompt.choices,
            "shown_labels": prompt.labels,
            "permutation": prompt.permutation,
            "scored_choices": prompt.scored,
            "answers": draft.answers if has_own_answers else example.answers,
            "answer_index": draft.answer_index if has_own_answers else example.answer_index,
            "edits": replaced_spans(example.question, prompt.question),
            **changed_by(self._whole, whole),
            "checks": checks,
            "judgements": None,
            "rejected": None,
            "fingerprint": hash_of_messages(messages),
            **made,
        }


def variants_table(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Returns table ``variants``; Arrow reads lists of Python objects several times as fast as polars does.

    Args:
        rows: Column -> value, where ``messages`` are pairs of role and content, ``edits`` are start, end, text before and text after.
    """
    # Row by row, while a row is at hand: column by column each one is fetched from memory as often as it has values.
    values = zip(*map(itemgetter(*_layout().names), rows), strict=True) if rows else repeat(())
    columns = [_column(kind, column) for kind, column in zip(_layout(), values, strict=bool(rows))]
    return pl.DataFrame(pl.from_arrow(pa.Table.from_arrays(columns, schema=_layout())))


@cache
def _layout() -> pa.Schema:
    return schemas.empty("variants").to_arrow().schema


def _column(kind: pa.Field, values: Sequence[Any]) -> pa.Array:
    if kind.name not in ("messages", "edits"):
        return pa.array(values, type=kind.type)
    parts = kind.type.value_type
    flat = tuple(zip(*chain.from_iterable(values), strict=True)) or ((),) * parts.num_fields
    arrays = [pa.array(part, type=parts.field(place).type) for place, part in enumerate(flat)]
    lengths = pa.array(accumulate(map(len, values), initial=0), type=pa.int64())
    return pa.LargeListArray.from_arrays(lengths, pa.StructArray.from_arrays(arrays, fields=list(parts)), type=kind.type)


class _NoDraws(np.random.Generator):
    """What a variation is given that says that it draws nothing."""

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(np.random.Generator, name):
            return super().__getattribute__(name)
        raise PluginError("a variation draws that says it does not", fix="Take its attribute 'draws' away, or set it to true")


NO_DRAWS = _NoDraws(np.random.PCG64(0))


def draws(variation: Variation) -> bool:
    """Returns whether a variation needs a generator; making one takes as long as rendering a prompt."""
    return bool(getattr(variation, "draws", True))


def _asked(variation: Variation, example: Example, parameters: Mapping[str, Any], made: int) -> int:
    if _counts_asked(type(variation)):
        return cast("CountsAsked", variation).asked(example, parameters)
    wanted = parameters.get("n", made)
    return wanted if isinstance(wanted, int) else made


@cache
def _counts_asked(kind: type) -> bool:
    return issubclass(kind, CountsAsked)  # slow for a protocol, and asked for every example


def _variant_name(family: str, variation: Variation, draft: Draft, drafts: int) -> str:
    """Returns the name of a variant: a control with one draft takes the family's name, every other is family-draft."""
    return family if variation.control and drafts == 1 else f"{family}-{draft.name}"


def _checks(variation: Variation, draft: Draft, example: Example) -> tuple[str, ...] | None:
    """Returns the equivalence checks passed; null where a family that keeps the meaning by construction failed a rule or lost a span."""
    if variation.equivalence == "changed":
        return draft.checks
    passed = RULES if draft.question is None else checks_passed(example.question, draft.question)
    if variation.equivalence == "by_construction":
        if len(passed) < len(RULES) or not protected_in(example, draft):
            return None
        passed = (BY_CONSTRUCTION, *passed)
    return tuple(dict.fromkeys((*passed, *draft.checks)))


def _comparable(whole: str) -> str:
    return (whole if whole.isascii() else unicodedata.normalize("NFC", whole)).strip()


def _parameters(recorded: str, own: Mapping[str, Any]) -> str:
    """Returns the parameters of a family, JSON, with those of one of its drafts added."""
    if not own:
        return recorded
    if all(type(value) is str for value in own.values()):  # nothing else: 1, 1.0 and true would be looked up as the same
        return _with_texts(recorded, tuple(own.items()))
    return _json({**json.loads(recorded), **own})


@lru_cache(maxsize=1024)
def _with_texts(recorded: str, own: tuple[tuple[str, str], ...]) -> str:
    return _json({**json.loads(recorded), **dict(own)})


def _json(parameters: Mapping[str, Any]) -> str:
    return _ENCODER.encode(parameters)
