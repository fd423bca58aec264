"""Seeds from content: never from row order, time, or the process's hash.

The same dataset, example, family, parameters and study seed give the same stream on every machine.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np


def content_hash(*parts: Any) -> str:
    """Returns the sha256 (64 hex digits) of any JSON-like values; the order of parts matters, of dict keys not."""
    canonical = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def seed_of(*parts: Any) -> int:
    """Returns a seed in [0, 2**63) that depends on the content of ``parts`` alone."""
    return int(content_hash(*parts)[:16], 16) >> 1


def generator(*parts: Any) -> np.random.Generator:
    """Returns a numpy generator seeded from the content of ``parts``."""
    return np.random.default_rng(seed_of(*parts))
