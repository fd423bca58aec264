from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.models.local.tiny import CHAT, network, open_tiny, request, tokenizer
from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM
from transformers.models.mamba import MambaConfig
from transformers.models.t5 import T5Config

from sago.errors import MissingExtraError, ModelError, StudyError
from sago.models import open_model
from sago.models.local.forward import Network
from sago.models.local.loading import load
from sago.records import ModelOptions


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("models") / "tiny-llama"
    network("llama").save_pretrained(made)
    tokenizer(CHAT).save_pretrained(made)
    return made


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAGO_CACHE", str(tmp_path / "cache"))


def test_a_folder_opens_and_gives_the_numbers_of_its_model(folder: Path) -> None:
    model = open_model(f"hf:{folder}", ModelOptions(batch_size=2))
    description = model.describe()
    assert (model.id, description.source, description.dtype, description.device) == ("tiny-llama", f"hf:{folder}", "float32", "cpu")
    assert len(description.weights_hash or "") == 64
    assert len(description.chat_template_hash or "") == 64
    asked = request("a b:", choices=("A", "B"))
    (found,) = model.observe([asked])
    (expected,) = open_tiny("llama", CHAT).observe([asked])
    assert found.choice_logprobs == pytest.approx(expected.choice_logprobs, abs=1e-5)
    model.close()


def test_changed_weights_have_another_hash(folder: Path) -> None:
    before = load(str(folder), ModelOptions(), offline=True).weights
    weights = folder / "model.safetensors"
    kept = weights.read_bytes()
    try:
        weights.write_bytes(kept[:-4] + b"\x00\x00\x00\x00")
        assert load(str(folder), ModelOptions(), offline=True).weights != before
    finally:
        weights.write_bytes(kept)


def test_half_precision_opens(folder: Path) -> None:
    model = open_model(f"hf:{folder}", ModelOptions(dtype="bfloat16"))
    (found,) = model.observe([request("a b:", choices=("A", "B"), wants_states=True)])
    assert found.status != "error"
    assert found.choice_logprobs is not None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dtype": "float33"}, "float33"),
        ({"dtype": "int8"}, "int8"),
        ({"device": "cuda:99"}, "cuda:99"),
        ({"device": "toaster"}, "toaster"),
    ],
)
def test_options_that_cannot_be(folder: Path, change: dict[str, Any], message: str) -> None:
    with pytest.raises(StudyError, match=message):
        open_model(f"hf:{folder}", replace(ModelOptions(), **change))


def test_an_encoder_decoder_is_refused(tmp_path: Path) -> None:
    config = T5Config(vocab_size=300, d_model=16, d_kv=4, d_ff=16, num_layers=1, num_heads=2)
    AutoModelForSeq2SeqLM.from_config(config).save_pretrained(tmp_path)
    with pytest.raises(ModelError, match="encoder-decoder"):
        open_model(f"hf:{tmp_path}")


@pytest.mark.filterwarnings("ignore")
def test_a_state_space_model_is_refused() -> None:
    config = MambaConfig(vocab_size=300, hidden_size=16, state_size=4, num_hidden_layers=2)
    with pytest.raises(ModelError, match="not supported"):
        Network(AutoModelForCausalLM.from_config(config).eval())


def test_kept_keys_that_give_other_numbers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    extend = Network.extend
    monkeypatch.setattr(Network, "extend", lambda self, prefix, ids, mask: extend(self, prefix, ids, mask).roll(1, -1))
    with pytest.raises(ModelError, match="kept keys"):
        Network(network("llama"))


def test_leaking_padding_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Network.read

    def leaks(self: Network, prompts: Any, layers: Any = ()) -> Any:
        prefix = read(self, prompts, layers)
        if len({len(prompt) for prompt in prompts}) > 1:
            prefix.logits = prefix.logits + torch.arange(prefix.logits.shape[1])
        return prefix

    monkeypatch.setattr(Network, "read", leaks)
    assert Network(network("llama")).one_by_one


@pytest.mark.filterwarnings("ignore:.is_gradient_checkpointing.:FutureWarning")
def test_an_adapter_gives_the_numbers_of_its_merged_model(folder: Path, tmp_path: Path) -> None:
    peft = pytest.importorskip("peft")
    base = AutoModelForCausalLM.from_pretrained(folder)
    torch.manual_seed(3)
    adapted = peft.get_peft_model(base, peft.LoraConfig(r=2, target_modules=["q_proj", "v_proj"], init_lora_weights=False))
    adapted.base_model.peft_config["default"].base_model_name_or_path = str(folder)
    adapted.save_pretrained(tmp_path / "adapter")
    model = open_model(f"hf:{tmp_path / 'adapter'}")
    (found,) = model.observe([request("a b:", choices=("A", "B"))])
    (bare,) = open_model(f"hf:{folder}").observe([request("a b:", choices=("A", "B"))])
    merged = tmp_path / "merged"
    adapted.merge_and_unload().save_pretrained(merged)
    tokenizer(CHAT).save_pretrained(merged)
    (expected,) = open_model(f"hf:{merged}").observe([request("a b:", choices=("A", "B"))])
    assert found.choice_logprobs == pytest.approx(expected.choice_logprobs, abs=1e-4)
    assert found.choice_logprobs != pytest.approx(bare.choice_logprobs, abs=1e-2)
    assert model.describe().weights_hash != open_model(f"hf:{folder}").describe().weights_hash


def test_an_adapter_without_its_package_names_the_install_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "adapter_config.json").write_text('{"base_model_name_or_path": "somewhere"}')
    monkeypatch.setattr("sago.models.local.loading.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"sago-eval\[peft\]"):
        open_model(f"hf:{tmp_path}")
