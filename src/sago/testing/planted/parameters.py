"""What a planted model is given behind its name: ``coin-flip:rate=0.2,seed=1``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sago.errors import StudyError
from sago.variations import Parameter
from sago.variations.specs import is_within, limits

Value = int | float | str


def read_parameters(text: str, known: Mapping[str, Parameter], where: str) -> dict[str, Value]:
    """Returns the parameters that a spec names, with the types of their defaults.

    Args:
        text: What stands behind the model's name: ``rate=0.2,seed=1``, or nothing.
        known: The model's parameters.
        where: The model, for messages.

    Raises:
        StudyError: If a piece is no ``name=value``, or a parameter is unknown, given twice, or no value of its type.
    """
    given: dict[str, Value] = {}
    for piece in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (part.strip() for part in piece.partition("="))
        if not equals:
            raise StudyError(f"'{piece}' is no parameter", where=where, fix=f"Write name=value. {_allowed(known)}")
        if name in given:
            raise StudyError(f"the parameter '{name}' is given twice", where=where, fix="Give it once")
        given[name] = _typed(value, known.get(name))
    complete(given, known, where)
    return given


def complete(given: Mapping[str, Value], known: Mapping[str, Parameter], where: str) -> dict[str, Value]:
    """Returns all parameters, those that were not given at their default.

    Raises:
        StudyError: If a parameter is unknown or out of its limits.
    """
    for name, value in given.items():
        if name not in known:
            raise StudyError(f"unknown parameter '{name}'", where=where, fix=_allowed(known))
        if not is_within(value, known[name]):
            raise StudyError(f"{name}={value} is out of its limits", where=where, fix=f"Give a {limits(known[name])}")
    return {name: given.get(name, parameter.default) for name, parameter in known.items()}


def spelled(values: Mapping[str, Value]) -> str:
    """Returns parameters as they are written in a spec.

    >>> spelled({"rate": 0.2, "seed": 1})
    'rate=0.2,seed=1'
    """
    return ",".join(f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}" for name, value in values.items())


def _typed(text: str, parameter: Parameter | None) -> Value:
    """Returns the value in the parameter's type; what cannot be read stays text, so that the limits refuse it by its own spelling."""
    kind: Any = type(parameter.default) if parameter is not None else str
    try:
        value: Value = kind(text)
    except ValueError:
        value = text
    return value


def _allowed(known: Mapping[str, Parameter]) -> str:
    if not known:
        return "The model has no parameters"
    return "Parameters: " + ", ".join(f"{name} ({limits(parameter)})" for name, parameter in known.items())
