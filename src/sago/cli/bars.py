"""Progress bars: on a terminal, for what takes more than two seconds; elsewhere a line when a long step begins."""

from __future__ import annotations

from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn


class Bars:
    """Shows steps as progress bars on standard error; quiet when it is not a terminal.

    Args:
        console: Where to draw.
    """

    def __init__(self, console: Console) -> None:
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("[dim]about"),
            TimeRemainingColumn(),
            TextColumn("[dim]left"),
            TextColumn("{task.fields[told]}", markup=False, style="dim"),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def start(self, step: str, total: int | None = None) -> None:
        """Shows a new step; the one before it is over."""
        self.stop()
        self._task = self._progress.add_task(step, total=total, told="")

    def advance(self, units: int = 1) -> None:
        """Moves the bar of the current step."""
        if self._task is not None:
            self._progress.advance(self._task, units)

    def tell(self, text: str) -> None:
        """Shows a text behind the bar of the current step."""
        if self._task is not None:
            self._progress.update(self._task, told=text)

    def stop(self) -> None:
        """Takes the bar of the current step away."""
        if self._task is not None:
            self._progress.remove_task(self._task)
            self._task = None
