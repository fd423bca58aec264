"""Per-instance files of HELM: ``scenario_state.json`` with its requests, ``per_instance_stats.json``, ``display_predictions.json``.

A perturbation is a wording: HELM keeps the id of an instance when it perturbs it. Whatever stands beside the file that is given is used:
verdicts for requests, the text of instances for predictions, the model of the run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sago.datasets.places import Records
from sago.datasets.reading import read_bytes
from sago.errors import DataError
from sago.records import CANONICAL
from sago.runs.importers.logs.metrics import MetricChoice
from sago.runs.importers.logs.protocol import Head, Log, LogFormat, LogOptions

_PREFERRED = (
    *("quasi_exact_match", "exact_match", "exact_match_indicator", "final_number_exact_match", "math_equiv"),
    "chain_of_thought_correctness",
)

Key = tuple[str, str, int]
"""Instance, wording, trial."""


def recognises(head: Head) -> bool:
    """Returns whether a file is one of those that HELM writes for each instance."""
    start = head.data.lstrip()[:1]
    if start == b"{":
        return head.has("request_states") or (head.has("adapter_spec") and "scenario_state" in head.source)
    return start == b"[" and head.has("instance_id") and (head.has("stats") or head.has("predicted_text"))


def read(source: str, options: LogOptions) -> Log:
    """Reads one run of HELM.

    Raises:
        DataError: If it is no such file, or a metric that was asked for is not there.
    """
    data = _parsed(source)
    spec = _beside(source, "run_spec.json")
    log = Log(source, Records("item"), [], _task(spec, source), names_variants=True)
    if isinstance(data, Mapping):
        _add_states(log, data, _verdicts(source, options.metric, log))
    elif isinstance(data, list) and data and "predicted_text" in data[0]:
        _add_predictions(log, data, _instances(source), _model(spec), options.metric)
    elif isinstance(data, list):
        beside = _beside(source, "scenario_state.json")
        if isinstance(beside, Mapping) and beside.get("request_states"):
            log.notes.append("responses and prompts are those of scenario_state.json beside it")
            _add_states(log, beside, _stats(data, options.metric, log))
        else:
            _add_verdicts(log, _stats(data, options.metric, log), _model(spec))
    return log


FORMAT = LogFormat("helm", "per-instance results of HELM", recognises, read)


def _parsed(source: str) -> Any:
    try:
        data = json.loads(read_bytes(source))
    except (ValueError, RecursionError) as error:
        raise DataError(f"is no JSON ({error})", where=source) from error
    if not isinstance(data, dict | list) or (isinstance(data, dict) and not isinstance(data.get("request_states"), list)):
        raise DataError("holds no requests and no instances of HELM", where=source)
    return data


def _beside(source: str, name: str) -> Any:
    path = Path(source).with_name(name)
    if not path.is_file():
        return {}
    try:
        return json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise DataError(f"is no JSON ({error})", where=str(path)) from error


def _task(spec: Mapping[str, Any], source: str) -> str:
    """Returns the scenario of a run, without its model: ``mmlu:subject=anatomy,model=x`` -> ``mmlu:subject=anatomy``."""
    name = str(spec.get("name") or Path(source).resolve().parent.name)
    scenario, colon, arguments = name.partition(":")
    kept = [part for part in arguments.split(",") if part and not part.startswith(("model=", "model_deployment=", "data_augmentation="))]
    return f"{scenario}{colon if kept else ''}{','.join(kept)}"


def _model(spec: Mapping[str, Any]) -> str | None:
    return (spec.get("adapter_spec") or {}).get("model") or None


def _wording(perturbation: Any) -> str:
    """Returns the name of a perturbation with what sets it apart from others of that name; the unperturbed one is the original."""
    if not perturbation:
        return CANONICAL
    hidden = ("name", "robustness", "fairness", "computed_on")
    details = [f"{key}={value}" for key, value in sorted(perturbation.items()) if key not in hidden and value is not None]
    return " ".join([str(perturbation.get("name")), *details])


def _family(perturbation: Any) -> str | None:
    return str(perturbation.get("name")) if perturbation else None


def _key(entry: Mapping[str, Any]) -> Key:
    return str(entry["instance_id"]), _wording(entry.get("perturbation")), int(entry.get("train_trial_index", 0))


def _stats(data: Sequence[Mapping[str, Any]], metric: str | None, log: Log) -> dict[Key, float | None]:
    """Returns the verdict of each instance, wording and trial, by one metric."""
    rows = {_key(entry): {str(stat["name"]["name"]): stat.get("mean") for stat in entry.get("stats", ())} for entry in data}
    names = [*_PREFERRED, *(name for row in rows.values() for name in row)]
    chosen = MetricChoice.of(list(rows.values()), names if metric else _PREFERRED, metric, log.source)
    if chosen.name:
        log.notes.append(f"whether an answer is right is said by metric '{chosen.name}'")
    return {key: chosen.verdict(row) for key, row in rows.items()}


def _verdicts(source: str, metric: str | None, log: Log) -> dict[Key, float | None]:
    data = _beside(source, "per_instance_stats.json")
    return _stats(data, metric, log) if isinstance(data, list) else {}


def _instances(source: str) -> dict[tuple[str, str], Mapping[str, Any]]:
    data = _beside(source, "instances.json")
    listed = data if isinstance(data, list) else []
    return {(str(one.get("id")), _wording(one.get("perturbation"))): one for one in listed}


def _add_states(log: Log, data: Mapping[str, Any], verdicts: Mapping[Key, float | None]) -> None:
    adapter = data.get("adapter_spec") or {}
    skipped = 0
    for number, state in enumerate(data["request_states"], 1):
        instance = state["instance"]
        if state.get("reference_index") is not None or state.get("request_mode") == "calibration":
            skipped += 1
            continue
        request, result = state.get("request") or {}, state.get("result") or {}
        key = (str(instance["id"]), _wording(instance.get("perturbation")), int(state.get("train_trial_index", 0)))
        completions = result.get("completions") or []
        is_lost = result.get("success") is False or not completions
        mapping = state.get("output_mapping") or None
        for place, completion in enumerate(completions or [{}]):
            fields = {
                **_asked(instance, mapping),
                "model": adapter.get("model") or request.get("model"),
                "rerun": key[2] * max(len(completions), 1) + place,
                "temperature": request.get("temperature"),
                "prompt": request.get("prompt") or request.get("messages"),
                "response": None if is_lost else completion.get("text"),
                "finish_reason": (completion.get("finish_reason") or {}).get("reason"),
                "status": "error" if is_lost else None,
                "error": result.get("error") or ("no completion" if is_lost else None),
                "correct": None if is_lost or len(completions) > 1 else verdicts.get(key),
                "token_logprobs": [token.get("logprob") for token in completion.get("tokens") or ()] or None,
            }
            log.add(number, fields, _content(instance))
    if skipped and not log.records.rows:
        raise DataError(
            "scores each reference in a request of its own (multiple_choice_separate), which is not read",
            where=log.source,
            fix="Give its display_predictions.json",
        )
    if skipped:
        log.notes.append(f"{skipped} requests that score one reference alone are left out")


def _asked(instance: Mapping[str, Any], mapping: Mapping[str, str] | None) -> dict[str, Any]:
    """Returns id, wording, options and right answers of an instance; options are those that letters of the response stand for."""
    references = instance.get("references") or []
    right = [str(one["output"]["text"]) for one in references if "correct" in (one.get("tags") or ())]
    shown: dict[str, Any] = {}
    if mapping and len(set(mapping.values())) == len(mapping):
        shown["choices"] = [{"label": str(label).strip(), "text": str(text)} for label, text in mapping.items()]
    return {
        "example": str(instance["id"]),
        "variant": _wording(instance.get("perturbation")),
        "family": _family(instance.get("perturbation")),
        "question": instance["input"].get("text"),
        "target": (right[0] if len(right) == 1 else right) or None,
        **shown,
    }


def _offered(instance: Mapping[str, Any], chosen: str | None) -> dict[str, Any]:
    """Returns the references as options, where what the response stands for is one of them."""
    texts = [str(one["output"]["text"]) for one in instance.get("references") or ()]
    return {"choices": texts} if chosen in texts and len(set(texts)) == len(texts) > 1 else {}


def _content(instance: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what perturbations of an instance share. They may change the references too, so their number and which are right remain."""
    tags = [sorted(map(str, one.get("tags") or ())) for one in instance.get("references") or ()]
    return {"split": instance.get("split"), "tags of references": tags}


def _add_predictions(
    log: Log,
    data: Sequence[Mapping[str, Any]],
    instances: Mapping[tuple[str, str], Mapping[str, Any]],
    model: str | None,
    metric: str | None,
) -> None:
    rows = [dict(entry.get("stats") or {}) for entry in data]
    chosen = MetricChoice.of(rows, [*_PREFERRED, *(rows[0] if metric else ())], metric, log.source)
    for number, entry in enumerate(data, 1):
        example, variant, trial = _key(entry)
        instance = instances.get((example, variant))
        alone = {"example": example, "variant": variant, "family": _family(entry.get("perturbation"))}
        fields = {
            **(alone if instance is None else _asked(instance, None) | _offered(instance, entry.get("mapped_output"))),
            "model": model,
            "rerun": trial,
            "response": entry.get("predicted_text"),
            "answer": entry.get("mapped_output"),
            "correct": chosen.verdict(entry.get("stats") or {}),
        }
        log.add(number, fields, {} if instance is None else _content(instance))


def _add_verdicts(log: Log, verdicts: Mapping[Key, float | None], model: str | None) -> None:
    log.notes.append("no scenario_state.json beside it, so that verdicts are all there is")
    for number, (key, verdict) in enumerate(verdicts.items(), 1):
        family = None if key[1] == CANONICAL else key[1].split(" ")[0]
        log.add(number, {"model": model, "example": key[0], "variant": key[1], "family": family, "rerun": key[2], "correct": verdict}, {})
