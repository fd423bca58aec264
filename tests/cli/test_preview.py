from __future__ import annotations

import pytest

from sago.cli.preview import shown_difference

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
