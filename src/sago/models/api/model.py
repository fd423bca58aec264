"""A model behind an API: a thread with its own event loop asks, whoever observes takes what comes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

from sago.errors import ModelError, StoppedError
from sago.models.api.dialect import TOP
from sago.models.api.keys import Secret, hide_in_logs
from sago.models.api.provider import Provider
from sago.models.api.requests import RequestLoop
from sago.models.api.spending import Spending
from sago.records import ApiOptions, Capability, Message, ModelDescription, Observation, Request
from sago.records import Key as ObservationKey

REQUESTS_PER_PLACE = 16
"""Requests that are taken at once for each call that may be in flight: so many that the slowest of them hold up little."""

_PROBE = (Message("system", "Answer briefly."), Message("user", "Answer with the letter A or the letter B.\nAnswer:"))
_OPTIONS_NOTE = (
    f"log-probabilities of options are those of the first token, read from the {TOP[0]} most likely ones: each is a lower bound, "
    "and an option that is not among them counts as improbable"
)


@dataclass(frozen=True, slots=True)
class _End:
    """Stands behind the last observation.

    Attributes:
        error: What ended the loop, if anything did.
    """

    error: BaseException | None = None


class ApiModel:
    """A model behind an API.

    Args:
        model_id: Name in tables.
        source: What the person wrote.
        provider: Makes single calls.
        key: What is never shown.
        options: How to reach it, and what it may cost.
        probe: Whether one short question at the start finds out what the server takes and gives.

    Raises:
        StoppedError: If the probe is told that no call can succeed.
        ModelError: If the probe gets no answer.
    """

    def __init__(self, model_id: str, *, source: str, provider: Provider, key: Secret, options: ApiOptions, probe: bool = True) -> None:
        self.id = model_id
        self.capabilities: frozenset[Capability] = frozenset({"generate"})
        self.spending = Spending(options)
        self.requests_per_call = REQUESTS_PER_PLACE * options.max_connections
        self._source = source
        self._provider = provider
        hide_in_logs(key)
        self._loop = asyncio.new_event_loop()
        self._thread: threading.Thread | None = threading.Thread(target=self._loop.run_forever, name=f"api {model_id}", daemon=True)
        self._thread.start()
        self._asking = RequestLoop(
            provider,
            self.spending,
            most=options.max_connections,
            retries=options.max_retries,
            timeout=options.timeout,
            hide=key.hidden_in,
        )
        if probe:
            try:
                self._probe()
            except BaseException:
                self.close()
                raise

    def describe(self) -> ModelDescription:
        """Returns everything about the model that could change an observation, as far as the server tells."""
        notes = list(self._provider.notes)
        if "choice_logprobs" in self.capabilities:
            notes.append(_OPTIONS_NOTE)
        if self.spending.cached:
            notes.append("replies came from a cache: an earlier reply again is no second answer, and counts as an error")
        if note := self._asking.draws.note():
            notes.append(note)
        return ModelDescription(id=self.id, source=self._source, server=self._provider.server, notes=tuple(notes))

    def observe(self, requests: Sequence[Request]) -> Iterator[Observation]:
        """Yields one observation per request as it comes.

        Raises:
            StoppedError: After everything that was answered has been yielded: no credit, a key that is not accepted, a limit that was set.
            ModelError: If the model was closed.
        """
        if self._thread is None:
            raise ModelError("was closed", where=self._source, fix="Open it again")
        came: SimpleQueue[Observation | _End] = SimpleQueue()
        task = asyncio.run_coroutine_threadsafe(self._ask_all(list(requests), came), self._loop)
        try:
            while not isinstance(found := came.get(), _End):
                yield found
            if found.error is not None:
                raise found.error
        except KeyboardInterrupt:
            # What came before the interruption was paid for.
            yield from self._rest(came)
            raise
        finally:
            task.cancel()
        if self._asking.stop is not None:
            raise self._stopped()

    def close(self) -> None:
        """Closes connections and ends the thread; may be called twice."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        asyncio.run_coroutine_threadsafe(self._end(), self._loop)
        thread.join(timeout=10)
        if not self._loop.is_running():
            self._loop.close()

    async def _ask_all(self, requests: list[Request], came: SimpleQueue[Observation | _End]) -> None:
        end = _End()
        try:
            await self._asking.run(requests, came.put)
        except BaseException as error:
            end = _End(error if isinstance(error, Exception) else None)
            if not isinstance(error, Exception):
                raise
        finally:
            came.put(end)

    async def _end(self) -> None:
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        try:
            await self._provider.close()
        finally:
            self._loop.stop()

    def _rest(self, came: SimpleQueue[Observation | _End]) -> Iterator[Observation]:
        while True:
            try:
                found = came.get_nowait()
            except Empty:
                return
            if not isinstance(found, _End):
                yield found

    def _probe(self) -> None:
        """Asks one short question: tells a wrong key or name at once, and what the server takes and gives."""
        request = Request(
            key=ObservationKey(self.id, "probe", "probe", "canonical", "greedy", 0),
            messages=_PROBE,
            is_canonical=True,
            max_new_tokens=16,
            choices=("A", "B"),
        )
        found = self._wait_for(self._asking.ask(request))
        if self._asking.stop is not None:
            raise self._stopped()
        if found is None or found.status in ("error", "too_long"):
            raise ModelError(
                f"does not answer: {found.error if found else 'nothing came'}", where=self._source, fix="Check the name and the address"
            )
        capabilities: set[Capability] = {"generate"}
        if found.token_logprobs is not None:
            capabilities.add("token_logprobs")
        if found.choice_logprobs is not None:
            capabilities.add("choice_logprobs")
        self.capabilities = frozenset(capabilities)
        self._asking.answered = 0

    def _wait_for(self, coroutine: Coroutine[Any, Any, Observation | None]) -> Observation | None:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def _stopped(self) -> StoppedError:
        stop = self._asking.stop
        reason = stop.reason if stop else "stopped"
        answered = self._asking.answered
        fix = "Give the same command again with a higher limit" if stop and stop.is_limit else "Mend it and give the same command again"
        kept = f"{answered:,} answers are saved. " if answered else "Nothing was answered. "
        return StoppedError(f"stopped: {reason}", where=self._source, fix=f"{kept}{fix}", answered=answered > 0)
