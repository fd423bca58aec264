"""``sago demo``: the whole way on the embedded model and the built-in questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sago.cli.run import run_and_show
from sago.study import Study

DEMO_STUDY = {
    "models": ["embedded"],
    "data": ["builtin-choice", "builtin-numeric", "builtin-text"],
    "variations": ["identity", "meaning-changed", "paraphrase:n=1", "format:n=1", "choice-order", "typo"],
    "reruns": 2,
    "limit": 24,
    "audit_examples": 6,
    "max_new_tokens": 16,
}
"""Small enough for five minutes on two cores: at most eight wordings of an example, 24 examples of a data set."""


def demo(out: Annotated[Path, typer.Option("--out", "-o", help="Run folder.")] = Path("runs/demo")) -> None:
    """See it work: a small real model, built-in questions, no network, no account. Under five minutes, then seconds."""
    run_and_show(Study(**DEMO_STUDY), out)
