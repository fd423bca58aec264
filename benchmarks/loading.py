"""Loading a large file: rows a second, and the most memory that a process of its own holds while it does."""

from __future__ import annotations

import csv
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from table import Row, show

EXAMPLES = 200_000
_CHOICES = ("Mercury", "Venus", "Earth", "Mars")
_TEXT = "Which of the planets is number {} in a list of all that were ever counted, if nobody skipped one on the way?"


def write(folder: Path) -> dict[str, Path]:
    """Writes the same examples as JSON lines and as CSV."""
    files = {"JSONL": folder / "large.jsonl", "CSV": folder / "large.csv"}
    with files["JSONL"].open("w", encoding="utf-8") as lines, files["CSV"].open("w", encoding="utf-8", newline="") as cells:
        table = csv.writer(cells)
        table.writerow(["id", "question", "choices", "answer", "topic"])
        for number in range(EXAMPLES):
            name, question, answer, topic = f"q{number}", _TEXT.format(number), number % 4, f"topic {number % 57}"
            row = {"id": name, "question": question, "choices": _CHOICES, "answer": answer, "topic": topic}
            lines.write(json.dumps(row) + "\n")
            table.writerow([name, question, "|".join(_CHOICES), _CHOICES[answer], topic])
    return files


def load_alone(file: str) -> None:
    """Loads a file and prints seconds, megabytes before, and megabytes at the peak; null loads nothing."""
    from sago.datasets import load

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    examples = load([file]).examples
    taken = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps([taken, before / 1024, peak / 1024, examples.estimated_size() / 1e6]))


def measured(kind: str, file: Path) -> list[Row]:
    """Returns the rows of one file, loaded in a process of its own."""
    command = [sys.executable, __file__, "--alone", str(file)]
    taken, before, peak, table = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return [
        Row(f"{kind}, {EXAMPLES:,} examples", EXAMPLES / taken, "rows/s", better="higher"),
        Row(f"{kind}, peak beyond the imports", peak - before, "MB", "the table itself", table, table / (peak - before)),
        Row(f"{kind}, peak of the process", peak, "MB", "the file", file.stat().st_size / 1e6),
    ]


def main() -> None:
    """Measures and prints."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [row for kind, file in write(Path(folder)).items() for row in measured(kind, file)]
    show(rows)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--alone"]:
        load_alone(sys.argv[2])
    else:
        main()
