"""The stage ``vary``: examples -> variants, with a count of what became of every wording asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

import polars as pl

from sago import registry, schemas
from sago.variations.beside import Beside, Write
from sago.variations.making import Maker, Varied
from sago.variations.processes import Watched, made_by_processes, workers
from sago.variations.specs import names_of

Note = Callable[[str], None]
"""Is told a line that a person should read."""

_CHUNK = 500
"""Examples held as Python objects at a time, in each process."""

_FEW = 2000
"""Most examples for which no process is started: each takes a second or two before it makes anything."""


def vary(
    examples: pl.DataFrame,
    variations: Sequence[str],
    *,
    seed: int = 0,
    system: str | None = None,
    write: Write | None = None,
    note: Note | None = None,
    processes: int | None = 1,
) -> Varied:
    """Makes the variants of every example.

    A variant depends on the seed, its dataset, its example, its family and the family's parameters alone: not on other examples,
    other families, the order of rows, or the process.

    Args:
        examples: Table ``examples``.
        variations: Families in the order in which their variants come, each as ``name`` or ``name:parameter=value,parameter=value``.
        seed: Seed of everything that is drawn.
        system: System message put in front of every prompt; null = none.
        write: What asks a model for the texts of families that a model writes; null = such families are refused.
        note: Told, a line each, what a person should know, for instance which rows of a file match no example; null = nobody.
        processes: How many processes make variants at once; null = one for each core. What is made does not depend on it. A script that
            asks for more than one needs ``if __name__ == "__main__":``, as wherever Python starts processes. Few examples, families that
            use other examples or ask a model, and variations registered by hand are made in this one.

    Returns:
        The variants and, for each dataset and family, what was asked for, made and dropped (METRICS 1: what renders to the same
        prompt after NFC and strip is no variant of its own).

    Raises:
        StudyError: If a parameter is unknown or out of its limits, or a family is given twice.
        DataError: If a file of wordings cannot be used.
        UnknownNameError: If no variation has the name.
        PluginError: If a variation breaks its protocol.
    """
    return joined(vary_in_parts(examples, variations, seed=seed, system=system, write=write, note=note, processes=processes))


def vary_in_parts(
    examples: pl.DataFrame,
    variations: Sequence[str],
    *,
    seed: int = 0,
    system: str | None = None,
    write: Write | None = None,
    note: Note | None = None,
    processes: int | None = 1,
) -> Iterator[Varied]:
    """Yields what :func:`vary` makes in parts of a few hundred examples, so that no more of it has to be held at a time.

    Args:
        examples: See :func:`vary`; the other arguments as well.
        variations: Families.
        seed: Seed.
        system: System message.
        write: What asks a model.
        note: Told what a person should know.
        processes: How many processes make variants; null = one for each core.
    """
    maker = Maker(variations, seed, system)
    ordered = schemas.check("examples", examples).sort("dataset", "position", "example")
    for line in maker.told(ordered):  # all of them, before the first one asks a model for anything
        if note is not None:
            note(line)
    outside = Watched(Beside(ordered, write))

    def here(part: pl.DataFrame) -> Varied:
        return maker.make(part, outside)

    parts = _parts(ordered)
    count = workers(processes) if ordered.height > _FEW and not _by_hand(variations) else 1
    if count > 1:
        yield from map(here, islice(parts, 1))  # the first one shows whether the families need what only this process has
        if not outside.is_used:
            yield from made_by_processes(parts, here, count, variations, seed, system)
    yield from map(here, parts)


def _parts(examples: pl.DataFrame) -> Iterator[pl.DataFrame]:
    for dataset in examples["dataset"].unique(maintain_order=True).to_list():
        yield from examples.filter(pl.col("dataset") == dataset).iter_slices(_CHUNK)


def _by_hand(variations: Sequence[str]) -> bool:
    """Returns whether a variation is known to this process alone."""
    return any(registry.is_by_hand("variations", name) for spec in variations for name in names_of(spec))


def joined(parts: Iterable[Varied]) -> Varied:
    """Returns the parts of a call of :func:`vary_in_parts` as one."""
    read = list(parts)
    variants, rejected = (
        schemas.check("variants", pl.concat([schemas.empty("variants"), *(getattr(part, name) for part in read)]))
        for name in ("variants", "rejected")
    )
    return Varied(variants, total_counts(part.counts for part in read), rejected)


def total_counts(parts: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """Returns the sum of tables ``variation_counts``."""
    table = pl.concat([schemas.empty("variation_counts"), *parts])
    return schemas.check("variation_counts", table.group_by("dataset", "family", maintain_order=True).sum())
