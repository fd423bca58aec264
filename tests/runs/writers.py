"""A model that writes for tests, and counts what it is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sago.records import Capability, ModelDescription, Observation, Request


class CountingModel:
    """Writes the last line of the prompt in capitals with its seed; fails at what says "fail", breaks off at what says "stop"."""

    capabilities: frozenset[Capability] = frozenset({"generate"})

    def __init__(self, revision: str = "1") -> None:
        self.id = "counting"
        self.revision = revision
        self.asked: list[Request] = []
        self.closed = 0

    def describe(self) -> ModelDescription:
        return ModelDescription(id=self.id, source="counting:", revision=self.revision, device="cpu", notes=("loud",))

    def close(self) -> None:
        self.closed += 1

    def observe(self, requests: Sequence[Request]) -> Iterator[Observation]:
        for request in requests:
            self.asked.append(request)
            text = request.messages[-1].content
            if "stop" in text:
                raise KeyboardInterrupt
            if "fail" in text:
                yield Observation(request.key, "error", error="no idea")
            elif "long" in text:
                yield Observation(request.key, "truncated", response="LONG")
            else:
                yield Observation(
                    request.key, "empty" if "nothing" in text else "ok", response="" if "nothing" in text else self._said(request)
                )

    def _said(self, request: Request) -> str:
        drawn = f" {request.seed}" if request.temperature else ""
        return request.messages[-1].content.upper() + drawn
