"""SCORE tasks of the LM Evaluation Harness: every document stands there once for each prompt, or for each place of the right option."""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Any

from sago.runs.importers.logs.protocol import fingerprint

_VARIED = {"prompt", "prompt_id", "options_format", "always_same_option", "original_answer_index"}
_BY_ORDER = {"options", "answer", "answer_index"}
"""Fields that follow the order of the options."""
_LABELS = string.ascii_uppercase


def is_score(fields: Mapping[str, Any]) -> bool:
    """Returns whether a row is one of a SCORE task: its document says in which prompt, or with which option right, it was put."""
    document = fields.get("doc")
    return isinstance(document, Mapping) and "prompt" in document and ("prompt_id" in document or "always_same_option" in document)


def example(document: Mapping[str, Any], number: str) -> str:
    """Returns the id of the question, which all its variants share: its own, else its content."""
    own = document.get("question_id")
    del number  # counts documents in all their variants
    return str(own) if own is not None else f"question-{fingerprint(content(document))}"


def variant(document: Mapping[str, Any]) -> dict[str, Any]:
    """Returns variant, family and the options as they were shown, and of orders the rerun.

    The harness goes through as many labels as its largest question has options. Where a question has fewer, it stands there once more in
    its own order for each label too many: the same prompt asked again, so those are reruns of that order.
    """
    options = document.get("options")
    shown = {"choices": options} if isinstance(options, list) else {}
    if "prompt_id" in document:
        return {"variant": f"prompt-{document['prompt_id']}", "family": "prompt", **shown}
    label, rerun = str(document["always_same_option"]), 0
    if isinstance(options, list) and label in _LABELS and isinstance(right := document.get("answer_index"), int):
        rerun = max(0, _LABELS.index(label) - len(options) + 1)
        label = _LABELS[right] if rerun and right < len(_LABELS) else label
    return {"variant": f"right-is-{label}", "family": "choice-order", "rerun": rerun, **shown}


def content(document: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what is the same in all variants of a document."""
    if "prompt" not in document or not ({"prompt_id", "always_same_option"} & set(document)):
        return dict(document)
    left = _VARIED | (_BY_ORDER if "always_same_option" in document else set())
    kept = {name: value for name, value in document.items() if name not in left}
    if "always_same_option" in document and isinstance(document.get("options"), list):
        kept["options"] = sorted(map(str, document["options"]))
    return kept


def verdict(fields: Mapping[str, Any]) -> tuple[str, float] | None:
    """Returns the answer that the task read and whether it is the right one; null where no metric of the row holds them.

    The metrics of these tasks are no numbers but tuples in which answer and right answer follow each other.
    """
    for name, place in (("consistency_rate", 2), ("non_greedy_macro_accuracy", 1)):
        value = fields.get(name)
        if isinstance(value, list) and len(value) > place + 1:
            return str(value[place]), float(value[place] == value[place + 1])
    for name, value in fields.items():
        if name.startswith("per_option_macro_accuracy_") and isinstance(value, list) and len(value) > 3:
            return str(value[2]), float(value[2] == value[3])
    return None
