"""What a variation may use beside the one example: other examples of its data set, and models that write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import polars as pl

from sago.errors import StudyError
from sago.records import Example
from sago.rows import read_examples
from sago.seeds import content_hash
from sago.variations.protocol import Request

Write = Callable[[str, Sequence[Request]], Sequence[str | None]]
"""Name of a model, requests -> one text a request."""

POOL = 100
"""Most examples of a data set that a variation can draw from."""


class Beside:
    """The outside world of one call of ``vary``."""

    def __init__(self, examples: pl.DataFrame, write: Write | None) -> None:
        self._examples = examples
        self._write = write
        self.pool = cache(self._pool)

    def write(self, model: str, requests: Sequence[Request]) -> Sequence[str | None]:
        """Returns what a model writes; see ``Outside.write``."""
        if self._write is None:
            raise StudyError(f"no model can be asked to write here, but '{model}' is", fix="Use sago vary or sago run, or Study.run")
        return self._write(model, requests)

    def _pool(self, dataset: str) -> Sequence[Example]:
        """Returns the examples of a data set whose hash of content is smallest: neither the order of rows nor their ids count."""
        mine = self._examples.filter(pl.col("dataset") == dataset)
        rank = pl.Series([content_hash("pool", fingerprint) for fingerprint in mine["fingerprint"].to_list()])
        return tuple(read_examples(mine.with_columns(_rank=rank).sort("_rank", "example").head(POOL).drop("_rank")))
