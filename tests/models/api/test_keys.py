from __future__ import annotations

import logging
from pathlib import Path

import pytest

from sago.errors import InputError
from sago.models.api.keys import NO_KEY, Secret, hide_in_logs, key_of

KEY = "sk-abc123=="
NAMES = ("MINE_API_KEY", "OTHER_NAME")


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    "text", [KEY, f"{KEY}\n", f"\ufeff# mine\n\n {KEY} \n", f"MINE_API_KEY={KEY}", f"export OTHER_NAME='{KEY}'\nELSE=1\n"]
)
def test_a_file_holds_it_alone_or_by_name(tmp_path: Path, text: str) -> None:
    file = tmp_path / "key"
    file.write_text(text, encoding="utf-8")
    assert key_of(NAMES, str(file), spec="x:m", is_needed=True).value == KEY


@pytest.mark.parametrize("text", ["", "ANOTHER_API_KEY=sk-other", "one\ntwo\n", "MINE_API_KEY=", "sk-abc def", "sk-äöü"])
def test_a_file_without_one_is_refused_and_not_shown(tmp_path: Path, text: str) -> None:
    file = tmp_path / "key"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        key_of(NAMES, str(file), spec="x:m", is_needed=True)
    assert "sk-" not in str(caught.value)
    assert str(file) in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        key_of(NAMES, str(tmp_path / "none"), spec="x:m", is_needed=True)


def test_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="MINE_API_KEY or OTHER_NAME, or give a file with --key-file"):
        key_of(NAMES, None, spec="x:m", is_needed=True)
    assert key_of(NAMES, None, spec="x:m", is_needed=False).value == NO_KEY
    monkeypatch.setenv("OTHER_NAME", f" {KEY}\n")
    assert key_of(NAMES, None, spec="x:m", is_needed=True).value == KEY


def test_no_representation_shows_it() -> None:
    assert KEY not in f"{Secret(KEY)} {Secret(KEY)!r} {[Secret(KEY)]}"
    assert Secret("a").hidden_in("a banana") == "a banana"


def test_no_log_shows_it(caplog: pytest.LogCaptureFixture) -> None:
    hide_in_logs(Secret("sk-to-be-hidden"))
    hide_in_logs(Secret("sk-another-one"))
    with caplog.at_level("DEBUG"):
        logging.getLogger("anybody.at.all").debug("sent %s and %s", {"key": "sk-to-be-hidden"}, "sk-another-one")
        logging.getLogger("anybody.at.all").debug("nothing %d", 5)
    assert [record.getMessage() for record in caplog.records] == ["sent {'key': '[key]'} and [key]", "nothing 5"]
