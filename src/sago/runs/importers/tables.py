"""Recorded answers, one row a response, as the tables of a run.

CSV, TSV, JSON lines, JSON lists and Parquet, each also packed with gzip, by the readers of data sets. Nothing is guessed silently: what a
column was taken for, how answers are read and what had to be assumed stands in the notes; what cannot be right is an error with its line.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from sago import schemas
from sago.datasets.reading import STDIN, read_records, stem
from sago.errors import DataError
from sago.records import CANONICAL, CONTROL_FAMILIES, MISSING_STATUSES
from sago.runs.importers.options import Answers, ReadOptions
from sago.runs.importers.questions import Question, Questions, given_category
from sago.runs.importers.rows import AnswerRow, AnswerRows, Messages, add_rows
from sago.runs.importers.scores import choice_scores
from sago.runs.importers.wordings import check_prompts, in_order, mark_canonical, name_variants, settle_prompts
from sago.seeds import content_hash
from sago.variations.edits import dose

RECORDED = "recorded"
"""Reader and layout of what came with the answers."""

DEFAULT_FAMILY = "wording"
_VERSION = "1"
_NO_PROMPT = content_hash(())
_VERDICTS = {1.0: "correct", 0.0: "incorrect"}


def read_answers(*sources: str | Path, options: ReadOptions | None = None) -> Answers:
    """Reads recorded answers: one row a response, in one file or several.

    Args:
        sources: Files (CSV, TSV, JSON lines, a JSON list, Parquet, each also packed with gzip), or ``-`` for standard input.
        options: How to read them; null = as they say themselves.

    Returns:
        The tables that ``extract`` and ``score`` take, what was understood of the columns, and notes.

    Raises:
        DataError: If a source, its columns or one of its rows cannot be used; every bad row is named with file and line.
        StudyError: If an option names something that is not there.
    """
    chosen = options or ReadOptions()
    found = _rows(sources, chosen)
    for dataset, rows in _by_dataset(found.rows).items():
        settle_prompts(dataset, rows, found.notes)
        name_variants(dataset, rows, found.notes)
    mark_canonical(found, chosen.canonical)
    _number_reruns(found)
    tables = [_Dataset(dataset, rows, chosen, found) for dataset, rows in _by_dataset(found.rows).items()]
    if found.problems:
        count = len(found.problems)
        raise DataError(f"{count} problem{'s' if count > 1 else ''} with recorded answers", problems=found.problems)
    each = [table.tables() for table in tables]
    joined = {name: pl.concat([part[name] for part in each]) for name in each[0]}
    return Answers(**joined, sources=tuple(found.sources), notes=tuple(dict.fromkeys(found.notes)))


def _rows(sources: Sequence[str | Path], options: ReadOptions) -> AnswerRows:
    found = AnswerRows()
    repeated = [name for name, count in Counter(str(Path(source).resolve()) for source in sources).items() if count > 1]
    if repeated or not sources:
        raise DataError("is given twice" if repeated else "no file of answers was given", where=repeated[0] if repeated else None)
    for source in map(str, sources):
        if source != STDIN and Path(source).is_dir():
            raise DataError("is a folder, not a file of answers", where=source, fix="Give the files in it")
        before = len(found.rows) + len(found.problems)
        add_rows(found, read_records(source), source, stem(source), options.columns)
        if len(found.rows) + len(found.problems) == before:
            raise DataError("no answers", where=source, fix="Give a file with one row a response")
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


def _number_reruns(found: AnswerRows) -> None:
    """Counts reruns where no column numbers them, and finds rows that are there twice."""
    counts: Counter[tuple[str, ...]] = Counter()
    seen: dict[tuple[Any, ...], AnswerRow] = {}
    counted = 0
    for row in found.rows:
        asked = (row.model, row.dataset, row.example, str(row.variant), row.decoding)
        if row.rerun is None:
            row.rerun = counts[asked]
            counts[asked] += 1
            counted += row.rerun > 0
        first = seen.setdefault((*asked, row.rerun), row)
        if first is not row:
            place = f"{first.unit} {first.number}" if first.source == row.source else first.place
            found.problems.append(
                f"{row.place}: model, example, variant and rerun of {place} again "
                f"({row.model}, {row.dataset}/{row.example}, {row.variant}, {row.rerun})"
            )
    if counted:
        found.notes.append(f"no column for the rerun: {counted} rows that repeat model, example and variant are counted as reruns")


class _Dataset:
    """The tables of one data set."""

    def __init__(self, dataset: str, rows: list[AnswerRow], options: ReadOptions, found: AnswerRows) -> None:
        self._dataset = dataset
        self._rows = rows
        self._notes = found.notes
        self._prompts = check_prompts(dataset, rows, found)
        self._questions = Questions(dataset, rows, self._prompts, options.read_as, found)
        self._scored = choice_scores(rows, self._questions, found)
        self._variants: dict[str, dict[str, AnswerRow]] = {}
        for row in rows:
            self._variants.setdefault(row.example, {}).setdefault(str(row.variant), row)
        self._tell_reruns()

    def tables(self) -> dict[str, pl.DataFrame]:
        """Returns every table by name."""
        variants = self._variants_table()
        families = variants.group_by("dataset", "family", maintain_order=True).agg(
            pl.col("example").n_unique().cast(pl.Int64).alias("examples"), pl.len().cast(pl.Int64).alias("made")
        )
        zeros = ("dropped_same", "dropped_duplicate", "dropped_unsafe", "not_applicable")
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
        return _table("variants", {name: [row.get(name) for row in rows] for name in schemas.dtypes("variants")})

    def _variant(self, question: Question, variant: str, row: AnswerRow, position: int) -> dict[str, Any]:
        prompt = self._prompts.get((question.example, variant), ())
        canonical = self._prompts.get((question.example, CANONICAL), ())
        shown = question.shown[variant]
        family = CANONICAL if variant == CANONICAL else row.family or DEFAULT_FAMILY
        labels = None if question.labels is None else list(question.labels)
        return {
            "dataset": self._dataset,
            "example": question.example,
            "variant": variant,
            "position": position,
            "family": family,
            "control": family in CONTROL_FAMILIES,
            "parameters": "{}",
            "messages": [{"role": role, "content": content} for role, content in prompt],
            "question": next((content for role, content in reversed(prompt) if role == "user"), question.question),
            "layout": RECORDED,
            "shown_choices": None if shown.texts is None else list(shown.texts),
            "shown_labels": labels,
            "permutation": None if shown.permutation is None else list(shown.permutation),
            "scored_choices": labels if self._scored else None,
            "answers": list(shown.gold.answers),
            "answer_index": shown.gold.answer_index,
            "edits": [],
            "dose": _dose(canonical, prompt),
            "checks": [],
            "merged": [],
            "fingerprint": content_hash(prompt) if prompt else _NO_PROMPT,
        }

    def _observations_table(self) -> pl.DataFrame:
        rows = self._rows
        data = _keys(rows) | {name: [getattr(row, name) for row in rows] for name in _AS_THEY_ARE}
        data["choice_logprobs"] = [self._scored.get(place) for place in range(len(rows))]
        data["prompt_hash"] = [content_hash(prompt) if prompt else None for prompt in map(self._prompt_of, rows)]
        data["request_key"] = [_request_key(row) for row in rows]
        return _table("observations", data)

    def _prompt_of(self, row: AnswerRow) -> Messages:
        return self._prompts.get((row.example, str(row.variant)), ())

    def _states_table(self) -> pl.DataFrame:
        having = [(row, layer, state) for row in self._rows for layer, state in sorted(row.states.items())]
        if not having:
            return schemas.empty("states")
        last = max(1, *(layer for _, layer, _ in having))
        data = _keys([row for row, _, _ in having])
        data |= {
            "tap": [f"{RECORDED}/layer_{layer}" for _, layer, _ in having],
            "layer": [layer for _, layer, _ in having],
            "depth": [layer / last for _, layer, _ in having],
            "vector": [state for _, _, state in having],
        }
        return _table("states", data)

    def _features_table(self) -> pl.DataFrame:
        """Returns what was given as read: answers, verdicts, embeddings; rows of missing data have none."""
        rows = [row for row in self._rows if row.status not in MISSING_STATUSES]
        parts = [self._answers(rows), self._verdicts(rows), self._embeddings(rows)]
        return pl.concat([part for part in parts if part is not None] or [schemas.empty("features")])

    def _answers(self, rows: list[AnswerRow]) -> pl.DataFrame | None:
        given = [row for row in rows if row.answer is not None]
        if not given:
            return self._verdicts_as_answers(rows)
        known: dict[tuple[str, str, str], str | None] = {}
        for row in given:
            key = (str(row.answer), row.example, str(row.variant))
            if key not in known:
                known[key] = given_category(key[0], self._questions.of[row.example], key[2])
        found = [known[str(row.answer), row.example, str(row.variant)] for row in given]
        unread = sum(category is None for category in found)
        if unread:
            first = next(row for row, category in zip(given, found, strict=True) if category is None)
            self._notes.append(
                f"{self._dataset}: {unread} given answers name no option (the first: {first.answer!r}, {first.place}): unparsed"
            )
        return _features("answer", given, category=found, reason=["unparsed" if category is None else None for category in found])

    def _verdicts_as_answers(self, rows: list[AnswerRow]) -> pl.DataFrame | None:
        """Where verdicts are all there is, the verdict is the answer; a share between 0 and 1 is none."""
        if any(row.response is not None for row in rows) or not any(row.correct is not None for row in rows):
            return None
        judged = [row for row in rows if row.correct in _VERDICTS]
        self._notes.append(f"{self._dataset}: nothing but verdicts were recorded: two different wrong answers count as the same")
        return _features("answer", judged, category=[_VERDICTS[row.correct or 0.0] for row in judged])

    def _verdicts(self, rows: list[AnswerRow]) -> pl.DataFrame | None:
        judged = [row for row in rows if row.correct is not None]
        return _features("correct", judged, number=[row.correct for row in judged]) if judged else None

    def _embeddings(self, rows: list[AnswerRow]) -> pl.DataFrame | None:
        having = [row for row in rows if row.has_embedding]
        lengths = {len(row.embedding) for row in having if row.embedding}
        if len(lengths) > 1:
            raise DataError(
                f"embeddings of {self._dataset} have {' and '.join(map(str, sorted(lengths)))} numbers", fix="One encoder a data set"
            )
        reason = [None if row.embedding else "non_finite" for row in having]
        return _features("embedding", having, vector=[row.embedding for row in having], reason=reason) if having else None

    def _tell_reruns(self) -> None:
        counts = Counter((row.model, row.decoding, row.example, row.variant) for row in self._rows if row.status not in MISSING_STATUSES)
        fewest, most = min(counts.values(), default=0), max(counts.values(), default=0)
        if fewest != most:
            self._notes.append(
                f"{self._dataset}: wordings were asked {fewest} to {most} times. If somebody stopped early where answers agreed, the noise "
                "of asking twice (rerun) is no unbiased sample, and instability is off with it"
            )


_AS_THEY_ARE = ("status", "response", "reasoning", "finish_reason", "error", "token_logprobs")


def _keys(rows: Sequence[AnswerRow]) -> dict[str, list[Any]]:
    return {name: [getattr(row, name) for row in rows] for name in schemas.KEYS}


def _request_key(row: AnswerRow) -> str:
    key = (row.model, row.dataset, row.example, row.variant, row.decoding, row.rerun, row.status, row.response, row.answer, row.correct)
    return hashlib.sha256("\x1f".join(map(str, key)).encode("utf-8", "surrogatepass")).hexdigest()


def _features(feature: str, rows: Sequence[AnswerRow], **values: list[Any]) -> pl.DataFrame:
    count = len(rows)
    own = {"feature": [feature] * count, "reader": [RECORDED] * count, "version": [_VERSION] * count}
    return _table("features", _keys(rows) | own | values)


def _table(name: str, data: Mapping[str, list[Any]]) -> pl.DataFrame:
    """Builds and checks a table from columns; one that is not there is null."""
    types = schemas.dtypes(name)
    height = len(next(iter(data.values())))
    columns = {column: data.get(column, [None] * height) for column in types}
    return schemas.check(name, pl.DataFrame(columns, schema=types))


def _dose(canonical: Messages, prompt: Messages) -> float | None:
    if not canonical or not prompt:
        return None
    return dose(*("\n".join(content for _, content in messages) for messages in (canonical, prompt)))
