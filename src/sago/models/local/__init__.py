"""Models on this machine, through transformers.

``prompts.py`` messages to text and token ids; ``continuations.py`` and ``seams.py`` which tokens of a text are scored; ``grouping.py``
requests to batches, ``budget.py`` how much one may hold; ``loading.py`` names to a loaded network; ``forward.py`` the passes; ``tree.py``,
``blocks.py`` and ``attention.py`` prompts that share their beginnings, ``rows.py`` what goes on behind them; ``states.py`` the hooks that
pool hidden states; ``scoring.py`` log-likelihoods; ``generation.py`` responses; ``replies.py`` what a response's tokens say; ``engine.py``
strings them together; ``devices.py`` a model on several devices.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from sago.errors import InputError, MissingExtraError, StudyError
from sago.models.opening import Opener
from sago.models.protocol import Model
from sago.records import ModelOptions

if TYPE_CHECKING:
    from sago.models.local.engine import LocalModel

__all__ = ["open_folder", "open_local"]

_COMMIT = re.compile(r"[0-9a-f]{40}")
_INSTALL = "pip install 'sago-eval[hf]'"


def open_folder(name: str, options: ModelOptions, *, model_id: str, source: str, notes: Sequence[str] = (), offline: bool = False) -> Model:
    """Loads a model folder, or a model of the hub; on several devices where the options name them with commas.

    Args:
        name: Folder or hub name.
        options: How to open it.
        model_id: Name in tables.
        source: What the person wrote, for the manifest.
        notes: What a reader of the numbers should know.
        offline: True to forbid every look at the network.

    Raises:
        MissingExtraError: If torch or transformers is not installed.
        ModelError: If it cannot be loaded, or is of a kind that would give wrong numbers.
    """
    for package in ("torch", "transformers"):
        if find_spec(package) is None:
            raise MissingExtraError(f"{source} needs {package}", install=_INSTALL)
    opened = functools.partial(_open_here, name, model_id=model_id, source=source, notes=tuple(notes), offline=offline)
    if "," in options.device:
        from sago.models.local.devices import ModelOnDevices

        return ModelOnDevices(opened, options)
    return opened(options)


def _open_here(name: str, options: ModelOptions, *, model_id: str, source: str, notes: tuple[str, ...], offline: bool) -> LocalModel:
    from sago.models.local.engine import LocalModel
    from sago.models.local.loading import load

    return LocalModel(load(name, options, offline=offline), options, model_id=model_id, source=source, notes=notes)


def _looks_like_path(argument: str) -> bool:
    return argument.startswith((".", "~", "/")) or "\\" in argument or argument.count("/") > 1 or Path(argument).exists()


def _check(argument: str) -> None:
    if not argument:
        raise StudyError("hf: names no model", fix="Write hf:NAME_OR_PATH, for instance hf:models/gemma")
    if not _looks_like_path(argument):
        return
    folder = Path(argument).expanduser()
    if not folder.exists():
        raise InputError("there is no such folder", where=f"hf:{argument}", fix="Check the path, or give the name of a model on the hub")
    if not any((folder / name).exists() for name in ("config.json", "adapter_config.json")):
        raise InputError(
            "the folder holds neither config.json nor adapter_config.json",
            where=f"hf:{argument}",
            fix="Give the folder of a transformers model or of an adapter",
        )


def _short_name(argument: str) -> str:
    parts = [part for part in Path(argument).expanduser().parts if part not in ("/", ".", "..")]
    if not parts:
        return Path(argument).resolve().name
    # "checkpoint-500" alone would not say of which model.
    return "/".join(parts[-2:]) if parts[-1].startswith("checkpoint") else parts[-1]


def _open(argument: str, options: ModelOptions) -> Model:
    _check(argument)
    is_path = _looks_like_path(argument)
    name = str(Path(argument).expanduser()) if is_path else argument
    return open_folder(name, options, model_id=_short_name(argument), source=f"hf:{argument}", offline=is_path)


def _stamp(argument: str, options: ModelOptions) -> str | None:
    """Returns names, sizes and times of the files of a folder, or the commit asked for; a name on the hub alone may move on."""
    if not _looks_like_path(argument):
        return options.revision if options.revision and _COMMIT.fullmatch(options.revision) else None
    found = ((path.name, path.stat()) for path in sorted(Path(argument).expanduser().iterdir()) if path.is_file())
    return ";".join(f"{name}:{seen.st_size}:{seen.st_mtime_ns}" for name, seen in found)


open_local = Opener("A causal language model of transformers: a folder, or a name on the hub", _open, _check, _stamp)
"""The plug-in ``hf``."""
