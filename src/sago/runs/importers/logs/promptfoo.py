"""Results of promptfoo as JSON (``promptfoo eval --output results.json``): prompts are wordings, repeats are reruns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from sago.datasets.places import Records
from sago.datasets.reading import read_bytes, stem
from sago.errors import DataError
from sago.runs.importers.logs.protocol import Head, Log, LogFormat, LogOptions, fingerprint
from sago.seeds import content_hash

_LONGEST_LABEL = 60
_TARGETS = ("expected", "answer", "target", "label", "gold", "reference", "expected_answer")
_IDS = ("id", "example_id", "question_id")
_EXACT = ("equals", "icontains", "contains")
"""Assertions whose value is the right answer, the stricter first."""


def recognises(head: Head) -> bool:
    """Returns whether a file holds results of promptfoo."""
    return (
        head.data.lstrip().startswith(b"{")
        and head.has("results")
        and (head.has("evalId") or head.has("promptIdx") or head.has("promptId"))
    )


def read(source: str, options: LogOptions) -> Log:
    """Reads one evaluation.

    An example is what a test holds: its variables and assertions. ``testIdx`` counts repeats as tests of their own and is no id. A repeat
    that came out of promptfoo's cache is the first answer over again and is left out.

    Raises:
        DataError: If it holds no results, or a score that was asked for is not there.
    """
    rows = list(_results(source))
    log = Log(source, Records("item"), [], stem(source), names_variants=True)
    if options.metric is not None and not any(options.metric in (row.get("namedScores") or {}) for row in rows):
        known = sorted({name for row in rows for name in row.get("namedScores") or {}})
        raise DataError(f"no score '{options.metric}'", where=source, fix=f"Scores: {', '.join(known) or 'none'}")
    seen: set[tuple[str, str, str]] = set()
    cached = 0
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping) or "testCase" not in row:
            log.records.reject(number, "is no result of promptfoo (no testCase)")
            continue
        fields = _fields(row, options.metric)
        asked = (str(fields["model"]), str(fields["example"]), str(fields["variant"]))
        is_cached = bool((row.get("response") or {}).get("cached"))
        if is_cached and asked in seen:
            cached += 1
            continue
        seen.add(asked)
        log.add(number, fields, _content(row))
    if cached:
        log.notes.append(
            f"{cached} repeats came out of promptfoo's cache and are left out: they are the first answer over again. "
            "Repeat with --no-cache to measure the noise of asking twice"
        )
    return log


FORMAT = LogFormat("promptfoo", "results of promptfoo", recognises, read)


def _results(source: str) -> Iterator[Mapping[str, Any]]:
    try:
        data = json.loads(read_bytes(source))
    except (ValueError, RecursionError) as error:
        raise DataError(f"is no JSON ({error})", where=source) from error
    found = data.get("results") if isinstance(data, Mapping) else None
    listed = found.get("results") if isinstance(found, Mapping) else found
    if not isinstance(listed, list):
        raise DataError("holds no results of promptfoo", where=source, fix="Write them with promptfoo eval --output results.json")
    return iter(listed)


def _fields(row: Mapping[str, Any], metric: str | None) -> dict[str, Any]:
    response = row.get("response") or {}
    output = response.get("output")
    # promptfoo puts the failure of an assertion into the same field as that of a call: only the reason 2 is the latter.
    is_lost = bool(response.get("error")) or output is None or row.get("failureReason") == 2
    scores = row.get("namedScores") or {}
    verdict = scores.get(metric) if metric else row.get("score")
    provider = row.get("provider") or {}
    provider = provider if isinstance(provider, Mapping) else {"id": provider}
    return {
        "model": provider.get("label") or provider.get("id"),
        "example": _example(row),
        "variant": _variant(row),
        "prompt": (row.get("prompt") or {}).get("raw"),
        "question": _question(row),
        "target": _target(row),
        "response": None if is_lost else output if isinstance(output, str) else json.dumps(output, ensure_ascii=False, sort_keys=True),
        "finish_reason": response.get("finishReason"),
        "status": "error" if is_lost else "refusal" if response.get("isRefusal") else None,
        "error": (response.get("error") or row.get("error") or "no output") if is_lost else None,
        "correct": None if is_lost or not _is_judged(row) else verdict,
    }


def _content(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"vars": row["testCase"].get("vars") or row.get("vars") or {}}


def _example(row: Mapping[str, Any]) -> str:
    """Returns the id that a test gives itself, else its description, else one made of its content."""
    test = row["testCase"]
    given = test.get("vars") or row.get("vars") or {}
    for part in (test.get("metadata") or {}, given):
        for name in _IDS:
            if part.get(name) is not None:
                return str(part[name])
    asserted = [one.get("value") for one in test.get("assert") or () if isinstance(one, Mapping)]
    made = f"test-{fingerprint({'vars': given, 'assert': asserted})}"
    return f"{test['description']} ({made})" if test.get("description") else made


def _variant(row: Mapping[str, Any]) -> str:
    """Returns the label of the prompt; its template where that is the label, as promptfoo does, is cut and told apart by its hash."""
    prompt = row.get("prompt") or {}
    label = str(prompt.get("label") or row.get("promptId") or f"prompt-{row.get('promptIdx', 0)}")
    line = " ".join(label.split())
    return line if line == label and len(label) <= _LONGEST_LABEL else f"{line[:_LONGEST_LABEL]} {content_hash(label)[:6]}"


def _question(row: Mapping[str, Any]) -> str | None:
    given = row["testCase"].get("vars") or row.get("vars") or {}
    return next((given[name] for name in ("question", "query", "input", "text", "prompt") if isinstance(given.get(name), str)), None)


def _target(row: Mapping[str, Any]) -> Any:
    """Returns the right answer: a variable that is called so, else the value that the output is compared with; null where there is none."""
    test = row["testCase"]
    given = {**(test.get("metadata") or {}), **(test.get("vars") or {})}
    named = next((given[name] for name in _TARGETS if isinstance(given.get(name), str | int | float)), None)
    if named is not None:
        return named
    asserted = [one for one in test.get("assert") or () if isinstance(one, Mapping) and isinstance(one.get("value"), str)]
    return next((one["value"] for kind in _EXACT for one in asserted if one.get("type") == kind), None)


def _is_judged(row: Mapping[str, Any]) -> bool:
    """Returns whether the output was compared with anything: without an assertion every output passes."""
    return bool(row["testCase"].get("assert")) or bool((row.get("gradingResult") or {}).get("componentResults"))
