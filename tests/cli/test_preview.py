from __future__ import annotations

import io
from typing import Any

import polars as pl
import pytest
from rich.console import Console

from sago.cli.preview import show_wordings, shown_difference

_WORDS = " ".join(f"w{number}" for number in range(1000))


def _shown(canonical: str, variant: str) -> str:
    return shown_difference(canonical, variant, has_colours=False).plain


def test_a_short_prompt_is_shown_whole() -> None:
    assert _shown("Is it hot? Yes or no.", "Is it warm? Yes or no.") == "Is it [-hot-]{+warm+}? Yes or no."


def test_of_a_long_prompt_the_neighbourhood_of_each_change_is_shown() -> None:
    shown = _shown(_WORDS, _WORDS.replace("w300 ", "W300 ").replace("w900 ", ""))
    assert "w299 [-w300-]{+W300+} w301" in shown
    assert "w899[- w900-] w901" in shown
    assert shown.count("[...]") == 3, "in front, between, behind"
    assert shown.startswith("[...] w")
    assert shown.endswith(" [...]")
    assert len(shown) < 4 * 160 + 100
    assert all(word in _WORDS.split() for word in shown.replace("[...]", "").split()[:3]), "cut between words"


def test_the_ends_of_a_long_prompt_stay_where_the_change_is_at_the_end() -> None:
    shown = _shown(_WORDS + "?", _WORDS + "!")
    assert shown.startswith("[...] ")
    assert shown.endswith("w999[-?-]{+!+}")


def test_a_long_stretch_that_came_is_shown_by_its_ends() -> None:
    shown = _shown("Why?", _WORDS + "\n\nWhy?")
    assert shown.startswith("{+w0 w1 ")
    assert shown.endswith("w999\n\n+}Why?")
    assert shown.count("[...]") == 1
    assert len(shown) < 900


@pytest.mark.parametrize("text", ["x" * 5000, "今" * 5000])
def test_a_text_without_blanks_is_cut_as_well(text: str) -> None:
    assert len(_shown(text + "?", text + "!")) < 400


def _printed(**terminal: Any) -> str:
    prompts = {"canonical": "Is it hot?\n\nYes or no.", "typo-1": "Is it hto?\n\nYes or no.", "format-1": "Is it hot?\nYes or no."}
    rows = [
        {
            "dataset": "d",
            "example": "e",
            "variant": name,
            "position": place,
            "rejected": None,
            "messages": [{"role": "user", "content": text}],
        }
        for place, (name, text) in enumerate(prompts.items())
    ]
    console = Console(file=io.StringIO(), width=80, **terminal)
    show_wordings(console, pl.DataFrame(rows, schema_overrides={"rejected": pl.String}))
    out = console.file
    assert isinstance(out, io.StringIO)
    return out.getvalue()


def test_in_a_file_differences_are_marked_and_nothing_is_coloured() -> None:
    shown = _printed()
    assert "Is it [-hot-]{+hto+}?" in shown
    assert "\x1b" not in shown
    assert "[-went-]" in shown, "what the marks mean"


def test_who_wants_no_colours_sees_marks() -> None:
    shown = _printed(force_terminal=True, color_system="standard", no_color=True)
    assert "Is it [-hot-]{+hto+}?" in shown


def test_in_colours_blanks_that_changed_are_seen() -> None:
    shown = _printed(force_terminal=True, color_system="standard")
    assert "Is it \x1b[33mhto\x1b[0m?" in shown
    assert "[-hot-]" not in shown
    assert "\x1b[33m↵\x1b[0m" in shown, "two line breaks became one"
    assert "↵" not in shown.split("format-1")[0]
