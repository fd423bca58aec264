"""How long all claims take on a large run: 4 models x 10^5 examples x 4 axes, in a process of its own for its memory."""

from __future__ import annotations

import resource
import time
from itertools import product

import numpy as np
import polars as pl

from invented import evidence_of, halves_of, names
from sago import schemas
from sago.stats.claims import MAKERS
from table import Row, show

MODELS, EXAMPLES, WORDINGS = 4, 100_000, 8
AXES = ("generation", "activations", "confidence", "mirroring")


def main() -> None:
    """Makes every claim and prints the seconds of each, of all, and the memory beyond the tables."""
    rng = np.random.default_rng(0)
    scores, halves = {}, {}
    for model, axis in product(range(MODELS), AXES):
        own = 0.2 + 0.1 * rng.random((EXAMPLES, 1)) * (1 + model)
        wordings = own + 0.2 * rng.normal(size=(EXAMPLES, WORDINGS))
        key = (f"m{model}", "d", axis)
        scores[key], halves[key] = wordings.mean(axis=1), halves_of(wordings, rng)
    covariates = pl.concat(
        pl.DataFrame(
            {
                **{"model": [f"m{model}"] * EXAMPLES, "dataset": ["d"] * EXAMPLES, "example": names(EXAMPLES)},
                **{"decoding": ["greedy"] * EXAMPLES, "prompt_length": rng.random(EXAMPLES), "response_length": rng.random(EXAMPLES)},
                **{"correct": rng.integers(0, 2, EXAMPLES).astype(np.float64), "log_likelihood": -rng.random(EXAMPLES)},
            }
        )
        for model in range(MODELS)
    )
    evidence = evidence_of(scores, halves=halves, covariates=schemas.check("covariates", covariates))
    del scores, halves
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    rows, whole = [], time.perf_counter()
    for make in MAKERS:
        start = time.perf_counter()
        found = make(evidence)
        rows.append(Row(f"{make.__name__}: {len(found)} findings", time.perf_counter() - start, "s"))
    rows.append(Row(f"all claims, {MODELS} models x 10^5 examples x 4 axes", time.perf_counter() - whole, "s", target=60.0))
    rows.append(Row("peak memory, tables among it", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, "GB", target=4.0))
    rows.append(Row("peak memory before the claims", before / 1e6, "GB"))
    show(rows)


if __name__ == "__main__":
    main()
