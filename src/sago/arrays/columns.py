"""The index from columns as people have them: lists, numpy, polars or pandas; one entry a response."""

from __future__ import annotations

from typing import Any

import numpy as np

from sago.arrays.distances import DISTANCES
from sago.arrays.index import Index, Rows, index_of, parts_of
from sago.errors import InputError


def measure(values: Any, example: Any, variant: Any, distance: str = "nominal") -> Index:
    """Returns across (B), rerun (W), unrelated (N) and instability (S) with their errors, and the same for each example (METRICS 2).

    Args:
        values: Responses: answers for ``nominal`` (null = could not be read, at distance 1 from everything), scalars for ``absolute``,
            vectors (rows x dimensions) for ``cosine`` and ``squared_euclidean``, texts for ``rouge_l`` and ``chrf``.
        example: Example of each response.
        variant: Name of its wording; a template that examples share has one name. Equal names in one example are reruns.
        distance: Name in ``DISTANCES``.

    Returns:
        ``instability``, ``se``, ``interval``, ``across``, ``rerun``, ``unrelated``, ``n``, ``flags`` and ``reason`` of all examples
        together; ``per_example`` (S_i), ``parts.across`` (B_i), ``parts.rerun`` (W_i) and ``parts.unrelated`` (N_i) in the order of
        ``parts.examples``. NaN where there is no number; ``reason`` says why.

    Raises:
        InputError: If the columns differ in length, a label is missing, a number is not finite, or the distance is not known.

    >>> found = measure(["A", "A", "B", "B", "C", "C", "C", "C"], [1, 1, 1, 1, 2, 2, 2, 2], [1, 1, 2, 2, 1, 1, 2, 2])
    >>> found.across, found.rerun, found.unrelated, found.parts.across.tolist()
    (0.5, 0.0, 1.0, [1.0, 0.0])
    """
    if distance not in DISTANCES:
        raise InputError(f"unknown distance '{distance}'", fix=f"Use one of {', '.join(DISTANCES)}")
    given = _values(values, distance)
    labels = {"example": np.asarray(example), "variant": np.asarray(variant)}
    for name, column in labels.items():
        if column.ndim != 1 or column.shape[0] != given.shape[0]:
            raise InputError(f"{given.shape[0]} values, but {name} has shape {column.shape}", fix="Give one label a response")
        missing = [place for place, label in enumerate(column.tolist()) if label is None or label != label]  # noqa: PLR0124
        if missing:
            raise InputError(f"{name} is missing at row {missing[0]}", fix="Leave rows without labels out")
    return index_of(parts_of(Rows(given, labels["example"], labels["variant"]), distance))


def _values(values: Any, distance: str) -> Any:
    given = np.asarray(values)
    if distance in ("nominal", "rouge_l", "chrf"):
        return given
    if given.dtype.kind == "O" and given.size:
        given = np.stack([np.asarray(row, dtype=np.float64) for row in given])  # a column of lists
    try:
        finite = np.isfinite(given.astype(np.float64, copy=False))
    except (TypeError, ValueError) as error:
        raise InputError(f"distance '{distance}' needs numbers, not {given.dtype}", fix="Answers go with 'nominal'") from error
    if not finite.all():
        raise InputError(f"the value at row {int(np.argwhere(~finite)[0][0])} is not finite", fix="Leave responses without a value out")
    if distance != "absolute" and given.ndim != 2:
        raise InputError(f"distance '{distance}' needs vectors (rows x dimensions), not shape {given.shape}")
    return given
