"""Other people's recordings as the tables of a run.

``tables`` strings the reading of recorded answers together: ``columns`` which column is which field, ``cells`` what one value means,
``rows`` one row at a time, ``wordings`` prompts and names of variants, ``questions`` tasks, options and right answers.
"""

from __future__ import annotations

from sago.runs.importers.options import READ_AS, Answers, ReadOptions, SourceColumns
from sago.runs.importers.tables import read_answers

__all__ = ["READ_AS", "Answers", "ReadOptions", "SourceColumns", "read_answers"]
