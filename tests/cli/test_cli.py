"""The command line as a person meets it: in its own process, from the outside."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sago import registry, schemas
from sago.cli.app import VERBS, main
from sago.cli.flags import flag_names
from sago.study import Study

QUESTIONS: list[dict[str, Any]] = [
    {"id": "q1", "question": "Which planet is the hottest one?", "choices": ["Mars", "Venus", "Earth"], "answer": "Venus"},
    {"id": "q2", "question": "Which animal barks at strangers?", "choices": ["cat", "cow", "dog"], "answer": 2},
    {"id": "q3", "question": "Which metal is liquid at room temperature?", "choices": ["iron", "mercury", "gold"], "answer": "B"},
]


def sago(*arguments: str | Path, cwd: Path | None = None, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    """Calls the command line in this process, which saves its start."""
    out, errors, given = io.StringIO(), io.StringIO(), io.TextIOWrapper(io.BytesIO((stdin or "").encode()))
    code: object = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors), contextlib.chdir(cwd or Path.cwd()):
        before, sys.stdin = sys.stdin, given
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as leaving:
            code = leaving.code
        finally:
            sys.stdin = before
    return subprocess.CompletedProcess(list(arguments), int(str(code or 0)), out.getvalue(), errors.getvalue())


def in_a_process(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from sago.cli import main; main()", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_in_a_process_of_its_own_it_leaves_with_the_same_codes(tmp_path: Path) -> None:
    assert in_a_process("--version").returncode == 0
    refused = in_a_process("report", tmp_path / "nowhere")
    assert (refused.returncode, "Traceback" in refused.stderr) == (2, False)
    assert "no such folder" in refused.stderr


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, QUESTIONS)) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def finished(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "first"
    done = sago("run", "--model", "planted:always-first-option", "--data", data, "--variations", "choice-order,typo,identity", "--out", out)
    assert done.returncode == 0, done.stderr
    assert "always-first-option" in done.stdout
    assert str(out / "report.html") in done.stdout
    return out


@pytest.mark.parametrize("verb", list(VERBS))
def test_every_verb_has_help_with_its_summary(verb: str) -> None:
    shown = sago(verb, "--help")
    assert shown.returncode == 0
    assert "Usage: sago" in shown.stdout


def test_help_lists_every_verb_and_version_is_printed() -> None:
    overview = sago("--help").stdout
    assert all(verb in overview for verb in VERBS)
    assert sago("--version").stdout.startswith("sago 0.")


def test_every_study_field_is_a_flag_of_run() -> None:
    import os

    command = [sys.executable, "-c", "from sago.cli import main; main()", "run", "--help"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "200"}).stdout
    missing = [field for field in Study.model_fields if flag_names(field)[0] not in shown]
    assert missing == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "--data", "nowhere.jsonl", "--out", "OUT"], "nowhere.jsonl"),
        (["run", "--data", "EMPTY", "--out", "OUT"], "no items"),
        (["run", "--model", "hf:./no/such/model", "--data", "DATA", "--out", "OUT"], "no/such/model"),
        (["run", "--model", "embeded", "--data", "DATA", "--out", "OUT"], "Did you mean embedded"),
        (["run", "--variations", "tipo", "--data", "DATA", "--out", "OUT"], "Did you mean typo"),
        (["run", "--variations", "typo:rat=1", "--data", "DATA", "--out", "OUT"], "rat"),
        (["run", "--axes", "mirrorin", "--data", "DATA", "--out", "OUT"], "Did you mean mirroring"),
        (["run", "--columns", "question", "--data", "DATA", "--out", "OUT"], "--columns"),
        (["run", "--temperature", "0", "--data", "DATA", "--out", "OUT"], "temperature"),
        (["run", "--rerun", "3", "--data", "DATA", "--out", "OUT"], "--rerun"),
        (["run", "no-study.yaml", "--out", "OUT"], "no-study.yaml"),
        (["report", "OUT"], "no such folder"),
        (["show", "OUT", "q1"], "no such folder"),
        (["vary", "DATA", "--out", "variants.docx"], "FILE.parquet"),
        (["list", "modells"], "modells"),
        (["frobnicate"], "frobnicate"),
    ],
)
def test_bad_input_is_one_clear_message_code_2_and_nothing_written(tmp_path: Path, data: Path, arguments: list[str], message: str) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    places = {"DATA": str(data), "EMPTY": "empty.jsonl", "OUT": "out"}
    done = sago(*(places.get(argument, argument) for argument in arguments), cwd=tmp_path)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_the_same_command_observes_nothing_twice(data: Path, finished: Path) -> None:
    before = sorted(path.name for path in (finished / "observations").iterdir())
    again = sago(
        "run", "--model", "planted:always-first-option", "--data", data, "--variations", "choice-order,typo,identity", "--out", finished
    )
    assert again.returncode == 0, again.stderr
    assert sorted(path.name for path in (finished / "observations").iterdir()) == before


def test_another_seed_is_refused_by_name(data: Path, finished: Path) -> None:
    arguments = ["--model", "planted:always-first-option", "--data", str(data), "--variations", "choice-order,typo,identity"]
    other = sago("run", *arguments, "--seed", "7", "--out", finished)
    assert other.returncode == 2
    assert "seed was 0, now 7" in other.stderr


def test_a_study_file_and_flags_agree(tmp_path: Path, data: Path) -> None:
    study = Study(models=["planted:constant"], data=[str(data)], variations=["case"], axes=["generation"])
    (tmp_path / "study.yaml").write_text(study.to_yaml(), encoding="utf-8")
    done = sago("run", tmp_path / "study.yaml", "--max-new-tokens", "5", "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    assert "max_new_tokens: 5" in (tmp_path / "run" / "study.yaml").read_text()


def test_json_report_keeps_its_contract(finished: Path) -> None:
    report: dict[str, Any] = json.loads(sago("report", finished, "--format", "json").stdout)
    assert {"run", "profiles", "status_counts", "accuracy", "controls", "findings", "schema_version"} <= set(report)
    needed = {"model", "dataset", "axis", "measure", "n", "across", "rerun", "unrelated", "instability", "se", "lower", "upper", "reason"}
    needed |= {"across_se", "across_lower", "across_upper", "decoding", "family", "default"}
    assert all(needed <= set(row) for row in report["profiles"])
    assert {row["axis"] for row in report["profiles"]} == set(registry.names("axes"))
    assert {"kind", "instability", "lower", "upper", "n"} <= set(report["controls"][0])


def test_default_is_true_for_exactly_one_measure_of_each_cell(finished: Path) -> None:
    profiles = pl.read_parquet(finished / "profiles.parquet").filter(pl.col("family").is_null() & pl.col("layer").is_null())
    counts = profiles.group_by("model", "dataset", "axis", "decoding").agg(pl.col("default").sum())
    assert set(counts["default"]) == {1}


def test_html_report_can_be_written_elsewhere(tmp_path: Path, finished: Path) -> None:
    done = sago("report", finished, "--format", "html", "--out", tmp_path / "page.html")
    assert done.stdout.strip() == str(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8").lower().startswith("<!doctype html>")


def test_show_lays_wordings_and_answers_side_by_side(finished: Path) -> None:
    shown = sago("show", finished, "q2").stdout
    assert all(text in shown for text in ("canonical", "typo-1", "choice-order"))
    assert sago("show", finished, "q9").returncode == 2


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_variants_are_written_and_read_back(tmp_path: Path, data: Path, ending: str) -> None:
    out = tmp_path / f"variants.{ending}"
    done = sago("vary", data, "--variations", "typo:n=2,rate=0.1,case", "--out", out)
    assert done.returncode == 0, done.stderr
    variants = pl.read_parquet(out) if ending == "parquet" else pl.read_ndjson(out, schema=schemas.dtypes("variants"))
    assert {"canonical", "typo-1", "typo-2", "case-upper"} <= set(variants["variant"])
    assert "Wordings" in done.stdout


def test_people_review_wordings_and_a_run_uses_what_is_left(tmp_path: Path) -> None:
    ask = ("vary", "builtin-choice", "--limit", "4", "--variations", "paraphrase,case")
    first = sago(*ask, "--review", "sheet.csv", "--review-size", "3", "--show", "0", cwd=tmp_path)
    assert "3 wordings to review" in first.stdout
    assert sago(*ask, "--review", "sheet.csv", cwd=tmp_path).returncode == 2, "nobody's work is written over"
    sheet = tmp_path / "sheet.csv"
    header, *rows = csv.reader(io.StringIO(sheet.read_text(encoding="utf-8-sig")))
    for row, verdict in zip(rows, ("no", "yes", "yes"), strict=True):
        row[header.index("same_meaning_1")] = verdict
    with sheet.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    second = sago(*ask, "--apply", "sheet.csv", "--out", "v.parquet", cwd=tmp_path)
    assert second.returncode == 0, second.stderr
    assert "One person reviewed 3" in " ".join(second.stdout.split())
    assert "not used: failed review" in second.stdout or rows[0][header.index("example")] not in second.stdout
    run = ("--model", "planted:constant", "--data", "builtin-choice", "--limit", "4", "--axes", "generation")
    third = sago("run", *run, "--variants", "v.parquet", "--out", "run", cwd=tmp_path)
    assert third.returncode == 0, third.stderr
    assert "1 does not mean the same" in " ".join(third.stdout.split())
    asked = pl.read_parquet(tmp_path / "run" / "variants.parquet").select("example", "variant").rows()
    assert (rows[0][header.index("example")], rows[0][header.index("variant")]) not in asked


def test_wordings_are_checked_by_the_encoder(tmp_path: Path) -> None:
    done = sago(
        "vary", "builtin-choice", "--limit", "3", "--variations", "paraphrase", "--checks", "encoder@0.99", "--out", tmp_path / "v.jsonl"
    )
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in (tmp_path / "v.jsonl").read_text(encoding="utf-8").splitlines()]
    judged = [row for row in rows if row["judgements"]]
    assert judged
    assert all((row["rejected"] == "encoder") == (row["judgements"][0]["value"] < 0.99) for row in judged)
    assert sago("vary", "builtin-choice", "--checks", "cosine").returncode == 2


def test_questions_come_from_standard_input(tmp_path: Path) -> None:
    done = sago("vary", "-", "--variations", "case", stdin="\n".join(map(json.dumps, QUESTIONS)))
    assert done.returncode == 0, done.stderr
    assert "HOTTEST" in done.stdout


def test_plan_counts_and_writes_nothing(tmp_path: Path, data: Path) -> None:
    done = sago("plan", "--model", "planted:echo", "--data", data, "--variations", "case", "--reruns", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Nothing was run" in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", list(registry.GROUPS))
def test_list_names_everything_registered(kind: registry.Group) -> None:
    shown = sago("list", kind).stdout
    assert all(name in shown for name in registry.names(kind))


def test_list_names_every_measure_and_says_nothing_of_papers_that_a_reader_lacks() -> None:
    from sago.axes import COMPANIONS

    brief, whole = sago("list").stdout, sago("list", "measures").stdout
    assert all(name in brief and name in whole for name in COMPANIONS)
    assert "METRICS" not in whole
    assert "built in: 30 questions with options" in brief


def run_planted(model: str, data: Path, out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return sago("run", "--model", f"planted:{model}", "--data", data, "--variations", "choice-order,identity", "--out", out, *more)


def test_gold_answers_that_changed_are_read_again(tmp_path: Path) -> None:
    rows = [{**row, "answer": row["choices"][0]} for row in QUESTIONS]
    data = tmp_path / "gold.jsonl"
    data.write_text("\n".join(map(json.dumps, QUESTIONS)))
    run_planted("constant", data, tmp_path / "run")
    assert pl.read_parquet(tmp_path / "run" / "accuracy.parquet")["canonical"].to_list() == [0.0]
    data.write_text("\n".join(map(json.dumps, rows)))
    assert run_planted("constant", data, tmp_path / "run").returncode == 0
    assert pl.read_parquet(tmp_path / "run" / "accuracy.parquet")["canonical"].to_list() == [1.0]


def test_a_run_folder_may_be_named_like_a_pattern(tmp_path: Path, data: Path) -> None:
    assert run_planted("echo", data, tmp_path / "a").returncode == 0
    done = run_planted("constant", data, tmp_path / "[a]")
    assert done.returncode == 0, done.stderr
    assert "planted-constant" in done.stdout
    assert "planted-echo" not in done.stdout
    assert run_planted("constant", data, tmp_path / "x[" / "y").returncode == 0


def test_ids_are_no_markup_and_no_control_codes(tmp_path: Path) -> None:
    hostile = ["[/]x", "[red]", "\x1b[31mred\x1b[0m [bold]"]
    data = tmp_path / "hostile.jsonl"
    data.write_text("\n".join(json.dumps({**row, "id": name, "answer": None}) for name, row in zip(hostile, QUESTIONS, strict=True)))
    done = run_planted("constant", data, tmp_path / "run")
    assert done.returncode == 0, done.stderr
    assert "[/]x" in done.stderr
    for name in hostile:
        shown = sago("show", tmp_path / "run", name)
        assert shown.returncode == 0, shown.stderr
        assert "\x1b" not in shown.stdout
    assert "[red]" in sago("vary", data, "--show", "3").stdout


def test_two_runs_are_shown_together_only_where_they_asked_the_same(tmp_path: Path, data: Path) -> None:
    run_planted("constant", data, tmp_path / "one")
    run_planted("echo", data, tmp_path / "two")
    run_planted("echo", data, tmp_path / "other", "--system", "Be rude.")
    both = sago("report", tmp_path / "one", tmp_path / "two")
    assert "planted-echo" in both.stdout
    assert "planted-constant" in both.stdout
    refused = sago("report", tmp_path / "one", tmp_path / "other")
    assert refused.returncode == 2
    assert "system is 'Be rude.' here and None there" in refused.stderr
    assert sago("report", tmp_path / "one", tmp_path / "two", "--format", "html").returncode == 2


def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path, data: Path) -> None:
    (tmp_path / "file").write_text("x")
    done = run_planted("constant", data, tmp_path / "file" / "run")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_a_run_that_was_not_finished_says_so(tmp_path: Path, data: Path) -> None:
    run_planted("constant", data, tmp_path / "run")
    manifest = tmp_path / "run" / "manifest.json"
    assert "not finished" not in sago("report", tmp_path / "run").stdout
    manifest.write_text(manifest.read_text().replace('"finished": true', '"finished": false'))
    assert "not finished" in " ".join(sago("report", tmp_path / "run").stdout.split())
