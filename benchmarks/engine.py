"""The local engine: choices of many wordings, and responses, against the ways people use today, on the embedded model.

Every peer runs in the same process, on the same weights, with the same number of threads; ratios are the figures to look at. ``choices``
and its kin go against the Hugging Face backend of the LM Evaluation Harness at its fastest batch of 16, 32 or 64; ``floor`` against
nothing but the matrix products of the distinct tokens; ``generation`` against ``generate`` of transformers.

    python benchmarks/engine.py --threads 2 --only choices
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch
from lm_eval.api.instance import Instance
from lm_eval.models.huggingface import HFLM

from sago.models import open_model
from sago.models.local.engine import LocalModel
from sago.models.local.tree import distinct_tokens
from sago.records import Key, Message, ModelOptions, Request
from table import Row, show

CHOICES = (" blue", " a dark shade of green", " neither red nor white", " none of the colours that were named")
WORDS = [
    "river",
    "stone",
    "lamp",
    "winter",
    "garden",
    "paper",
    "silver",
    "window",
    "morning",
    "bridge",
    "letter",
    "copper",
    "forest",
    "harbour",
    "music",
]
BATCHES = (16, 32, 64)


def once(call: Callable[[], Any], repeats: int) -> tuple[float, Any]:
    """Returns the shortest wall time of a call after one to warm up, and what it gave: other work on the machine only adds."""
    found = call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        found = call()
        times.append(time.perf_counter() - start)
    return min(times), found


def prompts_of(shared: int, own: int, variants: int) -> list[str]:
    """Returns prompts of about so many tokens: a common beginning and an end of their own."""
    rng = random.Random(shared * 1000 + own)
    head = " ".join(rng.choice(WORDS) for _ in range(shared))
    return [f"{head} {' '.join(rng.choice(WORDS) for _ in range(own))}. The colour is" for _ in range(variants)]


def asked(prompts: Sequence[str], *, choices: Sequence[str] | None = None, new_tokens: int = 1) -> list[Request]:
    """Returns greedy requests, one a prompt, as variants of one example."""
    return [
        Request(
            key=Key("m", "d", "1", f"v{place}", "greedy", 0),
            messages=(Message("user", prompt),),
            is_canonical=place == 0,
            max_new_tokens=new_tokens,
            choices=None if choices is None else tuple(choices),
        )
        for place, prompt in enumerate(prompts)
    ]


class Bench:
    """The embedded model, opened for this engine and for its peers.

    Args:
        dtype: Number type.
        threads: Threads of every side.
        repeats: Runs of each figure behind the one that warms up.
        batch_tokens: Most tokens of a pass; null = as the engine has it.
    """

    def __init__(self, dtype: str, threads: int, repeats: int, *, batch_tokens: int | None = None) -> None:
        options = ModelOptions(dtype=dtype, threads=threads, chat_template=False, batch_size=64, batch_tokens=batch_tokens)
        opened = open_model("embedded", options)
        if not isinstance(opened, LocalModel) or opened._network is None:
            raise SystemExit("the embedded model is not a local one")
        self.model = opened
        self.network = opened._network
        self.tokenizer = opened._prompts._tokenizer
        self.repeats = repeats
        self.dtype, self.threads = dtype, threads
        self.note = "" if dtype == "float32" else f"-{dtype.replace('bfloat16', 'bf16')}"

    def choices(self, name: str, shared: int, own: int, variants: int, target: float) -> list[Row]:
        """Returns the rows about log-likelihoods of choices."""
        prompts = prompts_of(shared, own, variants)
        mine, found = once(lambda: list(self.model.observe(asked(prompts, choices=CHOICES))), self.repeats)
        pairs = [Instance("loglikelihood", {}, (text, choice), 0) for text in self.shown(prompts) for choice in CHOICES]
        theirs, values, size = min((self._harness(pairs, size) for size in BATCHES), key=lambda one: one[0])
        ours = {one.key.variant: one.choice_logprobs or () for one in found}
        gaps = [abs(ours[f"v{place // len(CHOICES)}"][place % len(CHOICES)] - value) for place, (value, _) in enumerate(values)]
        rows = [Row(f"{name}{self.note}", mine, "s", f"lm-eval, batch {size}", theirs, theirs / mine, target)]
        if name == "choices":
            rows.append(Row(f"difference{self.note}", max(gaps), "nats", "lm-eval", target=None if self.note else 1e-4))
            rows.append(self._floor(prompts, mine))
        return rows

    def shown(self, prompts: Sequence[str]) -> list[str]:
        """Returns the prompts as the engine writes them, so that every side reads the same text."""
        return [self.model._prompts.render((Message("user", prompt),)).text for prompt in prompts]

    def _harness(self, pairs: list[Instance], size: int) -> tuple[float, list[tuple[float, bool]], int]:
        harness = HFLM(pretrained=self.network._model, tokenizer=self.tokenizer, batch_size=size, add_bos_token=False)
        seconds, values = once(lambda: harness.loglikelihood(pairs, disable_tqdm=True), self.repeats)
        return seconds, values, size

    def _floor(self, prompts: Sequence[str], mine: float) -> Row:
        """Returns the time against that of the bare matrix products of the distinct tokens: lower cannot be."""
        texts = [self.tokenizer(text + choice).input_ids[:-1] for text in self.shown(prompts) for choice in CHOICES]
        size = distinct_tokens(texts)
        model = self.network._model
        layers = [layer for layer in model.modules() if isinstance(layer, torch.nn.Linear) and layer is not model.get_output_embeddings()]
        inputs = {layer.in_features: torch.randn(size, layer.in_features, dtype=model.dtype) for layer in layers}
        head, places = (
            model.get_output_embeddings(),
            len(prompts) + sum(len(self.tokenizer(choice).input_ids) - 1 for choice in CHOICES) * len(prompts),
        )
        last = torch.randn(places, head.in_features, dtype=model.dtype)

        @torch.inference_mode()
        def products() -> None:
            for layer in layers:
                layer(inputs[layer.in_features])
            head(last)

        bare, _ = once(products, self.repeats)
        target = None if self.note else 1.4
        return Row(f"floor{self.note}", mine, "s", f"matrix products, {size} tokens", bare, mine / bare, target, better="lower")

    def generation(self) -> list[Row]:
        """Returns the rows about responses: 32 tokens for 16 prompts of 250 shared and 50 own tokens, in the model's own template."""
        prompts = prompts_of(250, 50, 16)
        opened = open_model("embedded", ModelOptions(dtype=self.dtype, threads=self.threads, batch_size=64))
        texts = [opened._prompts.render((Message("user", prompt),)).text for prompt in prompts]  # type: ignore[attr-defined]
        mine, found = once(lambda: list(opened.observe(asked(prompts, new_tokens=32))), self.repeats)
        self.tokenizer.pad_token = self.tokenizer.pad_token or self.tokenizer.eos_token
        self.tokenizer.padding_side = "left"
        batch = self.tokenizer(texts, return_tensors="pt", padding=True, add_special_tokens=False)
        how: dict[str, Any] = {"do_sample": False, "max_new_tokens": 32, "pad_token_id": self.tokenizer.pad_token_id, "temperature": None}
        how |= {"top_p": None, "top_k": None}
        model = self.network._model
        padded, _ = once(lambda: model.generate(**batch, **how), self.repeats)
        alone = [self.tokenizer([text], return_tensors="pt", add_special_tokens=False) for text in texts]
        single, replies = once(lambda: [model.generate(**one, **how)[0, one.input_ids.shape[1] :].tolist() for one in alone], 1)
        said = {one.key.variant: list(one.response_token_ids or ()) for one in found}
        # The end token stands in their list and not in ours.
        same = sum(
            [token for token in text if token != self.tokenizer.eos_token_id] == said[f"v{place}"] for place, text in enumerate(replies)
        )
        tokens = sum(map(len, said.values()))
        return [
            Row("generation-batch", mine, "s", "generate, padded batch", padded, padded / mine, 2.2),
            Row("generation-single", mine, "s", "generate, one by one", single, single / mine, 5.5),
            Row("generation-same", same, f"of 16, {tokens} tokens", "generate, one by one", target=16, better="higher"),
        ]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", default="", help="rows whose name begins so")
    given, rest = parser.parse_known_args()
    sys.argv = [sys.argv[0], *rest]
    full = Bench("float32", given.threads, given.repeats)
    parts: dict[str, Callable[[], list[Row]]] = {
        "choices": lambda: full.choices("choices", 300, 20, 20, 16.0),
        "choices-usual": lambda: full.choices("choices-usual", 80, 12, 8, 5.0),
        "choices-unshared": lambda: full.choices("choices-unshared", 0, 90, 8, 1.0),
        "generation": full.generation,
        "choices-bf16": lambda: Bench("bfloat16", given.threads, given.repeats).choices("choices", 300, 20, 20, 10.0),
    }
    show([row for name, part in parts.items() if name.startswith(given.only) for row in part()])


if __name__ == "__main__":
    main()
