"""Runs on disk.

``plan`` what to ask, ``execute`` asking it, ``store``, ``session`` and ``manifest`` keeping it, ``run`` looking at it. ``importers`` reads
what others recorded, ``rescoring`` keeps it and scores answers again.
``writing`` asks models for wordings, ``kept_texts`` keeps what they wrote.
"""

from __future__ import annotations

from sago.runs.execute import Missing, describe, observe
from sago.runs.frozen import VariantsFile, frozen_variants, read_variants
from sago.runs.importers import Answers, ReadOptions, read_answers
from sago.runs.plan import Plan, make_plan
from sago.runs.progress import Progress, Silent
from sago.runs.rescoring import Rescoring, new_recording, rescoring_of
from sago.runs.run import Run, joined_tables, summary_of
from sago.runs.session import Session
from sago.runs.store import RunStore
from sago.runs.writing import Tally, Writer, notes_of

__all__ = [
    "Answers",
    "Missing",
    "Plan",
    "Progress",
    "ReadOptions",
    "Rescoring",
    "Run",
    "RunStore",
    "Session",
    "Silent",
    "Tally",
    "VariantsFile",
    "Writer",
    "describe",
    "frozen_variants",
    "joined_tables",
    "make_plan",
    "new_recording",
    "notes_of",
    "observe",
    "read_answers",
    "read_variants",
    "rescoring_of",
    "summary_of",
]
