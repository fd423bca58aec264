"""Stability inside Inspect: a task whose samples come in many wordings, and a metric that says how much answers move.

    @task
    def my_task_in_wordings():
        return with_wordings(my_task(), ["typo", "case", "choice-order"], reruns=3)

The log of such a task is one that ``sago score`` reads, wording by wording, for every other axis and claim.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from sago.arrays import measure
from sago.datasets import LoadOptions
from sago.datasets.inspect_samples import examples_of_samples
from sago.errors import MissingExtraError, StudyError
from sago.features.texts import normal_text
from sago.records import CANONICAL, CONTROL_FAMILIES
from sago.runs.importers.logs.inspect_logs import INSTALL, NAMES
from sago.variations import vary

try:
    from inspect_ai import Epochs, Task, task_with
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.scorer import Metric, SampleScore, Value, accuracy, metric
except ImportError as error:
    raise MissingExtraError(f"a task of Inspect needs the package inspect-ai (cannot import {error.name})", install=INSTALL) from error

__all__ = ["stability", "with_wordings"]


def with_wordings(task: Task, variations: Sequence[str], *, reruns: int = 1, seed: int = 0) -> Task:
    """Returns a task that asks every sample in many wordings, and each wording as often as ``reruns`` says.

    Solver, scorer and everything else of the task stay; its metrics become ``accuracy`` and ``stability``. A sample is known by
    ``ID/VARIANT``; its metadata say under ``sago`` which wording of which sample it is.

    Args:
        task: A task made for this call: Inspect changes it in place.
        variations: Families of wordings as ``sago run --variations`` takes them. Families that change how a prompt is laid out, and not
            the question or the order of its choices, have nothing to change here: the solver lays prompts out.
        reruns: How often each wording is asked; 2 or more measure the noise of asking twice.
        seed: Seed of everything that is drawn.

    Raises:
        StudyError: If a family leaves every sample as it is, no other wording comes about, or ``reruns`` is below 1.
        DataError: If a sample is no question in text, or has several right choices.
    """
    if reruns < 1:
        raise StudyError(f"{reruns} reruns would ask nothing", fix="Give 1 or more")
    name = str(getattr(task, "name", None) or "task")
    samples = {_id(sample, number): sample for number, sample in enumerate(task.dataset or (), 1)}
    examples = examples_of_samples([_named(sample, key) for key, sample in samples.items()], name, LoadOptions())
    variants = vary(examples, variations, seed=seed).variants
    made: list[Any] = []
    used: set[str] = set()
    for (example,), own in variants.group_by("example", maintain_order=True):
        rows = own.sort("position").to_dicts()
        for row in rows:
            if row is rows[0] or (row["question"], row["shown_choices"]) != (rows[0]["question"], rows[0]["shown_choices"]):
                used.add(row["family"])
                made.append(_sample(samples[str(example)], row, rows[0]))
    _refuse_unused(variants, used)
    return task_with(task, dataset=MemoryDataset(made, name=name), scorer=_with_metrics(task), epochs=Epochs(reruns, "mean"))


def _with_metrics(task: Task) -> Any:
    """Returns the scorers of a task with the metrics of this file: only a new task gives metrics to its scorers."""
    return Task(scorer=task.scorer, metrics=[accuracy(), stability()]).scorer


@metric(scores="unreduced")
def stability() -> Metric:
    """How much answers move between wordings of one sample, against the noise of asking twice (axis ``generation``).

    Gives ``across`` (share of pairs of wordings with different answers), ``rerun`` (the same within one wording; left out without reruns),
    ``unrelated`` (between samples), ``instability`` (0 = as asking twice, 1 = as asking something else) and ``se``, its standard error. A
    number that is not known is left out. Controls and samples in error take no part. Where the scorer reads no answer, verdicts are
    compared, and two wrong answers count as the same.
    """

    def compute(scores: list[SampleScore]) -> Value:
        rows = [(made, score) for score in scores if (made := _made(score)) is not None and made["family"] not in CONTROL_FAMILIES]
        if not rows:
            return {}
        answers = [_answer(score, made) for made, score in rows]
        found = measure(answers, [str(made["example"]) for made, _ in rows], [str(made["variant"]) for made, _ in rows])
        numbers = {name: float(getattr(found, name)) for name in ("across", "rerun", "unrelated", "instability", "se")}
        return {name: value for name, value in numbers.items() if math.isfinite(value)}

    return compute


def _id(sample: Any, number: int) -> str:
    return str(number if sample.id is None else sample.id)


def _named(sample: Any, key: str) -> Any:
    return sample.model_copy(update={"id": key})


def _sample(original: Any, row: Mapping[str, Any], canonical: Mapping[str, Any]) -> Any:
    """Returns a sample that asks one wording of another."""
    made = {
        "example": row["example"],
        "variant": row["variant"],
        "family": row["family"],
        "question": canonical["question"],
        "answer": next(iter(row["answers"]), None),
        "permutation": row["permutation"],
    }
    return Sample(
        input=_input(original, row["question"]),
        choices=row["shown_choices"],
        target=_target(original, row),
        id=f"{row['example']}/{row['variant']}",
        metadata={**(original.metadata or {}), NAMES: made},
        sandbox=original.sandbox,
        files=original.files,
        setup=original.setup,
    )


def _input(original: Any, question: str) -> Any:
    """Returns the question in place of the one that was asked, behind the same system messages."""
    if isinstance(original.input, str):
        return question
    return [message if message.role != "user" else message.model_copy(update={"content": question}) for message in original.input]


def _target(original: Any, row: Mapping[str, Any]) -> Any:
    """Returns the letter of the right choice as it is shown, or the answer itself."""
    if row["shown_choices"] is None:
        return list(row["answers"]) if len(row["answers"]) > 1 else (row["answers"] or [original.target])[0]
    if row["answer_index"] is None:
        return original.target
    order = row["permutation"] or list(range(len(row["shown_choices"])))
    return chr(ord("A") + order.index(row["answer_index"]))


def _refuse_unused(variants: pl.DataFrame, used: set[str]) -> None:
    unused = [family for family in variants["family"].unique(maintain_order=True) if family not in used | CONTROL_FAMILIES]
    if unused:
        raise StudyError(
            f"{', '.join(unused)} changes neither a question nor the order of its choices, but how SAGO lays out a prompt",
            fix="Leave it out: the solver of the task lays prompts out",
        )
    if not used - CONTROL_FAMILIES - {CANONICAL}:
        raise StudyError("no family made another wording of any sample", fix="Name others: sago list variations")


def _made(score: SampleScore) -> Mapping[str, Any] | None:
    found = (score.sample_metadata or {}).get(NAMES)
    return found if isinstance(found, Mapping) else None


def _answer(score: SampleScore, made: Mapping[str, Any]) -> str | None:
    """Returns what an answer is compared by: the choice that a letter means, else its text; null where none was read."""
    answer = score.score.answer
    if answer is None:
        return str(score.score.value)
    text = answer.strip()
    order = made.get("permutation")
    if order and len(text) == 1 and 0 <= (place := ord(text.upper()) - ord("A")) < len(order):
        return f"choice {order[place]}"
    return normal_text(text) or None
