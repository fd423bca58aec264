from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.variations.tables import prompt_of, row, table

from sago.errors import DataError, StudyError
from sago.records import Example
from sago.variations import vary
from sago.variations.instruction import instruction
from sago.variations.layouts import LABELS, LAYOUTS

_CHOICE = row("1", "Which is red?", choices=["a rose", "a leaf"], answer_index=0)
_OPEN = row("2", "Who?")
_NUMERIC = row("3", "1 + 1?", task="numeric", answers=["2"])
_EXAMPLES = table(_CHOICE, _OPEN, _NUMERIC)


def _last_lines(spec: str) -> dict[tuple[str, str], str]:
    rows = vary(_EXAMPLES, [spec]).variants.filter(control=False).iter_rows(named=True)
    return {(r["example"], r["variant"]): prompt_of(r).rpartition("\n")[2] for r in rows if r["variant"] != "canonical"}


def test_all_examples_get_the_same_phrasings_for_what_their_task_wants() -> None:
    assert _last_lines("instruction:n=2") == {
        ("1", "instruction-give-only"): "Give only the letter of the right option.",
        ("1", "instruction-nothing-else"): "What is the right answer? Reply with the letter of the right option and nothing else.",
        ("2", "instruction-give-only"): "Give only the answer in a few words.",
        ("2", "instruction-nothing-else"): "What is the right answer? Reply with the answer in a few words and nothing else.",
        ("3", "instruction-give-only"): "Give only the number.",
        ("3", "instruction-nothing-else"): "What is the right answer? Reply with the number and nothing else.",
    }


@pytest.mark.parametrize("layout", sorted(set(LAYOUTS) - {"plain"}))
def test_the_phrasing_names_the_labels_that_a_layout_shows(layout: str) -> None:
    """What was wrong when an instruction was one text: "the letter" under options with numbers."""
    rows = vary(table(_CHOICE), [f"instruction+format:instruction.n=1,format.layouts={layout}"]).variants.filter(pl_family())
    wanted = {"letters": "letter", "numbers": "number", "none": "text"}[LAYOUTS[layout].labels]
    assert f"Give only the {wanted} of the right option." in prompt_of(rows.row(0, named=True))


def pl_family() -> Any:
    import polars as pl

    return pl.col("family") != "canonical"


def test_every_style_of_labels_has_its_words() -> None:
    (draft,) = instruction.vary(Example("d", "1", "Q?", choices=("x", "y")), {"n": 1, "file": ""}, None)  # type: ignore[arg-type]
    assert isinstance(draft.instruction, dict)
    assert set(draft.instruction) == set(LABELS)


def test_lines_of_a_file_are_taken_byte_for_byte_and_all_of_them(tmp_path: Path) -> None:
    lines = ["Say {question} {answer}.", "{{ 7*7 }} %s", "Antworte!", "Odpowiedz."]
    (tmp_path / "own.txt").write_text("\n".join(lines))
    varied = vary(_EXAMPLES, [f"instruction:file={tmp_path / 'own.txt'},n=1"])
    for example in "123":
        rows = varied.variants.filter(example=example, family="instruction")
        assert rows["variant"].to_list() == [f"instruction-own-{place}" for place in (1, 2, 3, 4)]
        assert [prompt_of(r).rpartition("\n\n")[2] for r in rows.iter_rows(named=True)] == lines
        assert "by_construction" not in rows["checks"].to_list()[0]
    assert str(tmp_path) not in varied.variants.write_json()


def test_a_bad_file_is_told_even_where_there_are_no_examples(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("a\na\n")
    with pytest.raises(DataError, match="line 2: the same as line 1"):
        vary(_EXAMPLES.clear(), [f"instruction:file={tmp_path / 'own.txt'}"])
    with pytest.raises(StudyError, match="cannot be read"):
        vary(_EXAMPLES, ["instruction:file=nowhere.txt"])
