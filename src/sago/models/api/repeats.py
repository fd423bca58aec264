"""Replies that come a second time: a cache between here and the model, or one that never draws, would make everything look stable."""

from __future__ import annotations

from collections import OrderedDict

from sago.records import Key

_REMEMBERED = 50_000
FEWEST_DRAWN = 10
"""Prompts with drawn replies from which on it is remarkable that no reply to any of them differs from another."""


class Repeats:
    """Remembers the names of replies.

    Servers that call every reply the same are recognised by replies to different prompts, and no longer looked at.
    """

    def __init__(self) -> None:
        self._seen: OrderedDict[str, tuple[str, Key]] = OrderedDict()
        self._mean_something = True

    def earlier(self, name: str | None, prompt: str, key: Key) -> Key | None:
        """Returns the observation that has had the same reply to the same prompt before; null = none.

        Args:
            name: Name of the reply, as the server gave it; null = it gave none.
            prompt: Hash of what was sent.
            key: The observation that it is for.
        """
        if name is None or not self._mean_something:
            return None
        before = self._seen.setdefault(name, (prompt, key))
        if len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        if before[0] != prompt:
            self._mean_something = False
            return None
        return None if before[1] == key else before[1]


class Draws:
    """Finds out whether replies to one prompt ever differ where they are drawn: a server that ignores the temperature does not say so.

    Attributes:
        has_moved: Whether two replies to any prompt were different.
    """

    def __init__(self) -> None:
        self._first: OrderedDict[str, tuple[str, bool]] = OrderedDict()
        self._same: set[str] = set()
        self.has_moved = False

    @property
    def same(self) -> int:
        """Prompts with several replies, drawn ones among them, that all are the same text."""
        return len(self._same)

    def enter(self, prompt: str, response: str, *, is_drawn: bool) -> None:
        """Enters a reply.

        Args:
            prompt: Hash of what was sent.
            response: The text that came.
            is_drawn: Whether it was asked at a temperature above 0.
        """
        if self.has_moved:
            return
        before = self._first.get(prompt)
        self._first[prompt] = (response, is_drawn or (before is not None and before[1]))
        if len(self._first) > _REMEMBERED:
            self._first.popitem(last=False)
        if before is None:
            return
        if before[0] != response:
            self.has_moved = True
        elif self._first[prompt][1]:
            self._same.add(prompt)

    def note(self) -> str | None:
        """Returns what is to be said of it; null = nothing."""
        if self.has_moved or self.same < FEWEST_DRAWN:
            return None
        return (
            f"no drawn reply differs from another to the same prompt ({self.same:,} prompts asked several times): a server that ignores "
            "the temperature looks like this, and then asking twice shows no noise"
        )
