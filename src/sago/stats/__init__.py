"""From scores to what may be said: ``conclude`` makes findings, ``claims`` holds them one by one, ``accuracy`` stands beside.

The arithmetic on plain arrays, one formula a function: ``aggregates`` one number or an order from profiles, ``pooling`` several data sets,
``multiplicity`` corrections, conjunctions and reversals, ``ranks`` orders of models, ``reliability`` with other variants, ``dimensions``
behind the axes and overlap of failures, ``decomposition`` of variance, ``planning`` power and equivalence, ``smallest_effect`` verdicts
and ``sensitivity``, ``screening`` of single examples.
"""

from __future__ import annotations

from sago.stats.accuracy import accuracy
from sago.stats.aggregates import acceptability, dominance_share, dominates, power_mean, residual_bound, weighted_mean, worst_axis
from sago.stats.conclude import conclude
from sago.stats.covariates import covariates
from sago.stats.decomposition import Components, Generalizability, components, generalizability
from sago.stats.dimensions import (
    Overlap,
    correlation_interval,
    entropy_rank,
    failure_overlap,
    half_width_at_zero,
    mantel_haenszel,
    overlap,
    participation_ratio,
    top_share,
    vendi,
)
from sago.stats.multiplicity import (
    QualitativeInteraction,
    benjamini_hochberg,
    bonferroni,
    consistent_in,
    gail_simon,
    holm,
    partial_conjunction,
    reversal_p,
)
from sago.stats.planning import equivalence_p, examples_needed, minimum_detectable_effect, power_of
from sago.stats.pooling import Heterogeneity, Pooled, heterogeneity, pooled
from sago.stats.ranks import Concordance, TauB, concordance, rank_intervals, tau_b
from sago.stats.reliability import SplitHalf, disattenuated, halves, spearman_brown, split_half, variants_needed
from sago.stats.screening import unstable_examples
from sago.stats.smallest_effect import sensitivity

__all__ = [
    "Components",
    "Concordance",
    "Generalizability",
    "Heterogeneity",
    "Overlap",
    "Pooled",
    "QualitativeInteraction",
    "SplitHalf",
    "TauB",
    "acceptability",
    "accuracy",
    "benjamini_hochberg",
    "bonferroni",
    "components",
    "conclude",
    "concordance",
    "consistent_in",
    "correlation_interval",
    "covariates",
    "disattenuated",
    "dominance_share",
    "dominates",
    "entropy_rank",
    "equivalence_p",
    "examples_needed",
    "failure_overlap",
    "gail_simon",
    "generalizability",
    "half_width_at_zero",
    "halves",
    "heterogeneity",
    "holm",
    "mantel_haenszel",
    "minimum_detectable_effect",
    "overlap",
    "partial_conjunction",
    "participation_ratio",
    "pooled",
    "power_mean",
    "power_of",
    "rank_intervals",
    "residual_bound",
    "reversal_p",
    "sensitivity",
    "spearman_brown",
    "split_half",
    "tau_b",
    "top_share",
    "unstable_examples",
    "variants_needed",
    "vendi",
    "weighted_mean",
    "worst_axis",
]
