"""Data sets: from a path or a registered name to table ``examples``.

``load.py`` is the stage, ``files.py`` the loader of files; ``reading.py``, ``jsonlines.py`` and ``tabular.py`` turn bytes into rows,
``columns.py`` says which column is which field, ``gold.py`` reads choices and right answers, ``examples.py`` builds the table, part by
part. ``protocol.py`` is the contract of other loaders, ``builtin/`` holds the questions that come with the package. ``hub.py``,
``lm_eval_tasks.py``, ``inspect_samples.py`` and ``functions.py`` load what is no file; ``overlaps.py`` finds examples that stand twice.
"""

from __future__ import annotations

from sago.datasets.examples import examples_table
from sago.datasets.files import load_file
from sago.datasets.functions import rows_table
from sago.datasets.load import Loaded, load
from sago.datasets.places import Problem, Record, Records
from sago.datasets.protocol import DatasetLoader, LoadOptions

__all__ = ["DatasetLoader", "LoadOptions", "Loaded", "Problem", "Record", "Records", "examples_table", "load", "load_file", "rows_table"]
