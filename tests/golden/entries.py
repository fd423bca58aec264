"""The golden numbers: one JSON file a package, each entry an id of METRICS 11, its source, its input and what is expected."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def golden(file: str) -> dict[str, dict[str, Any]]:
    """Returns the entries of ``file``.json by id."""
    entries = json.loads((FOLDER / f"{file}.json").read_text(encoding="utf-8"))
    return {entry["id"]: entry for entry in entries}
