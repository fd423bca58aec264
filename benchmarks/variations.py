"""Making wordings: seconds for 10^5 invented examples x 8 mechanical variants, in one process and in two, and the memory it takes.

Each figure is that of a process of its own, which reads the examples from a file, makes their variants in parts and writes every part to
one Parquet file as it comes. "Two cores" means ``processes=2``: the main process hands out examples and writes, two more make variants.
What is written has to be the same byte for byte, and that is checked. The peer of a time is a plain loop over the same examples that
does no more than what no way of making prompts can do without: read each example, join as many prompts, hash each, write the same table.
Memory is what the processes hold at their peak (resident, all of them together) beyond what the main one held once the examples were read.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from table import Row, show

if TYPE_CHECKING:
    import polars as pl

EXAMPLES = 100_000
VARIATIONS = (
    "typo:n=2",
    "case:styles=upper",
    "surface:kinds=no-mark+double-spaces",
    "format:n=2",
    "register:registers=polite",
)
VARIANTS = 8
SECONDS = 60.0
"""What the specification asks for, on two cores."""


def _words(text: str) -> list[str]:
    return text.split()


_PEOPLE = _words("Alma Benno Carla Dario Edda Falk Greta Hanno Ilka Jonte Kaja Levin Mirka Nilo Orla Pelle Runa Sverre Tilda Ulla")
_TOWNS = _words("Ostrand Velmora Kirbach Sandholm Tarvik Lindau Morvena Breskens Hallgrim Ponteira Zellwig Marnholt")
_GOODS = _words("apples books candles boxes bottles pencils chairs lamps tickets stamps baskets blankets marbles shells buttons jars")
_ANIMALS = _words("otter heron badger lynx marten weasel falcon beetle salmon tortoise bison hedgehog sparrow adder moose pelican")
_DOES = _words("sleep hunt travel swim climb hide sing breed dig gather wander rest")
_WHEN = ("in winter", "during the day", "after rain", "near the coast", "without its mother", "on open ground", "before sunrise")
_FEELS = _words("grateful annoyed relieved curious nervous proud jealous tired hopeful ashamed cheerful worried")
_ACTS = (
    "lent a bicycle to",
    "forgot the birthday of",
    "baked a large cake for",
    "told a secret about",
    "carried the shopping home for",
    "borrowed some money from",
)
_FACTS = (
    "The old harbour of {town} was rebuilt in {year} after a fire that had destroyed most of the warehouses along the northern quay.",
    "Its market, which {person} described in a letter of {year}, drew traders from {other} and from the villages beyond the marshes.",
    "For about {number} years the town paid no taxes, because the council had promised to keep the bridge and the lighthouse in repair.",
    "The population is said to have grown from {number} to more than {large} within a single generation, although no census was taken.",
    "A school was founded by {person} {family} in {year}; it isn't known who taught there, but some of the desks have been kept.",
    "Today visitors come mostly for the gardens, the museum of clocks and the narrow railway that still runs up to {other} every Sunday.",
)


def _drawn(rng: random.Random) -> dict[str, Any]:
    town, other = rng.sample(_TOWNS, 2)
    person, second = rng.sample(_PEOPLE, 2)
    return {
        "town": town,
        "other": other,
        "person": person,
        "second": second,
        "family": rng.choice(_TOWNS) + "sen",
        "year": rng.randrange(1500, 1990),
        "number": rng.randrange(3, 400),
        "large": f"{rng.randrange(2, 90)},000",
        "goods": rng.choice(_GOODS),
        "more": rng.choice(_GOODS),
        "animal": rng.choice(_ANIMALS),
        "does": rng.choice(_DOES),
        "when": rng.choice(_WHEN),
        "act": rng.choice(_ACTS),
        "price": rng.randrange(2, 20),
    }


def _problem(rng: random.Random, words: dict[str, Any]) -> dict[str, Any]:
    text = (
        "{person} bought {number} {goods} at the market in {town} for ${price} each and gave a third of them to {second}. The next morning "
        "two {goods} were broken, so {person} sold the rest together with {price} {more} that were left from last year. How many things "
        "did {person} sell in total?"
    )
    return {"task": "numeric", "question": text.format(**words), "answers": [str(rng.randrange(5, 900))]}


def _story(rng: random.Random, words: dict[str, Any]) -> dict[str, Any]:
    text = "{person} {act} {second} on the way to {town} because it was getting late. How would {second} feel as a result?"
    return _choice(rng, text.format(**words), [f"very {feels} about {words['person']}" for feels in rng.sample(_FEELS, 3)])


def _passage(rng: random.Random, words: dict[str, Any]) -> dict[str, Any]:
    context = " ".join(fact.format(**(words | {"number": rng.randrange(20, 900)})) for fact in _FACTS)
    question = "Who founded the school that stands near the harbour of {town}?".format(**words)
    name = f"{words['person']} {words['family']}"
    return {"task": "text", "question": question, "context": context, "answers": [name, words["family"]]}


def _yes_or_no(rng: random.Random, words: dict[str, Any]) -> dict[str, Any]:
    return _choice(rng, "Would a wild {animal} from {town} {does} {when}?".format(**words), ["Yes", "No"])


def _knowledge(rng: random.Random, words: dict[str, Any]) -> dict[str, Any]:
    return _choice(rng, "Which of these animals near {town} likes to {does} {when}?".format(**words), rng.sample(_ANIMALS, 7))


def _choice(rng: random.Random, question: str, choices: list[str]) -> dict[str, Any]:
    gold = rng.randrange(len(choices))
    return {"task": "choice", "question": question, "choices": choices, "answers": [choices[gold]], "answer_index": gold}


_KINDS = (_problem, _story, _passage, _yes_or_no, _story, _knowledge)


def invented(first: int, last: int) -> pl.DataFrame:
    """Returns invented examples: word problems, stories, passages of some 700 characters, yes or no, knowledge, in turn."""
    from sago import schemas

    rows = []
    for number in range(first, last):
        rng = random.Random(number)
        row = _KINDS[number % len(_KINDS)](rng, _drawn(rng))
        rows.append({"dataset": "invented", "example": f"e{number}", "position": number, "paraphrases": [], "metadata": "{}", **row})
        rows[-1]["fingerprint"] = hashlib.sha256(row["question"].encode()).hexdigest()
    return schemas.frame("examples", rows)


def make(file: Path, examples: int) -> None:
    """Writes the examples, ten thousand at a time."""
    written(file, (invented(first, min(first + 10_000, examples)) for first in range(0, examples, 10_000)))


def written(file: Path, parts: Iterable[pl.DataFrame]) -> int:
    """Writes tables of one kind to a Parquet file as they come, and returns the number of rows."""
    import pyarrow.parquet as pq

    rows, out = 0, None
    for part in parts:
        arrow = part.to_arrow()
        out = out or pq.ParquetWriter(file, arrow.schema)
        out.write_table(arrow)
        rows += part.height
    if out is not None:
        out.close()
    return rows


def ours(examples: pl.DataFrame, processes: int) -> Iterator[pl.DataFrame]:
    """Yields the variants in parts."""
    from sago.variations import vary_in_parts

    return (part.variants for part in vary_in_parts(examples, VARIATIONS, processes=processes))


def plain(examples: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Yields tables of the same columns: the prompt of each example with a number in front, hashed, with nothing checked or measured."""
    import polars as pl

    from sago import schemas

    kinds = schemas.dtypes("variants")
    for chunk in examples.iter_slices(500):
        rows = []
        for example in chunk.iter_rows(named=True):
            options = [f"{label}. {text}" for label, text in zip("ABCDEFGHIJ", example["choices"] or (), strict=False)]
            for place in range(VARIANTS + 1):
                text = "\n\n".join([f"{place}.", example["context"] or "", example["question"], "\n".join(options), "Answer."])
                messages = [{"role": "user", "content": text}]
                digest = hashlib.sha256(json.dumps(messages, sort_keys=True).encode()).hexdigest()
                keys = {"dataset": example["dataset"], "example": example["example"], "variant": str(place), "position": place}
                rows.append({**keys, "messages": messages, "question": example["question"], "fingerprint": digest})
        yield pl.DataFrame(rows, schema={name: kinds[name] for name in rows[0]})


def alone(file: Path, out: Path, processes: int) -> None:
    """Makes and writes the variants of a file (0 processes: the plain loop), and prints seconds, rows and megabytes."""
    import polars as pl

    import sago.variations  # noqa: F401  (imports are no part of the time)

    examples = pl.read_parquet(file)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, idle = time.perf_counter(), time.process_time()
    rows = written(out, ours(examples, processes) if processes else plain(examples))
    taken = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * (processes if processes > 1 else 0)
    cpu = sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))) - idle
    print(
        json.dumps(
            {"cpu": cpu, "seconds": taken, "rows": rows, "beyond": (peak - before + workers) / 1024, "peak": (peak + workers) / 1024}
        )
    )


def measured(folder: Path, examples: int) -> list[Row]:
    """Returns the rows, each from a process of its own."""
    file = folder / "examples.parquet"
    make(file, examples)
    found: dict[int, dict[str, float]] = {}
    for processes in (0, 1, 2):
        command = [sys.executable, __file__, "--alone", str(file), str(folder / f"{processes}.parquet"), str(processes)]
        found[processes] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    if (folder / "1.parquet").read_bytes() != (folder / "2.parquet").read_bytes():
        raise SystemExit("one process and two did not make the same file")
    loop, rows = found[0], []
    for processes, name in ((1, "1 process"), (2, "2 processes")):
        one = found[processes]
        many = f"{examples:,} x {VARIANTS}, {name}"
        target = SECONDS * examples / EXAMPLES if processes == 2 else None
        rows += [
            Row(many, one["seconds"], "s", "plain loop, 1 process", loop["seconds"], loop["seconds"] / one["seconds"], target),
            Row("  seconds of CPU", one["cpu"], "s", "plain loop", loop["cpu"], loop["cpu"] / one["cpu"]),
            Row("  for each variant", one["seconds"] / one["rows"] * 1e6, "us", "plain loop", loop["seconds"] / loop["rows"] * 1e6),
            Row("  peak memory beyond the examples", one["beyond"], "MB", "plain loop", loop["beyond"], loop["beyond"] / one["beyond"]),
            Row("  peak memory, all processes", one["peak"], "MB", "the written file", (folder / "1.parquet").stat().st_size / 1e6),
        ]
    return rows


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--examples", type=int, default=EXAMPLES)
    given, rest = parser.parse_known_args()
    sys.argv[1:] = rest
    with tempfile.TemporaryDirectory() as folder:
        show(measured(Path(folder), given.examples))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--alone"]:
        alone(Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]))
    else:
        main()
