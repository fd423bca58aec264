"""From scores to what may be said: ``conclude`` makes findings, ``sentences`` puts them into words, ``accuracy`` stands beside."""

from __future__ import annotations

from sago.stats.accuracy import accuracy
from sago.stats.conclude import conclude

__all__ = ["accuracy", "conclude"]
