"""The page about recorded answers says what is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.runs.importers.written import write_lines

from sago.runs.importers.columns import OTHER_NAMES

PAGE = (Path(__file__).parents[3] / "docs" / "recorded-answers.md").read_text(encoding="utf-8")


def test_every_field_stands_in_the_table_and_every_name_there_is_understood() -> None:
    table = [line.split("|")[1:-1] for line in PAGE.splitlines() if line.startswith("| `")]
    fields = {name for cells in table for name in re.findall(r"`(\w+)`", cells[0])}
    assert fields == set(OTHER_NAMES)
    understood = {name for names in OTHER_NAMES.values() for name in names}
    assert {name for cells in table for name in re.findall(r"`(\w+)`", cells[2])} <= understood


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"id": number, "variant": name, "response": "AB"[number % 2], "gold": "A"} for number in range(4) for name in ("plain", "x")]
    write_lines(tmp_path / "answers.jsonl", rows)
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(code, {})
    assert "generation" in capsys.readouterr().out
