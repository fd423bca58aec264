"""A whole ``sago run`` of 100 questions in 8 wordings on four axes: its time, and the share of it that is not spent in the model.

    python benchmarks/whole_run.py --threads 2

The run is the command that a person types, in a process of its own, from start to report, on the embedded model. Time in the model is what
the run's observations say; the rest is starting, loading, making and checking wordings, writing, scoring, conclusions and the report. The
questions are the built-in ones and, up to 100, small sums.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import polars as pl

from table import Row, show

BUILT_IN = {"builtin-choice": 30, "builtin-numeric": 12, "builtin-text": 12}
SUMS = 46
FAMILIES = "format:n=3,typo:n=2,case:styles=lower,instruction:n=1"


def sums(count: int) -> list[dict[str, str]]:
    """Returns small sums as questions with a number as answer."""
    rng = random.Random(0)
    pairs = [(rng.randrange(10, 90), rng.randrange(10, 90)) for _ in range(count)]
    text = "A shelf holds {} books and {} more arrive. How many books are there now?"
    return [{"id": f"sum-{place}", "question": text.format(*pair), "answer": str(sum(pair))} for place, pair in enumerate(pairs)]


def run(folder: Path, threads: int) -> tuple[float, pl.DataFrame]:
    """Returns wall time (s) of the command and the observations that it wrote."""
    questions = folder / "sums.jsonl"
    questions.write_text("".join(json.dumps(one) + "\n" for one in sums(SUMS)), encoding="utf-8")
    data = [word for name in (*BUILT_IN, questions) for word in ("--data", str(name))]
    out = ["--out", str(folder / "run"), "--threads", str(threads), "--variations", FAMILIES]
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "from sago.cli import main; main()", "run", *data, *out], check=True, stdout=sys.stderr)
    return time.perf_counter() - start, pl.read_parquet(folder / "run" / "observations" / "*.parquet")


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=2)
    given, rest = parser.parse_known_args()
    sys.argv = [sys.argv[0], *rest]
    with tempfile.TemporaryDirectory() as folder:
        wall, observed = run(Path(folder), given.threads)
    inside = float(observed["seconds"].fill_null(0).sum())
    prompts = observed.select("dataset", "example", "variant").n_unique()
    show(
        [
            Row("whole run", wall, "s", f"{prompts} prompts, {observed.height} asked", inside),
            Row("outside-model", 1 - inside / wall, "share", "wall time of the run", target=0.1),
        ]
    )


if __name__ == "__main__":
    main()
