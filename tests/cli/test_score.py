from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console
from tests.cli.test_cli import sago
from tests.runs.importers.written import answers_of, features_of, write_lines
from tests.runs.test_rescoring import rows

from sago.cli.score import _print_unparsed


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    given = rows()
    given[5]["response"] = "no idea"
    given[0]["note"] = "seen"
    return write_lines(tmp_path_factory.mktemp("answers") / "answers.jsonl", given)


@pytest.fixture(scope="module")
def out(answers: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "theirs"
    done = sago("score", answers, "--out", folder)
    assert done.returncode == 0, done.stderr
    for words in (
        "48 rows, model, dataset, example from 'id'",
        "target from 'gold'; not used: note",
        "x 1 of 12",
        str(folder / "report.html"),
    ):
        assert words in done.stdout
    return folder


def test_report_and_show_work_on_it(out: Path) -> None:
    report = json.loads(sago("report", out, "--format", "json").stdout)
    assert [row["axis"] for row in report["profiles"] if row["default"] and row["n"]] == ["generation"]
    assert report["run"]["study"]["recorded"]["sources"]
    assert "no idea" in sago("show", out, "1").stdout


def test_the_folder_is_scored_again(out: Path) -> None:
    done = sago("score", out, "--smallest-effect", "0.5", "--axes", "generation")
    assert done.returncode == 0, done.stderr
    assert "smallest instability of interest of .50" in " ".join(done.stdout.split())


def test_without_out_the_folder_is_named_after_the_file(answers: Path, tmp_path: Path) -> None:
    assert sago("score", answers, "--axes", "generation", "--limit", "5", cwd=tmp_path).returncode == 0
    assert (tmp_path / "runs" / "answers" / "report.html").is_file()


def test_standard_input(answers: Path, tmp_path: Path) -> None:
    done = sago("score", "-", "--axes", "generation", "--out", tmp_path / "run", stdin=answers.read_text(encoding="utf-8"))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["score", "nowhere.jsonl", "--out", "NEW"], "nowhere.jsonl"),
        (["score", "ANSWERS", "--canonical", "plain", "--out", "NEW"], "no variant is called 'plain'"),
        (["score", "ANSWERS", "--columns", "target=right", "--out", "NEW"], "no column 'right'"),
        (["score", "ANSWERS", "--columns", "target", "--out", "NEW"], "--columns"),
        (["score", "ANSWERS", "--read-as", "roman", "--out", "NEW"], "--read-as"),
        (["score", "ANSWERS", "--answer-pattern", "(", "--out", "NEW"], "--answer-pattern"),
        (["score", "ANSWERS", "--axes", "generatoin", "--out", "NEW"], "Did you mean generation"),
        (["score", "ANSWERS", "--measures", "degmatt", "--out", "NEW"], "unknown measure 'degmatt'"),
        (["score", "BROKEN", "--out", "NEW"], "line 2"),
        (["score", "RUN", "--canonical", "x"], "--canonical is for files of answers"),
        (["score", "EMPTY"], "no manifest.json"),
        (["run", "--out", "RUN", "--model", "planted:constant", "--data", "builtin-choice"], "holds recorded answers"),
        (["run", "STUDY"], "recorded answers"),
    ],
)
def test_bad_input_is_one_clear_message_and_nothing_is_written(
    answers: Path, out: Path, tmp_path: Path, arguments: list[str], message: str
) -> None:
    (tmp_path / "broken.jsonl").write_text('{"id": 1, "response": "A"}\n{"id": 2, "resp\n', encoding="utf-8")
    (tmp_path / "empty").mkdir()
    places = {
        "ANSWERS": str(answers),
        "RUN": str(out),
        "NEW": "new",
        "BROKEN": "broken.jsonl",
        "EMPTY": "empty",
        "STUDY": str(out / "study.yaml"),
    }
    done = sago(*(places.get(argument, argument) for argument in arguments), cwd=tmp_path)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "new").exists()


def test_variants_without_an_answer_are_listed_as_far_as_one_reads(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    calls = [{"id": number, "variant": f"v{number}", "response": "no idea", "gold": "A"} for number in range(20)]
    found = answers_of(tmp_path, calls)
    finished = SimpleNamespace(manifest={}, features=features_of(found))
    _print_unparsed(Console(width=1000), finished)  # type: ignore[arg-type]
    said = capsys.readouterr().out
    assert said.count(" 1 of 1") == 12
    assert said.endswith("and 8 more variants\n")
