"""What a model is: the contract of the plug-in group ``sago.models``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, runtime_checkable

from sago.records import Capability, ModelDescription, Observation, Request


@runtime_checkable
class Model(Protocol):
    """Anything that can be asked and answers.

    Attributes:
        id: Name used in tables.
        capabilities: What it can be asked for; an axis that needs more is reported as not observable, never faked.
    """

    id: str
    capabilities: frozenset[Capability]

    def describe(self) -> ModelDescription:
        """Returns everything about the model that could change an observation."""
        ...

    def observe(self, requests: Sequence[Request]) -> Iterator[Observation]:
        """Yields exactly one observation per request, in any order.

        Requests of one example come together, the canonical greedy one first. A request that fails becomes an observation with
        status ``error`` and a message, never an exception; only a model that fails as a whole raises ``ModelError``.
        """
        ...

    def close(self) -> None:
        """Frees memory and connections; may be called twice."""
        ...
