"""Models with a planted truth: what the axes must say of them is known beforehand. No weights, no torch, no chance.

Nothing changes in ``constant``; ``echo`` mirrors everything; ``always-first-option`` follows the order of the options. ``coin-flip``,
``rerun-noise``, ``example-driven`` and ``template-driven`` (``answers``) draw their answers from a known source, ``icc`` has states and
certainties with known variance components, ``failures`` fails on known axes for known examples, ``by-dataset`` flips
at another rate on other data sets. The true numbers of each stand, with their derivation, in the docstring of its class. All draws are
seeded from content: every run gives the same.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from sago.errors import UnknownNameError
from sago.models.opening import Opener
from sago.models.protocol import Model
from sago.records import ModelOptions
from sago.testing.planted.answers import ByDatasetModel, CoinFlipModel, ExampleDrivenModel, RerunNoiseModel, TemplateDrivenModel
from sago.testing.planted.base import PlantedModel
from sago.testing.planted.constant import ConstantModel
from sago.testing.planted.echo import EchoModel
from sago.testing.planted.failures import FailuresModel
from sago.testing.planted.first_option import FirstOptionModel
from sago.testing.planted.icc import IccModel
from sago.testing.planted.parameters import read_parameters, spelled

__all__ = [
    "PLANTED",
    "ByDatasetModel",
    "CoinFlipModel",
    "ConstantModel",
    "EchoModel",
    "ExampleDrivenModel",
    "FailuresModel",
    "FirstOptionModel",
    "IccModel",
    "PlantedModel",
    "RerunNoiseModel",
    "TemplateDrivenModel",
    "open_planted",
]

PLANTED: Mapping[str, type[PlantedModel]] = {
    kind.name: kind
    for kind in (
        ConstantModel,
        EchoModel,
        FirstOptionModel,
        CoinFlipModel,
        ByDatasetModel,
        TemplateDrivenModel,
        ExampleDrivenModel,
        RerunNoiseModel,
        IccModel,
        FailuresModel,
    )
}
"""Name behind ``planted:`` -> model."""


def _planted(argument: str) -> PlantedModel:
    name, _, parameters = argument.partition(":")
    if name not in PLANTED:
        near = difflib.get_close_matches(name, PLANTED, n=2)
        raise UnknownNameError("planted model", argument, known=PLANTED, neighbours=[f"planted:{other}" for other in near])
    kind = PLANTED[name]
    return kind(**read_parameters(parameters, kind.parameters, f"model 'planted:{argument}'"))


def _check(argument: str) -> None:
    _planted(argument)


def _open(argument: str, options: ModelOptions) -> Model:
    return _planted(argument)


def _stamp(argument: str, options: ModelOptions) -> str | None:
    return _planted(argument).describe().weights_hash


def _listed(kind: type[PlantedModel]) -> str:
    defaults = spelled({name: parameter.default for name, parameter in kind.parameters.items()})
    return f"{kind.name}:{defaults}" if defaults else kind.name


open_planted = Opener("Models with a planted truth, for tests: " + "; ".join(map(_listed, PLANTED.values())), _open, _check, _stamp)
"""The plug-in ``planted``."""
