"""Tests of what is concluded, without the pauses of a full garbage collection."""

from __future__ import annotations

import gc

import pytest


@pytest.fixture(autouse=True)
def _no_full_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Correction of p values by statsmodels collects all garbage each time, which takes longer than everything else here."""
    monkeypatch.setattr(gc, "collect", lambda *_: 0)
