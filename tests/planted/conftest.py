from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from tests.planted.known import write_choice, write_numeric, write_text

import sago
from sago.runs import Run
from sago.testing.planted.prompts import WORDS


def without_page(study: sago.Study, folder: Path) -> Run:
    """Runs a study without its page: drawing one takes longer than a whole run of these models, and pages are tested elsewhere."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Run, "report", lambda self: self.folder / "report.html")
        return study.run(folder)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("planted")


@pytest.fixture(scope="session")
def asked_again(folder: Path) -> Run:
    """Greedy and two sampled reruns: 80 numeric questions and the built-in ones, four wordings that all examples share."""
    study = sago.Study(
        models=["planted:coin-flip:rate=0.3", "planted:template-driven", "planted:rerun-noise:rate=0.3"],
        data=[write_numeric(folder, 80), "builtin-numeric"],
        variations=["identity", "format:n=3"],
        reruns=2,
    )
    return without_page(study, folder / "asked-again")


class OneDirectionAWord:
    """In place of the sentence encoder: every word has a direction of its own, so that two different replies are at distance 1."""

    name = "one direction a word"
    available = True

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        words = ("A", *WORDS)
        return np.eye(len(words), dtype=np.float32)[[words.index(text) for text in texts]]


@pytest.fixture(scope="session")
def kinds(folder: Path) -> Run:
    """Greedy: choice (4 options of their own) and free text, 50 each, four wordings."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sago.pipeline.lazy_encoder", OneDirectionAWord)
        study = sago.Study(
            models=["planted:constant", "planted:coin-flip:rate=0.3", "planted:template-driven", "planted:example-driven"],
            data=[write_choice(folder, 50, 4, shared=False), write_text(folder, 50)],
            variations=["format:n=3"],
        )
        return without_page(study, folder / "kinds")


@pytest.fixture(scope="session")
def components(folder: Path) -> Run:
    """Greedy: states and certainties with known variance components, known failures; 200 numeric questions, four wordings."""
    study = sago.Study(
        models=[
            "planted:icc",
            "planted:icc:example=0.5,variant=0.2,interaction=0.1,rerun=0.2",
            "planted:failures",
            "planted:failures:shared=1",
            "planted:example-driven",
            "planted:constant:reply=7",
        ],
        data=[write_numeric(folder, 200)],
        variations=["identity", "format:n=3"],
    )
    return without_page(study, folder / "components")


@pytest.fixture(scope="session")
def orders(folder: Path) -> Run:
    """Every order of the options and nothing else: 4 and 2 options of their own, 3 and 2 that all questions share."""
    study = sago.Study(
        models=["planted:always-first-option", "planted:example-driven", "planted:coin-flip:rate=0.3"],
        data=[
            write_choice(folder, 30, 4, shared=False, name="own-4"),
            write_choice(folder, 40, 2, shared=False, name="own-2"),
            write_choice(folder, 36, 3, shared=True, name="shared-3"),
            write_choice(folder, 40, 2, shared=True, name="shared-2"),
        ],
        variations=["choice-order:n=23"],
    )
    return without_page(study, folder / "orders")
