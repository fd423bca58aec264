from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests.models.local.tiny import CHAT, network, request, tokenizer

from sago.errors import ModelError, StudyError
from sago.models import open_model
from sago.models.local.devices import _parts
from sago.records import ModelOptions


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("devices") / "tiny-llama"
    network("llama").save_pretrained(made)
    tokenizer(CHAT).save_pretrained(made)
    return made


def test_two_devices_give_what_one_gives(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAGO_CACHE", str(tmp_path))
    asked = []
    for number in range(6):
        asked.append(request(f"a {number}:", example=str(number), choices=("A", "B"), wants_anchor=True))
        asked.append(request(f"a {number} b:", example=str(number), variant="typo-1", wants_anchor=True))
    one = open_model(f"hf:{folder}", ModelOptions(device="cpu"))
    two = open_model(f"hf:{folder}", ModelOptions(device="cpu, cpu", threads=1))
    assert (two.id, two.capabilities) == (one.id, one.capabilities)
    assert two.describe().device == "cpu, cpu"
    assert two.describe().weights_hash == one.describe().weights_hash
    expected = {found.key: found for found in one.observe(asked)}
    found = {each.key: each for each in two.observe(asked)}
    assert found.keys() == expected.keys()
    for key, each in found.items():
        assert each.response == expected[key].response
        assert each.anchor_logprob == pytest.approx(expected[key].anchor_logprob, abs=1e-4)
    two.close()
    two.close()
    with pytest.raises(ModelError, match="was closed"):
        list(two.observe(asked))


def test_a_device_that_is_not_there_is_told_and_nothing_is_left_running(folder: Path) -> None:
    with pytest.raises(StudyError, match="cuda:99"):
        open_model(f"hf:{folder}", ModelOptions(device="cpu,cuda:99"))


def test_examples_stay_whole() -> None:
    asked = [request("a:", example=str(number // 5), variant=f"v{number}") for number in range(30)]
    parts = _parts(asked, 4)
    assert [each for part in parts for each in part] == asked
    assert len(parts) <= 4
    homes = Counter(example for part in parts for example in {each.key.example for each in part})
    assert set(homes.values()) == {1}
