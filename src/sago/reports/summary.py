"""What a report says about how its runs were made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class RunSummary:
    """Everything about one or several runs that the tables do not hold.

    Attributes:
        name: Name or path of the run, or of the runs, as text.
        study: Fields of the study as resolved (models, data, variations, reruns, temperature, seed, smallest_effect, ...).
        models: One mapping for each model, with the fields of ``sago.records.ModelDescription``.
        created: When the first run began, as ISO text; empty = not known.
        seed: Seed of every random choice; null = not known.
        versions: Package -> version, SAGO and Python among them.
        notes: What a reader of the numbers should know, a line each.
    """

    name: str
    study: Mapping[str, Any] = field(default_factory=dict)
    models: Sequence[Mapping[str, Any]] = ()
    created: str = ""
    seed: int | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
