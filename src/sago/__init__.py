"""SAGO: when the same thing is said in another way, what changes?

The names below are all that most people need; everything else lives in the package named after its plug-in group
(``sago.datasets``, ``sago.variations``, ``sago.models``, ``sago.features``, ``sago.axes``, ``sago.stats``, ``sago.reports``).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sago._version import __version__

if TYPE_CHECKING:
    from sago.axes import score
    from sago.datasets.load import load
    from sago.errors import SagoError
    from sago.features.extract import extract
    from sago.models import open_encoder, open_model
    from sago.pipeline import score_answers
    from sago.records import Example, ModelOptions
    from sago.reports import write_html
    from sago.runs import Plan, ReadOptions, Run, read_answers
    from sago.stats.accuracy import accuracy
    from sago.stats.conclude import conclude
    from sago.study import Study, read_study
    from sago.variations import vary

_HOMES = {
    "Example": "sago.records",
    "ModelOptions": "sago.records",
    "Plan": "sago.runs",
    "ReadOptions": "sago.runs",
    "Run": "sago.runs",
    "SagoError": "sago.errors",
    "Study": "sago.study",
    "accuracy": "sago.stats",
    "conclude": "sago.stats",
    "extract": "sago.features",
    "load": "sago.datasets",
    "open_encoder": "sago.models",
    "open_model": "sago.models",
    "read_answers": "sago.runs",
    "read_study": "sago.study",
    "score": "sago.axes",
    "score_answers": "sago.pipeline",
    "vary": "sago.variations",
    "write_html": "sago.reports",
}

__all__ = [
    "Example",
    "ModelOptions",
    "Plan",
    "ReadOptions",
    "Run",
    "SagoError",
    "Study",
    "__version__",
    "accuracy",
    "conclude",
    "extract",
    "load",
    "open_encoder",
    "open_model",
    "read_answers",
    "read_study",
    "score",
    "score_answers",
    "vary",
    "write_html",
]


def __getattr__(name: str) -> Any:
    """Imports a public name when it is first used, so that ``import sago`` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'sago' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
