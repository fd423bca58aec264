"""A mix of every fault that passes, and of some that do not, the same for the same call on every machine."""

from __future__ import annotations

from sago.seeds import content_hash
from sago.testing.fault_server import Act, ServedCall, answer

HOPELESS = {"refused": "error", "too-long": "too_long", "held-back": "filtered"}
"""Faults that no repetition mends, and the status that they end in."""

PASSING = ("rate", "rate-ms", "server", "busy", "hang", "torn", "trickle", "no-json", "a-list", "error-in-200", "no-choice")
"""Faults that the first repetition mends."""


def fault_of(prompt: str, share: float) -> str | None:
    """Returns the fault that a prompt is in for; null for the share that is in for none."""
    draw = int(content_hash("fault", prompt)[:12], 16)
    if draw % 10_000 >= share * 10_000:
        return None
    kinds = (*PASSING, *HOPELESS)
    return kinds[draw // 10_000 % len(kinds)]


def act_of(call: ServedCall, share: float, *, wait: float = 0.2) -> Act:
    """Returns what a call brings.

    Args:
        call: The call.
        share: Share of prompts that are in for a fault.
        wait: What the server asks to wait (s), where it does.
    """
    fault = fault_of(call.prompt, share)
    fine = answer(f"ANSWER: {call.prompt}", number=call.total)
    if fault in HOPELESS:
        return {
            "refused": Act(400, {"error": {"message": "this cannot be asked"}}),
            "too-long": Act(400, {"error": {"message": "too many tokens", "code": "context_length_exceeded"}}),
            "held-back": Act(400, {"error": {"message": "held back", "code": "content_filter"}}),
        }[fault]
    if fault is None or call.number > 1:
        return fine
    return {
        "rate": Act(429, {"error": {"message": "slow down"}}, {"Retry-After": str(wait)}),
        "rate-ms": Act(429, {"error": {"message": "slow down"}}, {"retry-after-ms": str(1000 * wait)}),
        "server": Act(500, "oops"),
        "busy": Act(503, ""),
        "hang": Act(hangs=True),
        "torn": Act(200, fine.content, torn=True),
        "trickle": Act(200, fine.content, seconds=60.0),
        "no-json": Act(200, "<html>Bad gateway</html>"),
        "a-list": Act(200, []),
        "error-in-200": Act(200, {"error": {"message": "upstream", "code": 502}}),
        "no-choice": Act(200, {"id": "x", "choices": []}),
    }[fault]
