"""The family shown in the docs runs as written, passes its check and is short."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sago.testing import check_variation

PAGE = Path(__file__).parents[2] / "docs" / "variations.md"


def test_the_shown_variation_passes_its_check() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len([line for line in code.splitlines() if line.strip()]) < 30
    namespace: dict[str, Any] = {}
    exec(compile(code, "variations.md", "exec"), namespace)
    check_variation(namespace["synonym"])
