"""Seeds from content: never from row order, time, or the process's hash.

The same dataset, example, family, parameters and study seed give the same stream on every machine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from json.encoder import encode_basestring
from typing import Any

import numpy as np

_ENCODER = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)


def content_hash(*parts: Any) -> str:
    """Returns the sha256 (64 hex digits) of any JSON-like values; the order of parts matters, of dict keys not."""
    return _digest(_ENCODER.encode(parts))


def hash_of_messages(messages: Sequence[tuple[str, str]]) -> str:
    """Returns :func:`content_hash` of chat messages given as role and content, in a third of the time.

    >>> hash_of_messages([("user", "Is it hot?")]) == content_hash([{"role": "user", "content": "Is it hot?"}])
    True
    """
    said = ",".join(f'{{"content":{encode_basestring(content)},"role":{encode_basestring(role)}}}' for role, content in messages)
    return _digest(f"[[{said}]]")


def seed_of(*parts: Any) -> int:
    """Returns a seed in [0, 2**63) that depends on the content of ``parts`` alone."""
    return _seed(content_hash(*parts))


class ExampleSeeds:
    """Gives ``seed_of(seed, dataset, example, *last)`` of one example after the other; what they share is written out once.

    >>> ExampleSeeds(7, "typo", {"n": 2}).seed("d", "1") == seed_of(7, "d", "1", "typo", {"n": 2})
    True
    """

    def __init__(self, seed: int, *last: Any) -> None:
        self._before = "[" + _ENCODER.encode(seed)
        self._behind = "".join("," + _ENCODER.encode(part) for part in last) + "]"

    def seed(self, dataset: str, example: str) -> int:
        """Returns a seed in [0, 2**63)."""
        return _seed(_digest(f"{self._before},{encode_basestring(dataset)},{encode_basestring(example)}{self._behind}"))


def _seed(digest: str) -> int:
    return int(digest[:16], 16) >> 1


def _digest(canonical: str) -> str:
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def stream(seed: int) -> np.random.Generator:
    """Returns the numpy generator of a seed: PCG64 by name, since what numpy takes by default may change with its version.

    Its state and its doubles are made of unsigned integers of 64 bits on every machine, whatever its word size.
    """
    return np.random.Generator(np.random.PCG64(seed))


def generator(*parts: Any) -> np.random.Generator:
    """Returns a numpy generator seeded from the content of ``parts``."""
    return stream(seed_of(*parts))
