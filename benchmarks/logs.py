"""Rows a second at which logs are read: samples of lm-eval (likelihoods and text) and results of promptfoo, against a plain table.

    python benchmarks/logs.py [--rows 20000] [--json FILE]

The logs are made here in the form that the tools write, one log a wording; Inspect is read by its own package and left out.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from sago.runs import read_answers

_WORDINGS = 8


def main() -> None:
    """Prints one line a format."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20000)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    examples = given.rows // _WORDINGS
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name, write in (("table", _table), ("lm-eval likelihoods", _likelihoods), ("lm-eval text", _texts), ("promptfoo", _promptfoo)):
            files = write(Path(folder) / name, examples)
            size = sum(path.stat().st_size for path in files)
            start = time.perf_counter()
            rows = read_answers(*files).observations.height
            seconds = time.perf_counter() - start
            found.append({"format": name, "rows": rows, "files": len(files), "megabytes": size / 1e6, "seconds": seconds})
            print(f"{name:<20} {rows:>7,} rows {len(files)} files {size / 1e6:6.1f} MB {seconds:6.2f} s {rows / seconds:>9,.0f} rows/s")
    if given.json:
        given.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def _question(number: int) -> dict[str, Any]:
    return {"id": f"q{number}", "question": f"Which of these is number {number}? " * 4, "choices": ["red", "blue", "green", "grey"]}


def _lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    return path


def _table(folder: Path, examples: int) -> list[Path]:
    rows = [
        {
            "id": f"q{number}",
            "variant": f"p{place}",
            "prompt": f"{place} {_question(number)['question']}",
            "response": "blue",
            "target": "blue",
        }
        for place in range(_WORDINGS)
        for number in range(examples)
    ]
    return [_lines(folder / "answers.jsonl", rows)]


def _sample(number: int, place: int, kind: dict[str, Any]) -> dict[str, Any]:
    return {"doc_id": number, "doc": _question(number), "filter": "none", "doc_hash": "0" * 64, "prompt_hash": "0" * 64, **kind}


def _likelihoods(folder: Path, examples: int) -> list[Path]:
    def row(number: int, place: int) -> dict[str, Any]:
        prompt = f"{place} {_question(number)['question']}"
        values = [-1.0 - (number * 7 + place * 3 + choice * 5) % 11 - choice / 10 for choice in range(4)]
        arguments = {f"gen_args_{at}": {"arg_0": prompt, "arg_1": f" {text}"} for at, text in enumerate(_question(number)["choices"])}
        best = values.index(max(values))
        replies = [[[str(value), "False"]] for value in values]
        own = {"target": str(number % 4), "arguments": arguments, "resps": replies, "filtered_resps": [one[0] for one in replies]}
        return _sample(number, place, own | {"metrics": ["acc"], "acc": float(best == number % 4)})

    return _logs(folder, examples, row)


def _texts(folder: Path, examples: int) -> list[Path]:
    def row(number: int, place: int) -> dict[str, Any]:
        arguments = {"gen_args_0": {"arg_0": f"{place} {_question(number)['question']}", "arg_1": {"do_sample": False, "until": ["\n"]}}}
        own = {"target": "blue", "arguments": arguments, "resps": [["The answer is blue"]], "filtered_resps": ["The answer is blue"]}
        return _sample(number, place, own | {"metrics": ["exact_match"], "exact_match": 0.0})

    return _logs(folder, examples, row)


def _logs(folder: Path, examples: int, row: Any) -> list[Path]:
    name = "samples_task_p{}_2026-01-01T00-00-00.000000.jsonl"
    return [_lines(folder / name.format(place), [row(number, place) for number in range(examples)]) for place in range(_WORDINGS)]


def _promptfoo(folder: Path, examples: int) -> list[Path]:
    rows = [
        {
            "promptIdx": place,
            "testIdx": number,
            "testCase": {"vars": {"question": _question(number)["question"]}, "assert": [{"type": "equals", "value": "blue"}]},
            "provider": {"id": "openai:m"},
            "prompt": {"raw": f"{place} {_question(number)['question']}", "label": f"{place} {{{{question}}}}"},
            "response": {"output": "blue"},
            "score": 1.0,
        }
        for number in range(examples)
        for place in range(_WORDINGS)
    ]
    path = folder / "results.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"evalId": "e", "results": {"version": 3, "results": rows}}), encoding="utf-8")
    return [path]


if __name__ == "__main__":
    main()
