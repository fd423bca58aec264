"""A run in the forms of other programs: results of lm-eval, tidy tables, Every Eval Ever, and trackers of experiments."""

from __future__ import annotations

from sago.reports.exports.every_eval_ever import write_every_eval_ever
from sago.reports.exports.headline import Headline, headlines_of
from sago.reports.exports.lm_eval_results import lm_eval_results
from sago.reports.exports.tidy import write_tables
from sago.reports.exports.trackers import log_to

__all__ = ["Headline", "headlines_of", "lm_eval_results", "log_to", "write_every_eval_ever", "write_tables"]
