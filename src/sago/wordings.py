"""Which variants of an example are one wording: those whose prompts are the same (METRICS 1).

Two variants with one prompt are no two wordings: the replies to them are reruns, for axes, companions and accuracy alike.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

import polars as pl

from sago.records import CANONICAL

_QUESTION = ["dataset", "example"]
_VARIANT = [*_QUESTION, "variant"]


def same_words(contents: Iterable[str]) -> tuple[str, ...]:
    """Returns the contents of the messages of a prompt as they are compared: after Unicode NFC, without outer white space.

    >>> same_words([" Why? "]) == same_words(["Why?"])
    True
    """
    return tuple(unicodedata.normalize("NFC", content).strip() for content in contents)


def with_wordings(rows: pl.DataFrame, variants: pl.DataFrame) -> pl.DataFrame:
    """Returns rows with a column ``wording``: the name under which the variant counts for the model that was asked.

    A variant counts under its own name, or under that of the first variant of the example with the same prompt (the original wording
    always first, then by position) that the model was asked as well: what other models were asked changes no name. Variants without a
    prompt (recorded answers), and controls, are never the same as another.

    Args:
        rows: Rows with the columns ``model``, ``dataset``, ``example`` and ``variant``; their order is kept.
        variants: Table ``variants``.
    """
    repeated = _repeated_prompts(variants)
    asked = rows.select("model", *_VARIANT).join(repeated, on=_VARIANT, how="inner").unique()
    if asked.is_empty():
        return rows.with_columns(wording="variant")
    asked = asked.sort(pl.col("variant") != CANONICAL, "position", "variant")
    named = asked.with_columns(wording=pl.col("variant").first().over("model", *_QUESTION, "prompt"))
    joined = rows.join(named.select("model", *_VARIANT, "wording"), on=["model", *_VARIANT], how="left", maintain_order="left")
    return joined.with_columns(pl.coalesce("wording", "variant"))


def _repeated_prompts(variants: pl.DataFrame) -> pl.DataFrame:
    """Returns position and prompt of the variants that share their prompt with another one of the example."""
    content = pl.element().struct.field("content").str.normalize("NFC").str.strip_chars()
    prompt = pl.col("messages").list.eval(content).list.join("\0").fill_null("")
    rows = variants.filter(~pl.col("control")).select(*_VARIANT, "position", prompt=prompt).filter(pl.col("prompt") != "")
    return rows.filter(pl.len().over(*_QUESTION, "prompt") > 1)
