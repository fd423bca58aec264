"""Tiny random models of several architectures and a tokenizer made by hand: nothing is downloaded."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast
from transformers.models.gemma3 import Gemma3TextConfig
from transformers.models.gpt2 import GPT2Config
from transformers.models.llama import LlamaConfig
from transformers.models.mistral import MistralConfig
from transformers.models.qwen2 import Qwen2Config

from sago.models.local.engine import LocalModel
from sago.models.local.loading import Loaded
from sago.records import Decoding, Key, Message, ModelOptions, Request

CHAT = (
    "{{ bos_token }}{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}</{{ m['role'] }}>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
SPECIAL = ("<unk>", "<s>", "</s>")
MERGES = [("Ġ", letter) for letter in "ABCDab"] + [("a", "n"), ("an", "d"), (":", "Ġ")]


@cache
def _raw_tokenizer() -> str:
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    pieces = [*SPECIAL, *alphabet, *(first + second for first, second in MERGES)]
    tokenizer = Tokenizer(models.BPE(vocab={piece: index for index, piece in enumerate(pieces)}, merges=MERGES, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", pair="<s> $A $B", special_tokens=[("<s>", 1)])
    return str(tokenizer.to_str())


def tokenizer(template: str | None = CHAT, **arguments: Any) -> Any:
    """Bytes, a few merges, a begin token that the tokenizer adds by itself; no pad token unless one is given."""
    raw = Tokenizer.from_str(_raw_tokenizer())
    made = PreTrainedTokenizerFast(tokenizer_object=raw, bos_token="<s>", eos_token="</s>", unk_token="<unk>", **arguments)
    made.chat_template = template
    return made


VOCABULARY = len(SPECIAL) + 256 + len(MERGES)
_SHAPE = {"vocab_size": VOCABULARY, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 4, "num_attention_heads": 4}
_COMMON = {"bos_token_id": 1, "eos_token_id": 2, "initializer_range": 0.3}
CONFIGS: dict[str, Any] = {
    "llama": lambda: LlamaConfig(**_SHAPE, **_COMMON, num_key_value_heads=2, max_position_embeddings=256),
    "qwen2": lambda: Qwen2Config(**_SHAPE, **_COMMON, num_key_value_heads=2, max_position_embeddings=256, tie_word_embeddings=True),
    "mistral": lambda: MistralConfig(**_SHAPE, **_COMMON, num_key_value_heads=2, sliding_window=6, max_position_embeddings=256),
    "gpt2": lambda: GPT2Config(vocab_size=VOCABULARY, n_embd=32, n_layer=4, n_head=4, n_positions=256, **_COMMON),
    "gemma3": lambda: Gemma3TextConfig(
        **_SHAPE,
        **_COMMON,
        num_key_value_heads=1,
        head_dim=8,
        sliding_window=6,
        layer_types=["sliding_attention", "sliding_attention", "full_attention", "sliding_attention"],
        max_position_embeddings=256,
    ),
}


@cache
def network(kind: str, dtype: torch.dtype = torch.float32) -> Any:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(7)
        return AutoModelForCausalLM.from_config(CONFIGS[kind](), dtype=dtype).eval()


def open_tiny(kind: str = "llama", template: str | None = None, made: Any = None, **options: Any) -> LocalModel:
    loaded = Loaded(model=network(kind), tokenizer=made or tokenizer(template))
    return LocalModel(loaded, ModelOptions(**options), model_id="tiny", source="hf:tiny")


def request(
    text: str, example: str = "1", variant: str = "canonical", decoding: Decoding = "greedy", rerun: int = 0, **given: Any
) -> Request:
    messages: Sequence[Message] = given.pop("messages", (Message("user", text),))
    full = {"max_new_tokens": 6, "is_canonical": variant == "canonical", **given}
    return Request(key=Key("tiny", "d", example, variant, decoding, rerun), messages=tuple(messages), **full)
