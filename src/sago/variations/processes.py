"""Variants made by several processes at once: the same ones, in the same order, as one process makes.

The parts of a data set are handed out as they come and taken back in their order, a few at a time. What a process cannot make, for
whatever reason, is made here: families that use other examples or ask a model, a process that was ended. So nothing depends on it but
the time, and an error is the one that a single process would have raised.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import polars as pl

from sago.errors import PluginError
from sago.records import Example
from sago.variations.making import Maker, Varied
from sago.variations.protocol import Outside, Request

_AHEAD = 2
"""Parts that wait or are being made, for each process."""


class Watched:
    """The outside world, with a note of whether anybody used it."""

    def __init__(self, outside: Outside) -> None:
        self._outside = outside
        self.is_used = False

    def pool(self, dataset: str) -> Sequence[Example]:
        """See ``Outside.pool``."""
        self.is_used = True
        return self._outside.pool(dataset)

    def write(self, model: str, requests: Sequence[Request]) -> Sequence[str | None]:
        """See ``Outside.write``."""
        self.is_used = True
        return self._outside.write(model, requests)


class _Nowhere:
    """No outside world: what needs it has to be made in the process that has it."""

    def pool(self, dataset: str) -> Sequence[Example]:
        raise PluginError("other examples cannot be seen from this process")

    def write(self, model: str, requests: Sequence[Request]) -> Sequence[str | None]:
        raise PluginError("no model can be asked from this process")


def workers(processes: int | None) -> int:
    """Returns how many processes to start: as many as asked for, or as there are cores; one where none may be started from here."""
    if multiprocessing.current_process().daemon:
        return 1
    if processes is not None:
        return max(1, processes)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def made_by_processes(
    parts: Iterator[pl.DataFrame],
    here: Callable[[pl.DataFrame], Varied],
    count: int,
    variations: Sequence[str],
    seed: int,
    system: str | None,
) -> Iterator[Varied]:
    """Yields the variants of each part, in order.

    Args:
        parts: Examples of one data set each.
        here: Makes the variants of a part in this process.
        count: How many processes to start.
        variations: See :class:`Maker`; the other two arguments as well.
        seed: Seed.
        system: System message.
    """
    context = multiprocessing.get_context("spawn")  # a fork of a process with threads may hang
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_start, initargs=(tuple(variations), seed, system))
    waiting: deque[tuple[pl.DataFrame, Future[Varied] | None]] = deque()
    try:
        for part in parts:
            waiting.append((part, _handed_out(pool, part)))
            if len(waiting) > _AHEAD * count:
                yield _taken_back(*waiting.popleft(), here)
        while waiting:
            yield _taken_back(*waiting.popleft(), here)
    finally:
        pool.shutdown(cancel_futures=True)


def _handed_out(pool: ProcessPoolExecutor, part: pl.DataFrame) -> Future[Varied] | None:
    try:
        return pool.submit(_make, part)
    except BrokenProcessPool:
        return None


def _taken_back(part: pl.DataFrame, future: Future[Varied] | None, here: Callable[[pl.DataFrame], Varied]) -> Varied:
    return here(part) if future is None or future.exception() is not None else future.result()


_makers: list[Maker] = []
"""In a process that was started: what it makes variants with."""


def _start(variations: Sequence[str], seed: int, system: str | None) -> None:
    _makers[:] = [Maker(variations, seed, system)]


def _make(part: pl.DataFrame) -> Varied:
    return _makers[0].make(part, _Nowhere())
