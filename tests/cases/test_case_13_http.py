"""Case 13 of the inputs that break tools of this kind: which HTTP errors are retried."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from tests.models.api.asking import model_at, requests, until_stopped

from sago.records import Observation
from sago.testing.fault_server import Act, FaultServer, ServedCall, answer

DATA = Path(__file__).parent / "data" / "13-http.jsonl"
SCRIPTS: dict[str, dict[str, Any]] = {row["name"]: row for row in map(json.loads, DATA.read_text(encoding="utf-8").splitlines())}
RETRIES = 3


def act(reply: dict[str, Any]) -> Act:
    """Returns one reply of a script."""
    if reply.get("ok"):
        return answer("ANSWER: B")
    return Act(reply.get("status", 200), reply.get("json", reply.get("text")), reply.get("headers", {}), hangs=reply.get("hang", False))


def served(script: dict[str, Any]) -> tuple[list[Observation], str | None, list[ServedCall]]:
    """Returns what came of one question, why everything stopped (null = it did not), and the calls."""

    def behave(call: ServedCall) -> Act:
        replies = script["replies"]
        return act(replies[min(call.number, len(replies)) - 1])

    with FaultServer(behave) as server, model_at(server.url, max_retries=RETRIES, timeout=0.3) as model:
        found, stopped = until_stopped(model, requests(1))
        return found, None if stopped is None else str(stopped), server.calls


def test_the_whole_file_is_tested() -> None:
    assert len(SCRIPTS) == 9


@pytest.mark.parametrize("name", SCRIPTS)
def test_calls_and_result(name: str) -> None:
    script = SCRIPTS[name]
    found, stopped, calls = served(script)
    wanted = RETRIES + 1 if script["calls"] == "max_retries+1" else script["calls"]
    assert len(calls) == wanted
    if "min_wait_s" in script:
        assert calls[1].at - calls[0].at >= script["min_wait_s"]
    if script["result"] == "ok":
        assert (found[0].status, found[0].response, found[0].attempts, stopped) == ("ok", "ANSWER: B", wanted, None)
        return
    said = script["replies"][0].get("json", {}).get("error", {}).get("message") or script["replies"][0].get("text", "")
    assert found[0].status == "error"
    assert said in str(found[0].error)
    assert (stopped is not None) == ("stop_run" in script["result"] or name == "retry_after_date")
    if stopped is not None:
        assert said in stopped


def test_what_is_in_flight_is_delivered_when_everything_stops() -> None:
    def behave(call: ServedCall) -> Act:
        if call.prompt == "question 7":
            return Act(429, {"error": {"code": "insufficient_quota", "message": "no credit left"}}, delay=0.1)
        return answer("ANSWER: B", number=call.total)

    def slow(call: ServedCall) -> Act:
        one = behave(call)
        return one if one.status == 429 else Act(200, one.content, delay=0.4)

    asked = requests(40)
    with FaultServer(slow) as server, model_at(server.url, max_connections=10) as model:
        found, stopped = until_stopped(model, asked)
        started = time.monotonic()
        again, _ = until_stopped(model, asked[20:])
    assert sum(one.status == "ok" for one in found) == 9
    assert sum(one.status == "error" for one in found) == 1
    assert len(server.calls) == 10  # nothing was begun after the stop
    assert stopped is not None
    assert stopped.exit_code == 4
    assert "no credit left. 9 answers are saved" in str(stopped)
    assert again == []
    assert time.monotonic() - started < 1
