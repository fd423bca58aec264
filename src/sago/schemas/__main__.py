"""``python -m sago.schemas`` prints the reference page of all tables."""

from __future__ import annotations

from sago.schemas.reference import reference_page

print(reference_page())
