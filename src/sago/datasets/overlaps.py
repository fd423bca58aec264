"""Examples that ask the same thing, in one data set or in several: found by content and told, never dropped.

Two examples are the same where question, context and the set of choices are, but for Unicode form, case, white space and the order of the
choices. An example that stands twice counts twice in every mean; one that two data sets share makes them no independent evidence.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import polars as pl

_SHOWN = 3


def overlap_notes(examples: pl.DataFrame) -> list[str]:
    """Returns a line for each data set that repeats examples, and for each two that share some, with counts and the first ids."""
    repeated = _repeated(examples)
    if not repeated.height:
        return []
    order = examples["dataset"].unique(maintain_order=True).to_list()
    within = [note for name in order if (note := _within(repeated.filter(pl.col("dataset") == name), name))]
    return within + list(_between(repeated, order))


def _repeated(examples: pl.DataFrame) -> pl.DataFrame:
    """Returns the examples whose content stands more than once, in their order, with the number of that content."""
    content = examples.select("dataset", "example", "answers", content=_content())
    several = content.filter(pl.col("content").is_duplicated())
    return several.with_columns(pl.col("content").rank("dense").cast(pl.Int64), answers=pl.col("answers").list.sort().list.join("\x1f"))


def _content() -> pl.Expr:
    """Returns the content of an example in one text; parts are parted by a sign that no text keeps, as white space is made one kind."""
    choices = pl.col("choices").list.eval(_plain(pl.element())).list.sort().list.join("\n")
    parts = (_plain(pl.col("question")), _plain(pl.col("context")).fill_null("\n"), choices.fill_null("\n"))
    return pl.concat_str(*parts, separator="\n\n")


def _plain(text: pl.Expr) -> pl.Expr:
    return text.str.normalize("NFC").str.to_lowercase().str.replace_all(r"\s+", " ").str.strip_chars()


def _within(rows: pl.DataFrame, dataset: str) -> str | None:
    groups = rows.group_by("content", maintain_order=True).agg("example", "answers").filter(pl.col("example").list.len() > 1)
    if not groups.height:
        return None
    extra = int(groups["example"].list.len().sum()) - groups.height
    shown = "; ".join(_few([f"'{name}'" for name in names], " = ") for names in groups["example"].head(_SHOWN).to_list())
    text = f"{dataset}: {groups.height} example{'s stand' if groups.height > 1 else ' stands'} more than once ({shown}"
    text += f"{'; ...' if groups.height > _SHOWN else ''}), {extra} more than they need; all are kept"
    return text + _differing(int((groups["answers"].list.n_unique() > 1).sum()))


def _between(rows: pl.DataFrame, order: list[str]) -> Iterator[str]:
    first = rows.unique(["dataset", "content"], keep="first", maintain_order=True)
    present = set(first["dataset"])
    for one, other in itertools.combinations([name for name in order if name in present], 2):
        left, right = (first.filter(pl.col("dataset") == name).drop("dataset") for name in (one, other))
        shared = left.join(right, on="content", how="inner", maintain_order="left")
        if shared.height:
            pairs = [f"'{a}' = '{b}'" for a, b in shared.select("example", "example_right").iter_rows()]
            text = f"{one} and {other} share {shared.height} example{'s' if shared.height > 1 else ''} ({_few(pairs, ', ')}); all are kept"
            yield text + _differing(int((shared["answers"] != shared["answers_right"]).sum()))


def _few(texts: list[str], separator: str) -> str:
    return separator.join(texts[:_SHOWN]) + (f"{separator}..." if len(texts) > _SHOWN else "")


def _differing(count: int) -> str:
    return f"; {count} of them with different right answers" if count else ""
