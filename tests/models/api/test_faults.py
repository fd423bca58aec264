from __future__ import annotations

import resource
from collections import Counter
from dataclasses import replace

import pytest
from tests.models.api.asking import by_example, model_at, requests, until_stopped
from tests.models.api.faults import HOPELESS, PASSING, act_of, fault_of

from sago.testing.fault_server import Act, FaultServer, ServedCall, answer

PARALLEL = 200


def test_every_fault_at_once_with_200_calls_in_flight() -> None:
    asked = requests(400)
    faults = {request.key.example: fault_of(request.messages[0].content, 0.5) for request in asked}
    assert set(faults.values()) == {None, *PASSING, *HOPELESS}
    with (
        FaultServer(lambda call: replace(act_of(call, 0.5), delay=0.2)) as server,
        model_at(server.url, max_connections=PARALLEL, timeout=3.0) as model,
    ):
        found = by_example(list(model.observe(asked)))
    assert server.most_in_flight > PARALLEL // 2
    assert set(found) == {request.key.example for request in asked}
    for example, one in found.items():
        fault = faults[example]
        assert one.status == HOPELESS.get(fault or "", "ok"), (fault, one)
        assert one.response == (None if fault in HOPELESS else f"ANSWER: question {example[1:]}")
        # On a busy machine an answered call may pass its time and be sent again: only the least number is sure.
        assert (one.attempts or 0) >= (2 if fault in PASSING else 1)
        assert (one.error is not None) == (fault in HOPELESS)
    # A call that passes its time before the server took it was sent all the same.
    assert len(server.calls) <= model.spending.requests == sum(one.attempts or 0 for one in found.values())


@pytest.mark.slow
def test_ten_thousand_requests_at_five_per_cent_faults() -> None:
    asked = requests(10_000)
    expected = Counter(HOPELESS.get(fault_of(request.messages[0].content, 0.05) or "", "ok") for request in asked)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with (
        FaultServer(lambda call: act_of(call, 0.05), keeps=False) as server,
        model_at(server.url, max_connections=PARALLEL, timeout=2.0) as model,
    ):
        statuses = {one.key.example: (one.status, one.response) for one in model.observe(asked)}
        count = model.spending.requests
    assert Counter(status for status, _ in statuses.values()) == expected
    assert all(text == f"ANSWER: question {name[1:]}" for name, (status, text) in statuses.items() if status == "ok")
    assert len(statuses) == 10_000
    assert count > 10_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000  # kilobytes


def test_fewer_calls_are_in_flight_after_rate_limits_and_more_again_later() -> None:
    def behave(call: ServedCall) -> Act:
        if call.total <= 40 and call.number == 1:
            return Act(429, {"error": {"message": "slow down"}})
        return answer("B", number=call.total)

    with FaultServer(behave) as server, model_at(server.url, max_connections=40) as model:
        pace = model._asking.pace
        low = min(pace.limit for _ in model.observe(requests(40)))
        list(model.observe(requests(600)))
        high = pace.limit
    assert low < 40
    assert high > low


def test_a_server_that_is_not_there_stops_everything() -> None:
    with model_at("http://127.0.0.1:9/v1", max_connections=8, max_retries=1) as model:
        found, stopped = until_stopped(model, requests(500))
    assert stopped is not None
    assert "got no answer; the last: no connection" in str(stopped)
    assert stopped.exit_code == 2
    assert 20 <= len(found) < 40
    assert {one.status for one in found} == {"error"}


def test_a_call_that_always_fails_in_passing_is_an_error_and_the_others_go_on() -> None:
    with (
        FaultServer(lambda call: Act(500, "oops") if call.prompt == "question 3" else answer("B", number=call.total)) as server,
        model_at(server.url, max_retries=2) as model,
    ):
        found = by_example(list(model.observe(requests(8))))
    assert found["e3"].status == "error"
    assert found["e3"].error == "HTTP 500: oops (sent 3 times)"
    assert Counter(one.status for one in found.values()) == {"ok": 7, "error": 1}


def test_an_earlier_reply_again_is_no_second_answer() -> None:
    """A cache between here and the model would make everything look stable."""
    one = requests(1, temperature=0.7)[0]
    asked = [replace(one, key=replace(one.key, rerun=rerun), seed=rerun) for rerun in range(3)]
    other = requests(2)
    with (
        FaultServer(lambda call: answer("B", number=1 if "0" in call.prompt else call.total + 1)) as server,
        model_at(server.url, max_connections=1) as model,
    ):
        found = list(model.observe([*asked, other[1]]))
        notes = model.describe().notes
    assert [one.status for one in found] == ["ok", "error", "error", "ok"]
    assert "served from a cache" in str(found[1].error)
    assert found[1].response is None
    assert any("cache" in note for note in notes)


@pytest.mark.parametrize(("is_drawing", "prompts", "is_told"), [(False, 10, True), (False, 9, False), (True, 10, False)])
def test_a_server_that_ignores_the_temperature_is_told(is_drawing: bool, prompts: int, is_told: bool) -> None:
    """Its reruns are the greedy reply again, under names of their own: asking twice would show no noise."""

    def behave(call: ServedCall) -> Act:
        return answer(f"reply {call.total}" if is_drawing and call.prompt == "question 3" else "the same", number=call.total)

    drawn = requests(prompts, temperature=0.7)
    again = [replace(one, key=replace(one.key, rerun=1)) for one in drawn]
    with FaultServer(behave) as server, model_at(server.url) as model:
        found = list(model.observe([*requests(prompts), *requests(prompts)]))  # the same twice, greedily, is what greedy is for
        assert not any("temperature" in note for note in model.describe().notes)
        found += model.observe([*drawn, *again])
        notes = [note for note in model.describe().notes if "ignores the temperature" in note]
    assert {one.status for one in found} == {"ok"}
    assert len(notes) == is_told
    assert not is_told or f"({prompts} prompts" in notes[0]


def test_a_server_that_calls_every_reply_the_same_is_believed() -> None:
    with FaultServer(lambda call: answer("B", number=1)) as server, model_at(server.url, max_connections=1) as model:
        found = list(model.observe([*requests(3), *requests(3, temperature=0.5)]))
    assert {one.status for one in found} == {"ok"}
