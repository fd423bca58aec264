"""``samples_*.jsonl`` of the LM Evaluation Harness: one row for each document and filter.

A log has no name of its model and does not say which metric counts: both stand in ``results_*.json`` beside it, where that was kept.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sago.datasets.places import Record, Records
from sago.datasets.reading import read_records, stem
from sago.errors import DataError
from sago.runs.importers.logs import lm_eval_score as score_tasks
from sago.runs.importers.logs.lm_eval_choices import Scored, scored_choices, shown_choices
from sago.runs.importers.logs.metrics import MetricChoice
from sago.runs.importers.logs.protocol import Head, Log, LogFormat, LogOptions

_NAME = re.compile(r"samples_(?P<task>.+?)_(?P<date>\d{4}-\d\d-\d\dT[\d.:-]+)$")
_IDS = ("question_id", "id", "example_id", "idx", "index", "qid", "uid", "problem_id", "instance_id")
"""Fields of a document that are its id where they differ between all documents; ``doc_id`` of the log is a place in a list."""
_QUESTIONS = ("question", "query", "problem", "goal", "ctx", "sentence", "input", "text")
_NO_ANSWER = {"[invalid]", ""}
"""What filters of the harness give where they find no answer."""
_PREFERRED = ("exact_match", "acc", "em", "f1", "acc_norm")


@dataclass(slots=True)
class _Beside:
    """What the results file beside a log says."""

    model: str | None = None
    metrics: tuple[str, ...] = ()
    """Metrics of the task, the first the one that it is known by."""


def recognises(head: Head) -> bool:
    """Returns whether a file holds samples of the harness."""
    line = Head(head.source, head.first_line)
    return line.has("doc_id", "doc") and (line.has("resps") or line.has("filtered_resps"))


def read(source: str, options: LogOptions) -> Log:
    """Reads the samples of one task and one model.

    Of several filters one is taken (``options.filter``, else the first); the responses are the same in all.

    Raises:
        DataError: If nothing in it is an answer, or a filter or metric that was asked for is not there.
    """
    records = read_records(source)
    named = _NAME.search(stem(source))
    task = named["task"] if named else stem(source).removeprefix("samples_")
    beside = _beside(Path(source), task, named["date"] if named else None)
    log = Log(source, Records(records.unit, problems=list(records.problems)), [], task)
    rows = _of_one_filter(records.rows, options.filter, log)
    if not rows:
        return log
    metric = MetricChoice.of([row.fields for row in rows], _metrics(rows, beside), options.metric, source)
    reader = _Reader(log, rows, metric, beside.model or _model_of_folder(Path(source)))
    for row in rows:
        reader.add(row)
    reader.finish()
    return log


FORMAT = LogFormat("lm-eval", "samples of the LM Evaluation Harness", recognises, read)


def _of_one_filter(rows: Sequence[Record], wanted: str | None, log: Log) -> list[Record]:
    names = list(dict.fromkeys(str(row.fields.get("filter", "none")) for row in rows))
    if wanted is not None and wanted not in names:
        raise DataError(f"no filter '{wanted}'", where=log.source, fix=f"Filters: {', '.join(names)}")
    taken = wanted or (names[0] if names else None)
    if len(names) > 1:
        log.notes.append(f"read by filter '{taken}' of {', '.join(names)}; --filter NAME takes another")
    return [row for row in rows if str(row.fields.get("filter", "none")) == taken]


def _metrics(rows: Sequence[Record], beside: _Beside) -> list[str]:
    listed = rows[0].fields.get("metrics") or ()
    known = [str(name) for name in listed] if isinstance(listed, list) else []
    return list(dict.fromkeys([*(name for name in beside.metrics if name in rows[0].fields), *_PREFERRED, *known]))


def _beside(path: Path, task: str, date: str | None) -> _Beside:
    """Returns what the results file of the same date says; nothing where there is none that can be read."""
    found = path.with_name(f"results_{date}.json")
    if date is None or not found.is_file():
        return _Beside()
    try:
        results = json.loads(found.read_bytes())
        config = results.get("configs", {}).get(task, {})
        metrics = tuple(str(entry["metric"]) for entry in config.get("metric_list") or () if isinstance(entry.get("metric"), str))
        return _Beside(_model_name(results.get("model_name")), metrics)
    except (ValueError, AttributeError, KeyError):
        return _Beside()


def _model_name(given: Any) -> str | None:
    """Returns the name of a model; of one that was loaded from a folder its last part, which is the same on every machine."""
    if not isinstance(given, str) or not given:
        return None
    return Path(given).name if Path(given).is_absolute() else given


def _model_of_folder(path: Path) -> str | None:
    """Returns the model by the name of the folder, in which ``/`` is written ``__``; null where the folder is named otherwise."""
    name = path.resolve().parent.name
    return name.replace("__", "/") if "__" in name else None


class _Reader:
    """Turns rows of one filter into answers."""

    def __init__(self, log: Log, rows: Sequence[Record], metric: MetricChoice, model: str | None) -> None:
        self._log, self._metric, self._model = log, metric, model
        documents = [row.fields.get("doc") for row in rows]
        self._id = None if score_tasks.is_score(rows[0].fields) else _id_field(documents)
        self._reads = any(_is_read(row.fields) for row in rows)
        self._ties = 0
        self._kinds: Counter[str] = Counter()
        self._lengths: set[int] = set()
        log.names_variants = score_tasks.is_score(rows[0].fields)

    def add(self, row: Record) -> None:
        fields = row.fields
        document = fields.get("doc")
        document = document if isinstance(document, Mapping) else {"doc": document}
        try:
            common = {
                "model": self._model,
                "example": str(document[self._id] if self._id else fields.get("doc_id", "")),
                "prompt": _prompt(fields),
                "question": next((document[name] for name in _QUESTIONS if isinstance(document.get(name), str)), None),
            }
            scored = scored_choices(fields, document, is_normalised=self._metric.name == "acc_norm")
            if scored is not None:
                self._add_scored(row, common, scored, document)
            else:
                self._add_generated(row, common, document)
        except DataError as error:
            self._log.records.reject(row.number, error.what)
        except (TypeError, ValueError, KeyError, IndexError) as error:
            self._log.records.reject(row.number, f"is no sample of the harness ({type(error).__name__}: {error})")

    def finish(self) -> None:
        """Adds the notes about the whole log."""
        if self._metric.name:
            self._log.notes.append(f"whether an answer is right is said by metric '{self._metric.name}'")
        if self._kinds["likelihood"]:
            self._log.notes.append(
                f"{self._kinds['likelihood']} rows hold likelihoods of options: the likeliest is the answer"
                + (f"; in {self._ties} of them two are equally likely, and none is" if self._ties else "")
            )

        if self._lengths:
            most = " or ".join(map(str, sorted(self._lengths)))
            self._log.notes.append(
                f"the log does not say which responses were cut off at {most} tokens: a number at the end of one may lack its last digits"
            )

    def _add_scored(self, row: Record, common: Mapping[str, Any], scored: Scored, document: Mapping[str, Any]) -> None:
        self._kinds["likelihood"] += 1
        self._ties += len(scored.logprobs) > 1 and scored.best is None
        verdict = self._metric.verdict(row.fields)
        fields = {
            **common,
            "decoding": "greedy",
            "correct": verdict,
            "choices": scored.choices,
            "choice_logprobs": scored.logprobs if scored.choices else None,
            "answer": scored.best,
            "target": scored.gold(row.fields.get("target"), verdict),
        }
        self._log.add(row.number, fields, score_tasks.content(document))

    def _add_generated(self, row: Record, common: Mapping[str, Any], document: Mapping[str, Any]) -> None:
        self._kinds["text"] += 1
        fields = row.fields
        if (most := _generation(fields).get("max_gen_toks")) and isinstance(most, int):
            self._lengths.add(most)
        replies = _replies(fields)
        read = _filtered(fields, len(replies)) if self._reads else [None] * len(replies)
        own = score_tasks.verdict(fields)
        shown = {"temperature": _temperature(fields), "target": _target(fields.get("target"))}
        if options := shown_choices(document, common["prompt"]):
            shown["choices"] = options
        if self._log.names_variants:
            shown |= score_tasks.variant(document)
            common = {**common, "example": score_tasks.example(document, str(fields.get("doc_id", "")))}
        for place, reply in enumerate(replies):
            verdict = self._metric.verdict(fields) if len(replies) == 1 else None
            answer = read[place]
            if own is not None and len(replies) == 1:
                answer, verdict = own
            first = shown.get("rerun")
            number = None if first is None and len(replies) == 1 else (first or 0) * len(replies) + place
            made = {**common, **shown, "rerun": number, "response": reply, "answer": answer, "correct": verdict}
            self._log.add(row.number, made, score_tasks.content(document))


def _id_field(documents: Sequence[Any]) -> str | None:
    """Returns the field by which documents are told apart; null where they have none and their number in the log is all there is."""
    for name in _IDS:
        values = [document.get(name) if isinstance(document, Mapping) else None for document in documents]
        if all(isinstance(value, str | int) and value != "" for value in values) and len(set(map(str, values))) == len(values):
            return name
    return None


def _arguments(fields: Mapping[str, Any], request: int = 0) -> list[Any]:
    """Returns the arguments of a request: a list, or ``{"arg_0": ...}`` as newer versions write it."""
    given = fields.get("arguments") or []
    one = given.get(f"gen_args_{request}") if isinstance(given, Mapping) else given[request] if request < len(given) else None
    if isinstance(one, Mapping):
        return [one[name] for name in sorted(one, key=lambda name: int(name.rpartition("_")[2]))]
    return list(one or [])


def _prompt(fields: Mapping[str, Any]) -> Any:
    """Returns what the model was given; a chat is a list that holds it as JSON."""
    first = next(iter(_arguments(fields)), None)
    return first[0] if isinstance(first, list) and len(first) == 1 else first


def _temperature(fields: Mapping[str, Any]) -> float | None:
    """Returns the temperature of a generated response; null where the log does not say it."""
    how = _generation(fields)
    if how.get("do_sample") is False:
        return 0.0
    heat = how.get("temperature")
    return float(heat) if isinstance(heat, int | float) else None


def _generation(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns how a response was generated; empty where the log does not say it."""
    arguments = _arguments(fields)
    return arguments[1] if len(arguments) > 1 and isinstance(arguments[1], Mapping) else {}


def _replies(fields: Mapping[str, Any]) -> list[str]:
    """Returns the responses to one prompt: as many as the task repeats it."""
    first = next(iter(fields.get("resps") or fields.get("filtered_resps") or []), None)
    given = first if isinstance(first, list) else [first]
    replies = [reply for reply in given if isinstance(reply, str)]
    if not replies or len(replies) < len(given):
        raise DataError("neither a generated text nor likelihoods of options were logged")
    return replies


def _is_read(fields: Mapping[str, Any]) -> bool:
    """Returns whether a filter made something else of a response than the text that it is."""
    try:
        replies = _replies(fields)
        return any(read not in (None, reply) for read, reply in zip(_filtered(fields, len(replies)), replies, strict=True))
    except DataError:
        return False


def _filtered(fields: Mapping[str, Any], count: int) -> list[str | None]:
    """Returns what the filter read out of each response; null where it made one value of several."""
    given = next(iter(fields.get("filtered_resps") or []), None)
    values = given if isinstance(given, list) else [given]
    if len(values) != count:
        return [None] * count
    return ["" if isinstance(value, str) and value.strip() in _NO_ANSWER else None if value is None else str(value) for value in values]


def _target(value: Any) -> Any:
    """Returns the right answer, or answers: the harness writes a list of them as Python does."""
    if isinstance(value, str) and value.startswith("[") and value.endswith("]"):
        import ast

        try:
            listed = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            return value
        return [str(part) for part in listed] if isinstance(listed, list) and listed else value
    return value
