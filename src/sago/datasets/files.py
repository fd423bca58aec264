"""The loader of files and of standard input: JSON lines, JSON lists, CSV, TSV and Parquet, each also packed with gzip."""

from __future__ import annotations

import polars as pl

from sago.datasets.examples import examples_table
from sago.datasets.protocol import LoadOptions
from sago.datasets.reading import open_records, stem


def load_file(source: str, options: LoadOptions) -> pl.DataFrame:
    """Returns the questions of one file as table ``examples``.

    The dataset is called like the file without its endings, or as ``options.name`` says. Lines are physical lines, a byte order mark and
    the kind of line ends change nothing, and a file that cannot be used as a whole is refused as a whole, with every problem named.

    Args:
        source: Path of the file, or ``-`` for standard input.
        options: How to read it.

    Raises:
        DataError: If the file or one of its rows cannot be used.
        StudyError: If the column mapping names a field that examples do not have.
    """
    return examples_table(open_records(source), source, options.name or stem(source), options)
