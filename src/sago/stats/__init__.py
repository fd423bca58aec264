"""From scores to what may be said: ``conclude`` makes findings, ``claims`` holds them one by one.

``accuracy`` and ``variance`` stand beside. The arithmetic on plain arrays, one formula a function: ``aggregates`` one number or an
order from profiles, ``pooling`` several data sets, ``multiplicity`` corrections, conjunctions and reversals, ``ranks`` orders of models,
``reliability`` with other variants, ``dimensions`` behind the axes and overlap of failures, ``decomposition`` of variance,
``multiprompt`` accuracy over wordings, ``planning`` power and equivalence,
``smallest_effect`` verdicts and ``sensitivity``, ``screening`` of single examples.
"""

from __future__ import annotations

from sago.stats.accuracy import Accuracies, accuracies, accuracy, wording_accuracy
from sago.stats.aggregates import acceptability, dominance_share, dominates, power_mean, residual_bound, weighted_mean, worst_axis
from sago.stats.conclude import conclude
from sago.stats.covariates import covariates
from sago.stats.crossing import largest_crossing
from sago.stats.decomposition import (
    Components,
    ErrorParts,
    Generalizability,
    components,
    error_parts,
    generalizability,
    nested_components,
)
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
from sago.stats.equivalence import equivalence_counts, upper_share
from sago.stats.multiplicity import (
    QualitativeInteraction,
    benjamini_hochberg,
    bonferroni,
    consistent_in,
    gail_simon,
    holm,
    nested_holm,
    partial_conjunction,
    reversal_p,
)
from sago.stats.multiprompt import WordingSpread, all_right, combined_performance, saturation, wording_spread
from sago.stats.planning import (
    equivalence_p,
    examples_for_equivalence,
    examples_needed,
    minimum_detectable_effect,
    power_of,
    reversal_power,
    smallest_reversal,
    smallest_shown,
)
from sago.stats.pooling import Heterogeneity, Pooled, heterogeneity, pooled
from sago.stats.ranks import Concordance, TauB, concordance, rank_intervals, tau_b
from sago.stats.reliability import SplitHalf, disattenuated, halves, spearman_brown, split_half, variants_needed
from sago.stats.screening import unstable_examples
from sago.stats.smallest_effect import sensitivity
from sago.stats.variance import variance_components

__all__ = [
    "Accuracies",
    "Components",
    "Concordance",
    "ErrorParts",
    "Generalizability",
    "Heterogeneity",
    "Overlap",
    "Pooled",
    "QualitativeInteraction",
    "SplitHalf",
    "TauB",
    "WordingSpread",
    "acceptability",
    "accuracies",
    "accuracy",
    "all_right",
    "benjamini_hochberg",
    "bonferroni",
    "combined_performance",
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
    "equivalence_counts",
    "equivalence_p",
    "error_parts",
    "examples_for_equivalence",
    "examples_needed",
    "failure_overlap",
    "gail_simon",
    "generalizability",
    "half_width_at_zero",
    "halves",
    "heterogeneity",
    "holm",
    "largest_crossing",
    "mantel_haenszel",
    "minimum_detectable_effect",
    "nested_components",
    "nested_holm",
    "overlap",
    "partial_conjunction",
    "participation_ratio",
    "pooled",
    "power_mean",
    "power_of",
    "rank_intervals",
    "residual_bound",
    "reversal_p",
    "reversal_power",
    "saturation",
    "sensitivity",
    "smallest_reversal",
    "smallest_shown",
    "spearman_brown",
    "split_half",
    "tau_b",
    "top_share",
    "unstable_examples",
    "upper_share",
    "variance_components",
    "variants_needed",
    "vendi",
    "weighted_mean",
    "wording_accuracy",
    "wording_spread",
    "worst_axis",
]
