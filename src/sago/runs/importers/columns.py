"""Which column of recorded answers holds which field.

A column that is called like the field is that field. Where there is none, the other names below are understood, in any spelling of case,
``_`` and ``-``; two of them at once are not guessed between. A mapping given by the user comes before all of this.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping

from sago.errors import DataError, StudyError

OTHER_NAMES: dict[str, tuple[str, ...]] = {
    "model": ("model_name", "model_id", "llm"),
    "dataset": ("data_set", "dataset_name", "benchmark"),
    "example": (
        *("id", "example_id", "question_id", "doc_id", "item", "item_id", "sample_id", "instance_id", "problem_id", "qid", "uid"),
        *("idx", "index"),
    ),
    "variant": (
        *("variant_id", "variant_name", "variation", "wording", "prompt_id", "prompt_name", "template", "template_id", "prompt_template"),
        *("paraphrase", "paraphrase_id", "perturbation"),
    ),
    "rerun": ("repeat", "repetition", "epoch", "run", "sample", "trial", "attempt", "sample_index"),
    "response": (
        *("output", "completion", "generation", "generated_text", "prediction_text", "response_text", "model_output", "model_response"),
        "raw_response",
    ),
    "answer": ("prediction", "predicted", "pred", "extracted", "extracted_answer", "parsed", "parsed_answer", "model_answer"),
    "correct": ("is_correct", "correctness", "score", "acc", "accuracy", "exact_match"),
    "target": (
        *("targets", "gold", "gold_answer", "label", "expected", "expected_answer", "reference", "reference_answer", "ideal"),
        *("correct_answer", "answer_key", "ground_truth"),
    ),
    "prompt": ("messages", "input", "prompt_text", "full_prompt"),
    "question": ("question_text", "original_question"),
    "choices": ("options", "answer_choices"),
    "task": ("task_type", "answer_type"),
    "family": ("variant_family", "variation_family", "perturbation_type"),
    "temperature": ("temp",),
    "decoding": (),
    "status": (),
    "finish_reason": ("stop_reason",),
    "reasoning": ("reasoning_content", "thinking"),
    "error": ("error_message",),
    "token_logprobs": ("logprobs", "response_logprobs"),
    "choice_probabilities": ("choice_probs", "option_probabilities", "option_probs", "probabilities", "probs"),
    "choice_logprobs": ("option_logprobs",),
    "embedding": ("response_embedding", "vector"),
    "hidden_states": ("hidden_state", "states"),
    "reply": ("reply_body", "response_body", "body"),
}
"""Field -> other names of columns that are understood by themselves."""

SAYS_SOMETHING = ("response", "answer", "correct", "reply", "choice_probabilities", "choice_logprobs", "embedding", "hidden_states")
"""Fields of which at least one must be there: without them a row says nothing about a model."""


def find_columns(present: Iterable[str], mapping: Mapping[str, str], where: str) -> dict[str, str]:
    """Returns field -> column for every field that a source has.

    Args:
        present: Columns of the source, over all its rows.
        mapping: Field (or one of its other names) -> column, as the user gave it.
        where: Name of the source, for messages.

    Raises:
        StudyError: If the mapping names a field that answers do not have.
        DataError: If a mapped column is not there, two columns could be one field, no column names the example, or none holds an answer.
    """
    columns = list(dict.fromkeys(present))
    there = ", ".join(columns) or "none"
    found: dict[str, str] = {}
    for given, column in mapping.items():
        field = _field(given, column)
        if column not in columns:
            raise DataError(f"no column '{column}' for {field}; columns there: {there}", where=where)
        found[field] = column
    free = [column for column in columns if column not in found.values()]
    for field in OTHER_NAMES:
        if field in found:
            continue
        candidates = _candidates(field, free)
        if len(candidates) > 1:
            raise DataError(
                f"{' and '.join(repr(name) for name in candidates)} could each be the {field}",
                where=where,
                fix=f"Say which with --columns {field}={candidates[0]}",
            )
        if candidates:
            found[field] = candidates[0]
    _refuse_two_answers(found, free, mapping, where)
    if "example" not in found:
        raise DataError(
            f"no column says which example a row is about; columns there: {there}", where=where, fix="Name it with --columns example=COLUMN"
        )
    if not any(field in found for field in SAYS_SOMETHING):
        raise DataError(
            f"no column holds an answer ({', '.join(SAYS_SOMETHING[:3])}); columns there: {there}",
            where=where,
            fix="Name it with --columns response=COLUMN",
        )
    return found


def _refuse_two_answers(found: Mapping[str, str], free: list[str], mapping: Mapping[str, str], where: str) -> None:
    """Beside a column of predictions, ``answer`` is as often the right answer as the model's: the numbers would be wrong without a sign."""
    others = [column for column in free if _key(column) in {_key(name) for name in OTHER_NAMES["answer"]}]
    if found.get("answer") in free and others and found["answer"] not in others and "target" not in found and not mapping.get("answer"):
        raise DataError(
            f"'{found['answer']}' and '{others[0]}': one could be the right answer, the other the model's",
            where=where,
            fix=f"Say which with --columns target={found['answer']},answer={others[0]}",
        )


def _field(given: str, column: str) -> str:
    """Returns the field that a mapping means; its other names will do."""
    for field, names in OTHER_NAMES.items():
        if _key(given) in {_key(field), *map(_key, names)}:
            return field
    near = difflib.get_close_matches(given, OTHER_NAMES, n=1)
    hint = f"Did you mean {near[0]}?" if near else f"Fields: {', '.join(OTHER_NAMES)}"
    raise StudyError(f"column mapping '{given}={column}': answers have no field '{given}'", fix=hint)


def _candidates(field: str, columns: list[str]) -> list[str]:
    """Returns the columns that could be a field: the one of that very name, or all that go by another name of it."""
    if field in columns:
        return [field]
    same = [column for column in columns if _key(column) == _key(field)]
    others = {_key(name) for name in OTHER_NAMES[field]}
    return same or [column for column in columns if _key(column) in others]


def _key(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name.casefold())
