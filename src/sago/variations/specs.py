"""What a user writes to ask for a family: ``typo``, ``typo:n=2,rate=0.05``, ``typo@0.1`` (its intensity) or ``typo+format`` (stacked)."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from sago import registry
from sago.errors import PluginError, StudyError
from sago.variations.protocol import HasIntensity, Parameter, Variation
from sago.variations.stacked import stacked


@dataclass(frozen=True, slots=True)
class Family:
    """A variation with a complete set of parameters, ready to be used.

    Attributes:
        name: Name of the family: that of the variation, with its intensity where the user gave one (``typo@0.1``).
        variation: What makes the variants.
        parameters: Its parameters, all of them.
    """

    name: str
    variation: Variation
    parameters: Mapping[str, int | float | str]

    def recorded(self) -> dict[str, int | float | str]:
        """Returns the parameters as they are kept: of a file the hash of its content, so that its name and place do not count.

        Raises:
            StudyError: If a file cannot be read.
        """
        kinds = self.variation.parameters
        found = {key: file_hash(str(value)) if kinds[key].is_file and value else value for key, value in self.parameters.items()}
        return {key: short_name(str(value)) if kinds[key].is_model else value for key, value in found.items()}


def parse_families(specs: Sequence[str]) -> tuple[Family, ...]:
    """Returns the families that the specs name, in their order.

    Raises:
        StudyError: If a parameter is unknown or out of its limits, or a family is given twice.
        UnknownNameError: If no variation has the name.
        PluginError: If the variation cannot be imported or does not fit its protocol.
    """
    families: dict[str, Family] = {}
    for spec in specs:
        family = parse_family(spec)
        if family.name in families:
            raise StudyError(f"the family '{family.name}' is given twice", where="variations", fix=_once(family))
        families[family.name] = family
    return tuple(families.values())


def parse_family(spec: str) -> Family:
    """Returns the family that one spec names; see :func:`parse_families` for what it raises.

    >>> dict(parse_family("typo:n=2").parameters)["n"]
    2
    >>> parse_family("typo@0.1+format:format.n=3").name
    'typo@0.1+format'
    """
    names, _, given = spec.partition(":")
    layers = [_layer(part.strip(), spec) for part in names.split("+")]
    variation = layers[0].variation if len(layers) == 1 else stacked([layer.variation for layer in layers])
    values: dict[str, int | float | str] = {key: parameter.default for key, parameter in variation.parameters.items()}
    for layer in layers:
        values |= {key if len(layers) == 1 else f"{layer.variation.name}.{key}": value for key, value in layer.given.items()}
    for part in filter(None, (piece.strip() for piece in given.split(","))):
        key, separator, text = (piece.strip() for piece in part.partition("="))
        if not separator:
            raise StudyError(f"'{part}' is no parameter", where=f"variation '{spec}'", fix=f"Write name=value. {_allowed(variation)}")
        if key not in variation.parameters:
            raise StudyError(f"unknown parameter '{key}'", where=f"variation '{spec}'", fix=_allowed(variation))
        values[key] = _value(text, variation.parameters[key], f"variation '{spec}': {key}")
    return Family("+".join(layer.name for layer in layers), variation, values)


def names_of(spec: str) -> tuple[str, ...]:
    """Returns the names of the variations that one spec names.

    >>> names_of("typo@0.1+format:format.n=3")
    ('typo', 'format')
    """
    return tuple(part.partition("@")[0].strip() for part in spec.partition(":")[0].split("+"))


@dataclass(frozen=True, slots=True)
class _Layer:
    name: str
    variation: Variation
    given: Mapping[str, int | float | str]


def _layer(part: str, spec: str) -> _Layer:
    """Returns one of the variations that a spec stacks, with the intensity that stands behind ``@``."""
    name, at, text = (piece.strip() for piece in part.partition("@"))
    if not name:
        raise StudyError("a family has no name", where=f"variation '{spec}'", fix="Write typo, typo:n=2, typo@0.1 or typo+format")
    variation = registry.get("variations", name)
    if not isinstance(variation, Variation):
        raise PluginError(f"variation '{name}' does not fit its protocol", fix="Run sago.testing.check_variation on it")
    if not at:
        return _Layer(name, variation, {})
    if not isinstance(variation, HasIntensity):
        raise StudyError(f"'{name}' has no intensity that could be given behind @", where=f"variation '{spec}'", fix=_allowed(variation))
    value = _value(text, variation.parameters[variation.intensity], f"variation '{spec}': {variation.intensity}")
    return _Layer(f"{name}@{value:g}" if isinstance(value, float) else f"{name}@{value}", variation, {variation.intensity: value})


def file_hash(path: str) -> str:
    """Returns ``sha256:`` and the first 16 digits of the hash of a file's content.

    Raises:
        StudyError: If the file cannot be read.
    """
    try:
        return "sha256:" + hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise StudyError(f"cannot be read ({error.strerror or error})", where=path, fix="Give the path of a file") from error


def short_name(model: str) -> str:
    """Returns the name of a model without the place of its folder, so that what is recorded of it is the same on every machine.

    >>> short_name("hf:/data/models/gemma"), short_name("hf:~/gemma/"), short_name("hf:google/gemma")
    ('hf:gemma', 'hf:gemma', 'hf:google/gemma')
    """
    plugin, colon, argument = model.partition(":")
    parts = [part for part in re.split(r"[/\\]", argument) if part not in ("", ".", "..", "~")]
    is_place = argument.startswith((".", "~", "/")) or "\\" in argument or argument.count("/") > 1
    return f"{plugin}{colon}{parts[-1]}" if is_place and parts else model


def names_in(value: str, allowed: Sequence[str], where: str) -> tuple[str, ...]:
    """Returns the names of a parameter that lists some, joined by ``+``, in the order given.

    Raises:
        StudyError: If a name is not allowed or given twice.
    """
    return _names_in(value, tuple(allowed), where)


@lru_cache(maxsize=256)
def _names_in(value: str, allowed: tuple[str, ...], where: str) -> tuple[str, ...]:
    """Returns what :func:`names_in` does; families ask it for every example."""
    names = tuple(name.strip() for name in value.split("+"))
    for name in names:
        if name not in allowed:
            raise StudyError(f"unknown name '{name}'", where=where, fix=f"Known, joined by +: {', '.join(allowed)}")
    if len(set(names)) < len(names):
        raise StudyError(f"a name is given twice in '{value}'", where=where, fix="Give each name once")
    return names


def is_within(value: Any, parameter: Parameter) -> bool:
    """Returns whether a value has the parameter's type and lies within its limits."""
    if isinstance(parameter.default, str):
        return isinstance(value, str) and (not parameter.options or value in parameter.options)
    kinds = (int, float) if isinstance(parameter.default, float) else (int,)
    if not isinstance(value, kinds) or isinstance(value, bool) or not math.isfinite(value):
        return False
    low = -math.inf if parameter.minimum is None else parameter.minimum
    high = math.inf if parameter.maximum is None else parameter.maximum
    return low <= value <= high


def limits(parameter: Parameter) -> str:
    """Returns the limits of a parameter in words, for messages and lists."""
    if parameter.options:
        return " or ".join(parameter.options)
    kind = {int: "whole number", float: "number", str: "text"}.get(type(parameter.default), "value")
    if parameter.minimum is not None and parameter.maximum is not None:
        return f"{kind} from {parameter.minimum:g} to {parameter.maximum:g}"
    if parameter.minimum is not None:
        return f"{kind} from {parameter.minimum:g}"
    return kind if parameter.maximum is None else f"{kind} up to {parameter.maximum:g}"


def _value(text: str, parameter: Parameter, where: str) -> int | float | str:
    value: int | float | str = text
    if not isinstance(parameter.default, str):
        try:
            value = int(text) if isinstance(parameter.default, int) else float(text)
        except ValueError:
            what = f"'{text}' is no {'whole number' if isinstance(parameter.default, int) else 'number'}" if text else "has no value"
            raise StudyError(what, where=where, fix=f"Give {_one_of(parameter)}") from None
    if not is_within(value, parameter):
        what = f"there is no '{text}'" if parameter.options else f"'{text}' is out of its limits"
        raise StudyError(what, where=where, fix=f"Give {_one_of(parameter)}")
    return value


def _one_of(parameter: Parameter) -> str:
    return limits(parameter) if parameter.options else f"a {limits(parameter)}"


def _once(family: Family) -> str:
    """Returns what to do with a family that is given twice."""
    ways = ["n asks for more of it"] if "n" in family.parameters else []
    if isinstance(family.variation, HasIntensity):
        ways.append(f"{family.variation.name}@VALUE for another intensity")
    return "Give it once" + (f"; {', '.join(ways)}" if ways else "")


def _allowed(variation: Variation) -> str:
    if not variation.parameters:
        return f"{variation.name} has no parameters"
    return "Parameters: " + ", ".join(f"{key} ({limits(parameter)})" for key, parameter in variation.parameters.items())
