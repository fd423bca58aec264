"""The worked examples of the formulas, by their number."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


def _read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path(__file__).parents[1] / "golden" / name).read_text(encoding="utf-8"))
    return found


GOLDEN = _read("stats_formulas.json")
# Data of two examples stand with those that came first.
GOLDEN["E14"]["ratings"] = _read("index.json")["E13"]["ratings"]
GOLDEN["E38"]["p"] = _read("stats.json")["E38"]["p"]


def near(value: Any) -> Any:
    """Returns the value within the tolerance of the worked examples."""
    return pytest.approx(value, abs=GOLDEN["tolerance"])
