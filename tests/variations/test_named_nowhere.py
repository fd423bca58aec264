from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.variations.tables import row, table

from sago.questions import questions_of
from sago.study import Study
from sago.variations.named_nowhere import named_nowhere


def _row(example: str, question: str, protect: Any, **fields: Any) -> dict[str, Any]:
    return row(example, question, metadata=json.dumps({"protect": protect}), **fields)


def test_a_text_that_stands_nowhere_is_told_once_for_its_data_set() -> None:
    rows = [_row("a", "What does the Act say?", ["Act", "Bill"]), _row("b", "Is it old?", ["Act", "Bill"])]
    (note,) = named_nowhere(table(*rows))
    assert note == "d: 'protect' names \"Bill\", which stands in no question or context: nothing is protected by it"


def test_a_list_that_rows_share_may_hold_what_only_some_of_them_name() -> None:
    rows = [_row("a", "What does the Act say?", ["Act", "bill"]), _row("b", "Is the Bill old?", ["Act", "bill"])]
    assert named_nowhere(table(*rows)) == ()


def test_the_context_counts_and_other_data_sets_do_not() -> None:
    rows = [_row("a", "Is it?", "Act", context="An Act of 1872."), _row("b", "Is the Act it?", "Bill") | {"dataset": "e"}]
    assert [note[:2] for note in named_nowhere(table(*rows))] == ["e:"]


def test_many_are_told_by_their_first() -> None:
    (note,) = named_nowhere(table(_row("a", "Is it?", [f"t{number}" for number in range(9)])))
    assert '"t4" and 4 more' in note


def test_who_makes_wordings_hears_of_it(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps({"id": "a", "question": "Is it old?", "answer": "yes", "protect": ["Statute"]}))
    loaded, _ = questions_of(Study(data=[str(path)], variations=["case"]))
    assert any("Statute" in note for note in loaded.notes)
