"""The worked examples of the formulas, by their number."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[1] / "golden" / "stats_formulas.json").read_text(encoding="utf-8"))


def near(value: Any) -> Any:
    """Returns the value within the tolerance of the worked examples."""
    return pytest.approx(value, abs=GOLDEN["tolerance"])
