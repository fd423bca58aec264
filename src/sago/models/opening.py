"""From a model's name as people write it to an opened model."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sago import registry
from sago.errors import UnknownNameError
from sago.models.protocol import Model
from sago.records import Capability, ModelOptions

_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")


@dataclass(frozen=True)
class Opener:
    """A plug-in of ``sago.models``: opens a model, and can say beforehand whether a name makes sense.

    Attributes:
        description: One line for ``sago list models``.
        open: Argument behind the colon (empty where there is none) and options -> model.
        check: Raises an ``InputError`` for an argument that cannot work; loads nothing.
        stamp: Tells without loading that a model is the one it was: a text that changes whenever the model could; null where only
            opening it can tell.
        most: What such a model can be asked for at most, known without opening it; null = only opening it tells.
    """

    description: str
    open: Callable[[str, ModelOptions], Model]
    check: Callable[[str], None] | None = None
    stamp: Callable[[str, ModelOptions], str | None] | None = None
    most: Callable[[str], frozenset[Capability]] | None = None

    def __call__(self, argument: str, options: ModelOptions) -> Model:
        """Opens the model."""
        return self.open(argument, options)


def open_model(spec: str, options: ModelOptions | None = None) -> Model:
    """Opens a model by its name.

    Args:
        spec: ``embedded``, ``hf:NAME_OR_PATH``, ``planted:constant``, or ``PLUGIN:ARGUMENT`` of any registered plug-in.
        options: How to open it; null = the defaults.

    Raises:
        UnknownNameError: If no plug-in has the name; the message suggests its neighbours.
        ModelError: If the model cannot be loaded.
    """
    opener, argument = _resolve(spec)
    model: Model = opener(argument, options or ModelOptions())
    return model


def check_model_spec(spec: str) -> None:
    """Raises what :func:`open_model` would raise for a wrong name, without loading anything.

    Raises:
        UnknownNameError: If no plug-in has the name.
        InputError: If the plug-in says that the argument cannot work.
    """
    opener, argument = _resolve(spec)
    check = getattr(opener, "check", None)
    if check is not None:
        check(argument)


def stamp_of(spec: str, options: ModelOptions) -> str | None:
    """Returns a text that changes whenever the model behind a name could be another one; null where only opening it can tell."""
    opener, argument = _resolve(spec)
    stamp = getattr(opener, "stamp", None)
    return None if stamp is None else stamp(argument, options)


def most_of(spec: str) -> frozenset[Capability] | None:
    """Returns what a model can be asked for at most, without opening it; null where only that tells.

    >>> sorted(most_of("anthropic:some-model"))
    ['generate']
    """
    opener, argument = _resolve(spec)
    most = getattr(opener, "most", None)
    found: frozenset[Capability] | None = None if most is None else most(argument)
    return found


def _resolve(spec: str) -> tuple[Callable[[str, ModelOptions], Model], str]:
    name, _, argument = spec.partition(":")
    if name not in registry.names("models") and (Path(spec).expanduser().exists() or _HUB_NAME.fullmatch(spec)):
        raise UnknownNameError("model", spec, known=registry.names("models"), neighbours=[f"hf:{spec}"])
    opener: Callable[[str, ModelOptions], Model] = registry.get("models", name)
    return opener, argument
