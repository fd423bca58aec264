"""How a long step tells somebody that it is alive; the library itself prints nothing."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Is told of steps by the pipeline; the command line shows them as bars."""

    def start(self, step: str, total: int | None = None) -> None:
        """A step begins.

        Args:
            step: What is being done, in a few words.
            total: Number of units to come; null = not known.
        """
        ...

    def advance(self, units: int = 1) -> None:
        """Some units of the current step are done."""
        ...

    def tell(self, text: str) -> None:
        """Says how the current step goes beside its count: rate, errors, cost so far."""
        ...

    def stop(self) -> None:
        """The current step is over."""
        ...


class Silent:
    """A progress that says nothing."""

    def start(self, step: str, total: int | None = None) -> None:
        """Ignores the step."""

    def advance(self, units: int = 1) -> None:
        """Ignores the units."""

    def tell(self, text: str) -> None:
        """Ignores the text."""

    def stop(self) -> None:
        """Does nothing."""
