"""The arithmetic on plain numpy arrays; nothing here knows a table, a model or a file.

``distances`` sums of distances in closed form, ``index`` across, rerun, unrelated and instability with their errors, ``intervals``,
``resampling`` the exact permutation test, ``uptake`` distinctive wording in replies.
"""

from __future__ import annotations

from sago.arrays.distances import DISTANCES, Distance, DistanceName
from sago.arrays.index import Floor, Index, Parts, Rows, index_of, parts_of
from sago.arrays.intervals import Interval, mean_interval, t_interval, wilson
from sago.arrays.resampling import permutation_p
from sago.arrays.uptake import Uptake, uptake, uptake_matrix, words

__all__ = [
    "DISTANCES",
    "Distance",
    "DistanceName",
    "Floor",
    "Index",
    "Interval",
    "Parts",
    "Rows",
    "Uptake",
    "index_of",
    "mean_interval",
    "parts_of",
    "permutation_p",
    "t_interval",
    "uptake",
    "uptake_matrix",
    "wilson",
    "words",
]
