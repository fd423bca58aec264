"""Companions of the activations axis: other scales of a state, its nearest neighbours, and the geometry of all states (METRICS 4).

The formulas are in ``sago.arrays.geometry``. All read the states of the default measure, at every layer of its grid, and are means over
the layers; but for ``state_cosine_raw`` dimensions are z-scored over the wordings of the cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

import numpy as np
import polars as pl
from scipy import sparse

from sago.arrays import geometry
from sago.arrays.grouping import Floats, Integers, Values
from sago.axes.activations import Prepare, complete_observations, layers_of, of_prompt, of_response, standardised, state_cell, vectors_at
from sago.axes.cells import Asked, Mask, asked
from sago.axes.companions.companion import CellValue, Companion, Group, Value, given, of_cells, of_examples, why_none
from sago.axes.distance_axis import score_cells
from sago.axes.protocol import AxisInput, Scored
from sago.records import CANONICAL
from sago.schemas import KEYS
from sago.seeds import generator

MOST_ROWS = 4096
"""Rows among which nearest neighbours are looked for; of more, whole examples are drawn."""

MOST_EXAMPLES = 512
"""Examples of which geometries are compared; of more, some are drawn."""

FEWEST_EXAMPLES = 10
"""Examples that two wordings must share to have their geometries compared."""

SHARE_OF_TOP = 0.01
"""Principal components that ``state_cosine_abtt`` takes away, as a share of the dimensions; at least one (Mu & Viswanath 2018)."""

SAMPLED = "sampled_examples"
"""Flag: only some of the examples took part, drawn by their names and the study seed."""


Cell = tuple[str, str, str]
"""Model, data set, decoding."""

OneByOne = Callable[[Asked, Iterator[Floats], Integers, Integers], Floats]
"""(cell, states of each layer, code of the example of each row, code of its wording) -> value of each row, mean over the layers."""


class _States(NamedTuple):
    states: pl.DataFrame
    readings: pl.DataFrame


def _states(inputs: AxisInput) -> _States:
    def make() -> _States:
        states = of_prompt(inputs.states)
        return _States(states, complete_observations(states))

    return inputs.once("companions.states", make)


def on_states(companion: Companion, inputs: AxisInput, distance: str, prepare: Prepare) -> Scored:
    """Takes a distance of states through the core index, layer by layer, and its mean over the layers."""
    found = _states(inputs)
    parts = asked(inputs, found.readings, prompt_only=True)
    return score_cells([state_cell(part, found.states, prepare, companion.name, distance) for part in parts], inputs.seed)


def on_response_states(companion: Companion, inputs: AxisInput) -> Scored:
    """Takes the cosine of mean states of responses through the core index: it inherits what was generated (METRICS 4)."""
    states = of_response(inputs.states)
    parts = asked(inputs, complete_observations(states), prompt_only=True)
    return score_cells([state_cell(part, states, measure=companion.name) for part in parts], inputs.seed)


def as_given(vectors: Values, _: Mask) -> Values:
    """Returns states as the model has them."""
    return vectors


def all_but_the_top(vectors: Values, main: Mask) -> Floats:
    """Returns z-scored states without their first principal components, one in a hundred."""
    scaled = standardised(vectors, main)
    return geometry.without_top(scaled, max(1, round(SHARE_OF_TOP * scaled.shape[1])))


def identification_error(companion: Companion, inputs: AxisInput) -> Scored:
    """Share of states whose nearest other state is that of another question; flag ``chance``: what it is if the nearest were any.

    It grows with the number of examples: compare cells with equally many. Above 4096 rows whole examples are drawn, and the others are
    null with ``not_sampled``.
    """
    remarks: dict[Cell, list[str]] = {}

    def one_by_one(part: Asked, layers: Iterator[Floats], example: Integers, wording: Integers) -> Floats:
        chance = geometry.identification_chance(example, wording)
        remarks[part.model, part.dataset, part.decoding] = [] if np.isnan(chance) else [f"chance={chance:.4g}"]
        result: Floats = np.mean([geometry.identification_errors(layer, example, wording) for layer in layers], axis=0)
        return result

    return _by_row(companion, inputs, one_by_one, remarks, MOST_ROWS)


def state_eigenscore(companion: Companion, inputs: AxisInput) -> Scored:
    """Log of the volume that the states of an example span, against that of states that are all the same; reruns count by their mean."""

    def one_by_one(_: Asked, layers: Iterator[Floats], example: Integers, wording: Integers) -> Floats:
        order = np.lexsort((wording, example))
        groups = np.split(order, np.flatnonzero(np.diff(example[order])) + 1)
        of_layers = []
        for layer in layers:
            values = np.full(example.size, np.nan)
            for mine in groups:
                values[mine] = geometry.eigenscore(_means(layer[mine], wording[mine]))
            of_layers.append(values)
        result: Floats = np.mean(of_layers, axis=0)
        return result

    return _by_row(companion, inputs, one_by_one, {}, None)


def on_geometry(companion: Companion, inputs: AxisInput, formula: Callable[[Floats, Floats], float]) -> Scored:
    """Compares the geometry of the examples under the original wording with that under each other wording; the mean is the value.

    A template that moves all states alike changes nothing here: it is about the states among one another. Of more than 512 examples some
    are drawn. Wordings that share fewer than ten examples with the original one are left out and flagged. There is no interval.
    """
    states = _states(inputs).states

    def value(part: Asked) -> CellValue:
        rows = _wordings(part)
        if rows.is_empty():
            return CellValue(None, 0, reason=why_none(part))
        pairs, flags = _pairs(rows, generator(inputs.seed, "geometry", part.model, part.dataset, part.decoding))
        if not pairs:
            has_canonical = (rows["wording"] == CANONICAL).any()
            few = rows["wording"].n_unique() < 2
            return CellValue(None, 0, reason="no_canonical" if not has_canonical else "too_few_variants" if few else "too_few_examples")
        of_layers = []
        for number in layers_of(part, states):
            vectors = _scaled(rows, states, number)
            found = np.array([formula(one @ vectors, other @ vectors) for one, other in pairs])
            # A wording under which all states are alike has no geometry.
            of_layers.append(float(found[~np.isnan(found)].mean()) if not np.isnan(found).all() else float("nan"))
        known = [one for one in of_layers if not np.isnan(one)]
        if not known:
            return CellValue(None, 0, reason="degenerate_null")
        if len(known) < len(of_layers):
            flags.append("layers_left_out")
        used = np.unique(np.concatenate([one.indices for one, _ in pairs]))
        return CellValue(float(np.mean(known)), rows["example"].gather(used).n_unique(), flags=("interval=not_defined", *flags))

    return of_cells(companion, inputs, _states(inputs).readings, value, prompt_only=True)


def _wordings(part: Asked) -> pl.DataFrame:
    """Returns the rows of a cell that have states and count as wordings."""
    return part.rows.filter(~pl.col("control") & (pl.col("decoding") == part.decoding) & pl.col("reason").is_null())


def _scaled(rows: pl.DataFrame, states: pl.DataFrame, layer: int) -> Floats:
    return standardised(vectors_at(rows, states, layer), np.ones(rows.height, dtype=np.bool_))


def _means(vectors: Floats, wording: Integers) -> Floats:
    """Returns the mean vector of each wording."""
    place = np.unique(wording, return_inverse=True)[1].reshape(-1)
    count = np.bincount(place)
    sums = np.zeros((count.size, vectors.shape[1]))
    np.add.at(sums, place, vectors)
    return sums / count[:, None]


def _by_row(companion: Companion, inputs: AxisInput, one_by_one: OneByOne, remarks: dict[Cell, list[str]], most: int | None) -> Scored:
    """Returns the rows of a companion with one value a state; that of an example is the mean over its wordings."""
    found = _states(inputs)
    numbers = [pl.DataFrame(schema={**{key: found.readings.schema[key] for key in KEYS}, "number": pl.Float64, "drawn": pl.Boolean})]
    for part in asked(inputs, found.readings, prompt_only=True):
        rows = _wordings(part)
        if rows.is_empty():
            continue
        drawn = _drawn(rows, most, generator(inputs.seed, companion.name, part.model, part.dataset, part.decoding))
        codes = rows.filter(drawn).select(pl.col("example", "wording").rank("dense").cast(pl.Int64) - 1)
        layers = (_scaled(rows, found.states, number)[drawn] for number in layers_of(part, found.states))
        values = np.full(rows.height, np.nan)
        values[drawn] = one_by_one(part, layers, codes["example"].to_numpy(), codes["wording"].to_numpy())
        numbers.append(rows.select(*KEYS, number=pl.Series(values), drawn=pl.Series(drawn)))
        if not drawn.all():
            remarks.setdefault((part.model, part.dataset, part.decoding), []).append(SAMPLED)
    left_out = pl.when(pl.col("drawn").not_()).then(pl.lit("not_sampled"))
    readings = found.readings.join(pl.concat(numbers), on=list(KEYS), how="left")
    readings = readings.select(*KEYS, "number", reason=pl.coalesce("reason", left_out))

    def value(group: Group) -> Value:
        return Value(float((np.bincount(group.wording, group["number"]) / np.bincount(group.wording)).mean()))

    def flags(part: Asked) -> list[str]:
        missing = ["layers_missing"] if part.rows["reason"].is_in(["non_finite"]).any() else []
        return [*remarks.get((part.model, part.dataset, part.decoding), []), *missing]

    return of_examples(companion, inputs, readings, value, prompt_only=True, flags=flags)


def _drawn(rows: pl.DataFrame, most: int | None, rng: np.random.Generator) -> Mask:
    """Returns which rows are kept: whole examples in a drawn order, as many as fit."""
    if most is None or rows.height <= most:
        return np.ones(rows.height, dtype=np.bool_)
    names, place, count = np.unique(rows["example"].to_numpy(), return_inverse=True, return_counts=True)
    order = rng.permutation(names.size)
    kept = np.zeros(names.size, dtype=np.bool_)
    kept[order[np.cumsum(count[order]) <= most]] = True
    result: Mask = kept[place.reshape(-1)]
    return result


def _pairs(rows: pl.DataFrame, rng: np.random.Generator) -> tuple[list[tuple[sparse.csr_array, sparse.csr_array]], list[str]]:
    """Returns for each other wording two matrices that take the states to means (examples, dimensions), original and other; and flags."""
    example, wording = rows["example"].to_numpy(), rows["wording"].to_numpy()
    names, place = np.unique(example, return_inverse=True)
    rank = rng.permutation(names.size)
    pairs, flags = [], []
    original = wording == CANONICAL
    for other in sorted(set(wording[~original])) if original.any() else []:
        shared = np.intersect1d(place[original], place[wording == other])
        if shared.size < FEWEST_EXAMPLES:
            flags.append("wordings_left_out")
            continue
        if shared.size > MOST_EXAMPLES:
            flags.append(SAMPLED)
            shared = np.sort(shared[np.argsort(rank[shared])[:MOST_EXAMPLES]])
        pairs.append((_averaging(place, original, shared), _averaging(place, wording == other, shared)))
    return pairs, list(dict.fromkeys(flags))


def _averaging(place: Integers, chosen: Mask, examples: Integers) -> sparse.csr_array:
    """Returns a matrix (examples x rows) that takes the mean over the chosen rows of each example."""
    columns = np.flatnonzero(chosen & np.isin(place, examples))
    target = np.searchsorted(examples, place[columns])
    weights = 1.0 / np.bincount(target, minlength=examples.size)[target]
    return sparse.csr_array((weights, (target, columns)), shape=(examples.size, place.size))


def unlike_cka(one: Floats, other: Floats) -> float:
    """Returns 1 - max(0, debiased CKA); 0 = the same geometry, 1 = none in common."""
    found = geometry.debiased_cka(one, other)
    return 1 - found if np.isnan(found) else 1 - max(0.0, found)


def unlike_distances(one: Floats, other: Floats) -> float:
    """Returns 1 - Spearman correlation of the distances between examples, in [0, 2]; 0 = the same order of distances."""
    return 1 - geometry.rsa(one, other)


def _made(
    name: str,
    compute: Callable[[Companion, AxisInput], Scored],
    level: Literal["example", "cell"],
    facts: tuple[float | None, str, str, str],
) -> Companion:
    upper, unit, zero, source = facts
    return Companion(
        name=name, axis="activations", level=level, lower=0.0, upper=upper, unit=unit, zero=zero, source=source, compute=compute
    )


_SAME_STATE, _SAME_GEOMETRY = "the same state under every wording", "the states of the examples lie to one another as before"

COMPANIONS: tuple[Companion, ...] = (
    _made(
        "state_cosine_raw",
        given(on_states, distance="cosine", prepare=as_given),
        "example",
        (2.0, "1 - cosine of states as they are", _SAME_STATE, "own (METRICS 4)"),
    ),
    _made(
        "state_cosine_response",
        on_response_states,
        "example",
        (2.0, "1 - cosine of z-scored means over the response's tokens", _SAME_STATE, "own (METRICS 4)"),
    ),
    _made(
        "state_trace_icc",
        given(on_states, distance="squared_euclidean", prepare=standardised),
        "example",
        (None, "squared distance of z-scored states; instability = 1 - ICC of traces", _SAME_STATE, "own (METRICS 2.1)"),
    ),
    _made(
        "state_cosine_abtt",
        given(on_states, distance="cosine", prepare=all_but_the_top),
        "example",
        (2.0, "1 - cosine without the first principal components", _SAME_STATE, "Mu & Viswanath 2018"),
    ),
    _made(
        "identification_error",
        identification_error,
        "example",
        (1.0, "share of states", "the nearest state is one of the same question", "own (METRICS 4)"),
    ),
    _made(
        "state_eigenscore", state_eigenscore, "example", (None, "nats", _SAME_STATE, "INSIDE, Chen et al. 2024, less its smallest value")
    ),
    _made(
        "state_cka",
        given(on_geometry, formula=unlike_cka),
        "cell",
        (1.0, "1 - debiased linear CKA", _SAME_GEOMETRY, "Kornblith et al. 2019, Song et al. 2012"),
    ),
    _made(
        "state_rsa",
        given(on_geometry, formula=unlike_distances),
        "cell",
        (2.0, "1 - rank correlation of distances", _SAME_GEOMETRY, "Kriegeskorte et al. 2008"),
    ),
    _made(
        "state_procrustes",
        given(on_geometry, formula=geometry.procrustes),
        "cell",
        (1.0, "squared distance that is left", _SAME_GEOMETRY, "scipy.spatial.procrustes"),
    ),
)
"""Companions on states."""
