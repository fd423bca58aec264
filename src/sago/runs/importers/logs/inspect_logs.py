"""Logs of Inspect, ``.eval`` and ``.json``, through the package of the framework itself. Epochs are reruns."""

from __future__ import annotations

import math
import re
import zipfile
from collections.abc import Iterable, Mapping
from typing import Any

from sago.datasets.places import Records
from sago.datasets.reading import stem
from sago.errors import DataError, MissingExtraError
from sago.runs.importers.logs.metrics import as_share
from sago.runs.importers.logs.protocol import Head, Log, LogFormat, LogOptions
from sago.seeds import content_hash

INSTALL = "pip install 'sago-eval[inspect]'"
NAMES = "sago"
"""Key of a sample's metadata that says which wording of which example it is, where SAGO made the samples."""

_ZIP = b"PK\x03\x04"
_LONGEST_LABEL = 60
_FINISH = {"max_tokens": "length", "model_length": "length", "content_filter": "content_filter"}
"""Stop reasons of Inspect -> those that other tools have for the same; any other is kept."""


def recognises(head: Head) -> bool:
    """Returns whether a file is a log of Inspect: a packed one has a header inside, one of JSON a version, a status and an eval."""
    if head.data.startswith(_ZIP):
        try:
            with zipfile.ZipFile(head.source) as packed:
                return any(name == "header.json" or name.startswith("_journal/") for name in packed.namelist())
        except (OSError, zipfile.BadZipFile):
            return head.source.endswith(".eval")
    return head.data.lstrip().startswith(b"{") and head.has("version", "status", "eval") and head.has("task", "model")


def read(source: str, options: LogOptions) -> Log:
    """Reads the samples of one log.

    Raises:
        MissingExtraError: If the package ``inspect_ai`` is not installed.
        DataError: If it cannot be read, no sample was kept in it, or a scorer that was asked for is not there.
    """
    found = _opened(source)
    log = Log(source, Records("sample"), [], _task(found, source), (_arguments(found), _dataset(found), _steps(found)))
    log.identity = str(found.eval.eval_id)
    samples = found.samples or []
    if found.status != "success":
        log.notes.append(f"the evaluation ended as '{found.status}'; the {len(samples)} samples that it kept are read")
    if not samples:
        raise DataError("keeps no samples", where=source, fix="Run the evaluation with its samples logged (without --no-log-samples)")
    reader = _Reader(found, log, options.metric)
    for number, sample in enumerate(samples, 1):
        try:
            reader.add(number, sample)
        except DataError as error:
            log.records.reject(number, error.what)
    reader.finish()
    if all("error" in record.fields and "response" not in record.fields for record in log.records.rows):
        told = next((str(record.fields["error"]) for record in log.records.rows), "unknown")
        raise DataError(f"none of its {len(samples)} samples has an answer; the first error: {' '.join(told.split())[:200]}", where=source)
    return log


FORMAT = LogFormat("inspect", "a log of Inspect", recognises, read)


def _opened(source: str) -> Any:
    try:
        from inspect_ai.log import read_eval_log
    except ImportError as error:
        what = f"logs of Inspect need the package inspect-ai (cannot import {error.name})"
        raise MissingExtraError(what, install=INSTALL) from error
    try:
        return read_eval_log(source, resolve_attachments=True)
    except Exception as error:  # the framework has no base of its own for what can be wrong with a log
        raise DataError(f"Inspect cannot read it: {' '.join(str(error).split())[:300]}", where=source) from error


def _task(found: Any, source: str) -> str:
    """Returns the name of the task without its package."""
    return str(found.eval.task or stem(source)).rpartition("/")[2]


def _arguments(found: Any) -> str:
    given = {**(getattr(found.eval, "task_args", None) or {}), **(getattr(found.eval, "solver_args", None) or {})}
    return ", ".join(f"{name}={value}" for name, value in sorted(given.items()))


def _dataset(found: Any) -> str:
    return str(getattr(getattr(found.eval, "dataset", None), "name", None) or "")


def _steps(found: Any) -> str:
    """Returns the solvers with their parameters, cut to a length that is a name."""
    steps = getattr(found.plan, "steps", None) or []
    named = [(str(step.solver).rpartition("/")[2], step.params) for step in steps]
    told = ", ".join(name if name == "generate" else f"{name}({_parameters(given)})" for name, given in named)
    return told if len(told) <= _LONGEST_LABEL else f"{told[:_LONGEST_LABEL]} {content_hash(told)[:6]}"


def _parameters(given: Mapping[str, Any] | None) -> str:
    return " ".join(f"{name}={value}" for name, value in sorted((given or {}).items()))


class _Reader:
    """Turns samples of one log into answers."""

    def __init__(self, found: Any, log: Log, metric: str | None) -> None:
        self._log = log
        self._model = str(found.eval.model)
        self._temperature = _temperature(found)
        self._shuffled = 0
        self._scorer = _scorer(found.samples, metric, log)
        said = [_answer(_score(sample, self._scorer)) for sample in found.samples]
        self._reads = any(answer not in (None, sample.output.completion) for answer, sample in zip(said, found.samples, strict=True))
        log.names_variants = all(isinstance(_made(sample), Mapping) for sample in found.samples)
        if self._scorer:
            log.notes.append(f"whether an answer is right is said by scorer '{self._scorer}'")

    def finish(self) -> None:
        """Adds the notes about the whole log."""
        if self._shuffled:
            self._log.notes.append(
                f"options of {self._shuffled} samples were shuffled before the model saw them. The log has prompts and letters in the "
                "order of the data, so that prompts are not those that the model saw, and what the order does counts as noise or as wording"
            )

    def add(self, number: int, sample: Any) -> None:
        score = _score(sample, self._scorer)
        output = sample.output
        made = _made(sample) if self._log.names_variants else {}
        self._shuffled += _is_shuffled(sample)
        answer = _answer(score) if self._reads else None
        is_lost = bool(sample.error) and not output.completion
        fields = {
            "model": self._model,
            "example": str(made.get("example", sample.id)),
            "variant": made.get("variant"),
            "family": made.get("family"),
            "rerun": int(sample.epoch) - 1,
            "temperature": self._temperature,
            "prompt": _prompt(sample),
            "question": made.get("question") or _input(sample),
            "choices": list(sample.choices) if sample.choices else None,
            "target": _target(sample),
            "response": None if is_lost else str(output.completion),
            "finish_reason": _finish(output),
            "reasoning": _reasoning(output),
            "error": _error(sample),
            "status": "error" if is_lost else None,
            "correct": None if is_lost or score is None else as_share(score.value),
            "answer": ("" if answer is None and self._reads else answer) if not is_lost else None,
            "token_logprobs": _logprobs(output),
        }
        self._log.add(number, fields, _content(sample, made))


def _scorer(samples: Iterable[Any], wanted: str | None, log: Log) -> str | None:
    """Returns the name of the scorer whose verdicts are taken: the first that gives a share, or the one that was asked for."""
    names: dict[str, bool] = {}
    for sample in samples:
        for name, score in (sample.scores or {}).items():
            names[name] = names.get(name, False) or as_share(score.value) is not None
    if wanted is not None and wanted not in names:
        raise DataError(f"no scorer '{wanted}'", where=log.source, fix=f"Scorers: {', '.join(names) or 'none'}")
    return wanted or next((name for name, is_share in names.items() if is_share), next(iter(names), None))


def _score(sample: Any, scorer: str | None) -> Any:
    return (sample.scores or {}).get(scorer) if scorer else None


def _answer(score: Any) -> str | None:
    """Returns what a scorer read out of a response; blank where it looked for an answer and found none."""
    return None if score is None or score.answer is None else str(score.answer)


def _made(sample: Any) -> Any:
    return (sample.metadata or {}).get(NAMES)


def _is_shuffled(sample: Any) -> bool:
    """Returns whether Inspect showed the options in another order than the log lists them: the scorer's explanation says so."""
    explanations = (score.explanation or "" for score in (sample.scores or {}).values())
    return any(re.search(r"choices were shuffled before", text, re.IGNORECASE) for text in explanations)


def _temperature(found: Any) -> float | None:
    for config in (getattr(found.plan, "config", None), getattr(found.eval, "model_generate_config", None)):
        if config is not None and config.temperature is not None:
            return float(config.temperature)
    return None


def _prompt(sample: Any) -> list[dict[str, str]] | None:
    """Returns the messages before the model first spoke; null where none were kept."""
    before = []
    for message in sample.messages:
        if message.role == "assistant":
            break
        before.append({"role": str(message.role), "content": str(message.text)})
    return before or None


def _input(sample: Any) -> str | None:
    if isinstance(sample.input, str):
        return sample.input
    return next((str(message.text) for message in reversed(sample.input) if message.role == "user"), None)


def _target(sample: Any) -> Any:
    target = sample.target
    if isinstance(target, list) and len(target) == 1:
        target = target[0]
    return target or None


def _finish(output: Any) -> str | None:
    reason = str(output.choices[0].stop_reason) if output.choices else None
    return None if reason in (None, "unknown") else _FINISH.get(str(reason), reason)


def _reasoning(output: Any) -> str | None:
    content = output.choices[0].message.content if output.choices else ""
    parts = [] if isinstance(content, str) else [part.reasoning for part in content if getattr(part, "type", "") == "reasoning"]
    return "\n\n".join(filter(None, parts)) or None


def _error(sample: Any) -> str | None:
    return str(sample.error.message) if sample.error else sample.output.error


def _logprobs(output: Any) -> list[float] | None:
    found = output.choices[0].logprobs if output.choices else None
    values = [float(token.logprob) for token in found.content] if found is not None else []
    return values if values and all(math.isfinite(value) for value in values) else None


def _content(sample: Any, made: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what all wordings of a sample share. Where SAGO made them it knew which belong together, and the input is the wording."""
    if made:
        return {"question": made.get("question"), "target": made.get("answer")}
    content = {"input": _input(sample), "target": _target(sample)}
    return content | ({"choices": list(sample.choices)} if sample.choices else {})
