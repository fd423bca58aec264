"""The arithmetic on plain numpy arrays; nothing here knows a table, a model or a file.

``distances`` sums of distances in closed form, ``index`` across, rerun, unrelated and instability with their errors, ``intervals``,
``resampling`` the exact permutation test, ``uptake`` distinctive wording in replies.
"""

from __future__ import annotations

from sago.arrays.columns import measure
from sago.arrays.distances import DISTANCES, UNKNOWN, Distance, any_distance, beside_texts
from sago.arrays.index import Floor, Index, Parts, Rows, across_of, index_of, mean_index, parts_of, rerun_of, star_of, without_each
from sago.arrays.intervals import Interval, jackknife_se, mean_interval, none_in, t_interval, wilson
from sago.arrays.resampling import RerunFloorTest, permutation_p, relabelings, rerun_floor_test
from sago.arrays.uptake import Uptake, distinctive, uptake, uptake_matrix, words

__all__ = [
    "DISTANCES",
    "UNKNOWN",
    "Distance",
    "Floor",
    "Index",
    "Interval",
    "Parts",
    "RerunFloorTest",
    "Rows",
    "Uptake",
    "across_of",
    "any_distance",
    "beside_texts",
    "distinctive",
    "index_of",
    "jackknife_se",
    "mean_index",
    "mean_interval",
    "measure",
    "none_in",
    "parts_of",
    "permutation_p",
    "relabelings",
    "rerun_floor_test",
    "rerun_of",
    "star_of",
    "t_interval",
    "uptake",
    "uptake_matrix",
    "wilson",
    "without_each",
    "words",
]
