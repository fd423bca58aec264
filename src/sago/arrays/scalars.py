"""Means of the distance between scalars from sorted sums: the Gini mean difference (METRICS 2.4)."""

from __future__ import annotations

import numpy as np

from sago.arrays.grouping import Floats, Grouping, Integers, summed
from sago.arrays.means import Means, divided, mean_of_reruns, no_reruns, pair_weights


def absolute_means(values: Floats, by: Grouping) -> Means:
    """Returns the means of |x - y|: sorted sums within each group (the Gini mean difference, METRICS 2.4)."""
    x, count = by.take(values), by.names.size
    order = np.argsort(x, kind="stable")
    share, weight = by.share, by.weight
    within = _sorted_sums(x, share, by.example, order)
    of_cells = np.zeros(by.owner.size)
    rerun = no_reruns(by)
    if not by.asked_once:
        of_cells = summed(by.cell, share * _sorted_sums(x, share, by.cell, order), by.owner.size)
        once = of_cells * by.reruns / np.maximum(by.reruns - 1, 1)
        rerun = mean_of_reruns(by, once)
    inside = summed(by.owner, of_cells, count)
    between = summed(by.example, share * within, count) - inside
    pairs = np.maximum(by.variants * (by.variants - 1), 1)
    across = np.where(by.variants > 1, between / pairs, np.nan)
    total = pair_weights(by)
    sums = _sorted_sums(x, weight, np.zeros_like(by.example), order) - _sorted_sums(x, weight, by.variant, order)
    others = summed(by.example, weight * sums, count) - between / by.variants**2
    return Means(across, rerun, divided(others, total), total)


def absolute_across(values: Floats, by: Grouping) -> Floats:
    """Returns B_i alone of |x - y|."""
    x = by.take(values)
    order = np.argsort(x, kind="stable")
    share = by.share
    sums = share * _sorted_sums(x, share, by.example, order)
    if not by.asked_once:
        sums -= share * _sorted_sums(x, share, by.cell, order)
    result: Floats = summed(by.example, sums, by.names.size) / (by.variants * (by.variants - 1))
    return result


def _sorted_sums(x: Floats, weights: Floats, groups: Integers, order: Integers) -> Floats:
    """Returns for each row the weighted sum of its distances to the rows of its group."""
    by_group = order if groups.max(initial=0) == 0 else order[np.argsort(groups[order], kind="stable")]
    values, weight, group = x[by_group], weights[by_group], groups[by_group]
    is_first = np.r_[True, group[1:] != group[:-1]]
    first, segment = np.flatnonzero(is_first), np.cumsum(is_first) - 1
    values = values - values[first][segment]  # distances stay the same, and equal values are exactly 0 apart
    moments = weight * values
    weight_up_to, moment_up_to = _running(weight, first, segment), _running(moments, first, segment)
    weight_all, moment_all = np.add.reduceat(weight, first)[segment], np.add.reduceat(moments, first)[segment]
    sums: Floats = np.empty(x.size)
    sums[by_group] = values * (2 * weight_up_to - weight_all) + moment_all - 2 * moment_up_to
    return sums


def _running(values: Floats, first: Integers, segment: Integers) -> Floats:
    """Inclusive running sum within each segment."""
    running = np.cumsum(values)
    result: Floats = running - (running[first] - values[first])[segment]
    return result
