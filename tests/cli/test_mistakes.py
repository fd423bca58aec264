"""Wrong command lines: one line that says what is wrong and what to do, whatever the parser would print."""

from __future__ import annotations

import contextlib
import io

import pytest

from sago.cli.app import main


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("vary", "DATA is missing: data files, built-in names, or - for standard input. See sago vary --help"),
        ("show", "RUN is missing: a run folder. See sago show --help"),
        ("vary builtin-text --show -1", "--show: should be at least 0. See sago vary --help"),
        ("vary builtin-text --show x", "--show: should be a whole number. See sago vary --help"),
        ("run --temperature hot", "--temperature: should be a number. See sago run --help"),
        ("vary builtin-text --shw 3", "there is no option --shw. Did you mean --show?"),
        ("vary builtin-text --zzz 3", "there is no option --zzz. See sago vary --help"),
        ("run --data", "--data: needs a value. See sago run --help"),
        (
            "run --dry-run",
            "there is no option --dry-run. sago plan counts calls, tokens and cost, and asks nothing",
        ),
        ("rnu", "there is no verb 'rnu'. Did you mean run?"),
        ("qqqq", "there is no verb 'qqqq'. Verbs: demo, run, score, import, vary, report, show, plan, list"),
        ("run a b c", "more arguments than it takes: b c. See sago run --help"),
        ("list nix", "KIND: 'nix' is not one of"),
    ],
)
def test_a_wrong_command_line_is_one_line(line: str, message: str) -> None:
    errors, out = io.StringIO(), io.StringIO()
    with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(out), pytest.raises(SystemExit) as left:
        main(line.split())
    assert left.value.code == 2
    assert errors.getvalue().startswith(f"sago: {message}")
    assert (errors.getvalue().count("\n"), out.getvalue()) == (1, "")


def test_without_arguments_the_help_is_shown() -> None:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        main([])
    assert "Usage: sago" in out.getvalue()
