"""``sago plan``: what it would take and what it could show, before anything is spent."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.cli.test_cli import QUESTIONS, sago

from sago.cli.plan import duration


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(json.dumps({**row, "id": f"{row['id']}-{copy}"}) for copy in range(20) for row in QUESTIONS))
    return path


def planned(data: Path, *more: str | Path) -> str:
    done = sago("plan", "--model", "planted:echo", "--data", data, "--variations", "case,typo", *more)
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split())


def test_power_is_shown_with_its_assumptions(data: Path) -> None:
    shown = planned(data)
    assert "What it could show" in shown
    assert "instability .30 (assumed)" in shown
    assert "assumed: .75 with 8" in shown
    assert "two models" not in shown
    assert "Time: not estimated" in shown
    assert "Money" not in shown
    assert "Nothing was run." in shown


def test_time_and_money_of_what_was_given(data: Path) -> None:
    """Two models, 60 examples of 5 wordings and 50 audited canonical prompts twice: 800 calls of 10 s."""
    shown = planned(data, "--model", "planted:constant", "--seconds-per-call", "10", "--price-out", "1000000")
    assert "800 calls" in shown
    assert "Time: about 2 h 13 min, at 10 s a call (as given)" in shown
    assert "Money: at most 25,600.00, in the currency of the prices." in shown
    assert "two models differ from" in shown


def test_an_earlier_run_stands_in_for_assumptions(tmp_path: Path, data: Path) -> None:
    out = tmp_path / "run"
    done = sago("run", "--model", "planted:coin-flip", "--data", data, "--variations", "case,typo", "-L", "12", "--out", out)
    assert done.returncode == 0, done.stderr
    shown = planned(data, "--like", out)
    assert "(measured)" in shown
    assert "instability .30 (assumed)" not in shown


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--seconds-per-call", "-1"), "--seconds-per-call: -1 is no amount"),
        (("--price-in", "nan"), "--price-in: should be a finite number, not nan"),
        (("--like", "nowhere"), "not a run folder"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(data: Path, flags: tuple[str, str], message: str) -> None:
    done = sago("plan", "--data", data, *flags)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "1 s"), (61, "1 min 1 s"), (3600, "1 h"), (90_000, "1 day 1 h"), (200_000, "2 days 7 h")]
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize("width", ["60", "80"])
def test_no_name_is_cut(data: Path, monkeypatch: pytest.MonkeyPatch, width: str) -> None:
    monkeypatch.setenv("COLUMNS", width)
    shown = sago("plan", "--model", "planted:echo", "--data", data, "--data", "builtin-numeric").stdout
    families = ("identity", "meaning-changed", "paraphrase", "choice-order", "typo", "case")
    assert all(re.search(rf"^{family} ", shown, re.MULTILINE) for family in families)
    assert "…" not in shown
    said = " ".join(shown.split())
    assert "no fit: examples for which a family has nothing to do" in said
    assert "choice-order: no options, or none that may change places" in said
    assert "paraphrase: no paraphrase given" in said
    assert "typo: no word that may be misspelt" not in said, "that family fits everything here"
    assert "unsafe" not in shown


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--alpha", "2"), "--alpha: should be less than 0.5, not 2.0. See sago plan --help for every option"),
        (("--depths", "0.5,3"), "--depths: should be less than or equal to 1, not 3.0"),
        (("--reruns", "-1", "--limit", "0"), "--reruns: should be greater than or equal to 0, not -1; --limit: should be greater"),
    ],
)
def test_an_error_names_the_option_that_was_given(data: Path, flags: tuple[str, ...], message: str) -> None:
    assert message in sago("plan", "--data", data, *flags).stderr
