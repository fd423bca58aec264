from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest
from tests.runs.importers.logs import real_lm_eval as real

from sago.errors import DataError
from sago.pipeline import score_answers
from sago.runs import Answers, ReadOptions, read_answers
from sago.study import Study

pytestmark = pytest.mark.filterwarnings("ignore")  # those of the harness and its data sets


class Logs(NamedTuple):
    """What one run of the harness wrote."""

    folder: Path
    results: dict[str, Any]

    def of(self, *tasks: str) -> list[Path]:
        return [next(self.folder.glob(f"samples_{task}_2*.jsonl")) for task in tasks]

    def rows(self, task: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.of(task)[0].read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Logs:
    pytest.importorskip("lm_eval", reason="the extra 'lm-eval' is not installed")
    library = pytest.importorskip("datasets", reason="the extra 'lm-eval' is not installed")
    root = tmp_path_factory.mktemp("harness")
    before, library.config.HF_DATASETS_CACHE = library.config.HF_DATASETS_CACHE, root / "cache"
    try:
        results = real.evaluate(list(real.TASKS), real.save_tasks(root / "tasks"), real.save_model(root / "tiny"), root / "out")
    finally:
        library.config.HF_DATASETS_CACHE = before
    return Logs(next((root / "out").iterdir()), results["results"])


def read(logs: Logs, *tasks: str, **options: Any) -> Answers:
    return read_answers(*logs.of(*tasks), options=ReadOptions(**options))


def numbers(answers: Answers, feature: str = "correct") -> list[float | None]:
    return answers.features.filter(pl.col("feature") == feature)["number"].to_list()


def test_likelihoods_become_answers_probabilities_and_the_harnesss_own_accuracy(logs: Logs) -> None:
    answers, rows = read(logs, "pick"), logs.rows("pick")
    assert answers.observations["model"].unique().to_list() == ["tiny"]
    assert answers.observations["example"].to_list() == [f"q{place}" for place in range(8)]
    logged = [[float(one[0][0]) for one in row["resps"]] for row in rows]
    assert answers.observations["choice_logprobs"].to_list() == logged
    assert sum(map(float, filter(None, numbers(answers)))) / 8 == logs.results["pick"]["acc,none"]
    given = answers.features.filter(pl.col("feature") == "answer")["category"].to_list()
    assert given == [row["doc"]["choices"][values.index(max(values))] for row, values in zip(rows, logged, strict=True)]
    assert answers.examples["answers"].to_list() == [[row["doc"]["choices"][row["doc"]["gold"]]] for row in rows]
    assert [one[0]["content"] for one in answers.variants["messages"].to_list()] == [
        f"Question: {row['doc']['question']}\nAnswer:" for row in rows
    ]


def test_another_metric_of_the_log(logs: Logs) -> None:
    answers = read(logs, "pick", metric="acc_norm")
    assert sum(map(float, filter(None, numbers(answers)))) / 8 == logs.results["pick"]["acc_norm,none"]
    right = answers.features.filter(pl.col("feature") == "answer")["category"] == answers.examples["answers"].list.first()
    assert right.cast(pl.Float64).to_list() == numbers(answers)
    with pytest.raises(DataError, match=r"no metric 'f1'.*acc, acc_norm"):
        read(logs, "pick", metric="f1")


def test_one_log_a_prompt_is_one_wording_each(logs: Logs) -> None:
    answers = read(logs, "pick", "pick_bare", "pick_polite")
    assert answers.examples["dataset"].unique().to_list() == ["pick"]
    assert sorted(answers.variants["variant"].unique().to_list()) == ["canonical", "pick_bare", "pick_polite"]
    accuracy = answers.observations.select("variant").with_columns(right=pl.Series(numbers(answers))).group_by("variant").mean()
    assert dict(accuracy.iter_rows()) == {
        "canonical": logs.results["pick"]["acc,none"],
        "pick_bare": logs.results["pick_bare"]["acc,none"],
        "pick_polite": logs.results["pick_polite"]["acc,none"],
    }


def test_rows_are_joined_by_id_and_content_not_by_line(logs: Logs, tmp_path: Path) -> None:
    """The second log is turned around: every number of every cell stays."""
    bare = logs.of("pick_bare")[0]
    turned = tmp_path / bare.name
    turned.write_text("\n".join(reversed(bare.read_text(encoding="utf-8").splitlines())) + "\n", encoding="utf-8")
    results = next(bare.parent.glob("results_*.json"))
    (tmp_path / results.name).write_bytes(results.read_bytes())  # it has the name of the model
    study = Study(axes=["generation", "confidence"])
    first = score_answers([*logs.of("pick"), bare], tmp_path / "one", study=study)
    second = score_answers([*logs.of("pick"), turned], tmp_path / "two", study=study)
    assert first.profiles.filter("default")["axis"].sort().to_list() == ["confidence", "generation"]
    keys, shown = ["axis", "measure", "example"], ["across", "unrelated", "instability"]
    one, two = (run.scores.sort(keys).select(*keys, *shown) for run in (first, second))
    assert one["across"].drop_nulls().sum() > 0
    assert one.equals(two)


def test_an_id_of_another_question_shows_both_rows(logs: Logs, tmp_path: Path) -> None:
    rows = logs.rows("pick_bare")
    rows[2]["doc"], rows[5]["doc"] = ({**rows[5]["doc"], "id": "q2"}, {**rows[2]["doc"], "id": "q5"})
    moved = tmp_path / logs.of("pick_bare")[0].name
    moved.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    with pytest.raises(DataError, match="the same id is not the same question") as told:
        read_answers(*logs.of("pick"), moved)
    text = str(told.value)
    assert f"{logs.of('pick')[0]}, line 3: question 'Which of these is number 2?'" in text
    assert f"{moved}, line 3: question 'Which of these is number 5?'" in text


def test_tasks_of_other_questions_are_no_wordings(logs: Logs, tmp_path: Path) -> None:
    rows = logs.rows("pick_bare")
    for row in rows:
        row["doc"]["id"] = f"other-{row['doc']['id']}"
    other = tmp_path / logs.of("pick_bare")[0].name
    other.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    with pytest.raises(DataError, match="no example in common"):
        read_answers(*logs.of("pick"), other)


def test_generated_text_and_its_verdict(logs: Logs) -> None:
    answers, rows = read(logs, "write"), logs.rows("write")
    assert answers.observations["response"].to_list() == [row["resps"][0][0] for row in rows]
    assert set(answers.observations["decoding"]) == {"greedy"}
    assert numbers(answers) == [row["exact_match"] for row in rows]
    assert "answer" not in answers.features["feature"].to_list()


@pytest.mark.parametrize(("chosen", "used"), [(None, "first-word"), ("letter", "letter")])
def test_of_several_filters_one_is_taken(chosen: str | None, used: str, logs: Logs) -> None:
    answers = read(logs, "write_filtered", filter=chosen)
    rows = [row for row in logs.rows("write_filtered") if row["filter"] == used]
    assert answers.observations.height == len(rows) == 8
    assert any(f"filter '{used}' of first-word, letter" in note for note in answers.notes)
    found = answers.features.filter(pl.col("feature") == "answer")["category"].to_list()
    assert found == [None if row["filtered_resps"][0] == "[invalid]" else row["filtered_resps"][0].lower() for row in rows]
    with pytest.raises(DataError, match="no filter 'strict'"):
        read(logs, "write_filtered", filter="strict")


def test_repeats_are_reruns(logs: Logs) -> None:
    answers = read(logs, "write_thrice")
    assert answers.observations["rerun"].to_list() == [0, 1, 2] * 8
    assert set(answers.observations["decoding"]) == {"sampled"}
    assert answers.observations["response"].to_list() == [reply for row in logs.rows("write_thrice") for reply in row["resps"][0]]


def test_generated_letters_mean_the_options_that_the_prompt_shows(logs: Logs) -> None:
    answers = read(logs, "write_letter")
    assert answers.variants["shown_choices"].to_list() == [[f"red {place}", f"blue {place}", "green"] for place in range(8)]
    assert any("cut off at 6 tokens" in note for note in answers.notes)
    # A prompt that asks without its options: the text is the answer, although the document lists some.
    assert read(logs, "write").variants["shown_choices"].to_list() == [None] * 8


def test_orders_of_a_score_task_are_wordings_and_labels_too_many_are_reruns(logs: Logs) -> None:
    answers, rows = read(logs, "write_score_orders"), logs.rows("write_score_orders")
    assert len(rows) == answers.observations.height == 32
    assert answers.examples["example"].to_list() == [f"q{place}" for place in range(8)]
    counted = answers.observations.group_by("example", "variant").len().sort("example", "variant")
    # Three options under four labels: the fourth prompt is the question's own order again.
    assert counted.rows() == [
        (f"q{place}", f"right-is-{label}", 2 if "ABC".index(label) == place % 3 else 1) for place in range(8) for label in "ABC"
    ]
    first = next(row for row in rows if row["doc"]["question_id"] == "q1" and row["doc"]["always_same_option"] == "A")
    kept = answers.variants.filter((pl.col("example") == "q1") & (pl.col("variant") == "right-is-A")).row(0, named=True)
    assert kept["shown_choices"] == first["doc"]["options"] == ["blue 1", "red 1", "green"]
    given = answers.features.filter(pl.col("feature") == "correct")
    assert given.height == 32


def test_prompts_of_a_score_task_are_wordings(logs: Logs) -> None:
    answers = read(logs, "write_score")
    assert answers.observations.select("example", "variant").unique().height == 16
    assert sorted(answers.variants["variant"].unique()) == ["prompt-0", "prompt-1"]
    assert answers.examples["example"].to_list() == [f"q{place}" for place in range(8)]
    rows = logs.rows("write_score")
    assert numbers(answers) == [float(row["consistency_rate"][2] == row["consistency_rate"][3]) for row in rows]
