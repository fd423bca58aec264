"""Models behind an API: ``openai:``, ``anthropic:``, ``google:`` and ``litellm:``, each through its official package.

``provider.py`` what an adapter is; ``openai.py``, ``anthropic.py``, ``google.py``, ``litellm.py`` the adapters; ``dialect.py`` what a
server takes, learned from what it refuses; ``chat.py`` how a completion reads; ``failures.py`` what an error means; ``requests.py`` the
loop through which every call goes; ``pace.py`` how many at once; ``spending.py`` what it costs; ``repeats.py`` replies that come again;
``observing.py`` replies to observations; ``model.py`` the model; ``keys.py`` where keys come from.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

from sago.errors import MissingExtraError, StudyError
from sago.models.api.keys import key_of
from sago.models.opening import Opener
from sago.models.protocol import Model
from sago.records import Capability, ModelOptions

__all__ = ["open_anthropic", "open_google", "open_litellm", "open_openai"]

_MOST: dict[str, frozenset[Capability]] = {
    "openai": frozenset({"generate", "token_logprobs", "choice_logprobs"}),
    "anthropic": frozenset({"generate"}),
    "google": frozenset({"generate"}),
    "litellm": frozenset({"generate", "token_logprobs", "choice_logprobs"}),
}
_PACKAGES = {"openai": "openai", "anthropic": "anthropic", "google": "google.genai", "litellm": "litellm"}
_CLASSES = {"openai": "OpenAiProvider", "anthropic": "AnthropicProvider", "google": "GoogleProvider", "litellm": "LiteLlmProvider"}
_VARIABLES: dict[str, tuple[str, ...]] = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "litellm": ("LITELLM_API_KEY",),
}
_EXAMPLES = {
    "openai": "openai:gpt-4.1-mini",
    "anthropic": "anthropic:claude-haiku-4-5",
    "google": "google:gemini-2.5-flash",
    "litellm": "litellm:mistral/mistral-small-latest",
}


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        return False


def _opener(name: str, description: str) -> Opener:
    def check(argument: str) -> None:
        if not argument.strip():
            raise StudyError(f"{name}: names no model", fix=f"Write {name}:MODEL, for instance {_EXAMPLES[name]}")

    def open_it(argument: str, options: ModelOptions) -> Model:
        check(argument)
        spec = f"{name}:{argument}"
        if not _is_installed(_PACKAGES[name]):
            raise MissingExtraError(
                f"{spec} needs the package {_PACKAGES[name].replace('.', '-')}", install=f"pip install 'sago-eval[{name}]'"
            )
        # litellm finds the variables of its providers itself.
        needs_key = options.api.base_url is None and name != "litellm"
        key = key_of(_VARIABLES[name], options.api.key_file, spec=spec, is_needed=needs_key)
        from sago.models.api.model import ApiModel

        make: Callable[..., object] = getattr(import_module(f"sago.models.api.{name}"), _CLASSES[name])
        return ApiModel(argument, source=spec, provider=make(argument, key, options), key=key, options=options.api)  # type: ignore[arg-type]

    return Opener(description, open_it, check, most=lambda _: _MOST[name])


open_openai = _opener("openai", "OpenAI's API, and any server that speaks it (--base-url): vLLM, llama.cpp, Ollama, gateways")
"""The plug-in ``openai``."""

open_anthropic = _opener("anthropic", "Anthropic's API; no log-probabilities")
"""The plug-in ``anthropic``."""

open_google = _opener("google", "Google's Gemini API; no log-probabilities")
"""The plug-in ``google``."""

open_litellm = _opener("litellm", "The providers that the package litellm knows: litellm:PROVIDER/MODEL")
"""The plug-in ``litellm``."""
