"""Replies that come a second time: a cache between here and the model would make everything look stable."""

from __future__ import annotations

from collections import OrderedDict

from sago.records import Key

_REMEMBERED = 50_000


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
