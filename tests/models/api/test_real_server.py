"""End to end through HTTP: the same weights in float32 behind ``transformers serve`` and in the local engine say the same."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest
from tests.models.api.real_server import NAME, missing, model_folder, real_server

from sago.runs import Run

pytestmark = [pytest.mark.slow, pytest.mark.model, pytest.mark.skipif(missing() is not None, reason=missing() or "")]

KEY = ["dataset", "example", "variant", "decoding", "rerun"]
QUESTIONS, WORDINGS, AUDITED = 6, 4, 6
ASKED = ("--limit", str(QUESTIONS), "--variations", "format:n=2", "--variations", "paraphrase:n=1", "--max-new-tokens", "24")


class Both(NamedTuple):
    """One study, asked over HTTP and here."""

    url: str
    folder: Path
    http: Run
    local: Run
    told: str


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    root = tmp_path_factory.mktemp("real")
    folder = model_folder(root)
    with real_server(folder, root / "server.log") as url:
        told = sago("--model", f"openai:{NAME}", "--base-url", url, "--timeout", "600", *ASKED, "--out", str(root / "http"))
        sago("--model", f"hf:{folder}", "--dtype", "float32", *ASKED, "--out", str(root / "local"))
        yield Both(url, root, Run(root / "http"), Run(root / "local"), told)


def sago(*given: str, code: int = 0) -> str:
    """Returns what ``sago run`` printed."""
    command = [sys.executable, "-m", "sago", "run", "--data", "builtin-choice", *given]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600, env={**os.environ, "COLUMNS": "400"})
    assert done.returncode == code, done.stderr
    return " ".join((done.stdout + done.stderr).split())


def side_by_side(both: Both) -> pl.DataFrame:
    return both.http.observations.join(both.local.observations, on=KEY, how="full", coalesce=True, suffix="_local", validate="1:1")


def test_every_greedy_text_and_answer_is_the_same(both: Both) -> None:
    found = side_by_side(both)
    assert found.height == QUESTIONS * WORDINGS + 2 * AUDITED == both.local.observations.height
    assert found["response"].to_list() == found["response_local"].to_list()
    assert found["response"].n_unique() > QUESTIONS  # no two-word model for which that were easy
    assert found["status"].to_list() == found["status_local"].to_list()
    # The server puts the same template around the messages.
    assert found["prompt_tokens"].to_list() == found["prompt_tokens_local"].to_list()
    answers = [one.features.filter(pl.col("feature") == "answer").sort(KEY).select(*KEY, "category") for one in (both.http, both.local)]
    assert answers[0].equals(answers[1])


def test_the_profile_is_the_same_on_the_axes_that_http_can_observe(both: Both) -> None:
    """The noise audit is 0 here, on both sides, so that nothing else than equality is within it."""
    for run in (both.http, both.local):
        greedy = run.observations.filter(pl.col("decoding").is_in(["greedy", "audit"])).group_by("example", "variant")
        assert greedy.agg(pl.col("response").n_unique())["response"].max() == 1
    columns = ["axis", "measure", "family", "n", "across", "rerun", "instability", "lower", "upper"]
    seen = [
        run.profiles.filter(pl.col("axis").is_in(["generation", "mirroring"]) & (pl.col("decoding") == "greedy")).select(columns)
        for run in (both.http, both.local)
    ]
    order = ["axis", "measure", "family"]
    assert seen[0].sort(order).equals(seen[1].sort(order))
    assert seen[0].filter((pl.col("axis") == "generation") & pl.col("family").is_null())["across"][0] > 0


def test_what_http_cannot_observe_is_said_and_not_asked(both: Both) -> None:
    assert "not observable: state_cosine of activations (needs states)" in both.told
    assert "not observable: option_probability of confidence (needs choice_logprobs)" in both.told
    assert f"openai:{NAME}: {1 + QUESTIONS * WORDINGS + 2 * AUDITED} requests" in both.told
    cells = both.http.profiles.filter(pl.col("axis").is_in(["activations", "confidence"]) & pl.col("default"))
    assert {(row["axis"], row["instability"], row["reason"]) for row in cells.iter_rows(named=True)} == {
        ("activations", None, "not_observable"),
        ("confidence", None, "not_observable"),
    }
    here = both.local.profiles.filter(pl.col("axis").is_in(["activations", "confidence"]) & pl.col("default"))
    assert "not_observable" not in here["reason"].to_list()
    assert both.http.manifest["models"][NAME]["capabilities"] == ["generate"]


def test_a_server_that_never_draws_is_told(both: Both) -> None:
    """``transformers serve`` draws only where the model's own settings say so, whatever temperature is asked for."""
    out = both.folder / "drawn"
    asked = ("--model", f"openai:{NAME}", "--base-url", both.url, "--timeout", "600", *ASKED, "--audit-examples", "0", "--reruns", "1")
    told = sago(*asked, "--axes", "generation", "--max-new-tokens", "6", "--out", str(out))
    assert "ignores the temperature" in told


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        (("--max-requests", "5"), 4, "the limit of 5 requests is reached (--max-requests). 4 answers are saved."),
        (("--model", "openai:another"), 2, "Server is pinned to 'smollm2'; requested 'another'. Check the name and the address"),
        (("--base-url", "BARE"), 2, "mostly ends in /v1"),
    ],
)
def test_limits_and_mistakes_are_plain(both: Both, given: tuple[str, ...], code: int, said: str) -> None:
    out = both.folder / "limited"
    words = [both.url.removesuffix("/v1") if word == "BARE" else word for word in given]
    how = {"--model": f"openai:{NAME}", "--base-url": both.url, "--out": str(out), **dict(zip(words[::2], words[1::2], strict=True))}
    shutil.rmtree(out, ignore_errors=True)
    assert said in sago(*ASKED, *(word for pair in how.items() for word in pair), code=code)
