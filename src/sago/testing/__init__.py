"""For whoever writes a plug-in: the contracts as code, one check for each kind, and models with a planted truth."""

from __future__ import annotations

from sago.testing.axis_check import check_axis
from sago.testing.dataset_check import check_dataset
from sago.testing.model_check import check_model
from sago.testing.planted import ConstantModel, EchoModel, FirstOptionModel
from sago.testing.variation_check import check_variation

__all__ = ["ConstantModel", "EchoModel", "FirstOptionModel", "check_axis", "check_dataset", "check_model", "check_variation"]
