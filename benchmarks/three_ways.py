"""The same 40 questions in 8 wordings, the same weights, three ways: local engine, HTTP server, log of the LM Evaluation Harness.

    python benchmarks/three_ways.py [--json FILE] [--keep FOLDER]

How many responses and answers are the same, and how far the profiles are apart. Greedy, chat template, at most 32 new tokens. What differs
is printed. The server is ``transformers serve``; the harness asks the same prompts, one task a wording, and its logs are imported.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from table import Row, show

sys.path.insert(0, str(Path(__file__).parents[1]))
TOKENS = 32
DATA = ("builtin-choice", "builtin-numeric")
KEY = ["dataset", "example", "variant"]


def study(**how: Any) -> Any:
    """Returns the study: 28 and 12 questions, each as it is and in 7 other wordings."""
    from sago.study import Study

    return Study(
        data=list(DATA),
        variations=["paraphrase:n=2", "format:n=2", "case"],
        limit=28,
        max_new_tokens=TOKENS,
        axes=["generation", "mirroring"],
        dtype="float32",
        audit_examples=20,
        **how,
    )


def gold(row: Mapping[str, Any]) -> str:
    """Returns the right answer as the prompt asks for it: the letter, or the number."""
    return str(row["shown_labels"][row["answer_index"]] if row["shown_labels"] else row["answers"][0])


def save_tasks(variants: pl.DataFrame, folder: Path) -> dict[str, list[str]]:
    """Writes a task for each data set and wording; returns their names by data set. A task called like its data set is the original."""
    folder.mkdir()
    names: dict[str, list[str]] = {dataset: [] for dataset in DATA}
    for key, part in variants.group_by(["dataset", "variant"], maintain_order=True):
        dataset, variant = str(key[0]), str(key[1])
        name = dataset if variant == "canonical" else f"{dataset}_{variant}"
        names[dataset].append(name)
        data = folder / f"{name}.jsonl"
        rows = [
            {"id": row["example"], "prompt": row["messages"][0]["content"], "gold": gold(row), "choices": row["shown_choices"]}
            for row in part.iter_rows(named=True)
        ]
        data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        task = f"""
task: {name}
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{prompt}}}}"
doc_to_target: "{{{{gold}}}}"
generation_kwargs: {{do_sample: false, temperature: 0.0, max_gen_toks: {TOKENS}, until: []}}
metric_list: [{{metric: exact_match}}]
"""
        (folder / f"{name}.yaml").write_text(task, encoding="utf-8")
    return names


def harness(run: Any, model: Path, root: Path) -> list[Any]:
    """Runs the harness on the prompts of a run and imports its logs; returns a run for each data set."""
    from tests.runs.importers.logs.real_lm_eval import evaluate

    from sago.pipeline import score_answers
    from sago.runs import ReadOptions

    names = save_tasks(run.variants, root / "tasks")
    tasks = [name for part in names.values() for name in part]
    evaluate(tasks, root / "tasks", model, root / "harness", apply_chat_template=True, batch_size=1)
    logs = next((root / "harness").iterdir())
    found = []
    for dataset, mine in names.items():
        files = [next(logs.glob(f"samples_{name}_2*.jsonl")) for name in mine]
        # Each task holds the question in the words of its own prompt: the ids, which come from one run, are all that joins them.
        options = ReadOptions(trust_ids=True)
        found.append(score_answers(files, root / f"imported-{dataset}", options=options, study=study(), notify=print))
    return found


def greedy(run: Any) -> pl.DataFrame:
    """Returns response, status and answer for each question and wording, answered greedily."""
    answers = run.features.filter((pl.col("feature") == "answer") & (pl.col("decoding") == "greedy"))
    kept = run.observations.filter(pl.col("decoding") == "greedy").select(*KEY, "response", "status")
    read = answers.select(*KEY, answer=pl.coalesce("category", pl.col("number").cast(pl.String)))
    found: pl.DataFrame = kept.join(read, on=KEY, how="left")
    # Tasks of the harness are called by data set and wording.
    return found.with_columns(pl.col("variant").str.replace(r"^builtin-[a-z]+_", ""))


def pairs(ours: pl.DataFrame, theirs: pl.DataFrame) -> pl.DataFrame:
    """Returns both side by side; every row of one must have one in the other."""
    joined: pl.DataFrame = ours.join(theirs, on=KEY, how="full", coalesce=True, suffix="_theirs", validate="1:1")
    assert joined.height == ours.height == theirs.height, (ours.height, theirs.height, joined.height)
    return joined.sort(KEY)


def print_differences(pair: str, both: pl.DataFrame) -> None:
    """Prints what is not the same."""
    is_same = (pl.col("response").eq_missing(pl.col("response_theirs"))) & (pl.col("answer").eq_missing(pl.col("answer_theirs")))
    for row in both.filter(~is_same).iter_rows(named=True):
        told = [f"{row[name]!r} -> {row[name + '_theirs']!r}" for name in ("response", "answer")]
        print(f"{pair}: {row['dataset']} {row['example']} {row['variant']}: {'; answer '.join(told)}")


def compared(pair: str, local: Any, others: list[Any]) -> list[Row]:
    """Returns the figures of one comparison, in shares and in differences of the default measures over all families."""
    both = pairs(greedy(local), pl.concat([greedy(run) for run in others]))
    print_differences(pair, both)
    rows = [
        Row(f"{pair}: same text", _share(both, "response"), "", better="higher", target=1.0),
        Row(f"{pair}: same after blanks are cut off", _share(both, "response", blanks=False), "", better="higher", target=1.0),
        Row(f"{pair}: same answer", _share(both, "answer"), "", better="higher", target=1.0),
    ]
    ours, theirs = profile([local]), profile(others)
    assert ours.keys() == theirs.keys(), (ours.keys(), theirs.keys())
    apart = [(f"{pair}: {' '.join(key)}, difference", abs(ours[key] - theirs[key]), ours[key]) for key in sorted(ours)]
    return rows + [Row(name, far, "", "local", value, target=0.0) for name, far, value in apart]


def profile(runs: list[Any]) -> Mapping[tuple[str, str], float]:
    """Returns across (raw distance between wordings; of mirroring the uptake) for each data set and axis."""
    found = {}
    for run in runs:
        rows = run.profiles.filter(pl.col("default") & (pl.col("decoding") == "greedy") & pl.col("family").is_null())
        for row in rows.iter_rows(named=True):
            if row["across"] is not None:
                found[row["dataset"], row["axis"]] = float(row["across"])
            if row["instability"] is not None:
                found[row["dataset"], f"{row['axis']} instability"] = float(row["instability"])
    return found


def audit(run: Any) -> float:
    """Returns the share of audited prompts whose response, asked again, was not the same: the noise of a greedy run."""
    seen = run.observations.filter(pl.col("decoding").is_in(["greedy", "audit"]))
    asked = seen.group_by(KEY).agg(pl.col("response").n_unique().alias("texts"), pl.len())
    return float(asked.filter(pl.col("len") > 1).select((pl.col("texts") > 1).mean()).item())


def _share(both: pl.DataFrame, name: str, *, blanks: bool = True) -> float:
    ours, theirs = pl.col(name), pl.col(f"{name}_theirs")
    if not blanks:
        ours, theirs = ours.str.strip_chars(), theirs.str.strip_chars()
    return float(both.select(ours.eq_missing(theirs).mean()).item())


def measure(root: Path) -> list[Row]:
    """Asks all three ways and compares."""
    from tests.models.api.real_server import NAME, missing, model_folder, real_server

    from sago.pipeline import run_study

    if reason := missing():
        raise SystemExit(reason)
    folder = model_folder(root)
    began = time.perf_counter()
    local = run_study(study(models=[f"hf:{folder}"]), root / "local", notify=print)
    spent = {"local": time.perf_counter() - began}
    with real_server(folder, root / "server.log") as url:
        began = time.perf_counter()
        served = run_study(study(models=[f"openai:{NAME}"], base_url=url, timeout=600, max_connections=4), root / "http", notify=print)
        spent["http"] = time.perf_counter() - began
    began = time.perf_counter()
    imported = harness(local, folder, root)
    spent["harness"] = time.perf_counter() - began
    for name, seconds in spent.items():
        print(f"{name}: {seconds:.0f} s")
    return [
        Row("questions x wordings", greedy(local).height, ""),
        Row("local: audit, other text when asked again", audit(local), "", target=0.0),
        Row("http: audit, other text when asked again", audit(served), "", target=0.0),
        *compared("http", local, [served]),
        *compared("harness", local, imported),
    ]


def main() -> None:
    """Measures and prints; ``--keep FOLDER`` keeps runs and logs."""
    if "--keep" in sys.argv:
        place = sys.argv.index("--keep")
        root = Path(sys.argv[place + 1]).resolve()
        del sys.argv[place : place + 2]
        root.mkdir(parents=True)
        show(measure(root))
        return
    with tempfile.TemporaryDirectory() as root_name:
        show(measure(Path(root_name)))


if __name__ == "__main__":
    main()
