from __future__ import annotations

from typing import Any

import pytest

from sago.models.api.failures import failed_body, failed_status, retry_after


@pytest.mark.parametrize(
    ("status", "body", "remedy", "outcome"),
    [
        (429, {"error": {"message": "slow down", "code": "rate_limit_exceeded"}}, "slower", "error"),
        (429, {"error": {"message": "You exceeded your current quota, please check your plan"}}, "stop", "error"),
        (429, {"error": {"type": "insufficient_quota", "message": "x"}}, "stop", "error"),
        (400, {"type": "error", "error": {"type": "invalid_request_error", "message": "Your credit balance is too low"}}, "stop", "error"),
        (402, None, "stop", "error"),
        (401, "no", "stop", "error"),
        (403, {"error": {"message": "no access"}}, "stop", "error"),
        (403, {"error": {"message": "your input was flagged"}}, "leave", "filtered"),
        (404, {"error": {"message": "model not found"}}, "stop", "error"),
        (
            400,
            [{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT"}}],
            "stop",
            "error",
        ),
        (400, {"error": {"message": "maximum context length is 512 tokens"}}, "leave", "error"),
        (400, {"error": {"message": "m", "code": "context_length_exceeded"}}, "leave", "too_long"),
        (400, {"error": {"type": "invalid_request_error", "message": "prompt is too long: 9 tokens > 8 maximum"}}, "leave", "too_long"),
        (400, {"error": {"message": "m", "code": "content_filter"}}, "leave", "filtered"),
        (400, {"error": {"message": "m", "innererror": {"code": "ResponsibleAIPolicyViolation"}}}, "leave", "filtered"),
        (422, {"detail": [{"loc": ["body"], "msg": "field required"}]}, "leave", "error"),
        (408, "", "again", "error"),
        (409, "", "again", "error"),
        (500, "oops", "again", "error"),
        (502, "", "again", "error"),
        (503, "", "slower", "error"),
        (529, {"error": {"type": "overloaded_error", "message": "Overloaded"}}, "slower", "error"),
        (599, "", "again", "error"),
        (501, "", "again", "error"),
    ],
)
def test_what_a_status_means(status: int, body: Any, remedy: str, outcome: str) -> None:
    found = failed_status(status, body)
    assert (found.remedy, found.outcome) == (remedy, outcome)
    assert str(status) in found.message


@pytest.mark.parametrize(
    ("body", "remedy"),
    [
        ({"error": {"code": 429, "message": "slow"}}, "slower"),
        ({"error": {"code": "503", "message": "busy"}}, "slower"),
        ({"error": {"code": "insufficient_quota", "message": "x"}}, "stop"),
        ({"error": {"type": "overloaded_error", "message": "x"}}, "again"),
        ({"error": "something"}, "leave"),
        ({"type": "error", "error": {"type": "rate_limit_error", "message": "x"}}, "slower"),
        ({"choices": [], "error": None}, None),
        ({"choices": [], "error": {}}, None),
    ],
)
def test_errors_in_replies_with_status_200(body: dict[str, Any], remedy: str | None) -> None:
    found = failed_body(body)
    assert (None if found is None else found.remedy) == remedy


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "1"}, 1.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "Wed, 99 Oct 2099"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({}, None),
    ],
)
def test_how_long_a_server_asks_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_a_message_is_one_line_and_not_endless() -> None:
    message = failed_status(400, {"error": {"message": "a\nb " + "x" * 5000}}).message
    assert "\n" not in message
    assert len(message) < 520
