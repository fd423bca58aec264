"""Some examples in, their variants and counts out: the part of the stage ``vary`` that may happen in any process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from sago import schemas
from sago.records import Example
from sago.rows import collector_paused, read_examples
from sago.variations.crossing import Count, Crossing, Ready, variants_table
from sago.variations.protocol import Checks, Outside, Prepared
from sago.variations.specs import parse_families


class Varied(NamedTuple):
    """What :func:`sago.variations.vary` makes."""

    variants: pl.DataFrame
    """Table ``variants``: every example's canonical wording first."""
    counts: pl.DataFrame
    """Table ``variation_counts``."""
    rejected: pl.DataFrame
    """Table ``variants`` of those that a check rejected; none before any check."""


class Maker:
    """Makes variants of one part of a data set after the other.

    Args:
        variations: Families as a user writes them.
        seed: Seed of everything that is drawn.
        system: System message put in front of every prompt; null = none.
    """

    def __init__(self, variations: Sequence[str], seed: int, system: str | None) -> None:
        self._families = [Ready.of(family, seed) for family in parse_families(variations)]
        self._system = system

    def told(self, examples: pl.DataFrame) -> list[str]:
        """Returns what the families have to tell of their parameters and all the examples."""
        checked = [one.variation.check(one.family.parameters, examples) for one in self._families if isinstance(one.variation, Checks)]
        return [line for lines in checked for line in lines]

    def make(self, examples: pl.DataFrame, outside: Outside) -> Varied:
        """Returns the variants of examples of one data set, in their order."""
        dataset = examples.item(0, "dataset")
        counts: dict[tuple[str, str], Count] = {(dataset, one.family.name): Count() for one in self._families}
        with collector_paused():
            read = list(read_examples(examples))
            ready = [_prepared(one, read, outside) for one in self._families]
            rows = [row for example in read for row in Crossing(example, self._system).rows(ready, counts)]
            variants = variants_table(rows)
            del rows  # before the collector is back and looks at every one of them
        count_rows = [{"dataset": name, "family": family, **count.as_row()} for (name, family), count in counts.items()]
        return Varied(variants, schemas.frame("variation_counts", count_rows), schemas.empty("variants"))


def _prepared(ready: Ready, examples: Sequence[Example], outside: Outside) -> Ready:
    variation = ready.variation
    if not isinstance(variation, Prepared):
        return ready
    mine = [example for example in examples if variation.applies(example)]
    return ready._replace(variation=variation.prepared(mine, ready.family.parameters, outside)) if mine else ready
