"""The page about claims says of every claim what its numbers are."""

from __future__ import annotations

import re
from pathlib import Path

from sago.reports.words import CLAIMS

PAGE = (Path(__file__).parents[2] / "docs" / "claims.md").read_text(encoding="utf-8")


def test_every_claim_has_a_row_with_all_of_its_numbers() -> None:
    table = PAGE[PAGE.index("| claim | `estimate`") :]
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    assert {re.findall(r"`(\w+)`", row)[0] for row in rows} == set(CLAIMS)
    assert all(len([cell for cell in row.strip("|").split("|") if cell.strip()]) == 5 for row in rows)
