"""HELM, promptfoo and DOVE: files written after the documented formats; the tools themselves were not run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sago.errors import DataError
from sago.runs import Answers, ReadOptions, read_answers

TYPOS = {"name": "misspellings", "robustness": True, "fairness": False, "computed_on": "perturbed", "prob": 0.5, "seed": 0}


def verdicts(answers: Answers) -> list[float | None]:
    return answers.features.filter(pl.col("feature") == "correct")["number"].to_list()


def given(answers: Answers) -> list[str | None]:
    return answers.features.filter(pl.col("feature") == "answer")["category"].to_list()


def helm_instance(name: str, text: str, perturbation: dict[str, Any] | None = None) -> dict[str, Any]:
    references = [{"output": {"text": "Mars"}, "tags": []}, {"output": {"text": "Venus"}, "tags": ["correct"]}]
    instance = {"input": {"text": text}, "references": references, "split": "test", "id": name}
    return instance | ({"perturbation": perturbation} if perturbation else {})


def _completion(text: str) -> dict[str, Any]:
    return {"text": text, "logprob": -0.1, "tokens": [{"text": text, "logprob": -0.1}], "finish_reason": {"reason": "length"}}


def helm_run(folder: Path, *, responses: tuple[str, ...] = (" B", " A", " B", " B")) -> Path:
    """Two instances, each plain and with misspellings, as multiple choice in one prompt."""
    folder.mkdir(parents=True, exist_ok=True)
    asked = [(name, kind) for name in ("id0", "id1") for kind in (None, TYPOS)]
    states, stats = [], []
    for (name, kind), response in zip(asked, responses, strict=True):
        states.append(
            {
                "instance": helm_instance(name, f"Hot {'plnaet' if kind else 'planet'} {name}?", kind),
                "train_trial_index": 0,
                "output_mapping": {"A": "Mars", "B": "Venus"},
                "request": {"model": "org/m", "prompt": f"Question: {name} {bool(kind)}\nA. Mars\nB. Venus\nAnswer:", "temperature": 0.0},
                "result": {
                    "success": True,
                    "cached": False,
                    "completions": [
                        {
                            "text": response,
                            "logprob": -0.1,
                            "tokens": [{"text": response, "logprob": -0.1}],
                            "finish_reason": {"reason": "length"},
                        }
                    ],
                },
            }
        )
        stats.append(
            {
                "instance_id": name,
                **({"perturbation": kind} if kind else {}),
                "train_trial_index": 0,
                "stats": [
                    {"name": {"name": "num_prompt_tokens", "split": "test"}, "count": 1, "mean": 17},
                    {"name": {"name": "exact_match", "split": "test"}, "count": 1, "mean": float(response == " B")},
                ],
            }
        )
    spec = {"name": "planets:subject=hot,model=org_m", "adapter_spec": {"model": "org/m", "method": "multiple_choice_joint"}}
    (folder / "run_spec.json").write_text(json.dumps(spec, indent=2), encoding="utf-8")
    state = {"adapter_spec": spec["adapter_spec"], "request_states": states}
    (folder / "scenario_state.json").write_text(json.dumps(state, indent=2), encoding="utf-8")
    (folder / "per_instance_stats.json").write_text(json.dumps(stats, indent=2), encoding="utf-8")
    return folder


@pytest.mark.parametrize("file", ["scenario_state.json", "per_instance_stats.json"])
def test_perturbations_of_helm_are_wordings(file: str, tmp_path: Path) -> None:
    answers = read_answers(helm_run(tmp_path / "run") / file)
    assert answers.observations.select("model", "dataset", "example", "variant", "decoding").rows() == [
        ("org/m", "planets:subject=hot", name, variant, "greedy")
        for name in ("id0", "id1")
        for variant in ("canonical", "misspellings prob=0.5 seed=0")
    ]
    assert answers.variants["family"].to_list() == ["canonical", "misspellings"] * 2
    assert verdicts(answers) == [1.0, 0.0, 1.0, 1.0]
    assert answers.variants["shown_choices"].to_list() == [["Mars", "Venus"]] * 4
    assert answers.examples["answers"].to_list() == [["Venus"]] * 2
    assert answers.observations["status"].to_list() == ["truncated"] * 4  # HELM stops after one token and says so
    assert answers.observations["token_logprobs"].to_list() == [[-0.1]] * 4


def test_helm_verdicts_alone(tmp_path: Path) -> None:
    folder = helm_run(tmp_path / "run")
    (folder / "scenario_state.json").unlink()
    answers = read_answers(folder / "per_instance_stats.json")
    assert given(answers) == ["correct", "incorrect", "correct", "correct"]
    assert answers.observations["model"].unique().to_list() == ["org/m"]
    with pytest.raises(DataError, match="no metric 'f1'"):
        read_answers(folder / "per_instance_stats.json", options=ReadOptions(metric="f1"))


def test_helm_predictions_as_shown(tmp_path: Path) -> None:
    folder = helm_run(tmp_path / "run")
    first = {"instance_id": "id0", "predicted_text": " B", "mapped_output": "Venus", "train_trial_index": 0, "stats": {"exact_match": 1.0}}
    changed = {"perturbation": TYPOS, "predicted_text": " A", "mapped_output": "Mars", "stats": {"exact_match": 0.0}}
    rows = [first, first | changed]
    (folder / "display_predictions.json").write_text(json.dumps(rows), encoding="utf-8")
    instances = [helm_instance("id0", "Hot planet?"), helm_instance("id0", "Hot plnaet?", TYPOS)]
    (folder / "instances.json").write_text(json.dumps(instances), encoding="utf-8")
    answers = read_answers(folder / "display_predictions.json")
    assert given(answers) == ["Venus", "Mars"]
    assert verdicts(answers) == [1.0, 0.0]


def test_failed_requests_of_helm_are_missing(tmp_path: Path) -> None:
    folder = helm_run(tmp_path / "run")
    data = json.loads((folder / "scenario_state.json").read_text(encoding="utf-8"))
    data["request_states"][1]["result"] = {"success": False, "cached": False, "completions": [], "error": "out of luck"}
    (folder / "scenario_state.json").write_text(json.dumps(data), encoding="utf-8")
    answers = read_answers(folder / "scenario_state.json")
    assert answers.observations["status"].to_list() == ["truncated", "error", "truncated", "truncated"]
    assert verdicts(answers) == [1.0, 1.0, 1.0]


_PROMPTS = ("Answer", "Please answer")


def promptfoo_row(prompt: int, test: int, question: str, output: str | None, **more: Any) -> dict[str, Any]:
    asserted = [{"type": "equals", "value": "4"}]
    response = {"output": output, "cached": more.pop("cached", False)} if output is not None else {"error": "API error: 500"}
    return {
        "promptIdx": prompt,
        "testIdx": test,
        "testCase": {"vars": {"question": question}, "assert": asserted},
        "promptId": f"hash{prompt}",
        "provider": {"id": "openai:m", "label": ""},
        "prompt": {"raw": f"{_PROMPTS[prompt]}: {question}", "label": f"{_PROMPTS[prompt]}: {{{{question}}}}"},
        "vars": {"question": question},
        "response": response,
        "success": output == "4",
        "score": float(output == "4"),
        "failureReason": 0 if output == "4" else 1 if output is not None else 2,
        "error": None if output == "4" else "Expected output to equal 4",
        "namedScores": {},
        "latencyMs": 1,
        **more,
    }


def promptfoo(path: Path, rows: list[dict[str, Any]]) -> Path:
    data = {
        "evalId": "eval-1",
        "results": {"version": 3, "timestamp": "2026-01-01", "prompts": [], "results": rows, "stats": {}},
        "config": {},
    }
    path.write_text(json.dumps(data, indent=2), encoding="utf-8")
    return path


def test_prompts_of_promptfoo_are_wordings_and_repeats_reruns(tmp_path: Path) -> None:
    """A repeat has a test number of its own, so that the number is no id."""
    rows = [
        promptfoo_row(prompt, 2 * repeat + place, question, ["4", "5"][(prompt + repeat) % 2])
        for repeat in (0, 1)
        for place, question in enumerate(("2 + 2?", "1 + 3?"))
        for prompt in (0, 1)
    ]
    answers = read_answers(promptfoo(tmp_path / "results.json", rows))
    assert answers.examples.height == 2
    assert answers.variants.height == 4
    assert sorted(answers.variants["variant"].unique()) == ["Answer: {{question}}", "Please answer: {{question}}"]
    assert answers.observations["rerun"].to_list() == [0, 0, 0, 0, 1, 1, 1, 1]
    assert answers.observations["model"].unique().to_list() == ["openai:m"]
    assert verdicts(answers) == [row["score"] for row in rows]
    assert answers.examples["answers"].to_list() == [["4"], ["4"]]
    assert set(answers.observations["status"]) == {"ok"}  # a failed assertion is a wrong answer, not an error


def test_repeats_out_of_promptfoos_cache_are_left_out(tmp_path: Path) -> None:
    rows = [promptfoo_row(0, test, "2 + 2?", "4", cached=test > 0) for test in range(3)]
    rows += [promptfoo_row(0, test, "1 + 3?", "4", cached=True) for test in range(3, 5)]
    answers = read_answers(promptfoo(tmp_path / "results.json", rows))
    assert answers.observations.height == 2
    assert any("3 repeats came out of promptfoo's cache" in note for note in answers.notes)


def test_failed_calls_of_promptfoo_are_missing(tmp_path: Path) -> None:
    rows = [promptfoo_row(0, 0, "2 + 2?", None), promptfoo_row(1, 0, "2 + 2?", "4")]
    answers = read_answers(promptfoo(tmp_path / "results.json", rows))
    assert answers.observations["status"].to_list() == ["error", "ok"]
    assert answers.observations["error"].to_list() == ["API error: 500", None]
    assert verdicts(answers) == [1.0]


def dove_rows() -> list[dict[str, Any]]:
    """One question with its options enumerated in two ways; the model says another letter and means the same."""
    same = {"dataset": "mmlu.anatomy", "model": "org/m", "quantization": "float16", "dimensions_3: choices_order": "none"}
    asked = {"dimensions_4: instruction_phrasing_text": "Question: {question}", "dimensions_5: shots": 0, "cumulative_logprob": -1.0}
    return [
        {
            **same,
            **asked,
            "evaluation_id": f"{index}{enumerator}",
            "sample_index": index,
            "dimensions_1: enumerator": enumerator,
            "dimensions_2: separator": "\\s",
            "raw_input": f"Question: hot {index}?\n{first} Mars {second} Venus",
            "generated_text": f" {second} Venus",
            "closest_answer": f"{second} Venus",
            "ground_truth": f"{second} Venus",
            "score": 1.0,
        }
        for index in (3, 7)
        for enumerator, first, second in (("capitals", "A.", "B."), ("numbers", "1.", "2."))
    ]


def test_dimensions_of_dove_are_wordings(tmp_path: Path) -> None:
    path = tmp_path / "mmlu.anatomy.parquet"
    pl.DataFrame(dove_rows()).write_parquet(path)
    answers = read_answers(path)
    assert answers.observations.select("model", "dataset", "example").unique().sort("example").rows() == [
        ("org/m", "mmlu.anatomy", "3"),
        ("org/m", "mmlu.anatomy", "7"),
    ]
    assert answers.variants.height == 4
    assert {name.split(" ")[0] for name in answers.variants["variant"]} == {"enumerator=capitals", "enumerator=numbers"}
    assert set(given(answers)) == {"venus"}
    assert verdicts(answers) == [1.0] * 4


def test_the_full_version_of_dove(tmp_path: Path) -> None:
    rows = [
        {
            "evaluation_id": row["evaluation_id"],
            "model": {"model_info": {"name": "org/m"}, "inference_settings": {"generation_args": {"temperature": None}}},
            "prompt_config": {
                "dimensions": {
                    "enumerator": row["dimensions_1: enumerator"],
                    "separator": "; ",
                    "choices_order": {"method": "none"},
                    "instruction_phrasing": {"name": "x", "text": "Question: {question}"},
                    "shots": 0,
                }
            },
            "instance": {
                "sample_identifier": {"dataset_name": "mmlu.anatomy", "hf_index": row["sample_index"]},
                "raw_input": row["raw_input"],
                "classification_fields": {"question": f"hot {row['sample_index']}?"},
            },
            "output": {"response": row["generated_text"]},
            "evaluation": {
                "evaluation_method": {"closest_answer": row["closest_answer"]},
                "ground_truth": row["ground_truth"],
                "score": 1.0,
            },
        }
        for row in dove_rows()
    ]
    path = tmp_path / "full.parquet"
    pl.DataFrame(rows).write_parquet(path)
    answers = read_answers(path)
    assert answers.variants.height == 4
    assert answers.examples["question"].to_list() == ["hot 3?", "hot 7?"]
    assert verdicts(answers) == [1.0] * 4


def test_dove_rows_of_one_index_with_other_answers_are_refused(tmp_path: Path) -> None:
    rows = dove_rows()
    rows[1]["ground_truth"] = "2. Pluto"
    path = tmp_path / "bad.parquet"
    pl.DataFrame(rows).write_parquet(path)
    with pytest.raises(DataError, match="not the same question") as told:
        read_answers(path)
    assert "row 1: right answer 'Venus'" in str(told.value)
    assert "row 2: right answer 'Pluto'" in str(told.value)


@pytest.mark.parametrize("wrong", ["scenario_state.json", "results.json"])
def test_the_format_can_be_said_and_what_is_no_log_is_refused(wrong: str, tmp_path: Path) -> None:
    path = tmp_path / wrong
    path.write_text('{"some": "thing"}', encoding="utf-8")
    with pytest.raises(DataError, match=r"HELM|promptfoo"):
        read_answers(path, options=ReadOptions(format="helm" if "state" in wrong else "promptfoo"))


def test_a_table_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text('{"id": 1, "variant": "a", "response": "B", "target": "B"}\n', encoding="utf-8")
    assert read_answers(path).examples["dataset"].to_list() == ["answers"]
    assert not any("read as" in note and "log" in note for note in read_answers(path).notes)
