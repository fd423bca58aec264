"""Names and folders to a loaded network, refused where its numbers would be wrong."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch

from sago.errors import MissingExtraError, ModelError, StudyError
from sago.models.cache import weights_hash
from sago.models.quiet import quiet_transformers
from sago.records import ModelOptions

ADAPTER = "adapter_config.json"
"""File that a folder of a PEFT adapter holds instead of a configuration of its own."""


@dataclass(frozen=True)
class Loaded:
    """A model in memory, with what identifies it.

    Attributes:
        model: A causal language model of transformers, in evaluation mode.
        tokenizer: Its tokenizer.
        revision: Commit of the hub, or null for a folder.
        weights: sha256 over the weight files; null where they are not found as files.
        template_hash: sha256 of the chat template; null without one.
    """

    model: Any
    tokenizer: Any
    revision: str | None = None
    weights: str | None = None
    template_hash: str | None = None


def load(name: str, options: ModelOptions, *, offline: bool = False) -> Loaded:
    """Loads a folder or a model of the hub.

    Args:
        name: Folder or hub name.
        options: Revision, number type, device, threads.
        offline: True to forbid every look at the network.

    Raises:
        ModelError: If it cannot be loaded, or is not a causal language model.
    """
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    if options.threads is not None:
        torch.set_num_threads(options.threads)
    device = device_named(options.device)
    dtype = _dtype(options.dtype, device)
    where = {"revision": options.revision, "local_files_only": offline}
    base = _base_of_adapter(name)
    try:
        with quiet_transformers():
            config = AutoConfig.from_pretrained(base or name, **where)
            _refuse_other_kinds(config, name)
            own = base is None or (Path(name) / "tokenizer_config.json").exists()
            tokenizer = AutoTokenizer.from_pretrained(name if own else base, **where)
            # The attention kernel is left to transformers: sdpa wherever the architecture has it.
            given = {} if base else {"config": config}
            model = AutoModelForCausalLM.from_pretrained(name, **given, dtype=dtype, **where)
    except (OSError, ValueError, KeyError, ImportError, RuntimeError) as error:
        first = str(error).strip().split("\n")[0]
        raise ModelError(f"cannot be loaded: {first}", where=name, fix="Check the name, the folder and the network") from error
    # Weights that were quantised stand where their own loader put them.
    model = model.eval() if getattr(model, "quantization_method", None) else model.to(device).eval()
    revision = getattr(model.config, "_commit_hash", None)
    template = getattr(tokenizer, "chat_template", None)
    return Loaded(
        model=model,
        tokenizer=tokenizer,
        revision=revision,
        weights=weights_hash([file for each in (name, base) if each for file in _weight_files(each, revision)]),
        template_hash=hashlib.sha256(str(template).encode()).hexdigest() if template else None,
    )


def _dtype(name: str, device: torch.device) -> torch.dtype | str:
    if name == "auto":
        # Half precision is slow on most CPUs, and float32 is what the other numbers are held against.
        return torch.float32 if device.type == "cpu" else "auto"
    dtype = getattr(torch, name, None)
    if not isinstance(dtype, torch.dtype) or not dtype.is_floating_point:
        raise StudyError(f"dtype {name} is not known", fix="Use auto, float32, bfloat16 or float16")
    return dtype


def device_named(name: str) -> torch.device:
    """Returns a device that can be used.

    Args:
        name: As torch names it, or ``auto``: the first accelerator there is, else the CPU.

    Raises:
        StudyError: If it cannot be used on this machine.
    """
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:  # torch asserts where it was built without a device
        raise StudyError(f"device {name} cannot be used on this machine", fix="Use --device cpu") from error
    return device


def _base_of_adapter(name: str) -> str | None:
    """Returns the model that an adapter in a folder belongs to; null where the folder holds a whole model.

    Raises:
        MissingExtraError: If it is an adapter and peft is not installed.
        ModelError: If the adapter does not name its model.
    """
    described = Path(name) / ADAPTER
    if not described.exists() or (Path(name) / "config.json").exists():
        return None
    if find_spec("peft") is None:
        raise MissingExtraError(f"the adapter {name} needs peft", install="pip install 'sago-eval[peft]'")
    base = json.loads(described.read_text(encoding="utf-8")).get("base_model_name_or_path")
    if not base:
        raise ModelError("the adapter does not name the model it belongs to", where=str(described), fix="Set base_model_name_or_path")
    return str(base)


def _refuse_other_kinds(config: Any, name: str) -> None:
    if getattr(config, "is_encoder_decoder", False):
        raise ModelError("an encoder-decoder cannot be observed", where=name, fix="Give a causal (decoder-only) language model")


def _weight_files(name: str, revision: str | None) -> list[Path]:
    folder = Path(name)
    if not folder.is_dir():
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import LocalEntryNotFoundError

        try:
            folder = Path(snapshot_download(name, revision=revision, local_files_only=True))
        except LocalEntryNotFoundError:
            return []
    return sorted(folder.glob("*.safetensors")) or sorted([*folder.glob("pytorch_model*.bin"), *folder.glob("adapter_model.bin")])
