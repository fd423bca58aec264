"""Logs that the LM Evaluation Harness itself writes: a tiny random model, tasks of its own kinds, nothing downloaded."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.models.local.tiny import network, tokenizer

QUESTIONS: tuple[dict[str, Any], ...] = tuple(
    {
        "id": f"q{place}",
        "question": f"Which of these is number {place}?",
        "choices": [f"red {place}", f"blue {place}", "green"],
        "gold": place % 3,
    }
    for place in range(8)
)

_DATA = """
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
"""
_CHOICE = """
output_type: multiple_choice
doc_to_choice: choices
doc_to_target: gold
metric_list: [{metric: acc}, {metric: acc_norm}]
"""
_TEXT = """
output_type: generate_until
doc_to_target: "{{choices[gold]}}"
generation_kwargs: {do_sample: false, max_gen_toks: 6, until: ["\\n"]}
metric_list: [{metric: exact_match}]
"""
_FILTERS = """
filter_list:
- {name: first-word, filter: [{function: regex, regex_pattern: '([a-zA-Z]+)'}, {function: take_first}]}
- {name: letter, filter: [{function: regex, regex_pattern: '([a-zA-Z])'}, {function: take_first}]}
"""
TASKS: Mapping[str, str] = {
    "pick": _CHOICE + 'doc_to_text: "Question: {{question}}\\nAnswer:"',
    "pick_bare": _CHOICE + 'doc_to_text: "{{question}}"',
    "pick_polite": _CHOICE + 'doc_to_text: "Please answer. {{question}} Thank you.\\nAnswer:"',
    "write": _TEXT + 'doc_to_text: "{{question}} Say it:"',
    "write_filtered": _TEXT + _FILTERS + 'doc_to_text: "{{question}} Say it:"',
    "write_thrice": _TEXT.replace("do_sample: false", "do_sample: true, temperature: 0.7")
    + 'repeats: 3\ndoc_to_text: "{{question}} Say it:"',
    "write_letter": _TEXT.replace("{{choices[gold]}}", "{{'ABC'[gold]}}")
    + 'doc_to_text: "{{question}}\\n<A> {{choices[0]}} <B> {{choices[1]}} <C> {{choices[2]}}\\nLetter:"',
    "write_score": _TEXT
    + """
doc_to_text: !function score.as_text
process_docs: !function score.in_prompts
process_results: !function score.judge
metric_list: [{metric: consistency_rate, aggregation: !function score.nothing}]
""",
    "write_score_orders": _TEXT
    + """
doc_to_text: !function score.as_text
process_docs: !function score.in_orders
process_results: !function score.judge_order
metric_list:
- {metric: per_option_macro_accuracy_A, aggregation: !function score.count}
- {metric: per_option_macro_accuracy_B, aggregation: !function score.count}
- {metric: per_option_macro_accuracy_C, aggregation: !function score.count}
- {metric: per_option_macro_accuracy_D, aggregation: !function score.count}
""",
}
"""Name of a task -> what sets it apart. ``write_score`` and its kin are built with the functions of the harness's own SCORE tasks."""

_SCORE = """
import json
from functools import partial
from pathlib import Path

from lm_eval.tasks.score import utils

in_prompts = partial(
    utils.process_docs_add_prompts, templates_key="prompts", template_file_path=str(Path(__file__).with_name("prompts.json")),
    dataset_specific_preprocess=lambda docs: docs.map(lambda doc: {"question_id": doc["id"], "options": doc["choices"]}),
)
in_orders = partial(
    utils.option_order_robustness_process_docs, templates_key="orders", template_file_path=str(Path(__file__).with_name("prompts.json")),
    labels=list("ABCD"), dataset_specific_preprocess=lambda docs: docs.map(
        lambda doc: {"question_id": doc["id"], "options": doc["choices"], "answer_index": doc["gold"], "answer": "ABC"[doc["gold"]]}
    ),
)
as_text = utils.robustness_doc_to_text


def judge(doc, results):
    return {"consistency_rate": (doc["question_id"], doc["prompt_id"], results[0][:1].upper(), "ABC"[doc["gold"]])}


def judge_order(doc, results):
    said = (doc["question_id"], doc["always_same_option"], results[0][:1].upper(), "ABC"[doc["answer_index"]], "all")
    return {f"per_option_macro_accuracy_{doc['always_same_option']}": said}


def count(items):
    return float(len(items))


def nothing(items):
    return utils.prompt_consistency_rate(items)
"""
_PROMPTS = {
    "prompts": [
        {"prompt": "{question}{options}", "options_format": " {letter}: {option}"},
        {"prompt": "Say: {question}{options}", "options_format": " {letter}) {option}"},
    ],
    "orders": {"prompt": "{question}{options}", "options_format": " {letter}: {option}"},
}


def save_model(folder: Path) -> Path:
    network("llama").save_pretrained(folder)
    tokenizer(template=None, pad_token="</s>").save_pretrained(folder)
    return folder


def save_tasks(folder: Path, questions: Sequence[Mapping[str, Any]] = QUESTIONS) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    data = folder / "questions.jsonl"
    data.write_text("\n".join(map(json.dumps, questions)) + "\n", encoding="utf-8")
    (folder / "score.py").write_text(_SCORE, encoding="utf-8")
    (folder / "prompts.json").write_text(json.dumps(_PROMPTS), encoding="utf-8")
    for name, text in TASKS.items():
        task = (
            _DATA.format(data=data) + text
            if not name.startswith("write_score")
            else _DATA.format(data=data) + text.replace("metric_list: [{metric: exact_match}]", "")
        )
        (folder / f"{name}.yaml").write_text(f"task: {name}\n{task}\n", encoding="utf-8")
    return folder


def evaluate(tasks: Sequence[str], folder: Path, model: Path, out: Path, **options: Any) -> dict[str, Any]:
    """Runs the harness as its command does, and returns its results."""
    from lm_eval import simple_evaluate
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    tracker = EvaluationTracker(output_path=str(out))
    results: Any = simple_evaluate(
        model="hf",
        model_args={"pretrained": str(model), "dtype": "float32", "device": "cpu"},
        tasks=list(tasks),
        task_manager=TaskManager(include_path=str(folder), include_defaults=False),
        evaluation_tracker=tracker,
        bootstrap_iters=0,
        **options,
    )
    samples = results.pop("samples")
    tracker.save_results_aggregated(results=results, samples=samples)
    for name in tasks:
        tracker.save_results_samples(task_name=name, samples=samples[name])
    return dict(results)
