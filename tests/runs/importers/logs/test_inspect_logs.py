from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.runs.importers.logs import real_inspect as real

from sago.errors import DataError, MissingExtraError
from sago.runs import Answers, ReadOptions, read_answers

pytest.importorskip("inspect_ai", reason="the extra 'inspect' is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")  # those of the framework


def features(answers: Answers, feature: str, column: str) -> list[Any]:
    return answers.features.filter(pl.col("feature") == feature)[column].to_list()


@pytest.mark.parametrize("log_format", ["eval", "json"])
def test_epochs_are_reruns_and_accuracy_is_the_logs_own(log_format: str, tmp_path: Path) -> None:
    from inspect_ai import Task
    from inspect_ai.scorer import choice
    from inspect_ai.solver import multiple_choice

    task = Task(dataset=real.choice_samples(), solver=multiple_choice(), scorer=choice(), name="colours")
    log = real.evaluate(task, real.model_that_says(lambda _, at: f"ANSWER: {'ABC'[at % 2]}"), tmp_path, epochs=2, log_format=log_format)
    answers = read_answers(log.location)
    assert answers.observations.select("model", "dataset").unique().rows() == [("mockllm/model", "colours")]
    assert answers.observations.sort("example", "rerun").select("example", "rerun").rows() == [
        (f"q{place}", rerun) for place in range(6) for rerun in (0, 1)
    ]
    right = features(answers, "correct", "number")
    assert sum(right) / len(right) == pytest.approx(log.results.scores[0].metrics["accuracy"].value)
    said = {(sample.id, sample.epoch - 1): sample.scores["choice"].answer for sample in log.samples}
    keys = answers.observations.select("example", "rerun").rows()
    assert features(answers, "answer", "category") == [real.COLOURS["ABC".index(said[key])] for key in keys]
    assert answers.variants["shown_choices"].to_list()[0] == list(real.COLOURS)


def test_shuffled_options_are_told(tmp_path: Path) -> None:
    from inspect_ai import Task
    from inspect_ai.scorer import choice
    from inspect_ai.solver import multiple_choice

    task = Task(dataset=real.choice_samples(), solver=multiple_choice(shuffle=True), scorer=choice(), name="colours")
    log = real.evaluate(task, real.model_that_says(lambda _, at: "ANSWER: A"), tmp_path)
    answers = read_answers(log.location)
    right = features(answers, "correct", "number")
    assert sum(right) / 6 == pytest.approx(log.results.scores[0].metrics["accuracy"].value)
    picked = zip(features(answers, "answer", "category"), answers.examples["answers"].to_list(), strict=True)
    assert [float(answer == target[0]) for answer, target in picked] == right
    assert any("samples were shuffled before the model saw them" in note for note in answers.notes)


def sums(tmp_path: Path, template: str | None, say: Any, **options: Any) -> Any:
    from inspect_ai import Task
    from inspect_ai.scorer import includes, match
    from inspect_ai.solver import generate, prompt_template

    solver = [generate()] if template is None else [prompt_template(template), generate()]
    task = Task(dataset=real.open_samples(), solver=solver, scorer=[match(numeric=True), includes()], name="sums")
    return real.evaluate(task, real.model_that_says(say), tmp_path, **options)


def test_logs_of_one_task_with_other_prompts_are_wordings(tmp_path: Path) -> None:
    plain = sums(tmp_path, None, lambda _, at: f"It is {at + 1}", temperature=0.0)
    polite = sums(tmp_path, "Please: {prompt}", lambda _, at: f"It is {at}", temperature=0.0)
    answers = read_answers(plain.location, polite.location, options=ReadOptions(canonical="generate"))
    assert sorted(answers.variants["variant"].unique()) == ["canonical", "prompt_template(template=Please: {prompt}), generate"]
    assert set(answers.observations["decoding"]) == {"greedy"}
    asked = {row["variant"]: row["messages"][0]["content"] for row in answers.variants.filter(pl.col("example") == "t2").to_dicts()}
    assert sorted(asked.values()) == ["Please: What is 2+1?", "What is 2+1?"]
    by_variant = answers.observations.select("variant").with_columns(right=pl.Series(features(answers, "correct", "number")))
    assert dict(by_variant.group_by("variant").agg(pl.col("right").mean()).iter_rows()) == {
        "canonical": 1.0,
        "prompt_template(template=Please: {prompt}), generate": 0.0,
    }


def test_the_same_prompts_again_are_reruns(tmp_path: Path) -> None:
    both = [sums(tmp_path, None, lambda _, at, more=more: f"It is {at + more}", temperature=0.5).location for more in (0, 1)]
    answers = read_answers(*both)
    assert answers.variants["variant"].unique().to_list() == ["canonical"]
    assert answers.observations["rerun"].value_counts().sort("rerun").rows() == [(0, 6), (1, 6)]


def test_another_scorer_and_one_that_is_not_there(tmp_path: Path) -> None:
    log = sums(tmp_path, None, lambda _, at: f"{at + 1} it is, out of 77")
    assert features(read_answers(log.location, options=ReadOptions(metric="includes")), "correct", "number") == [1.0] * 6
    assert features(read_answers(log.location), "correct", "number") == [0.0] * 6
    with pytest.raises(DataError, match=r"no scorer 'f1'\. Scorers: match, includes"):
        read_answers(log.location, options=ReadOptions(metric="f1"))


def test_samples_in_error_are_missing_data_and_not_wrong_answers(tmp_path: Path) -> None:
    def say(_: str, at: int) -> str:
        if at == 2:
            raise RuntimeError("no luck")
        return f"It is {at + 1}"

    log = sums(tmp_path, None, say, fail_on_error=False)
    answers = read_answers(log.location)
    lost = answers.observations.filter(pl.col("example") == "t2")
    assert lost["status"].to_list() == ["error"]
    assert "no luck" in lost["error"][0]
    assert features(answers, "correct", "number") == [1.0] * 5


def test_a_log_without_answers_says_why(tmp_path: Path) -> None:
    def say(_: str, __: int) -> str:
        raise RuntimeError("no luck")

    log = sums(tmp_path, None, say, fail_on_error=False)
    with pytest.raises(DataError, match=r"none of its 6 samples has an answer; the first error: .*no luck"):
        read_answers(log.location)


def test_ids_that_mean_other_questions(tmp_path: Path) -> None:
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.scorer import match

    def log(name: str, questions: list[str]) -> str:
        samples = [Sample(input=question, target=question[-1]) for question in questions]  # without ids: Inspect counts them
        task = Task(dataset=samples, scorer=match(), name=name)
        return str(real.evaluate(task, real.model_that_says(lambda asked, _: asked[-1]), tmp_path).location)

    one, other = log("sums_a", ["say 1", "say 2"]), log("sums_b", ["say 2", "say 1"])
    with pytest.raises(DataError, match="the same id is not the same question") as told:
        read_answers(one, other)
    assert "sample 1: input 'say 1'" in str(told.value)
    assert "sample 1: input 'say 2'" in str(told.value)
    reworded = log("sums_c", ["tell 1", "tell 2"])
    with pytest.raises(DataError, match="--trust-ids"):
        read_answers(one, reworded)
    joined = read_answers(one, reworded, options=ReadOptions(trust_ids=True))
    assert joined.variants.height == 4


def test_the_package_is_named_where_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.json"
    path.write_text('{"version": 2, "status": "success", "eval": {"task": "x", "model": "y"}}', encoding="utf-8")
    monkeypatch.setitem(sys.modules, "inspect_ai.log", None)
    with pytest.raises(MissingExtraError, match="sago-eval\\[inspect\\]"):
        read_answers(path)


def test_a_copy_of_a_log_is_no_rerun(tmp_path: Path) -> None:
    log = Path(sums(tmp_path, None, lambda _, at: f"It is {at}").location)
    copy = tmp_path / "copy.eval"
    copy.write_bytes(log.read_bytes())
    with pytest.raises(DataError, match="holds the same evaluation as"):
        read_answers(log, copy)
