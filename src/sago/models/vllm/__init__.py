"""Models that vLLM serves in this process, for machines with a supported accelerator: ``vllm:NAME_OR_PATH``.

Responses, and log-probabilities of options and anchors, come from vLLM; prompts, the tokens scored and the ends of responses follow the
rules of the local engine, whose code they share. Hidden states are not observable.
"""

from __future__ import annotations

from importlib.util import find_spec

from sago.errors import MissingExtraError, StudyError
from sago.models.opening import Opener
from sago.models.protocol import Model
from sago.records import ModelOptions

__all__ = ["open_vllm"]


def _check(argument: str) -> None:
    if not argument:
        raise StudyError("vllm: names no model", fix="Write vllm:NAME_OR_PATH")
    if find_spec("vllm") is None:
        raise MissingExtraError(f"vllm:{argument} needs vllm and an accelerator that it supports", install="pip install 'sago-eval[vllm]'")


def _open(argument: str, options: ModelOptions) -> Model:
    _check(argument)
    from sago.models.vllm.engine import VllmModel

    return VllmModel.open(argument, options)


open_vllm = Opener("A model that vLLM runs in this process, on an accelerator; hidden states cannot be seen", _open, _check)
"""The plug-in ``vllm``."""
