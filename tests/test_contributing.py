"""The variation shown in CONTRIBUTING runs as written and passes its check."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sago.testing import check_variation

PAGE = Path(__file__).parents[1] / "CONTRIBUTING.md"


def test_the_shown_variation_passes_its_check() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    namespace: dict[str, Any] = {}
    exec(compile(code, "CONTRIBUTING.md", "exec"), namespace)
    check_variation(namespace["synonym"])
