"""The public names: what users may rely on is written down, and importing costs nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

import sago

PUBLIC = {
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
}


def test_public_names_are_the_listed_ones() -> None:
    assert set(sago.__all__) == PUBLIC


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(sago, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        sago.nothing  # noqa: B018


HEAVY = ("torch", "transformers", "sentence_transformers", "vl_convert", "statsmodels")


@pytest.mark.parametrize(
    "modules", ["sago", "sago.cli", "sago.axes, sago.features, sago.variations, sago.datasets, sago.models, sago.runs"]
)
def test_importing_loads_no_heavy_library(modules: str) -> None:
    code = f"import {modules}, sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"
