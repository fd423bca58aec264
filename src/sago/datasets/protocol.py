"""What a dataset loader is: the contract of the plug-in group ``sago.datasets``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import polars as pl


def _unheard(note: str) -> None:
    """Takes a note to which nobody listens."""


@dataclass(frozen=True)
class LoadOptions:
    """How to read one source.

    Attributes:
        columns: Field of an example -> column of the source, as in ``{"question": "prompt"}``; wins over the names that are
            understood by themselves. A loader whose fields are fixed may ignore it.
        name: Name of the dataset in the table; null = the loader's own choice (for a file its name without endings).
        note: Called with one line for anything that a reader of the numbers should know and that is no error, for instance an
            answer that could be read in two ways. Each note names its item.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    name: str | None = None
    note: Callable[[str], None] = _unheard


@runtime_checkable
class DatasetLoader(Protocol):
    """A callable that turns a source into one dataset."""

    def __call__(self, source: str, options: LoadOptions) -> pl.DataFrame:
        """Returns table ``examples`` with the rows of one dataset, the same on every call, in the order of the source.

        Args:
            source: The name under which the loader is registered, or what stands behind ``NAME:`` where a user wrote
                ``NAME:argument``.
            options: How to read it.

        Raises:
            DataError: If the source cannot be used; the message names the source and the line or item.
        """
        ...
