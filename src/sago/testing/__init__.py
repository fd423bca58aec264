"""For whoever writes a plug-in: the contracts as code, one check for each kind, and models with a planted truth."""

from __future__ import annotations

from sago.testing.dataset_check import check_dataset
from sago.testing.variation_check import check_variation

__all__ = ["check_dataset", "check_variation"]
