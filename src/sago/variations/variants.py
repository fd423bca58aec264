"""The stage ``vary``: examples -> variants, with a count of what became of every wording asked for."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple, cast

import numpy as np
import polars as pl
import pyarrow as pa

from sago import schemas
from sago.errors import PluginError
from sago.records import BY_CONSTRUCTION, CANONICAL, Draft, Example, Message
from sago.rows import read_examples
from sago.seeds import content_hash, seed_of
from sago.variations.beside import Beside, Write
from sago.variations.edits import changed_by, edits_between
from sago.variations.equivalence import RULES, checks_passed
from sago.variations.protect import protected_in
from sago.variations.protocol import Checks, CountsAsked, Outside, Prepared, Variation
from sago.variations.rendering import Prompt, render
from sago.variations.specs import Family, parse_families

Note = Callable[[str], None]
"""Is told a line that a person should read."""

_IDENTITY = "identity"
"""The one family whose prompt is meant to be the canonical one, and is never dropped for it."""


_CHUNK = 500
"""Examples held as Python objects at a time."""


class Varied(NamedTuple):
    """What :func:`vary` makes."""

    variants: pl.DataFrame
    """Table ``variants``: every example's canonical wording first."""
    counts: pl.DataFrame
    """Table ``variation_counts``."""
    rejected: pl.DataFrame
    """Table ``variants`` of those that a check rejected; none before any check."""


def vary(
    examples: pl.DataFrame,
    variations: Sequence[str],
    *,
    seed: int = 0,
    system: str | None = None,
    write: Write | None = None,
    note: Note | None = None,
) -> Varied:
    """Makes the variants of every example.

    A variant depends on the seed, its dataset, its example, its family and the family's parameters alone: not on other examples,
    other families, the order of rows, or the process.

    Args:
        examples: Table ``examples``.
        variations: Families in the order in which their variants come, each as ``name`` or ``name:parameter=value,parameter=value``.
        seed: Seed of everything that is drawn.
        system: System message put in front of every prompt; null = none.
        write: What asks a model for the texts of families that a model writes; null = such families are refused.
        note: Told, a line each, what a person should know, for instance which rows of a file match no example; null = nobody.

    Returns:
        The variants and, for each dataset and family, what was asked for, made and dropped (METRICS 1: what renders to the same
        prompt after NFC and strip is no variant of its own).

    Raises:
        StudyError: If a parameter is unknown or out of its limits, or a family is given twice.
        DataError: If a file of wordings cannot be used.
        UnknownNameError: If no variation has the name.
        PluginError: If a variation breaks its protocol.
    """
    return joined(vary_in_parts(examples, variations, seed=seed, system=system, write=write, note=note))


def vary_in_parts(
    examples: pl.DataFrame,
    variations: Sequence[str],
    *,
    seed: int = 0,
    system: str | None = None,
    write: Write | None = None,
    note: Note | None = None,
) -> Iterator[Varied]:
    """Yields what :func:`vary` makes in parts of a few hundred examples, so that no more of it has to be held at a time.

    Args:
        examples: See :func:`vary`; the other arguments as well.
        variations: Families.
        seed: Seed.
        system: System message.
        write: What asks a model.
        note: Told what a person should know.
    """
    families = [_Ready(family, family.variation, family.recorded()) for family in parse_families(variations)]
    ordered = schemas.check("examples", examples).sort("dataset", "position", "example")
    for line in _told(families, ordered):  # all of them, before the first one asks a model for anything
        if note is not None:
            note(line)
    outside = Beside(ordered, write)
    for dataset in ordered["dataset"].unique(maintain_order=True).to_list():
        for chunk in ordered.filter(pl.col("dataset") == dataset).iter_slices(_CHUNK):
            counts: dict[tuple[str, str], _Count] = {(dataset, ready.family.name): _Count() for ready in families}
            read = list(read_examples(chunk))
            ready = [_prepared(one, read, outside) for one in families]
            rows = [row for example in read for row in _Crossing(example, seed, system).rows(ready, counts)]
            count_rows = [{"dataset": name, "family": family, **count.as_row()} for (name, family), count in counts.items()]
            yield Varied(_table(rows), schemas.frame("variation_counts", count_rows), schemas.empty("variants"))


def joined(parts: Iterable[Varied]) -> Varied:
    """Returns the parts of a call of :func:`vary_in_parts` as one."""
    read = list(parts)
    variants, rejected = (
        schemas.check("variants", pl.concat([schemas.empty("variants"), *(getattr(part, name) for part in read)]))
        for name in ("variants", "rejected")
    )
    return Varied(variants, total_counts(part.counts for part in read), rejected)


def total_counts(parts: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Returns the sum of tables ``variation_counts``."""
    table = pl.concat([schemas.empty("variation_counts"), *parts])
    return schemas.check("variation_counts", table.group_by("dataset", "family", maintain_order=True).sum())


class _Ready(NamedTuple):
    """A family with the variation to use now, and its parameters as they are kept."""

    family: Family
    variation: Variation
    recorded: Mapping[str, Any]


def _told(families: Sequence[_Ready], examples: pl.DataFrame) -> list[str]:
    checked = [ready.variation.check(ready.family.parameters, examples) for ready in families if isinstance(ready.variation, Checks)]
    return [line for lines in checked for line in lines]


def _prepared(ready: _Ready, examples: Sequence[Example], outside: Outside) -> _Ready:
    variation = ready.variation
    if not isinstance(variation, Prepared):
        return ready
    mine = [example for example in examples if variation.applies(example)]
    return ready._replace(variation=variation.prepared(mine, ready.family.parameters, outside)) if mine else ready


@dataclass(slots=True)
class _Count:
    examples: int = 0
    asked: int = 0
    made: int = 0
    dropped_same: int = 0
    dropped_duplicate: int = 0
    dropped_unsafe: int = 0
    dropped_changed: int = 0
    not_applicable: int = 0

    def as_row(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(slots=True)
class _Kept:
    row: dict[str, Any]
    merged: list[str] = field(default_factory=list)


class _Crossing:
    """All variants of one example."""

    def __init__(self, example: Example, seed: int, system: str | None) -> None:
        self._example = example
        self._seed = seed
        self._system = system
        self._canonical = render(example, system=system)
        self._kept = [_Kept(self._row(CANONICAL, self._canonical, Draft(CANONICAL), ()))]
        self._kept[0].row |= {"family": CANONICAL, "control": False, "parameters": "{}", "seed": None}
        self._by_prompt = {_comparable(self._canonical): self._kept[0]}

    def rows(self, families: Sequence[_Ready], counts: Mapping[tuple[str, str], _Count]) -> list[dict[str, Any]]:
        """Returns the rows of table ``variants``, canonical first, and adds to the counts."""
        for ready in families:
            self._add(ready, counts[self._example.dataset, ready.family.name])
        return [kept.row | {"position": position, "merged": kept.merged} for position, kept in enumerate(self._kept)]

    def _add(self, ready: _Ready, count: _Count) -> None:
        family, variation, parameters = ready.family, ready.variation, dict(ready.family.parameters)
        count.examples += 1
        if not variation.applies(self._example):
            count.not_applicable += 1
            return
        seed = seed_of(self._seed, self._example.dataset, self._example.example, variation.name, ready.recorded)
        drafts = tuple(variation.vary(self._example, parameters, np.random.default_rng(seed)))
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
            made = {"family": family.name, "parameters": _json({**ready.recorded, **draft.parameters}), "seed": seed}
            self._add_draft(variation, name, draft, count, made)

    def _add_draft(self, variation: Variation, name: str, draft: Draft, count: _Count, made: Mapping[str, Any]) -> None:
        prompt = render(self._example, draft, self._system)
        checks = None if draft.refused else _checks(variation, draft, self._example)
        if checks is None:
            count.dropped_unsafe += 1
            return
        key = _comparable(prompt)
        twin = None if variation.name == _IDENTITY else self._by_prompt.get(key)
        if twin is not None:
            twin.merged.append(name)
            if twin is self._kept[0]:
                count.dropped_same += 1
            else:
                count.dropped_duplicate += 1
            return
        kept = _Kept(self._row(name, prompt, draft, checks) | {"control": variation.control, **made})
        self._kept.append(kept)
        self._by_prompt.setdefault(key, kept)
        count.made += 1

    def _row(self, name: str, prompt: Prompt, draft: Draft, checks: tuple[str, ...]) -> dict[str, Any]:
        example = self._example
        messages = [{"role": message.role, "content": message.content} for message in (*prompt.before, Message("user", prompt.text))]
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
            "edits": [
                {"start": edit.start, "end": edit.end, "before": edit.before, "after": edit.after}
                for edit in edits_between(example.question, prompt.question)
            ],
            **changed_by(self._canonical.whole, prompt.whole),
            "checks": checks,
            "judgements": None,
            "rejected": None,
            "fingerprint": content_hash(messages),
        }


def _table(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Returns table ``variants``; Arrow reads lists of Python objects several times as fast as polars does."""
    layout = schemas.empty("variants").to_arrow().schema
    columns = {name: [row[name] for row in rows] for name in layout.names}
    return pl.DataFrame(pl.from_arrow(pa.Table.from_pydict(columns, schema=layout)))


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


def _comparable(prompt: Prompt) -> str:
    return unicodedata.normalize("NFC", prompt.whole).strip()


def _json(parameters: Mapping[str, Any]) -> str:
    return json.dumps(parameters, sort_keys=True, ensure_ascii=False)
