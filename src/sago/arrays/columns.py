"""The index from columns as people have them: lists, numpy, polars or pandas; one entry a response."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from sago.arrays.distances import DISTANCES, UNKNOWN
from sago.arrays.grouping import Floats, Integers, Values
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
        InputError: If a column is no list of rows, the columns differ in length, a label is missing, a number is not finite, or the
            distance is not known.

    >>> found = measure(["A", "A", "B", "B", "C", "C", "C", "C"], [1, 1, 1, 1, 2, 2, 2, 2], [1, 1, 2, 2, 1, 1, 2, 2])
    >>> found.across, found.rerun, found.unrelated, found.parts.across.tolist()
    (0.5, 0.0, 1.0, [1.0, 0.0])
    """
    if distance not in DISTANCES:
        raise InputError(f"unknown distance '{distance}'", fix=f"Use one of {', '.join(DISTANCES)}")
    for column, name in ((values, "values"), (example, "example"), (variant, "variant")):
        _check_rows(column, name)
    given = _values(values, distance)
    of_example, of_variant = (_labels(column, name, given.shape[0]) for column, name in ((example, "example"), (variant, "variant")))
    found = index_of(parts_of(Rows(given, of_example[1], of_variant[1]), distance))
    return replace(found, parts=replace(found.parts, examples=of_example[0][found.parts.examples]))


def _is_missing(value: Any) -> bool:
    """Null in any of its spellings: None, NaN, a missing value of pandas."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float | np.floating) and value != value)  # noqa: PLR0124


def _check_rows(column: Any, name: str) -> None:
    """The letters of one text, the names of a mapping and the elements of a set are no rows."""
    one = column.item() if isinstance(column, np.ndarray) and column.ndim == 0 else column
    if isinstance(one, Mapping | set | frozenset | str | bytes | bytearray) or not hasattr(one, "__iter__"):
        raise InputError(
            f"the column of {name} is a {type(one).__name__}, which has no rows in order", where="measure", fix="Give a list or an array"
        )


def _listed(column: Any) -> list[Any]:
    """Returns the entries as they are: an array of several kinds would turn 1, "1" and NaN into texts that are equal."""
    return list(column.tolist() if isinstance(column, np.ndarray) else column)


def _coded(entries: list[Any]) -> tuple[Values, Integers]:
    """Returns the different entries in sorted order, and each entry as its place among them; missing ones are -1."""
    known = {entry for entry in entries if not _is_missing(entry)}
    try:
        order = sorted(known)
    except TypeError:  # of several kinds, which have no order of their own
        order = sorted(known, key=lambda entry: (type(entry).__name__, str(entry)))
    names = np.empty(len(order), dtype=object)
    names[:] = order
    place = {entry: number for number, entry in enumerate(order)}
    codes = np.array([UNKNOWN if _is_missing(entry) else place[entry] for entry in entries], dtype=np.int64)
    plain = np.array(order) if len({type(entry) for entry in order}) == 1 else names
    return (plain if plain.tolist() == order else names), codes


def _labels(column: Any, name: str, count: int) -> tuple[Values, Integers]:
    entries = _listed(column)
    if len(entries) != count or (isinstance(column, np.ndarray) and column.ndim != 1):
        raise InputError(f"{count} values, but {name} has shape {np.shape(column)}", fix="Give one label a response")
    names, codes = _coded(entries)
    if count and codes.min() < 0:
        raise InputError(f"{name} is missing at row {int(np.argmin(codes))}", fix="Leave rows without labels out")
    return names, codes


def _values(values: Any, distance: str) -> Any:
    if distance == "nominal":
        return _coded(_listed(values))[1]
    if distance in ("rouge_l", "chrf"):
        texts = np.empty(len(values), dtype=object)
        texts[:] = [None if _is_missing(text) else str(text) for text in _listed(values)]
        return texts
    try:
        given = _numbers(values)
    except (TypeError, ValueError) as error:
        raise InputError(f"distance '{distance}' needs numbers", fix="Answers go with 'nominal'") from error
    if not np.isfinite(given).all():
        raise InputError(f"the value at row {int(np.argwhere(~np.isfinite(given))[0][0])} is not finite", fix="Leave such responses out")
    wanted = 1 if distance == "absolute" else 2
    if given.ndim != wanted:
        needs = "one number a response" if wanted == 1 else "vectors (rows x dimensions)"
        raise InputError(f"distance '{distance}' needs {needs}, not shape {given.shape}")
    return _with_direction(given) if distance == "cosine" else given


def _numbers(values: Any) -> Floats:
    given = np.asarray(values)
    if given.dtype.kind not in "biufO" or np.ma.is_masked(values):
        raise TypeError(given.dtype)
    if given.dtype.kind == "O" and given.size:
        given = np.array([np.nan if _is_missing(row) else np.asarray(row, dtype=np.float64) for row in given.tolist()])
    return given if given.dtype.kind == "f" else given.astype(np.float64)


def _with_direction(vectors: Floats) -> Floats:
    """Returns vectors whose squares neither vanish nor overflow, with their directions; a vector of zeros has none."""
    largest = np.abs(vectors).max(axis=1, initial=0)
    if vectors.size and largest.min() == 0:
        raise InputError(f"the vector at row {int(np.argmin(largest))} is zero: it has no direction", fix="Leave such responses out")
    if not vectors.size or (largest.min() > 1e-100 and largest.max() < 1e100):
        return vectors
    scaled: Floats = vectors / largest[:, None]
    return scaled
