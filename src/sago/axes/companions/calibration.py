"""Companions of the confidence axis on calibration: does how well confidence fits what is right depend on the wording? (METRICS 5).

One value a cell. For closed sets of options the confidence is the probability of the most likely option and right is whether that is the
gold one, from the same scores; for everything else it is the probability per token of the response, and whether its answer is right.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import polars as pl

from sago import schemas
from sago.arrays.calibration import (
    BINS,
    Score,
    Spread,
    brier_scores,
    calibration_errors,
    confidences,
    deviation,
    spread_over_wordings,
    widest,
)
from sago.arrays.grouping import Floats
from sago.axes.cells import Asked
from sago.axes.companions.companion import CellValue, Companion, given, of_cells, why_none
from sago.axes.protocol import AxisInput, Scored
from sago.schemas import KEYS
from sago.seeds import generator

FEWEST_EXAMPLES = 10
"""Examples that a wording needs to have a calibration of its own."""

_QUESTION = ["dataset", "example"]


def calibration_spread(
    companion: Companion, inputs: AxisInput, score: Score, spread: Callable[[Floats], float], *, corrected: bool
) -> Scored:
    """Takes the spread over wordings of a calibration score, less what permuting the wordings of every example gives where corrected.

    Wordings with fewer than ten examples are left out and flagged. Flags state what chance gives and the number of bins. There is no
    interval. Null with ``no_gold`` without gold answers.
    """

    def value(part: Asked) -> CellValue:
        name = f"companions.calibration.{score.__name__}/{part.model}/{part.dataset}/{part.decoding}"
        return inputs.once(name, lambda: _spread(part, inputs.seed, score, spread)).value(corrected=corrected)

    closed = inputs.examples.group_by("dataset").agg((pl.col("task") == "choice").all())
    sets = [dataset for dataset, all_choice in closed.iter_rows() if all_choice]
    is_choice = pl.col("dataset").is_in(sets)
    options = replace(inputs, observations=inputs.observations.filter(is_choice))
    others = replace(inputs, observations=inputs.observations.filter(~is_choice))
    found = [
        of_cells(companion, options, _of_options(options), value, prompt_only=True),
        of_cells(companion, others, _of_responses(others), value),
    ]
    return Scored(*(schemas.check(table, pl.concat([getattr(one, table) for one in found])) for table in Scored._fields))


def _of_options(inputs: AxisInput) -> pl.DataFrame:
    rows = inputs.features.filter(pl.col("feature") == "option_probabilities")
    rows = rows.join(inputs.examples.select(*_QUESTION, "answer_index"), on=_QUESTION, how="left")
    single = pl.when(pl.col("vector").list.len() < 2).then(pl.lit("one_choice"))
    no_gold = pl.when(pl.col("answer_index").is_null()).then(pl.lit("no_gold"))
    right = pl.col("vector").list.arg_max() == pl.col("answer_index")
    return rows.select(
        *KEYS, confidence=pl.col("vector").list.max(), right=right.cast(pl.Float64), reason=pl.coalesce("reason", no_gold, single)
    )


def _of_responses(inputs: AxisInput) -> pl.DataFrame:
    sure, right = (inputs.features.filter(pl.col("feature") == name) for name in ("response_probability", "correct"))
    known = right.select(*KEYS, right="number", why="reason")
    rows = sure.select(*KEYS, "reason", confidence="number").join(known, on=list(KEYS), how="left")
    unjudged = pl.when(pl.col("right").is_null()).then(pl.lit("no_gold"))
    return rows.select(*KEYS, "confidence", "right", reason=pl.coalesce("reason", "why", unjudged))


class _Found(NamedTuple):
    reason: str | None
    spread: Spread | None = None
    n: int = 0
    flags: tuple[str, ...] = ()

    def value(self, *, corrected: bool) -> CellValue:
        if self.spread is None:
            return CellValue(None, 0, reason=self.reason)
        return CellValue(float(self.spread.corrected if corrected else self.spread.raw), self.n, flags=self.flags)


def _spread(part: Asked, seed: int, score: Score, spread: Callable[[Floats], float]) -> _Found:
    rows = part.rows.filter(~pl.col("control") & (pl.col("decoding") == part.decoding) & pl.col("reason").is_null())
    if rows.is_empty():
        return _Found(why_none(part))
    enough = rows.group_by("wording").agg(pl.col("example").n_unique()).filter(pl.col("example") >= FEWEST_EXAMPLES)
    used = rows.join(enough, on="wording", how="semi", maintain_order="left")
    if enough.height < 2:
        few = rows["wording"].n_unique() < 2
        return _Found("too_few_variants" if few else "too_few_examples")
    codes = used.select(pl.col("example", "wording").rank("dense").cast(pl.Int64) - 1)
    found = spread_over_wordings(
        confidences(used["confidence"].to_numpy()),
        used["right"].to_numpy(),
        codes["example"].to_numpy(),
        codes["wording"].to_numpy(),
        score,
        spread,
        generator(seed, "calibration_spread", part.model, part.dataset, part.decoding),
    )
    flags = ["interval=not_defined", f"chance={found.chance:.4g}", f"wordings={enough.height}"]
    if score is calibration_errors:
        flags.append(f"bins={BINS}")
    if used.height < rows.height:
        flags.append("wordings_left_out")
    return _Found(None, found, used["example"].n_unique(), tuple(flags))


def _made(name: str, score: Score, spread: Callable[[Floats], float], unit: str, source: str, *, corrected: bool) -> Companion:
    return Companion(
        name=name,
        axis="confidence",
        level="cell",
        lower=-1.0 if corrected else 0.0,
        upper=1.0,
        unit=unit,
        zero="wordings differ no more than chance makes them" if corrected else "all wordings alike",
        source=source,
        compute=given(calibration_spread, score=score, spread=spread, corrected=corrected),
        needs=("option_probabilities", "response_probability", "correct"),
    )


_ECE, _BRIER = "largest less smallest calibration error", "standard deviation of the Brier score"

COMPANIONS: tuple[Companion, ...] = (
    _made("ece_spread", calibration_errors, widest, f"{_ECE}, less chance", "own, on Guo et al. 2017", corrected=True),
    _made("ece_spread_raw", calibration_errors, widest, _ECE, "own, on Guo et al. 2017", corrected=False),
    _made("brier_spread", brier_scores, deviation, f"{_BRIER}, less chance", "own, on Brier 1950", corrected=True),
    _made("brier_spread_raw", brier_scores, deviation, _BRIER, "own, on Brier 1950", corrected=False),
)
"""Companions on calibration."""
