"""Whole runs of a model behind an API: what is kept, what is asked again, what is never shown."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.models.api.asking import SECRET

from sago.errors import InputError, StoppedError, StudyError
from sago.runs import Run
from sago.runs.progress import Silent
from sago.study import Study
from sago.testing.fault_server import Act, FaultServer, ServedCall, answer

QUESTIONS = (
    '{"id": "a", "question": "Which of these planets is the hottest of them all?", "choices": ["Mars", "Venus"], "answer": "Venus"}\n'
    '{"id": "b", "question": "Which of these planets is the largest of them all?", "choices": ["Earth", "Jupiter"], "answer": "Jupiter"}\n'
)
CALLS = 2 * 3 * 2
"""Two questions in three wordings, each asked greedily and once again."""


@pytest.fixture(autouse=True)
def _no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Run, "report", lambda self: self.folder / "report.html")  # takes longer than everything else
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "questions.jsonl"
    file.write_text(QUESTIONS, encoding="utf-8")
    return file


def study(data: Path, url: str, **more: Any) -> Study:
    how: dict[str, Any] = {"variations": ["typo:n=2"], "reruns": 1, "audit_examples": 0, "axes": ["generation"], "max_connections": 4}
    return Study(models=["openai:m"], data=[str(data)], base_url=url, **{**how, **more})


def fine(call: ServedCall) -> Act:
    return answer("ANSWER: B", number=call.total)


def test_errors_are_missing_and_asked_again_by_the_same_command(tmp_path: Path, data: Path) -> None:
    """A reply with status 200 that holds an error is one, and is never kept as an answer."""
    is_broken = True

    def behave(call: ServedCall) -> Act:
        broken = is_broken and "Jupiter" in call.prompt
        return Act(200, {"error": {"code": 400, "message": "no such thing"}}) if broken else fine(call)

    with FaultServer(behave) as server:
        asked = study(data, server.url)
        first = asked.run(tmp_path / "run")
        assert Counter(first.observations["status"]) == {"ok": CALLS // 2, "error": CALLS // 2}
        assert len(server.calls) == 1 + CALLS
        is_broken = False
        again = asked.run(tmp_path / "run")
        assert Counter(again.observations["status"]) == {"ok": CALLS}
        assert len(server.calls) == 2 + CALLS + CALLS // 2
        asked.run(tmp_path / "run")
        assert len(server.calls) == 2 + CALLS + CALLS // 2  # everything is answered: not even the probe is sent
    row = again.observations.row(0, named=True)
    assert (row["model_version"], row["server_fingerprint"]) == ("served-1", "fp-1")
    assert row["request_id"].startswith("req-")
    assert row["asked_at"].endswith("+00:00")
    assert again.manifest["models"]["m"]["server"] == f"{server.url} chat"


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (Act(429, {"error": {"code": "insufficient_quota", "message": "no credit left"}}), "no credit left"),
        (Act(401, {"error": {"message": "the key was taken back"}}), "the key was taken back"),
    ],
)
def test_a_stop_keeps_what_was_answered_and_the_same_command_goes_on(tmp_path: Path, data: Path, act: Act, message: str) -> None:
    left = [6]

    def behave(call: ServedCall) -> Act:
        left[0] -= 1
        return fine(call) if left[0] >= 0 else act

    with FaultServer(behave) as server:
        asked = study(data, server.url, max_connections=1)
        with pytest.raises(StoppedError, match=message) as caught:
            asked.run(tmp_path / "run")
        assert caught.value.exit_code == 4
        assert len(server.calls) == 7
        kept = Run(tmp_path / "run")
        assert Counter(kept.observations["status"]) == {"ok": 5, "error": 1}
        assert kept.manifest["finished"] is False
        left[0] = 1000
        done = asked.run(tmp_path / "run")
        assert Counter(done.observations["status"]) == {"ok": CALLS}
        assert len(server.calls) == 7 + 1 + CALLS - 5


def test_a_limit_counts_over_the_models_of_a_command(tmp_path: Path, data: Path) -> None:
    with FaultServer(fine) as server:
        asked = study(data, server.url, max_requests=CALLS + 5).with_changes({"models": ["openai:m", "openai:n"]})
        with pytest.raises(StoppedError, match="openai:n: stopped: the limit of"):
            asked.run(tmp_path / "run")
        assert len(server.calls) == CALLS + 5


def test_a_wrong_key_costs_one_call_and_no_folder(tmp_path: Path, data: Path) -> None:
    with FaultServer(lambda _: Act(401, {"error": {"message": f"wrong key {SECRET}"}})) as server:
        with pytest.raises(StoppedError, match=r"wrong key \[key\]") as caught:
            study(data, server.url).run(tmp_path / "run")
        assert len(server.calls) == 1
    assert caught.value.exit_code == 2
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("path", "is_told"), [("", True), ("/v2", False)])
def test_an_address_without_its_path_is_told(tmp_path: Path, data: Path, path: str, is_told: bool) -> None:
    server = FaultServer(lambda _: Act(404, {"detail": "Not Found"}))
    with server, pytest.raises(StoppedError, match="HTTP 404: Not Found") as caught:
        study(data, server.url.removesuffix("/v1") + path).run(tmp_path / "run")
    assert ("mostly ends in /v1" in str(caught.value)) is is_told
    assert caught.value.exit_code == 2


def test_what_is_learned_of_a_server_while_it_is_asked_is_told(tmp_path: Path, data: Path) -> None:
    told: list[str] = []
    with FaultServer(fine) as server:
        study(data, server.url, reruns=2, variations=["typo:n=4", "case"]).run(tmp_path / "run", notify=told.append)
    assert sum("ignores the temperature" in line for line in told) == 1


def test_no_key_is_told_before_anything_is_sent(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        study(data, "http://x").with_changes({"base_url": None}).run(tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_another_server_is_another_model(tmp_path: Path, data: Path) -> None:
    with FaultServer(fine) as server, FaultServer(fine) as other:
        study(data, server.url).run(tmp_path / "run")
        with pytest.raises(Exception, match="server was"):
            study(data, other.url, reruns=2).run(tmp_path / "run")


def test_what_cannot_be_observed_is_told_before_anything_is_asked(tmp_path: Path, data: Path) -> None:
    told: list[str] = []
    with FaultServer(fine) as server:
        asked = study(data, server.url, axes=["generation", "activations", "confidence"])
        assert any("openai:m: not observable: state_cosine of activations" in note for note in asked.plan().notes)
        assert not server.calls
        run = asked.run(tmp_path / "run", notify=told.append)
    assert "state_cosine of activations (needs states)" in told[0]
    assert "option_probability of confidence (needs choice_logprobs)" in told[1]
    assert told[-1].startswith(f"openai:m: {CALLS + 1} requests, ")
    reasons = dict(run.profiles.filter(run.profiles["instability"].is_null()).select("axis", "reason").iter_rows())
    assert reasons["activations"] == "not_observable"


class Listening(Silent):
    """Keeps what is told of the current step."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def tell(self, text: str) -> None:
        self.told.append(text)


def test_rate_errors_and_cost_are_told_while_it_goes_on(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sago.runs.execute.SECONDS_PER_WORD", 0.0)
    listening = Listening()
    with FaultServer(fine) as server:
        study(data, server.url, price_in=1e6, price_out=0, max_connections=1).run(tmp_path / "run", progress=listening)
    assert len(listening.told) == CALLS
    rate, errors, cost = listening.told[-1].split(", ")
    assert rate.endswith("/s")
    assert (errors, cost) == ("0 errors", f"cost {20 * (CALLS + 1)}")


@pytest.mark.parametrize(
    "address", ["http://me:secret@host/v1", "http://host/v1?api-key=secret", "host:8000", "ftp://host", "http://host/#secret"]
)
def test_an_address_with_a_key_in_it_is_refused_and_not_shown(data: Path, address: str) -> None:
    with pytest.raises(StudyError, match="no plain http") as caught:
        study(data, address)
    assert "secret" not in str(caught.value)


def test_a_limit_of_cost_needs_prices(data: Path) -> None:
    with pytest.raises(StudyError, match="max_cost: needs price_in and price_out"):
        study(data, "http://host", max_cost=1.0)


# -- the key is never shown -----------------------------------------------------------------------------------------------------


def leaking(call: ServedCall) -> Act:
    """Says the key back wherever a server can: a gateway with a fault, or with logging switched on."""
    if call.number % 4 == 2:
        return Act(400, {"error": {"message": f"not with {SECRET}"}})
    if call.number % 4 == 3:
        return Act(500, f"trace: Authorization: Bearer {SECRET}")
    body = dict(answer(f"ANSWER: B {SECRET}", number=call.total).content)
    return Act(200, {**body, "model": f"m {SECRET}", "system_fingerprint": SECRET}, {"x-request-id": f"req-{SECRET}-{call.total}"})


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def _texts(folder: Path) -> Iterator[str]:
    """Yields everything in a folder: bytes as they are, and tables as text, which are packed on disk."""
    import polars as pl

    for path in _files(folder):
        yield path.read_bytes().decode("latin-1")
        if path.suffix == ".parquet":
            yield str(pl.read_parquet(path).to_dicts())


def _sago(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    known = {name: value for name, value in os.environ.items() if name != "OPENAI_API_KEY"}
    return subprocess.run(
        [sys.executable, "-m", "sago", *words],
        capture_output=True,
        text=True,
        check=False,
        env={**known, "OPENAI_LOG": "debug", **environment},
    )


@pytest.mark.parametrize("way", ["environment", "file"])
def test_the_key_is_in_no_output(tmp_path: Path, data: Path, way: str) -> None:
    key = tmp_path / "key"
    key.write_text(SECRET)
    given: Callable[[], tuple[list[str], dict[str, str]]] = lambda: (  # noqa: E731
        (["--key-file", str(key)], {}) if way == "file" else ([], {"OPENAI_API_KEY": SECRET})
    )
    words, environment = given()
    out = tmp_path / "run"
    with FaultServer(leaking) as server:
        flags = ["--data", str(data), "--variations", "typo:n=2", "--audit-examples", "2", "--reruns", "1", "--max-retries", "0"]
        done = _sago("run", "--model", "openai:m", "--base-url", server.url, "--out", str(out), *flags, *words, **environment)
        assert server.calls[0].headers["authorization"] == f"Bearer {SECRET}"  # it was really sent
    assert done.returncode == 4, done.stderr
    shown = [done.stdout, done.stderr]
    for verb in ("report", "show"):
        more = _sago(verb, str(out), *(["a"] if verb == "show" else []))
        shown += [more.stdout, more.stderr]
    shown += [_sago("report", str(out), "--format", "json").stdout]
    assert all(SECRET not in text for text in [*shown, *_texts(out)])
    assert sum("[key]" in text for text in _texts(out)) > 0
    assert (out / "report.html").is_file()


def test_a_wrong_key_is_one_clear_line(tmp_path: Path, data: Path) -> None:
    with FaultServer(lambda _: Act(401, {"error": {"message": f"Incorrect API key provided: {SECRET}"}})) as server:
        words = ["--model", "openai:m", "--base-url", server.url, "--data", str(data), "--out", str(tmp_path / "run")]
        done = _sago("run", *words, OPENAI_API_KEY=SECRET, OPENAI_LOG="")
    assert done.returncode == 2
    assert SECRET not in done.stdout + done.stderr
    assert done.stderr.splitlines()[-1].startswith("sago: openai:m: stopped: HTTP 401: Incorrect API key provided: [key]")


def test_a_plan_needs_no_key_and_no_network(data: Path) -> None:
    words = ["--model", "openai:gpt-x", "--data", str(data), "--price-in", "500000", "--price-out", "1000000"]
    done = _sago("plan", *words)
    assert done.returncode == 0, done.stderr
    shown = " ".join(done.stdout.split())
    assert "openai:gpt-x: not observable: state_cosine of activations" in shown
    assert "prompt tokens over all calls" in shown
    assert "Money: at most" in shown
