from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.runs.importers.logs import real_inspect as real

from sago.errors import StudyError
from sago.pipeline import score_answers
from sago.study import Study

pytest.importorskip("inspect_ai", reason="the extra 'inspect' is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")  # those of the framework


def colours(count: int = 6) -> Any:
    from inspect_ai import Task
    from inspect_ai.scorer import choice
    from inspect_ai.solver import multiple_choice

    return Task(dataset=real.choice_samples(count), solver=multiple_choice(), scorer=choice(), name="colours")


def sums() -> Any:
    from inspect_ai import Task
    from inspect_ai.scorer import match

    return Task(dataset=real.open_samples(8), scorer=match(numeric=True), name="sums")


def sample_of(place: int, task: Any) -> Any:
    return list(task.dataset)[place]


def metrics(log: Any) -> dict[str, float]:
    """Numbers of all metrics as Inspect shows them: those over epochs stand apart from those of all answers."""
    return {name: metric.value for score in log.results.scores for name, metric in score.metrics.items()}


def test_a_model_that_follows_the_letter_is_unstable_to_the_order(tmp_path: Path) -> None:
    """It always says A: with choices in other orders that is another colour, and the target moves along."""
    from sago.integrations.inspect import with_wordings

    task = with_wordings(colours(), ["choice-order:n=3"], reruns=2)
    assert len(task.dataset) == 6 * 4
    for sample in (sample_of(place, task) for place in range(24)):
        assert sample.choices["ABC".index(str(sample.target))] == sample.metadata["sago"]["answer"]
    log = real.evaluate(task, real.model_that_says(lambda *_: "ANSWER: A"), tmp_path)
    found = metrics(log)
    assert found["rerun"] == 0
    assert found["across"] > 0.5


def test_the_metric_is_what_sago_score_says_of_the_log(tmp_path: Path) -> None:
    from sago.integrations.inspect import with_wordings

    def say(asked: str, at: int) -> str:
        return f"It is {len(asked) % 3 + (at % 7 == 0)}"

    log = real.evaluate(with_wordings(sums(), ["typo", "surface"], reruns=3), real.model_that_says(say), tmp_path, temperature=0.7)
    run = score_answers(log.location, tmp_path / "run", study=Study(axes=["generation"]))
    cell = run.profiles.filter("default").row(0, named=True)
    found = metrics(log)
    for name in ("across", "rerun", "unrelated", "instability", "se"):
        assert found[name] == pytest.approx(cell[name]), name
    assert 0 < found["rerun"] < found["across"]
    assert run.variants.group_by("variant").len().height > 2
    assert run.observations["rerun"].unique().sort().to_list() == [0, 1, 2]
    assert run.variants.filter(pl.col("family") == "canonical").height == 8
    assert run.examples["question"].to_list() == [f"What is {place}+1?" for place in range(8)]


def test_what_the_task_had_stays(tmp_path: Path) -> None:
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser
    from inspect_ai.scorer import match

    from sago.integrations.inspect import with_wordings

    messages: list[Any] = [ChatMessageSystem(content="Be brief."), ChatMessageUser(content="Name the largest planet of all.")]
    sample = Sample(input=messages, target="Jupiter", metadata={"level": 2})
    task = with_wordings(Task(dataset=[sample], scorer=match(), name="planets"), ["case"])
    first, second = (sample_of(place, task) for place in (0, 1))
    assert [message.text for message in first.input] == ["Be brief.", "Name the largest planet of all."]
    assert second.input[0].text == "Be brief."
    assert second.input[1].text.casefold() == "name the largest planet of all."
    assert second.input[1].text != first.input[1].text
    assert (first.id, first.metadata["level"], first.target) == ("1/canonical", 2, "Jupiter")


def test_a_family_that_has_nothing_to_change_is_refused() -> None:
    from sago.integrations.inspect import with_wordings

    with pytest.raises(StudyError, match="format changes neither a question nor the order"):
        with_wordings(colours(), ["format"])
    with pytest.raises(StudyError, match="no family made another wording"):
        with_wordings(colours(), ["identity"])
    with pytest.raises(StudyError, match="0 reruns"):
        with_wordings(colours(), ["typo"], reruns=0)
