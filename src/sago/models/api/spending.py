"""What was asked of an API and what it cost, and how much of it is allowed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sago.records import ApiOptions, Request

_FIRST_RATIO = 0.5
"""Tokens a character of a prompt, before a server has counted any: more than text of any language in Latin script has."""
_LEAST_RATIO = 0.05
_TEMPLATE = 32
"""Tokens that a chat template puts around messages, at most of the usual ones."""


@dataclass(slots=True)
class Spending:
    """Counts of one model since it was opened.

    Attributes:
        options: Prices and limits.
        requests: Requests sent, failed ones included.
        prompt_tokens: As the server counted them.
        response_tokens: As the server counted them, thinking included.
        reserved: Most that calls in flight can cost.
        unclear: Most that calls can have cost whose end is not known (time-outs, torn replies).
        ratio: Most tokens a character that a prompt had so far; null = none was counted yet.
        cached: Replies that were an earlier one again.
    """

    options: ApiOptions
    requests: int = 0
    prompt_tokens: int = 0
    response_tokens: int = 0
    reserved: float = 0.0
    unclear: float = 0.0
    ratio: float | None = None
    cached: int = 0

    @property
    def cost(self) -> float | None:
        """What was spent, in the currency of the prices, calls whose end is not known at their most; null without prices."""
        if self.options.price_in is None and self.options.price_out is None:
            return None
        return self._price(self.prompt_tokens, self.response_tokens) + self.unclear

    def refusal(self, request: Request) -> str | None:
        """Returns which limit forbids to send one more request; null = none."""
        most, limit = self.options.max_requests, self.options.max_cost
        if most is not None and self.requests >= most:
            return f"the limit of {most:,} requests is reached (--max-requests)"
        spent = self.cost
        if limit is not None and spent is not None and spent + self.most(request) > limit:
            return f"the next call could exceed the limit of {limit:g} (--max-cost); {spent:.4g} are spent"
        return None

    def has_to_wait(self, request: Request) -> bool:
        """Returns whether one more request could exceed the limit, if those in flight cost all that they can; they may well cost less."""
        limit, spent = self.options.max_cost, self.cost
        return limit is not None and spent is not None and spent + self.reserved + self.most(request) > limit

    def most(self, request: Request) -> float:
        """Returns the most that one call can cost."""
        characters = sum(len(message.content) for message in request.messages)
        tokens = characters * (_FIRST_RATIO if self.ratio is None else self.ratio) + _TEMPLATE
        return self._price(tokens, request.max_new_tokens)

    def count(self, request: Request, prompt_tokens: int | None, response_tokens: int | None) -> None:
        """Enters what a reply used; what the server does not count is entered at its most."""
        if prompt_tokens is None and response_tokens is None:
            self.unclear += self.most(request)
            return
        characters = sum(len(message.content) for message in request.messages)
        if prompt_tokens and characters:
            # The template around a short text is no property of it.
            self.ratio = max(self.ratio or 0.0, (prompt_tokens - _TEMPLATE) / characters, _LEAST_RATIO)
        self.prompt_tokens += prompt_tokens or 0
        self.response_tokens += response_tokens or 0

    def _price(self, prompt_tokens: float, response_tokens: float) -> float:
        return (prompt_tokens * (self.options.price_in or 0.0) + response_tokens * (self.options.price_out or 0.0)) / 1e6

    def left(self) -> ApiOptions:
        """Returns the options with what is left of the limits, for the next model of the same command."""
        requests, cost = self.options.max_requests, self.options.max_cost
        return replace(
            self.options,
            max_requests=None if requests is None else max(requests - self.requests, 0),
            max_cost=None if cost is None else max(cost - (self.cost or 0.0), 0.0),
        )

    def told(self) -> str:
        """Returns what was spent, in a line."""
        cost = self.cost
        parts = [f"{self.requests:,} requests", f"{self.prompt_tokens:,} prompt and {self.response_tokens:,} response tokens"]
        return ", ".join(parts + ([] if cost is None else [f"cost {cost:.4g}"]))
