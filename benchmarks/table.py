"""One table for every benchmark: printed, and with ``--json FILE`` written as rows."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True)
class Row:
    """One measured figure beside its peer, measured in the same run.

    Attributes:
        name: What was measured.
        value: The figure.
        unit: Its unit.
        peer: What it is compared with; null = nothing.
        peer_value: The peer's figure in the same unit.
        ratio: peer_value / value where lower is better, value / peer_value where higher is.
        target: The ratio (or value, without a peer) that is aimed at; null = none.
        better: Whether a higher or a lower value is better.
    """

    name: str
    value: float
    unit: str
    peer: str | None = None
    peer_value: float | None = None
    ratio: float | None = None
    target: float | None = None
    better: Literal["higher", "lower"] = "lower"


def seconds(call: Callable[[], object], repeats: int = 3) -> float:
    """Returns the median wall time of a call, after one call to warm up."""
    call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return sorted(times)[len(times) // 2]


def show(rows: Sequence[Row]) -> None:
    """Prints the rows, and writes them where ``--json FILE`` says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", type=Path, default=None)
    given = parser.parse_args()
    print(f"{'name':<44}{'value':>12} {'unit':<6}{'peer':<28}{'peer value':>12}{'ratio':>10}{'target':>10}")
    for row in rows:
        peer_value, ratio, target = (f"{x:.4g}" if x is not None else "" for x in (row.peer_value, row.ratio, row.target))
        print(f"{row.name:<44}{row.value:>12.4g} {row.unit:<6}{row.peer or '':<28}{peer_value:>12}{ratio:>10}{target:>10}")
    if given.json is not None:
        given.json.write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n", encoding="utf-8")
