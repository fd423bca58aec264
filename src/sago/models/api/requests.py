"""The one loop through which every call to an API goes: how many at once, what is sent again and when, and when to stop."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sago.models.api.failures import CallFailed
from sago.models.api.observing import Call, FailedCall, failed_observation, observation
from sago.models.api.pace import Pace
from sago.models.api.provider import ApiReply, Provider, told
from sago.models.api.repeats import Draws, Repeats
from sago.models.api.spending import Spending
from sago.records import Observation, Request

LONGEST_WAIT = 90.0
"""A server that asks to wait longer than this (s) is not waited for."""
DEAD_AFTER = 50
"""So many observations in a row that got no reply for want of a server stop everything."""
REFUSED_AFTER = 20
"""So many refused questions, and never a reply, stop everything."""
SLOW_PER_RETRY = 3
"""A call that comes too fast may be sent again so many times as often as one that failed: waiting helps it surely."""

_LOOK_AGAIN = 0.02
"""How long a call waits for others to show what they cost (s)."""
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0
_MOST_OTHERWISE = 12
"""Ways of asking that are tried for one question; more than there are parameters."""


@dataclass(slots=True)
class Stop:
    """Why no more calls are sent.

    Attributes:
        reason: What the server said, or which limit was reached.
        is_limit: Whether it was a limit of this program.
    """

    reason: str
    is_limit: bool = False


class RequestLoop:
    """Turns requests into observations.

    Args:
        provider: Makes single calls.
        spending: Counts them, and knows the limits.
        most: Most calls in flight.
        retries: How often a call that failed in passing is sent again.
        timeout: Longest time of one call (s).
        hide: Takes the key out of a text.
        first_pause: Wait before the first repetition (s); each further one waits twice as long.
    """

    def __init__(
        self,
        provider: Provider,
        spending: Spending,
        *,
        most: int,
        retries: int,
        timeout: float,
        hide: Callable[[str], str] = str,
        first_pause: float = _FIRST_PAUSE,
    ) -> None:
        self.stop: Stop | None = None
        self.answered = 0
        self.pace = Pace(most)
        self._provider = provider
        self._spending = spending
        self._most = most
        self._retries = retries
        self._timeout = timeout
        self._hide = hide
        self._first_pause = first_pause
        self.draws = Draws()
        self._repeats = Repeats()
        self._unanswered = 0
        self._refused = 0
        self._jitter = random.Random(0)

    async def run(self, requests: Sequence[Request], deliver: Callable[[Observation], None]) -> None:
        """Asks all requests, and delivers each observation as it comes.

        After a stop nothing more is sent, what is in flight is delivered, and the requests that were not asked are not: they are missing.
        """
        waiting = iter(requests)

        async def work() -> None:
            for request in waiting:
                if self.stop is not None:
                    return
                found = await self.ask(request)
                if found is not None:
                    deliver(found)

        async with asyncio.TaskGroup() as group:
            for _ in range(min(self._most, len(requests))):
                group.create_task(work())

    async def ask(self, request: Request) -> Observation | None:
        """Returns the observation of one request; null where everything stopped before there was one."""
        attempts = retries = slowed = otherwise = 0
        while True:
            began = await self.pace.enter()
            if began is None:
                return None
            if refusal := self._spending.refusal(request):
                self.pace.leave(went_well=False)
                self._stop(refusal, is_limit=True)
                return None
            if self._spending.has_to_wait(request):
                self.pace.leave(went_well=False)
                await self.pace.rest(_LOOK_AGAIN)
                continue
            attempts += 1
            call = await self._call(request, began, attempts)
            if isinstance(call, Call):
                return self._observed(request, call)
            failed = call.failed
            retries += failed.remedy == "again"
            slowed += failed.remedy == "slower"
            otherwise += failed.remedy == "otherwise"
            is_over = retries > self._retries or slowed > self._retries * SLOW_PER_RETRY or otherwise > _MOST_OTHERWISE
            if failed.remedy == "stop" or (failed.retry_after or 0.0) > LONGEST_WAIT:
                self._stop(self._message(failed))
                return failed_observation(request, call, self._hide)
            if failed.remedy == "leave" or is_over:
                self._note_failure(failed)
                return failed_observation(request, call, self._hide)
            if failed.remedy != "otherwise":
                await self.pace.rest(self._wait(failed, retries + slowed))

    def _observed(self, request: Request, call: Call) -> Observation:
        """Returns the observation of a reply, or an error where it is an earlier reply again."""
        self.answered += 1
        self._unanswered = 0
        found = observation(request, call, self._hide)
        before = self._repeats.earlier(call.reply.reply_id, found.prompt_hash or "", request.key)
        if before is None:
            if found.status == "ok" and found.prompt_hash and found.response:
                self.draws.enter(found.prompt_hash, found.response, is_drawn=request.temperature > 0)
            return found
        self._spending.cached += 1
        which = f"{before.variant}, {before.decoding} {before.rerun}"
        failed = CallFailed(f"served from a cache: the reply is the one that came for {which}; it is no second answer", "leave")
        return failed_observation(request, FailedCall(failed, call.attempts), self._hide)

    async def _call(self, request: Request, began: float, attempts: int) -> Call | FailedCall:
        """Sends a call and gives its place back."""
        most, in_flight = self._spending.most(request), self.pace.in_flight
        self._spending.requests += 1
        self._spending.reserved += most
        reply: ApiReply | None = None
        failed: CallFailed | None = None
        try:
            async with asyncio.timeout(self._timeout):
                reply = await self._provider.ask(request, timeout=self._timeout)
        except TimeoutError:
            failed = CallFailed(f"no whole reply within {self._timeout:g} s", "again", is_charged=True)
        except CallFailed as error:
            failed = error
        except Exception as error:  # noqa: BLE001 - whatever a package raises belongs to this call alone; the message is recorded
            failed = CallFailed(told(error), "leave")
        finally:
            self._spending.reserved -= most
            if failed is not None and failed.remedy == "slower":
                self.pace.slow(began, None if (failed.retry_after or 0.0) > LONGEST_WAIT else failed.retry_after)
            self.pace.leave(went_well=reply is not None)
        if failed is not None:
            self._spending.unclear += most if failed.is_charged else 0.0
            return FailedCall(failed, attempts)
        assert reply is not None
        self._spending.count(request, reply.prompt_tokens, reply.response_tokens)
        return Call(reply, attempts, (time.monotonic() - began) / max(in_flight, 1))

    def _wait(self, failed: CallFailed, tries: int) -> float:
        if failed.retry_after is not None:
            # Not all at the very moment that the server named.
            return failed.retry_after + 0.1 * self._first_pause * self._jitter.random()
        pause = min(self._first_pause * 2.0 ** (tries - 1), _LONGEST_PAUSE)
        return pause * (0.75 + 0.5 * self._jitter.random())

    def _note_failure(self, failed: CallFailed) -> None:
        """Stops everything where it is plain that no other call can do better."""
        if failed.outcome != "error":
            return
        is_dead = failed.status is None or failed.status >= 500
        self._unanswered += is_dead
        self._refused += not is_dead
        if self._unanswered >= DEAD_AFTER or (not self.answered and self._unanswered + self._refused >= REFUSED_AFTER):
            self._stop(
                f"{self._unanswered or self._refused} questions one after the other got no answer; the last: {self._message(failed)}"
            )

    def _message(self, failed: CallFailed) -> str:
        wait = failed.retry_after or 0.0
        asked = f" (it asks to wait {wait:,.0f} s)" if wait > LONGEST_WAIT else ""
        return f"{self._hide(failed.message)}{asked}"

    def _stop(self, reason: str, *, is_limit: bool = False) -> None:
        if self.stop is None:
            self.stop = Stop(reason, is_limit)
        self.pace.close()
