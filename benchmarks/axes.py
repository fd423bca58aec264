"""Speed of all default axes on the tables of one large run: 100,000 observations, choices and free text, four layers of hidden states."""

from __future__ import annotations

import argparse
import resource
import sys
from functools import partial

import numpy as np
import polars as pl

from sago import schemas
from sago.axes import score
from table import Row, seconds, show

VARIANTS, LAYERS = 8, 4
WORDS = np.array([f"word{number}" for number in range(400)])


def keys(dataset: str, examples: int) -> pl.DataFrame:
    """Returns the key of every observation of a data set."""
    example, variant = (labels.reshape(-1) for labels in np.indices((examples, VARIANTS)))
    names = np.array(["canonical", *[f"typo-{number}" for number in range(1, VARIANTS)]])
    return pl.DataFrame(
        {
            "model": ["m"] * example.size,
            "dataset": [dataset] * example.size,
            "example": [f"{place:06d}" for place in example],
            "variant": names[variant],
            "decoding": ["greedy"] * example.size,
            "rerun": np.zeros(example.size, dtype=np.int64),
        }
    )


def listed(values: np.ndarray) -> pl.Series:
    """Returns rows of an array as a column of lists."""
    kind = pl.Float32 if values.dtype == np.float32 else pl.Float64
    return pl.Series(values).cast(pl.List(kind))


def texts(count: int, length: int, rng: np.random.Generator) -> list[str]:
    """Returns texts of random words."""
    return [" ".join(WORDS[row]) for row in rng.integers(0, WORDS.size, (count, length))]


def table(name: str, rows: pl.DataFrame, **columns: object) -> pl.DataFrame:
    """Returns a table with the given columns, the others null or empty."""
    types = schemas.dtypes(name)
    given = rows.with_columns(**{key: value if isinstance(value, pl.Series | pl.Expr) else pl.lit(value) for key, value in columns.items()})
    blank = {key: pl.lit(None, dtype=kind) for key, kind in types.items() if key not in given.columns}
    return schemas.check(name, given.with_columns(**blank).select(pl.col(key).cast(kind) for key, kind in types.items()))


def scored(tables: dict[str, pl.DataFrame], axes: list[str] | None = None) -> object:
    """Scores the tables."""
    names = ("features", "states", "observations", "variants", "examples")
    return score(*(tables[name] for name in names), axes=axes)


def tables_of(examples: int, dimensions: int, rng: np.random.Generator) -> dict[str, pl.DataFrame]:
    """Returns the tables of a run on a choice and a free-text data set, half of the examples each."""
    both = [keys(name, examples // 2) for name in ("choice", "text")]
    rows = pl.concat(both)
    count, half = rows.height, both[0].height
    prompts = texts(count, 30, rng)
    replies = ["A"] * half + texts(count - half, 60, rng)
    option = rng.dirichlet(np.ones(4), half)
    vectors = rng.normal(size=(count - half, 384))
    features = [
        table("features", both[0], feature="answer", reader="answer", version="1", category=pl.Series(rng.choice(list("ABCD"), half))),
        table("features", both[0], feature="option_probabilities", reader="o", version="1", vector=listed(option)),
        table("features", both[1], feature="embedding", reader="e", version="1", vector=listed(vectors)),
        table("features", both[1], feature="anchor_probability", reader="a", version="1", number=pl.Series(rng.random(count - half))),
    ]
    variants = rows.select("dataset", "example", "variant").with_columns(
        family=pl.col("variant").str.split("-").list.first(),
        position=pl.when(pl.col("variant") == "canonical").then(0).otherwise(1),
        messages=pl.Series([[{"role": "user", "content": prompt}] for prompt in prompts]),
        question=pl.Series(prompts),
        edits=pl.Series([[]] * count, dtype=schemas.dtypes("variants")["edits"]),
        **{name: pl.Series([[]] * count, dtype=pl.List(pl.String)) for name in ("answers", "checks", "merged")},
    )
    questions = rows.unique(["dataset", "example"], maintain_order=True).select("dataset", "example")
    empty = pl.Series([[]] * questions.height, dtype=pl.List(pl.String))
    facts = {"position": 0, "task": pl.col("dataset"), "question": "q", "answers": empty, "paraphrases": empty, "metadata": "{}"}
    states = [
        table(
            "states",
            rows,
            tap=f"last_prompt_token/block_{layer}",
            layer=layer,
            depth=layer / LAYERS,
            vector=listed(rng.normal(size=(count, dimensions)).astype(np.float32)),
        )
        for layer in range(1, LAYERS + 1)
    ]
    return {
        "features": pl.concat(features),
        "states": pl.concat(states),
        "observations": table("observations", rows, status="ok", response=pl.Series(replies), request_key="k"),
        "variants": table("variants", variants, control=False, parameters="{}", layout="plain", fingerprint="f"),
        "examples": table("examples", questions, **facts, fingerprint="f"),
    }


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--observations", type=int, default=100_000)
    parser.add_argument("--dimensions", type=int, default=576)
    given, left = parser.parse_known_args()
    sys.argv = [sys.argv[0], *left]
    tables = tables_of(given.observations // VARIANTS, given.dimensions, np.random.default_rng(0))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    each = [
        Row(f"axis {name}", seconds(partial(scored, tables, [name]), repeats=1), "s")
        for name in ("generation", "activations", "confidence", "mirroring")
    ]
    whole = seconds(partial(scored, tables), repeats=1)
    beyond = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1000
    title = f"all default axes, {given.observations:,} observations"
    show([*each, Row(title, whole, "s", target=30.0), Row("memory beyond the tables", beyond, "MB")])


if __name__ == "__main__":
    main()
