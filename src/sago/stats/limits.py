"""What the formulas of this package take: impossible input is an error in one line, missing input (NaN) never is."""

from __future__ import annotations

import numpy as np

from sago.arrays.grouping import Floats, Values
from sago.errors import InputError


def between(value: float, low: float, high: float, *, name: str, where: str) -> None:
    """Raises unless ``low < value < high``."""
    if not low < value < high:
        raise InputError(f"{name} is {value:g}", where=where, fix=f"Give a number above {low:g} and below {high:g}")


def at_least(value: float, least: float, *, name: str, where: str) -> None:
    """Raises where ``value < least``; NaN (missing) passes."""
    if value < least:
        raise InputError(f"{name} is {value:g}", where=where, fix=f"Give {least:g} or more")


def not_negative(values: Floats, *, name: str, where: str) -> None:
    """Raises where a value is below 0; NaN passes."""
    if np.any(values < 0):
        raise InputError(f"{name} holds {np.nanmin(values):g}", where=where, fix="Give numbers of 0 or more")


def probabilities(values: Floats, *, where: str) -> None:
    """Raises where a p value is outside [0, 1]; NaN (not tested) passes."""
    wrong = values[(values < 0) | (values > 1)]
    if wrong.size:
        raise InputError(f"a p value is {wrong[0]:g}", where=where, fix="Give p values in [0, 1]; NaN where nothing was tested")


def same_shape(first: Values, second: Values, *, where: str) -> None:
    """Raises unless both arrays have one shape."""
    if first.shape != second.shape:
        raise InputError(
            f"shapes {first.shape} and {second.shape} do not fit", where=where, fix="Give both for the same things, in the same order"
        )


def dimensions(values: Floats, wanted: tuple[int, ...], *, what: str, where: str) -> None:
    """Raises unless the array has one of the wanted numbers of dimensions; ``what`` says which they are."""
    if values.ndim not in wanted:
        raise InputError(f"an array of {values.ndim} dimensions", where=where, fix=f"Give {what}")
