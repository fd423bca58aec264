"""Runs on disk.

``plan`` what to ask, ``execute`` asking it, ``store``, ``session`` and ``manifest`` keeping it, ``run`` looking at it.
"""

from __future__ import annotations

from sago.runs.execute import Missing, describe, observe
from sago.runs.plan import Plan, make_plan
from sago.runs.progress import Progress, Silent
from sago.runs.run import Run, joined_tables, summary_of
from sago.runs.session import Session
from sago.runs.store import RunStore

__all__ = [
    "Missing",
    "Plan",
    "Progress",
    "Run",
    "RunStore",
    "Session",
    "Silent",
    "describe",
    "joined_tables",
    "make_plan",
    "observe",
    "summary_of",
]
