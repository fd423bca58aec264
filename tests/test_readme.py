"""The README's Python example runs as written, on a planted model in place of the real one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"


def test_python_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len(blocks) == 1
    code = blocks[0].replace('"embedded"', '"planted:always-first-option"')
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})
    assert (tmp_path / "runs" / "first" / "report.html").is_file()
    assert "instability" in capsys.readouterr().out


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#]+)\)", README.read_text(encoding="utf-8")))))
def test_every_link_leads_somewhere(link: str) -> None:
    assert (README.parent / link).exists()


def test_the_example_on_plain_arrays_runs(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (README.parent / "docs" / "arrays.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    exec(compile(blocks[0], "arrays.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "0.25 0.25 1.0"
    assert printed[1].startswith("0.0 ")
    assert [line.split()[0] for line in printed[2:]] == ["q1", "q2"]
