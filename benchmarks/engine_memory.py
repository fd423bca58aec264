"""The local engine: memory at its peak, what states cost, and how cost grows with wordings, choices and length.

    python benchmarks/engine_memory.py --threads 2

``memory`` is what a process of its own holds at most beyond what it held before the model was opened, against the weights and the budget of
tokens that the engine gave itself. ``states`` compares passes with and without hidden states, in turns; ``all states`` against
``output_hidden_states`` of transformers. ``growth`` gives seconds for one example; the plot goes to ``--plot``. Models of other sizes
have random weights in the shape of the embedded one.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from engine import CHOICES, Bench, asked, prompts_of
from sago.models import Model, open_model
from sago.records import ModelOptions
from table import Row, show

MEGABYTE = 1 << 20


def peak() -> float:
    """Returns the most resident memory of this process so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0


def memory(threads: int, tokens: int) -> list[Row]:
    """Returns the row about memory, measured in a process of its own."""
    command = [sys.executable, __file__, "--threads", str(threads), "--inside", str(tokens)]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip().splitlines()[-1])
    allowed = told["weights"] + told["budget"]
    name = f"memory, {tokens} tokens a pass"
    return [Row(name, told["peak"] / MEGABYTE, "MB", "weights and budget", allowed / MEGABYTE, told["peak"] / allowed, 1.3, better="lower")]


def inside(threads: int, tokens: int) -> None:
    """Opens the model, asks it more than one pass takes, and prints what was held."""
    from dataclasses import replace

    from sago.models.local.budget import bytes_of_token
    from sago.models.local.forward import LOGIT_BYTES

    before = peak()
    bench = Bench("float32", threads, 1, batch_tokens=tokens)
    requests = [
        replace(request, wants_states=True, key=replace(request.key, example=str(shared)))
        for shared in (200, 220, 240)
        for request in asked(prompts_of(shared, 40, 20), choices=CHOICES, new_tokens=8)
    ]
    list(bench.model.observe(requests))
    network = bench.network._model
    weights = sum(parameter.numel() * parameter.element_size() for parameter in network.parameters())
    print(json.dumps({"peak": peak() - before, "weights": weights, "budget": tokens * bytes_of_token(network) + LOGIT_BYTES}))


def in_turns(calls: Sequence[Callable[[], Any]], repeats: int) -> list[float]:
    """Returns the median wall time of each call, run in turns so that a slow moment of the machine meets all of them."""
    times: list[list[float]] = [[] for _ in calls]
    for turn in range(repeats + 1):
        for place, call in enumerate(calls):
            start = time.perf_counter()
            call()
            if turn:
                times[place].append(time.perf_counter() - start)
    return [statistics.median(each) for each in times]


def states(bench: Bench, repeats: int) -> list[Row]:
    """Returns the rows about hidden states."""
    import torch

    network = bench.network
    ids = [bench.tokenizer(text).input_ids for text in bench.shown(prompts_of(200, 30, 16))]
    every = range(1, len(network.blocks) + 1)
    four = (8, 15, 23, 30)
    tokens = torch.tensor([text[: min(map(len, ids))] for text in ids])

    @torch.inference_mode()
    def all_by_transformers() -> Any:
        return network._model(input_ids=tokens, output_hidden_states=True, use_cache=True, logits_to_keep=1)

    @torch.inference_mode()
    def plain() -> Any:
        return network._model(input_ids=tokens, use_cache=True, logits_to_keep=1)

    none, some, many, theirs, bare = in_turns(
        [lambda: network.read(ids), lambda: network.read(ids, four), lambda: network.read(ids, every), all_by_transformers, plain], repeats
    )
    return [
        Row("states, 4 layers", some, "s", "the pass without", none, some / none, 1.03, better="lower"),
        Row("states, 30 layers", many, "s", "the pass without", none, many / none, better="lower"),
        Row("output_hidden_states", theirs, "s", "the plain pass", bare, theirs / bare, better="lower"),
    ]


def growth(bench: Bench) -> list[dict[str, Any]]:
    """Returns seconds for one example over wordings, choices, shared tokens and the size of the model."""
    found = []
    for name, shared, variants, count in [
        *(("wordings", 100, number, 4) for number in (2, 4, 8, 16, 32)),
        *(("choices", 100, 8, number) for number in (1, 2, 4)),
        *(("shared tokens", number, 8, 4) for number in (25, 50, 100, 200, 400)),
    ]:
        prompts = prompts_of(shared, 20, variants)

        def ask(prompts: list[str] = prompts, count: int = count) -> Any:
            return list(bench.model.observe(asked(prompts, choices=CHOICES[:count])))

        (seconds,) = in_turns([ask], 3)
        number = {"wordings": variants, "choices": count, "shared tokens": shared}[name]
        found.append({"of": name, "number": number, "seconds": seconds})
    return [*found, *growth_with_size(bench)]


def growth_with_size(bench: Bench) -> list[dict[str, Any]]:
    """Returns seconds for one example over millions of parameters: random weights, 8 wordings, 4 choices, 100 shared tokens."""
    from transformers import AutoConfig, AutoModelForCausalLM

    found = []
    for width, layers in ((288, 15), (576, 15), (576, 30), (960, 32)):
        config = AutoConfig.from_pretrained(bench.network._model.config.name_or_path)
        heads = {"num_attention_heads": width // 64 or 1, "num_key_value_heads": width // 192 or 1, "head_dim": 64}
        config.update({"hidden_size": width, "intermediate_size": width * 8 // 3, "num_hidden_layers": layers, **heads})
        with tempfile.TemporaryDirectory() as folder:
            network = AutoModelForCausalLM.from_config(config)
            millions = round(sum(parameter.numel() for parameter in network.parameters()) / 1e6)
            network.save_pretrained(folder)
            bench.tokenizer.save_pretrained(folder)
            del network
            model = open_model(f"hf:{folder}", ModelOptions(threads=bench.threads, dtype="float32", chat_template=False, batch_size=64))

        def ask(model: Model = model) -> Any:
            return list(model.observe(asked(prompts_of(100, 20, 8), choices=CHOICES)))

        (seconds,) = in_turns([ask], 3)
        found.append({"of": "million parameters", "number": millions, "seconds": seconds})
    return found


def plot(found: list[dict[str, Any]], path: Path) -> None:
    """Draws seconds over each number, side by side, from 0."""
    import vl_convert

    drawing = {
        "data": {"values": found},
        "facet": {"column": {"field": "of", "title": None, "sort": ["wordings", "choices", "shared tokens", "million parameters"]}},
        "spec": {
            "width": 180,
            "height": 160,
            "mark": {"type": "line", "point": True},
            "encoding": {
                "x": {"field": "number", "type": "quantitative", "title": None},
                "y": {"field": "seconds", "type": "quantitative", "title": "seconds an example"},
            },
        },
        "resolve": {"scale": {"x": "independent"}},
    }
    path.write_bytes(vl_convert.vegalite_to_png(drawing, scale=2))


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--inside", type=int, help=argparse.SUPPRESS)
    given, rest = parser.parse_known_args()
    sys.argv = [sys.argv[0], *rest]
    if given.inside is not None:
        inside(given.threads, given.inside)
        return
    rows = [*memory(given.threads, 1024), *memory(given.threads, 4096)]
    bench = Bench("float32", given.threads, given.repeats)
    rows += states(bench, given.repeats)
    found = growth(bench)
    show([*rows, *(Row(f"growth, {one['number']} {one['of']}", one["seconds"], "s") for one in found)])
    if given.plot is not None:
        plot(found, given.plot)


if __name__ == "__main__":
    main()
