"""How many calls may be in flight: fewer after each sign that it was too many, slowly more while all goes well."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

_LESS = 0.7


class Pace:
    """Holds back calls. The limit shrinks by a factor at a sign of too high a rate and grows by one call for each round that went well.

    Only calls that began after the limit last shrank can shrink it again: those in flight at that moment all bring the same news.

    Args:
        most: Most calls in flight.
        clock: Seconds, monotonic.
    """

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self.limit = float(most)
        self.in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._open_from = 0.0
        self._shrunk_at = float("-inf")
        self._closed = asyncio.Event()

    @property
    def is_closed(self) -> bool:
        """Whether nothing is to be sent any more."""
        return self._closed.is_set()

    def close(self) -> None:
        """Ends every wait; nothing is to be sent any more."""
        self._closed.set()
        while self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)

    async def rest(self, seconds: float) -> None:
        """Waits so long, or until it is closed."""
        try:
            async with asyncio.timeout(seconds):
                await self._closed.wait()
        except TimeoutError:
            return

    async def enter(self) -> float | None:
        """Waits for a place; returns when it was given, for :meth:`slow`, or null where it is closed."""
        while not self.is_closed:
            pause = self._open_from - self._clock()
            if pause > 0:
                await self.rest(pause)
            elif self.in_flight < max(int(self.limit), 1):
                self.in_flight += 1
                return self._clock()
            else:
                place = asyncio.get_running_loop().create_future()
                self._waiting.append(place)
                await place
        return None

    def leave(self, *, went_well: bool) -> None:
        """Gives a place back."""
        self.in_flight -= 1
        if went_well:
            self.limit = min(self.limit + 1.0 / max(self.limit, 1.0), self._most)
        self._wake()

    def slow(self, began: float, pause: float | None) -> None:
        """Takes down a sign of too high a rate.

        Args:
            began: When the call that brought it began.
            pause: How long nothing is to be sent (s), as the server asked; null = it did not.
        """
        now = self._clock()
        if pause:
            self._open_from = max(self._open_from, now + pause)
        if began > self._shrunk_at:
            self._shrunk_at = now
            self.limit = max(self.limit * _LESS, 1.0)

    def _wake(self) -> None:
        free = max(int(self.limit), 1) - self.in_flight
        while free > 0 and self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
                free -= 1
