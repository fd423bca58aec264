from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from tests.variations.tables import row, table

from sago.errors import DataError, StudyError
from sago.runs import VariantsFile, frozen_variants, read_variants
from sago.study import Study
from sago.variations import Varied, vary
from sago.variations.judging import Said, with_judgements

_EXAMPLES = table(
    row("1", "Is the sky blue?", paraphrases=["Does the sky look blue?"], choices=["Yes", "No"], answer_index=0),
    row("2", "Who?", context="Ann sang.", answers=["Ann"]),
)


def _varied(*, rejecting: int | None = None) -> Varied:
    made = vary(_EXAMPLES, ["identity", "paraphrase", "case", "choice-order:n=1"])
    if rejecting is None:
        return made
    return with_judgements(made, {rejecting: [Said("review", "reviewer 1", 0.0, None, False)]})


def _kept(path: Path, *parts: Varied) -> Path:
    with VariantsFile(path) as file:
        for part in parts:
            file.add(part)
    return path


@pytest.mark.parametrize("name", ["v.parquet", "v.jsonl"])
def test_what_is_written_comes_back(name: str, tmp_path: Path) -> None:
    varied = _varied(rejecting=2)
    back, notes = frozen_variants(str(_kept(tmp_path / name, varied)), _EXAMPLES)
    assert_frame_equal(back.variants, varied.variants)
    assert_frame_equal(back.rejected, varied.rejected)
    assert back.counts.filter(family="paraphrase").select("asked", "made", "dropped_changed").row(0) == (1, 0, 1)
    assert notes[0].startswith(f"wordings are those of {name} (sha256 ")


def test_both_kinds_of_file_and_any_parts_hold_the_same(tmp_path: Path) -> None:
    whole = _kept(tmp_path / "whole.parquet", _varied())
    parts = [vary(_EXAMPLES.filter(example=name), ["identity", "paraphrase", "case", "choice-order:n=1"]) for name in ("1", "2")]
    lines = _kept(tmp_path / "parts.jsonl", *parts)
    assert_frame_equal(read_variants(whole), read_variants(lines))


def test_a_file_names_no_place_and_other_tools_can_read_it(tmp_path: Path) -> None:
    data = tmp_path / "somewhere" / "questions.jsonl"
    data.parent.mkdir()
    data.write_text('{"id": "a", "question": "Is it warm today?", "answer": "yes"}\n', encoding="utf-8")
    from sago.questions import questions_of

    _, varied = questions_of(Study(data=[str(data)], variations=["typo", "case"]), tested=())
    path = _kept(tmp_path / "v.jsonl", varied)
    text = path.read_text(encoding="utf-8")
    assert "somewhere" not in text
    assert [json.loads(line)["variant"] for line in text.splitlines()] == varied.variants["variant"].to_list()
    assert pl.read_parquet(_kept(tmp_path / "v.parquet", varied)).height == varied.variants.height


def test_the_order_of_the_source_does_not_count(tmp_path: Path) -> None:
    from sago.cli.app import main

    lines = [json.dumps({"id": str(place), "question": f"Is it {place} o'clock now?"}) for place in range(12)]
    files = []
    for name, given in (("one", lines), ("other", lines[::-1])):
        (tmp_path / name).mkdir()
        (tmp_path / name / "q.jsonl").write_text("\n".join(given), encoding="utf-8")
        files.append(tmp_path / name / "v.parquet")
        main(["vary", str(tmp_path / name / "q.jsonl"), "--variations", "typo,case", "--show", "0", "--out", str(files[-1])])
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_broken_command_leaves_no_half_file(tmp_path: Path) -> None:
    path = _kept(tmp_path / "v.jsonl", _varied())
    before = path.read_bytes()

    def broken() -> None:
        with VariantsFile(path) as file:
            file.add(_varied())
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken()
    assert path.read_bytes() == before
    assert [item.name for item in tmp_path.iterdir()] == ["v.jsonl"]


def test_a_format_that_is_not_known() -> None:
    with pytest.raises(StudyError, match=r"cannot tell the format of 'v\.csv'"):
        VariantsFile(Path("v.csv"))


class TestRefused:
    def test_other_questions(self, tmp_path: Path) -> None:
        path = _kept(tmp_path / "v.parquet", _varied())
        other = _EXAMPLES.with_columns(question=pl.lit("Why?"))
        with pytest.raises(DataError, match=r"2 of 2 original prompts differ \(d/1, d/2\)"):
            frozen_variants(str(path), other)

    def test_another_system_message(self, tmp_path: Path) -> None:
        path = _kept(tmp_path / "v.parquet", _varied())
        with pytest.raises(DataError, match="with another system message"):
            frozen_variants(str(path), _EXAMPLES, system="Be brief.")

    def test_other_data(self, tmp_path: Path) -> None:
        path = _kept(tmp_path / "v.parquet", _varied())
        with pytest.raises(DataError, match=r"knows none of the examples \(its data sets: d; those asked for: e\)"):
            frozen_variants(str(path), _EXAMPLES.with_columns(dataset=pl.lit("e")))

    @pytest.mark.parametrize("content", [b"", b"PAR1", b'{"question": "Why?"}\n', b"[1]"])
    @pytest.mark.parametrize("name", ["v.parquet", "v.jsonl"])
    def test_no_file_of_variants(self, name: str, content: bytes, tmp_path: Path) -> None:
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(DataError, match=r"v\.(parquet|jsonl): (cannot be read|is no file of variants|knows none)"):
            frozen_variants(str(path), _EXAMPLES)

    @pytest.mark.parametrize("place", [0, 3])
    def test_prompts_that_somebody_edited(self, place: int, tmp_path: Path) -> None:
        path = _kept(tmp_path / "v.jsonl", _varied())
        lines = path.read_text(encoding="utf-8").splitlines()
        lines[place] = lines[place].replace('"content":"', '"content":"Now: ', 1)
        path.write_text("\n".join(lines), encoding="utf-8")
        with pytest.raises(DataError, match="was edited: 1 prompts are not those that were made"):
            read_variants(path)

    def test_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(DataError, match="cannot be read"):
            read_variants(tmp_path / "v.parquet")


def test_examples_without_wordings_are_told(tmp_path: Path) -> None:
    path = _kept(tmp_path / "v.parquet", vary(_EXAMPLES.head(1), ["case"]))
    back, notes = frozen_variants(str(path), _EXAMPLES)
    assert back.variants["example"].unique().to_list() == ["1"]
    assert notes[1] == "1 of 2 examples have no wordings in v.parquet and are left out"


def test_a_run_uses_the_file_and_says_so(tmp_path: Path) -> None:
    from sago.questions import questions_of

    made = Study(data=["builtin-choice"], variations=["paraphrase", "case"], limit=4)
    _, varied = questions_of(made, tested=())
    place = varied.variants["family"].to_list().index("paraphrase")
    path = _kept(tmp_path / "v.parquet", with_judgements(varied, {place: [Said("review", "reviewer 1", 0.0, None, False)]}))
    study = Study(models=["planted:constant"], data=["builtin-choice"], limit=4, variants=str(path), axes=["generation"])
    run = study.run(tmp_path / "run")
    assert_frame_equal(run.variants, varied.variants.with_row_index().filter(pl.col("index") != place).drop("index"), check_exact=True)
    assert run.observations["variant"].n_unique() == run.variants["variant"].n_unique()
    assert any("wordings are those of v.parquet" in note for note in run.manifest["notes"])
    assert run.equivalence.filter(family="all").select("reviewed", "not_same").row(0) == (1, 1)
    assert study.plan().wordings == run.variants.height
