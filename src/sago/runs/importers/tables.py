"""Recorded answers, one row a response, as the tables of a run.

CSV, TSV, JSON lines, JSON lists and Parquet, each also packed with gzip, by the readers of data sets; logs of other tools by ``logs``.
Nothing is guessed silently: what a column was taken for, how answers are read and what had to be assumed stands in the notes; what cannot
be right is an error with its line.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from sago import schemas
from sago.arrays.logprobs import SENTINEL, UNKNOWN_LOGPROB
from sago.datasets.overlaps import overlap_notes
from sago.datasets.reading import STDIN, read_records, stem
from sago.errors import DataError
from sago.features.protocol import AnswerFormat
from sago.records import CANONICAL, CONTROL_FAMILIES, MISSING_STATUSES
from sago.rows import collector_paused
from sago.runs.importers.blanks import settle_blanks
from sago.runs.importers.checks import check_lengths, check_temperatures, number_reruns, tell_merged, tell_reruns
from sago.runs.importers.given import recorded_answers
from sago.runs.importers.logs import Log, LogOptions, format_of, joined, read_log
from sago.runs.importers.numbering import part_numbers_of_results
from sago.runs.importers.options import Answers, ReadOptions
from sago.runs.importers.prompts import check_prompts, settle_prompts
from sago.runs.importers.questions import Question, Questions
from sago.runs.importers.rows import AnswerRow, AnswerRows, Messages, add_rows
from sago.runs.importers.scores import choice_scores
from sago.runs.importers.wordings import in_order, mark_canonical, name_variants, settle_families
from sago.seeds import content_hash

RECORDED = "recorded"
"""Reader and layout of what came with the answers."""

DEFAULT_FAMILY = "wording"
_VERSION = "2"
_NO_PROMPT = content_hash(())


def read_answers(*sources: str | Path, options: ReadOptions | None = None) -> Answers:
    """Reads recorded answers: one row a response, in one file or several.

    Args:
        sources: Files (CSV, TSV, JSON lines, a JSON list, Parquet, each also packed with gzip; logs of other tools), or ``-`` for
            standard input.
        options: How to read them; null = as they say themselves.

    Returns:
        The tables that ``extract`` and ``score`` take, what was understood of the columns, and notes.

    Raises:
        DataError: If a source, its columns or one of its rows cannot be used; every bad row is named with file and line.
        StudyError: If an option names something that is not there.
    """
    with collector_paused():
        return _read(sources, options or ReadOptions())


def _read(sources: Sequence[str | Path], chosen: ReadOptions) -> Answers:
    found = _rows(sources, chosen)
    for dataset, rows in _by_dataset(found.rows).items():
        settle_prompts(dataset, rows, found.notes)
        name_variants(dataset, rows, found)
    mark_canonical(found, chosen.canonical)
    for dataset, rows in _by_dataset(found.rows).items():
        part_numbers_of_results(dataset, rows, found.notes)
    number_reruns(found)
    check_temperatures(found)
    tables = [_Dataset(dataset, rows, chosen, found) for dataset, rows in _by_dataset(found.rows).items()]
    if found.problems:
        count = len(found.problems)
        raise DataError(f"{count} problem{'s' if count > 1 else ''} with recorded answers", problems=found.problems)
    each = [table.tables() for table in tables]
    joined = {name: pl.concat([part[name] for part in each]) for name in each[0]}
    asked = joined["examples"].filter(pl.col("question") != "")  # without a text nothing says whether two examples ask the same
    notes = (*found.notes, *overlap_notes(asked))
    return Answers(**joined, sources=tuple(found.sources), notes=tuple(dict.fromkeys(notes)))


def _rows(sources: Sequence[str | Path], options: ReadOptions) -> AnswerRows:
    found = AnswerRows()
    logs: dict[str, Log] = {}
    repeated = [name for name, count in Counter(str(Path(source).resolve()) for source in sources).items() if count > 1]
    if repeated or not sources:
        raise DataError("is given twice" if repeated else "no file of answers was given", where=repeated[0] if repeated else None)
    for source in map(str, sources):
        if source != STDIN and Path(source).is_dir():
            raise DataError("is a folder, not a file of answers", where=source, fix="Give the files in it")
        known = format_of(source, options.format)
        if known is not None:
            logs[source] = read_log(source, known, LogOptions(options.metric, options.filter))
    found.notes += joined(list(logs.values()), trust_ids=options.trust_ids)
    for source in map(str, sources):
        before = len(found.rows) + len(found.problems)
        add_rows(found, logs[source].records if source in logs else read_records(source), source, stem(source), options.columns)
        if len(found.rows) + len(found.problems) == before:
            raise DataError("no answers", where=source, fix="Give a file with one row a response")
    settle_blanks(found)
    if options.limit is not None:
        _draw(found, options.limit, options.seed)
    lacking = [name for name in ("model", "dataset") if any(name not in source.fields for source in found.sources)]
    if "model" in lacking:
        found.notes.append(f"no column for the model: it is called '{found.rows[0].model if found.rows else 'model'}'")
    if "dataset" in lacking:
        found.notes.append("no column for the data set: it is called like the file")
    return found


def _draw(found: AnswerRows, limit: int, seed: int) -> None:
    """Keeps the rows of so many examples of each data set: those whose hash of seed, data set and id is smallest."""
    for dataset, rows in _by_dataset(found.rows).items():
        names = sorted({row.example for row in rows}, key=lambda name: content_hash("limit", seed, dataset, name))
        if len(names) > limit:
            kept = set(names[:limit])
            found.rows = [row for row in found.rows if row.dataset != dataset or row.example in kept]
            found.notes.append(f"{dataset}: drew {limit} of {len(names)} at random (seed {seed})")


def _by_dataset(rows: Iterable[AnswerRow]) -> dict[str, list[AnswerRow]]:
    parts: dict[str, list[AnswerRow]] = {}
    for row in rows:
        parts.setdefault(row.dataset, []).append(row)
    return parts


class _Dataset:
    """The tables of one data set."""

    def __init__(self, dataset: str, rows: list[AnswerRow], options: ReadOptions, found: AnswerRows) -> None:
        self._dataset = dataset
        self._rows = rows
        self._how = AnswerFormat(options.answer_pattern, is_json=options.read_as == "json")
        self._notes = found.notes
        self._keys = _keys(rows)
        settle_families(dataset, rows, found)
        self._prompts = check_prompts(dataset, rows, found)
        self._questions = Questions(dataset, rows, self._prompts, options.read_as, found)
        self._scored, self._unscored = choice_scores(rows, self._questions, found)
        self._variants: dict[str, dict[str, AnswerRow]] = {}
        for row in rows:
            self._variants.setdefault(row.example, {}).setdefault(str(row.variant), row)
        tell_reruns(dataset, rows, found.notes)
        check_lengths(rows, found)

    def tables(self) -> dict[str, pl.DataFrame]:
        """Returns every table by name."""
        variants = self._variants_table()
        tell_merged(self._dataset, self._keys, variants, self._notes)
        families = variants.group_by("dataset", "family", maintain_order=True).agg(
            pl.col("example").n_unique().cast(pl.Int64).alias("examples"), pl.len().cast(pl.Int64).alias("made")
        )
        zeros = ("dropped_same", "dropped_duplicate", "dropped_unsafe", "dropped_changed", "not_applicable")
        counts = families.filter(pl.col("family") != CANONICAL).with_columns(
            pl.col("made").alias("asked"), *(pl.lit(0, dtype=pl.Int64).alias(name) for name in zeros)
        )
        return {
            "examples": schemas.check("examples", self._examples_table()),
            "variants": variants,
            "variation_counts": schemas.check("variation_counts", counts),
            "observations": self._observations_table(),
            "states": self._states_table(),
            "features": self._features_table(),
        }

    def _examples_table(self) -> pl.DataFrame:
        rows = []
        for position, (name, question) in enumerate(self._questions.of.items()):
            shown = next((part for part in question.shown.values() if part.gold.answers), next(iter(question.shown.values())))
            choices = None if question.choices is None else list(question.choices)
            rows.append(
                {
                    "dataset": self._dataset,
                    "example": name,
                    "position": position,
                    "task": question.task,
                    "question": question.question,
                    "choices": choices,
                    "answers": list(shown.gold.answers),
                    "answer_index": shown.gold.answer_index,
                    "paraphrases": [],
                    "metadata": "{}",
                    "fingerprint": content_hash(question.question, None, choices, shown.gold.answers),
                }
            )
        return schemas.frame("examples", rows)

    def _variants_table(self) -> pl.DataFrame:
        rows = []
        for example, variants in self._variants.items():
            question = self._questions.of[example]
            first = 0 if CANONICAL in variants else 1
            for position, variant in enumerate(in_order(variants), first):
                rows.append(self._variant(question, variant, variants[variant], position))
        return schemas.frame("variants", rows)

    def _variant(self, question: Question, variant: str, row: AnswerRow, position: int) -> dict[str, Any]:
        key = (question.example, variant)
        prompt = self._prompts.kept.get(key, ())
        shown = question.shown[variant]
        family = CANONICAL if variant == CANONICAL else row.family or DEFAULT_FAMILY
        return {
            "dataset": self._dataset,
            "example": question.example,
            "variant": variant,
            "position": position,
            "family": family,
            "control": family in CONTROL_FAMILIES,
            "parameters": "{}",
            "messages": [{"role": role, "content": content} for role, content in prompt],
            "question": self._prompts.question(key) or question.question,
            "layout": RECORDED,
            "shown_choices": None if shown.texts is None else list(shown.texts),
            "shown_labels": None if shown.read_labels is None else list(shown.read_labels),
            "permutation": None if shown.permutation is None else list(shown.permutation),
            "scored_choices": list(shown.labels) if self._scored and shown.labels is not None else None,
            "answers": list(shown.gold.answers),
            "answer_index": shown.gold.answer_index,
            "edits": [],
            **self._prompts.changed_by(question.example, variant, CANONICAL),
            "checks": [],
            "merged": [],
            "fingerprint": content_hash(prompt) if prompt else _NO_PROMPT,
        }

    def _observations_table(self) -> pl.DataFrame:
        rows = self._rows
        data: dict[str, list[Any]] = {}
        for name in _AS_THEY_ARE:
            values = [getattr(row, name) for row in rows]
            if any(value is not None for value in values):
                data[name] = values
        if "token_logprobs" in data:
            data["token_logprobs"] = [_finite(values) for values in data["token_logprobs"]]
        if self._scored:
            data["choice_logprobs"] = [self._scored.get(place) for place in range(len(rows))]
        if self._prompts.said:
            data["prompt_hash"] = [content_hash(prompt) if prompt else None for prompt in map(self._prompt_of, rows)]
        data["request_key"] = [_request_key(row) for row in rows]
        return _table("observations", self._keys, data)

    def _prompt_of(self, row: AnswerRow) -> Messages:
        return row.prompt or self._prompts.kept.get((row.example, str(row.variant)), ())

    def _states_table(self) -> pl.DataFrame:
        having = [(place, layer, state) for place, row in enumerate(self._rows) for layer, state in sorted(row.states.items())]
        if not having:
            return schemas.empty("states")
        last: dict[str, int] = {}
        for place, layer, _ in having:
            last[self._rows[place].model] = max(layer, 1, last.get(self._rows[place].model, 1))
        data: dict[str, list[Any]] = {
            "tap": [f"{RECORDED}/layer_{layer}" for _, layer, _ in having],
            "layer": [layer for _, layer, _ in having],
            "depth": [layer / last[self._rows[place].model] for place, layer, _ in having],
            "vector": [state for _, _, state in having],
        }
        return _table("states", self._keys[[place for place, _, _ in having]], data)

    def _features_table(self) -> pl.DataFrame:
        """Returns what was given as read: answers, verdicts, embeddings; rows of missing data have none."""
        places = [place for place, row in enumerate(self._rows) if row.status not in MISSING_STATUSES]
        parts = [
            *(self._answers(places), self._verdicts(places), self._embeddings(places)),
            *(self._unknown_scores(places), self._impossible_responses(places)),
        ]
        return pl.concat([part for part in parts if part is not None] or [schemas.empty("features")])

    def _features(self, feature: str, places: list[int], **values: list[Any]) -> pl.DataFrame:
        own = {"feature": feature, "reader": RECORDED, "version": _VERSION}
        keys = self._keys if len(places) == self._keys.height else self._keys[places]
        return _table("features", keys.with_columns(**{name: pl.lit(value) for name, value in own.items()}), values)

    def _answers(self, places: list[int]) -> pl.DataFrame | None:
        found = recorded_answers(self._rows, places, self._questions, self._how, self._notes)
        return None if found is None else self._features("answer", found.places, category=found.categories, reason=found.reasons)

    def _verdicts(self, places: list[int]) -> pl.DataFrame | None:
        judged = [place for place in places if self._rows[place].correct is not None]
        return self._features("correct", judged, number=[self._rows[place].correct for place in judged]) if judged else None

    def _unknown_scores(self, places: list[int]) -> pl.DataFrame | None:
        """The probability of an option that is not known is not 0: the row has no probabilities, and this is why."""
        unknown = [place for place in places if place in self._unscored]
        return self._features("option_probabilities", unknown, reason=[UNKNOWN_LOGPROB] * len(unknown)) if unknown else None

    def _impossible_responses(self, places: list[int]) -> pl.DataFrame | None:
        """A response with a token of probability 0 has that probability; no table holds minus infinity, so it is said here."""
        impossible = [place for place in places if -math.inf in (self._rows[place].token_logprobs or ())]
        return self._features("response_probability", impossible, number=[0.0] * len(impossible)) if impossible else None

    def _embeddings(self, places: list[int]) -> pl.DataFrame | None:
        having = [place for place in places if self._rows[place].has_embedding]
        vectors = [self._rows[place].embedding for place in having]
        reason = [None if vector else "non_finite" for vector in vectors]
        return self._features("embedding", having, vector=vectors, reason=reason) if having else None


_AS_THEY_ARE = ("status", "response", "reasoning", "finish_reason", "error", "token_logprobs")


def _finite(logprobs: list[float | None] | None) -> list[float | None] | None:
    """Returns log-probabilities without minus infinity, which no table holds: like a sentinel, it has no usable number."""
    if logprobs is None or -math.inf not in logprobs:
        return logprobs
    return [SENTINEL if value == -math.inf else value for value in logprobs]


def _keys(rows: Sequence[AnswerRow]) -> pl.DataFrame:
    types = schemas.dtypes("observations")
    return pl.DataFrame(
        {name: [getattr(row, name) for row in rows] for name in schemas.KEYS}, schema={name: types[name] for name in schemas.KEYS}
    )


def _request_key(row: AnswerRow) -> str:
    asked = f"{row.model}\x1f{row.dataset}\x1f{row.example}\x1f{row.variant}\x1f{row.decoding}\x1f{row.rerun}"
    said = f"{row.status}\x1f{row.response}\x1f{row.answer}\x1f{row.correct}"
    return hashlib.sha256(f"{asked}\x1f{said}".encode("utf-8", "surrogatepass")).hexdigest()


def _table(name: str, keys: pl.DataFrame, data: Mapping[str, Sequence[Any]]) -> pl.DataFrame:
    """Builds and checks a table from its first columns and lists of values; a column that is in neither is null."""
    types = schemas.dtypes(name)
    given = [pl.Series(column, values, dtype=types[column]) for column, values in data.items()]
    there = {*keys.columns, *data}
    absent = [pl.lit(None, dtype=kind).alias(column) for column, kind in types.items() if column not in there]
    return schemas.check(name, keys.with_columns(*given, *absent))
