"""A server on this machine that speaks OpenAI's protocol and fails as told: for tests of models behind an API, without any network.

It answers chat and text completions under ``/v1``, and messages in Anthropic's form. What becomes of a call says a function of the call:

    def behave(call: ServedCall) -> Act:
        return Act(429, {"error": {"message": "slow down"}}, {"Retry-After": "1"}) if call.number == 1 else answer("ANSWER: B")

    with FaultServer(behave) as server:
        ...  # server.url, server.calls
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

_PIECES = 20
"""Pieces in which a slow reply comes."""


@dataclass(frozen=True, slots=True)
class ServedCall:
    """One call that came in.

    Attributes:
        body: Body of the request.
        path: Path of the request.
        headers: Its headers, names in lower case.
        number: How many calls with the same prompt and seed there have been, this one included.
        total: How many calls there have been, this one included.
        at: When it came (s, monotonic).
    """

    body: Mapping[str, Any]
    path: str
    headers: Mapping[str, str]
    number: int
    total: int
    at: float

    @property
    def prompt(self) -> str:
        """What the user says last."""
        messages = self.body.get("messages")
        return str(messages[-1]["content"]) if messages else str(self.body.get("prompt", self.body.get("contents", "")))


@dataclass(frozen=True, slots=True)
class Act:
    """What becomes of a call.

    Attributes:
        status: HTTP status.
        content: JSON, or a text that is sent as it is.
        headers: Headers beside the usual ones.
        delay: Time before the reply (s).
        hangs: Whether no reply ever comes.
        torn: Whether the connection breaks in the middle of the body.
        seconds: Time over which the body trickles in (s).
    """

    status: int = 200
    content: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    hangs: bool = False
    torn: bool = False
    seconds: float = 0.0


def answer(text: str | None, *, number: int = 0, **more: Any) -> Act:
    """Returns an ordinary chat completion.

    Args:
        text: What it says.
        number: Makes the name of the reply, which no other reply should have.
        more: Fields of the choice, in place of the usual ones.
    """
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}, **more}
    usage = {"prompt_tokens": 20, "completion_tokens": 4, "total_tokens": 24}
    body = {"id": f"chatcmpl-{number}", "object": "chat.completion", "model": "served-1", "system_fingerprint": "fp-1"}
    return Act(200, {**body, "choices": [choice], "usage": usage})


class FaultServer:
    """The server, in a thread of its own.

    Args:
        behave: What becomes of each call.
        port: Where it listens; 0 = a free port.
        keeps: Whether calls are kept in ``calls``; many of them take memory.
    """

    def __init__(self, behave: Callable[[ServedCall], Act], *, port: int = 0, keeps: bool = True) -> None:
        self.calls: list[ServedCall] = []
        self.most_in_flight = 0
        self._behave = behave
        self._port = port
        self._keeps = keeps
        self._in_flight = 0
        self._total = 0
        self._numbers: dict[str, int] = {}
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def url(self) -> str:
        """Address for ``base_url``."""
        return f"http://127.0.0.1:{self._port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait(10)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", self._port, backlog=1024))
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        open_calls = asyncio.all_tasks(self._loop)
        for task in open_calls:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*open_calls, return_exceptions=True))
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._answer(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Serves one call; returns whether the connection stays open."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        content = await reader.readexactly(int(headers.get("content-length", "0")))
        self._in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self._in_flight)
        try:
            act = self._behave(self._call(head[0].split(" ")[1], headers, content))
            if act.hangs:
                await asyncio.sleep(3600)
            await asyncio.sleep(act.delay)
            await self._send(writer, act)
        finally:
            self._in_flight -= 1
        return not act.torn

    def _call(self, path: str, headers: Mapping[str, str], content: bytes) -> ServedCall:
        body = json.loads(content or b"{}")
        prompt = json.dumps([body.get(name) for name in ("messages", "prompt", "contents", "seed")])
        self._total += 1
        self._numbers[prompt] = self._numbers.get(prompt, 0) + 1
        call = ServedCall(body, path, headers, self._numbers[prompt], self._total, time.monotonic())
        if self._keeps:
            self.calls.append(call)
        return call

    async def _send(self, writer: asyncio.StreamWriter, act: Act) -> None:
        is_text = isinstance(act.content, str)
        data = act.content.encode() if is_text else b"" if act.content is None else json.dumps(act.content).encode()
        kind = "text/plain" if is_text else "application/json"
        headers = {"content-type": kind, "content-length": str(len(data)), "x-request-id": f"req-{self._total}", **act.headers}
        head = f"HTTP/1.1 {act.status} -\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + "\r\n"
        writer.write(head.encode("latin-1"))
        if act.torn:
            writer.write(data[: len(data) // 2])
        elif act.seconds:
            step = max(len(data) // _PIECES, 1)
            for start in range(0, len(data), step):
                writer.write(data[start : start + step])
                await writer.drain()
                await asyncio.sleep(act.seconds / _PIECES)
        else:
            writer.write(data)
        await writer.drain()
