"""The contract of an axis as code: what a plug-in is held to before its numbers are trusted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np
import polars as pl
from polars.testing import assert_frame_equal

from sago import schemas
from sago.axes import Axis, AxisInput, Scored
from sago.errors import PluginError, SchemaError

TOLERANCE = 1e-9
"""How far a number may move when nothing that matters changed."""

_LABELS = ("model", "dataset", "example", "variant")
_CHOICES = ("Venus", "Mars", "Earth")
_FAMILIES = {
    "canonical": "canonical",
    "paraphrase-1": "paraphrase",
    "paraphrase-2": "paraphrase",
    "format-json": "format",
    "typo-1": "typo",
    "identity": "identity",
    "meaning-changed": "meaning-changed",
}
_WORDS = ("please", "kindly", "tell", "say", "name", "pick")
_DATASETS = {"options": "choice", "texts": "text"}
_FEATURES = ("answer", "embedding", "option_probabilities", "anchor_probability")
_PROMPT_ONLY = ("option_probabilities", "anchor_probability")


def sample_inputs(examples: int = 12, seed: int = 0) -> AxisInput:
    """Returns tables as a run makes them: two models, options and free text, five wordings, both controls, reruns and an audit.

    Answers, vectors, probabilities and states depend on the example most, on the wording somewhat and on the rerun a little; a few
    observations are missing data, empty or unread.
    """
    rng = np.random.default_rng(seed)
    example_rows = [_example(dataset, number) for dataset in _DATASETS for number in range(examples)]
    variant_rows = [_variant(row, place, name) for row in example_rows for place, name in enumerate(_FAMILIES)]
    observations: list[dict[str, Any]] = []
    features: list[dict[str, Any]] = []
    states: list[dict[str, Any]] = []
    for model in ("model-a", "model-b"):
        for row in variant_rows:
            for decoding, rerun in _calls(str(row["variant"])):
                key = {"model": model, **{name: row[name] for name in _LABELS[1:]}, "decoding": decoding, "rerun": rerun}
                made = _observed(key, row, rng)
                observations.append(made[0])
                features += made[1]
                states += made[2]
    return AxisInput(
        features=schemas.frame("features", features),
        states=schemas.frame("states", states),
        observations=schemas.frame("observations", observations),
        variants=schemas.frame("variants", variant_rows),
        examples=schemas.frame("examples", example_rows),
    )


def check_axis(axis: Any, inputs: AxisInput | None = None) -> None:
    """Holds an axis to its protocol and to what every number of it relies on.

    It declares itself; its tables fit their schemas and speak of its own measures, with one default for each cell, no value without a
    reason where it is null, and families, controls and counts that make sense. Nothing that does not matter moves a number: the order
    of rows, names of models, data sets, examples and variants, which other models stand beside. Missing data is no zero. Responses that
    are all alike have no scale, and more responses of the same kind no other one.

    Args:
        axis: What the plug-in registers.
        inputs: Tables to try it on, in place of :func:`sample_inputs`; for an axis that reads another feature.

    Raises:
        PluginError: At the first promise that is broken.
    """
    _check_declaration(axis)
    given = sample_inputs() if inputs is None else inputs
    before = _copy(given)
    scored = _scored(axis, given)
    for table in fields(given):
        value = getattr(given, table.name)
        if isinstance(value, pl.DataFrame) and not value.equals(getattr(before, table.name)):
            raise _broken(axis, f"alters its input table {table.name}", "Work on copies")
    _check_tables(axis, given, scored)
    _same(axis, scored, _scored(axis, _shuffled(given)), "when the rows of its tables stand in another order")
    _same(
        axis, scored, _renamed_back(_scored(axis, _renamed(given)), given), "when models, data sets, examples and variants have other names"
    )
    _check_alone(axis, given, scored)
    _check_missing(axis, given, scored)
    _check_alike(axis, given)


def _broken(axis: Any, what: str, fix: str | None = None) -> PluginError:
    return PluginError(what, where=f"axis '{getattr(axis, 'name', type(axis).__name__)}'", fix=fix)


def _check_declaration(axis: Any) -> None:
    if not isinstance(axis, Axis):
        lacking = [name for name in ("name", "description", "measures", "score") if getattr(axis, name, None) is None]
        raise _broken(axis, f"lacks {', '.join(lacking)}", "See sago.axes.Axis")
    for name in ("name", "description"):
        text = getattr(axis, name)
        if not isinstance(text, str) or not text.strip() or "\n" in text:
            raise _broken(axis, f"has no one-line text as its {name}")
    if not isinstance(axis.measures, tuple) or not axis.measures or not all(isinstance(name, str) and name for name in axis.measures):
        raise _broken(axis, "names no measures", "Give a tuple of names")


def _scored(axis: Any, inputs: AxisInput) -> Scored:
    try:
        found = axis.score(inputs)
    except Exception as error:  # whatever a foreign axis raises is reported with its name
        raise _broken(axis, f"raised {error!r}", "Return null with a reason for what cannot be scored") from error
    if not isinstance(found, Scored):
        raise _broken(axis, f"returned {type(found).__name__}", "Return sago.axes.Scored")
    try:
        checked = [schemas.check(name, getattr(found, name)) for name in Scored._fields]
    except SchemaError as error:
        raise _broken(axis, f"returned a table that does not fit: {error}") from error
    for name, table in zip(Scored._fields, checked, strict=True):
        floats = table.select(pl.col(pl.Float64).is_not_null() & ~pl.col(pl.Float64).is_finite())
        if floats.sum_horizontal().sum():
            raise _broken(axis, f"returned NaN or infinity in table {name}", "Return null with a reason")
    return Scored(*(table.sort(_keys(table), nulls_last=False) for table in checked))


def _keys(table: pl.DataFrame) -> list[str]:
    names = ("model", "dataset", "axis", "measure", "decoding", "example", "family", "layer", "kind")
    return [name for name in names if name in table.columns]


def _check_tables(axis: Any, inputs: AxisInput, scored: Scored) -> None:
    for name in Scored._fields:
        table = getattr(scored, name)
        strange = set(table["measure"].unique()) - set(axis.measures)
        if strange or set(table["axis"].unique()) - {axis.name}:
            raise _broken(axis, f"has rows of another axis or measure in table {name}", f"Declare measures, now {axis.measures}")
    profiles = scored.profiles
    if profiles.is_empty():
        raise _broken(axis, "returned no profile", "A measure that cannot be observed is one row with a reason")
    cell = ["model", "dataset", "decoding"]
    defaults = profiles.group_by(cell).agg((pl.col("default") & pl.col("family").is_null() & pl.col("layer").is_null()).sum())
    if (defaults["default"] != 1).any() or profiles.filter(pl.col("default") & pl.col("family").is_not_null()).height:
        raise _broken(axis, "has no or several default rows for a model, data set and decoding", "Set default on exactly one, family null")
    pairs = inputs.observations.select("model", "dataset").unique()
    if pairs.join(profiles, on=["model", "dataset"], how="anti").height:
        raise _broken(axis, "leaves out a model or data set that was observed", "Return a row with a reason instead")
    if profiles.select(_keys(profiles)).is_duplicated().any():
        raise _broken(axis, "has two profile rows for one cell")
    for name in ("scores", "profiles", "controls"):
        table = getattr(scored, name)
        silent = table.filter(pl.col("instability").is_null() & pl.col("reason").is_null())
        if silent.height:
            raise _broken(axis, f"has a null without a reason in table {name}", "Say why in column reason")
    asked = inputs.observations.group_by("model", "dataset").agg(pl.col("example").n_unique().alias("asked"))
    counted = profiles.join(asked, on=["model", "dataset"], how="left")
    if counted.filter((pl.col("n") < 0) | (pl.col("n") + pl.col("n_left_out") > pl.col("asked"))).height:
        raise _broken(axis, "counts more examples than were asked", "n + n_left_out is the number of examples asked")


def _same(axis: Any, one: Scored, two: Scored, when: str) -> None:
    for name in Scored._fields:
        left, right = (_comparable(getattr(scored, name)) for scored in (one, two))
        try:
            assert_frame_equal(left, right, check_exact=False, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        except AssertionError as error:
            detail = " ".join(str(error).split())[:200]
            raise _broken(axis, f"gives other numbers {when} (table {name}: {detail})", "Depend on what was said alone") from error


def _comparable(table: pl.DataFrame) -> pl.DataFrame:
    """Leaves out what rests on random draws that are seeded from names."""
    if "kind" in table.columns:
        table = table.filter(pl.col("kind") != "shuffled")
    return table.drop("rerun_p", strict=False).sort(_keys(table), nulls_last=False)


def _copy(inputs: AxisInput) -> AxisInput:
    return _each(inputs, lambda table: pl.DataFrame(table.to_dict(as_series=False), schema=table.schema))


def _each(inputs: AxisInput, change: Callable[[pl.DataFrame], pl.DataFrame]) -> AxisInput:
    return replace(
        inputs,
        features=change(inputs.features),
        states=change(inputs.states),
        observations=change(inputs.observations),
        variants=change(inputs.variants),
        examples=change(inputs.examples),
    )


def _shuffled(inputs: AxisInput) -> AxisInput:
    return _each(inputs, lambda table: table.sample(fraction=1, shuffle=True, seed=7))


def _renamed(inputs: AxisInput) -> AxisInput:
    """Turns every label around, so that the order of names turns too; the canonical wording and single controls keep theirs."""
    fixed = _fixed(inputs)

    def change(table: pl.DataFrame) -> pl.DataFrame:
        names = [name for name in _LABELS if name in table.columns]
        return table.with_columns(_turned(table[name], fixed) for name in names)

    return _each(inputs, change)


def _fixed(inputs: AxisInput) -> list[str]:
    kept = inputs.variants.filter(pl.col("control") | (pl.col("variant") == "canonical"))
    return kept["variant"].unique().to_list()


_TURN = str.maketrans("abcdefghijklmnopqrstuvwxyz0123456789", "zyxwvutsrqponmlkjihgfedcba9876543210")


def _turned(names: pl.Series, fixed: list[str]) -> pl.Series:
    """Returns other names in the opposite order; turned twice they are the old ones."""
    turned = [name if name in fixed else name.translate(_TURN) for name in names.to_list()]
    return pl.Series(names.name, turned, dtype=pl.String)


def _renamed_back(scored: Scored, inputs: AxisInput) -> Scored:
    def change(table: pl.DataFrame) -> pl.DataFrame:
        names = [name for name in _LABELS if name in table.columns]
        back = table.with_columns(_turned(table[name], _fixed(inputs)) for name in names)
        return back.sort(_keys(back), nulls_last=False)

    return Scored(*(change(table) for table in scored))


def _check_alone(axis: Any, inputs: AxisInput, scored: Scored) -> None:
    model = str(inputs.observations["model"].min())
    only = _each(inputs, lambda table: table.filter(pl.col("model") == model) if "model" in table.columns else table)
    expected = Scored(*(table.filter(pl.col("model") == model) for table in scored))
    _same(axis, expected, _scored(axis, only), "when no other model stands beside")


def _check_missing(axis: Any, inputs: AxisInput, scored: Scored) -> None:
    """An example of which all observations failed has no number, and its absence moves none but the null."""
    example = str(inputs.observations["example"].min())
    failed = inputs.observations.with_columns(
        status=pl.when(pl.col("example") == example).then(pl.lit("error")).otherwise("status"),
        response=pl.when(pl.col("example") == example).then(None).otherwise("response"),
    )
    mine = pl.col("example") == example
    unread = [pl.when(mine).then(None).otherwise(pl.col(name)).alias(name) for name in ("category", "number", "vector")]
    features = inputs.features.with_columns(*unread, reason=pl.when(mine).then(pl.lit("error")).otherwise("reason"))
    changed = replace(inputs, observations=failed, features=features, states=inputs.states.filter(~mine))
    found = _scored(axis, changed)
    invented = found.scores.filter(mine & pl.any_horizontal(pl.col("across", "rerun", "unrelated", "instability").is_not_null()))
    if invented.height:
        raise _broken(axis, "gives a number to an example of which every observation failed", "Missing data is null with a reason, never 0")
    keys = ["model", "dataset", "measure", "decoding", "example"]
    both = scored.scores.join(found.scores, on=keys, suffix="_after").filter(pl.col("n_variants") == pl.col("n_variants_after"))
    moved = both.filter(~mine & ((pl.col("across") - pl.col("across_after")).abs() > _moved_by(axis)))
    if moved.height:
        raise _broken(axis, "changes across of an example when another is missing", "An example's own mean is its own")


def _moved_by(axis: Any) -> float:
    """States are scaled over the cell, and replies without text stand at the cell's null, so a missing example moves them a little."""
    return 0.5 if axis.name == "activations" else 0.01


def _check_alike(axis: Any, inputs: AxisInput) -> None:
    """If all responses are the same, whatever was asked, a distance is 0 everywhere and has no scale."""
    first = (
        inputs.features.filter(pl.col("reason").is_null())
        .group_by("dataset", "feature")
        .agg(pl.col("category", "number", "vector").sort_by("model", "example", "variant", "decoding", "rerun").first().name.prefix("_"))
    )
    features = inputs.features.join(first, on=["dataset", "feature"], how="left").with_columns(
        category="_category", number="_number", vector="_vector", reason=pl.lit(None, dtype=pl.String)
    )
    one_state = pl.lit([1.0, 2.0, 3.0, 4.0], dtype=pl.List(pl.Float32))
    changed = replace(
        inputs,
        features=features.select(inputs.features.columns),
        states=inputs.states.with_columns(vector=one_state),
        observations=inputs.observations.with_columns(response=pl.lit("the same"), status=pl.lit("ok")),
    )
    found = _scored(axis, changed).profiles.filter(pl.col("n") > 0)
    if found.filter(pl.col("across").abs() > TOLERANCE).height:
        raise _broken(axis, "finds a difference between responses that are all the same", "The distance of equal responses is 0")
    scale = found.filter(pl.col("instability").is_not_null() & ~pl.col("flags").list.contains("rerun=not_defined"))
    if scale.height:
        raise _broken(axis, "gives an instability where all responses are the same", "Report degenerate_null: there is no scale")


# -- sample tables -----------------------------------------------------------------------------------------------------------


def _example(dataset: str, number: int) -> dict[str, Any]:
    task = _DATASETS[dataset]
    return {
        "dataset": dataset,
        "example": f"e{number:02d}",
        "position": number,
        "task": task,
        "question": f"What is number {number}?",
        "choices": list(_CHOICES) if task == "choice" else None,
        "answers": [_CHOICES[number % 3]],
        "answer_index": number % 3 if task == "choice" else None,
        "paraphrases": [],
        "twin_question": f"What is not number {number}?",
        "twin_answers": [_CHOICES[(number + 1) % 3]],
        "metadata": "{}",
        "fingerprint": f"{dataset}{number}",
    }


def _variant(example: dict[str, Any], place: int, name: str) -> dict[str, Any]:
    wording = "canonical" if name == "identity" else name
    question = f"{_WORDS[list(_FAMILIES).index(wording) % len(_WORDS)]} {wording.replace('-', ' ')} number {example['position']}"
    choices = example["choices"]
    return {
        "dataset": example["dataset"],
        "example": example["example"],
        "variant": name,
        "position": place,
        "family": _FAMILIES[name],
        "control": name in ("identity", "meaning-changed"),
        "parameters": "{}",
        "messages": [{"role": "user", "content": question}],
        "question": question,
        "layout": "plain",
        "shown_choices": choices,
        "permutation": list(range(len(choices))) if choices else None,
        "answers": example["answers"],
        "answer_index": example["answer_index"],
        "edits": [],
        "dose": 0.1,
        "checks": [],
        "merged": [],
        "fingerprint": question,
    }


def _calls(variant: str) -> list[tuple[str, int]]:
    audits = [("audit", 0), ("audit", 1)] if variant == "canonical" else []
    return [("greedy", 0), ("sampled", 0), ("sampled", 1), *audits]


def _observed(
    key: dict[str, Any], variant: dict[str, Any], rng: np.random.Generator
) -> tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]:
    """Returns one observation with its features and states."""
    number, decoding, draw = int(str(key["example"])[1:]), key["decoding"], rng.random()
    status = "error" if draw < 0.01 else "empty" if draw < 0.03 else "truncated" if draw < 0.05 else "ok"
    answer = _CHOICES[number % 3] if rng.random() < 0.8 else str(rng.choice(_CHOICES))
    said = {"error": None, "empty": "", "truncated": "so"}.get(status, f"{variant['question'].split()[0]} {answer}")
    observation = {**key, "status": status, "response": said, "request_key": "k"}
    centre = np.eye(16)[number % 16] + 0.2 * rng.normal(size=16)
    readings: dict[str, dict[str, Any]] = {
        "answer": {"category": answer},
        "embedding": {"vector": (centre / np.linalg.norm(centre)).tolist()},
        "option_probabilities": {"vector": rng.dirichlet(np.full(3, 2.0) + 4 * np.eye(3)[number % 3]).tolist()},
        "anchor_probability": {"number": float(np.clip(0.06 * number + 0.05 * rng.normal() + 0.2, 0.01, 1))},
    }
    if variant["permutation"] is None:
        readings["option_probabilities"] = {"reason": "no_choices"}
    if status == "empty":
        readings["answer"], readings["embedding"] = {"category": "<empty>"}, {"category": "<empty>", "reason": "empty"}
    elif status == "truncated":
        readings["answer"] = {"reason": "truncated"}
    for name in _PROMPT_ONLY if decoding == "sampled" else ():
        readings[name] = {"reason": "not_observable"}
    if status == "error":
        readings = {name: {"reason": "error"} for name in _FEATURES}
    features = [{**key, "feature": name, "reader": name, "version": "1", **reading} for name, reading in readings.items()]
    states = [
        {**key, "tap": f"last_prompt_token/block_{layer}", "layer": layer, "depth": layer / 4, "vector": (3 * centre + layer).tolist()}
        for layer in ((0, 2, 4) if decoding != "sampled" and status != "error" else ())
    ]
    return observation, features, states
