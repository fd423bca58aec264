from __future__ import annotations

from tests.models.api.asking import model_at, requests, until_stopped

from sago.models.api.spending import Spending
from sago.records import ApiOptions
from sago.testing.fault_server import Act, FaultServer, ServedCall, answer


def test_max_requests_counts_failed_ones_and_stops_before_the_next() -> None:
    def behave(call: ServedCall) -> Act:
        return Act(500, "oops") if call.number == 1 and call.prompt == "question 0" else answer("B", number=call.total)

    with FaultServer(behave) as server, model_at(server.url, max_requests=10, max_connections=3) as model:
        found, stopped = until_stopped(model, requests(30))
    assert len(server.calls) == 10
    assert len(found) == 9
    assert "the limit of 10 requests is reached (--max-requests)" in str(stopped)
    assert "same command again with a higher limit" in str(stopped)
    assert model.spending.left().max_requests == 0


def test_max_cost_is_never_exceeded() -> None:
    """The server counts 20 prompt and 4 response tokens a call: 28 in the currency of the prices, times a million."""
    with (
        FaultServer(lambda call: answer("B", number=call.total)) as server,
        model_at(server.url, price_in=1e6, price_out=2e6, max_cost=300.0, max_connections=7) as model,
    ):
        found, stopped = until_stopped(model, requests(100, tokens=4))
    assert "could exceed the limit of 300 (--max-cost)" in str(stopped)
    assert model.spending.cost == 28 * len(found)
    assert 28 * len(found) == 280  # one more would be allowed by what it costs, but not by what it could cost


def test_calls_whose_end_is_not_known_count_at_their_most() -> None:
    options = ApiOptions(price_in=1e6, price_out=1e6)
    spending = Spending(options)
    request = requests(1)[0]
    spending.unclear += spending.most(request)
    assert spending.cost == 10 * 0.5 + 32 + 8
    spending.count(request, None, None)
    assert spending.cost == 2 * spending.most(request)


def test_the_estimate_follows_what_the_server_counts() -> None:
    spending = Spending(ApiOptions(price_in=1e6, price_out=0.0))
    request = requests(1)[0]
    spending.count(request, 132, 1)  # ten characters, a hundred tokens and the template
    assert spending.most(request) == 132


def test_without_prices_there_is_no_cost() -> None:
    assert Spending(ApiOptions()).cost is None
    assert "cost" not in Spending(ApiOptions()).told()
