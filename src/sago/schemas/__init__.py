"""Each table once: column, type, unit, meaning, version.

The classes in ``questions``, ``answers``, ``scores``, ``conclusions`` are the one source for the check at every seam (:func:`check`), the
metadata in the Parquet files (:func:`parquet_metadata`) and the reference page ``docs/tables.md`` (``python -m sago.schemas``). Null always
has a reason beside it: in a ``reason`` column, in a status, or in the column's own description. NaN and infinity are refused.
"""

from __future__ import annotations

from sago.schemas.tables import KEYS, SCHEMA_VERSION, TABLES, Tables, check, dtypes, empty, frame, parquet_metadata

__all__ = ["KEYS", "SCHEMA_VERSION", "TABLES", "Tables", "check", "dtypes", "empty", "frame", "parquet_metadata"]
