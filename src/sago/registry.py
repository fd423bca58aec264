"""Names to plug-ins, through entry points.

A plug-in is an object that a package names under one of the entry-point groups below; the built-ins register the same way, in
``pyproject.toml``. Nothing is imported until it is asked for, so ``sago list`` and ``--help`` stay quick.

    sago.datasets     a callable ``load(source, options) -> examples table``
    sago.variations   a :class:`sago.variations.Variation`
    sago.models       a callable ``open(argument, options) -> Model``
    sago.translators  a :class:`sago.models.Translator`
    sago.features     a :class:`sago.features.FeatureReader`
    sago.axes         a :class:`sago.axes.Axis`
"""

from __future__ import annotations

import difflib
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

from sago.errors import PluginError, UnknownNameError

Group = Literal["datasets", "variations", "models", "translators", "features", "axes"]
GROUPS: tuple[Group, ...] = ("datasets", "variations", "models", "translators", "features", "axes")

_registered: dict[tuple[str, str], Any] = {}


@cache
def _entry_points(group: Group) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=f"sago.{group}")}


def names(group: Group) -> tuple[str, ...]:
    """Returns the registered names of a group, sorted; imports no plug-in."""
    by_hand = {name for owner, name in _registered if owner == group}
    return tuple(sorted({*_entry_points(group), *by_hand}))


def register(group: Group, name: str, plugin: Any) -> None:
    """Registers a plug-in for this process, for notebooks and tests; packages use entry points.

    Raises:
        PluginError: If the name is taken.
    """
    if name in names(group):
        raise PluginError(f"'{name}' is already registered in {group}", fix="Choose another name")
    _registered[(group, name)] = plugin


def unregister(group: Group, name: str) -> None:
    """Forgets a plug-in that :func:`register` added; unknown names are ignored."""
    _registered.pop((group, name), None)


def is_by_hand(group: Group, name: str) -> bool:
    """Returns whether :func:`register` added a plug-in, so that no other process knows it."""
    return (group, name) in _registered


def get(group: Group, name: str) -> Any:
    """Returns the plug-in of that name.

    Raises:
        UnknownNameError: If no plug-in has the name; the message suggests its neighbours.
        PluginError: If the plug-in is registered but cannot be imported.
    """
    if (group, name) in _registered:
        return _registered[(group, name)]
    known = _entry_points(group)
    if name not in known:
        available = names(group)
        neighbours = difflib.get_close_matches(name, available, n=2, cutoff=0.6)
        raise UnknownNameError({"axes": "axis"}.get(group, group.removesuffix("s")), name, known=available, neighbours=neighbours)
    try:
        return known[name].load()
    except Exception as error:  # whatever a foreign plug-in raises at import is reported with its name
        raise PluginError(
            f"{group} plug-in '{name}' ({known[name].value}) cannot be imported: {error!r}",
            fix="Reinstall or remove the package that provides it",
        ) from error
