"""Every registered axis keeps its contract, and the check sees who does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from sago import registry
from sago.axes import AxisInput, FeatureAxis, Measure, Scored
from sago.axes.confidence import Confidence
from sago.errors import PluginError
from sago.testing import check_axis
from sago.testing.axis_sample import sample_inputs


@pytest.mark.parametrize("name", registry.names("axes"))
def test_registered_axes_pass(name: str) -> None:
    check_axis(registry.get("axes", name))


def test_an_axis_of_a_feature_and_a_distance_passes() -> None:
    check_axis(
        FeatureAxis("anchored", "probability of the first answer", Measure("anchored", "anchor_probability", "absolute", prompt_only=True))
    )


class Broken(Confidence):
    """The confidence axis with something done to what it returns."""

    def __init__(self, change: Callable[[AxisInput, Scored], Any]) -> None:
        self._change = change

    def score(self, inputs: AxisInput) -> Any:
        return self._change(inputs, super().score(inputs))


def _scores(scored: Scored, **columns: pl.Expr) -> Scored:
    return scored._replace(scores=scored.scores.with_columns(**columns))


def _profiles(scored: Scored, **columns: pl.Expr) -> Scored:
    return scored._replace(profiles=scored.profiles.with_columns(**columns))


def _raises(_: AxisInput, __: Scored) -> Scored:
    raise KeyError("answer")


def _alters(inputs: AxisInput, scored: Scored) -> Scored:
    inputs.features[0, "reader"] = "altered"
    return scored


def _knows_order(inputs: AxisInput, scored: Scored) -> Scored:
    first = inputs.observations["example"][0]
    return _scores(scored, across=pl.when(pl.col("example") == first).then(0.0).otherwise("across"))


def _knows_names(_: AxisInput, scored: Scored) -> Scored:
    return _scores(scored, across=pl.when(pl.col("example") < "e03").then(0.0).otherwise("across"))


def _knows_company(inputs: AxisInput, scored: Scored) -> Scored:
    return _profiles(scored, unrelated=pl.col("unrelated") / inputs.observations["model"].n_unique())


def _imputes(_: AxisInput, scored: Scored) -> Scored:
    filled = {name: pl.col(name).fill_null(0.0) for name in ("across", "unrelated", "instability")}
    return _scores(scored, **filled)


def _never_equal(_: AxisInput, scored: Scored) -> Scored:
    return _profiles(scored, across=pl.col("across") + 0.1)


def _knows_reruns(inputs: AxisInput, scored: Scored) -> Scored:
    last = inputs.observations.filter((pl.col("decoding") == "sampled") & (pl.col("rerun") == 1))["status"].eq("ok").mean()
    return _profiles(scored, across=pl.col("across") * pl.lit(last))


def _scores_singles(_: AxisInput, scored: Scored) -> Scored:
    single = pl.col("n_variants") == 1
    return _scores(scored, across=pl.when(single).then(0.0).otherwise("across"))


def _excuses_singles(_: AxisInput, scored: Scored) -> Scored:
    single = pl.col("n_variants") == 1
    return _scores(scored, reason=pl.when(single).then(pl.lit("not_observable")).otherwise("reason"))


def _drops_singles(_: AxisInput, scored: Scored) -> Scored:
    return scored._replace(scores=scored.scores.filter(pl.col("n_variants") != 1))


def _never_stable(_: AxisInput, scored: Scored) -> Scored:
    return _profiles(scored, instability=pl.col("instability") + 0.1)


def _stable_constant(_: AxisInput, scored: Scored) -> Scored:
    return _profiles(scored, instability=pl.col("instability").fill_null(0.0))


BROKEN: dict[str, tuple[Callable[[AxisInput, Scored], Any], str]] = {
    "raises": (_raises, "raised KeyError"),
    "returns a list": (lambda _, __: [], "returned list"),
    "alters its input": (_alters, "alters its input table features"),
    "another measure": (
        lambda _, scored: _scores(scored, measure=pl.col("measure").str.replace("anchor", "other")),
        "another axis or measure",
    ),
    "NaN": (lambda _, scored: _scores(scored, across=pl.lit(float("nan"))), "NaN|does not fit"),
    "a missing column": (lambda _, scored: scored._replace(profiles=scored.profiles.drop("n")), "does not fit"),
    "no default": (lambda _, scored: _profiles(scored, default=pl.lit(value=False)), "no or several default rows"),
    "all default": (lambda _, scored: _profiles(scored, default=pl.lit(value=True)), "no or several default rows"),
    "drops a data set": (lambda _, s: s._replace(profiles=s.profiles.filter(pl.col("dataset") != "texts")), "leaves out"),
    "null without reason": (
        lambda _, s: _scores(s, instability=pl.lit(None, dtype=pl.Float64), reason=pl.lit(None, dtype=pl.String)),
        "without a reason",
    ),
    "more examples than asked": (lambda _, scored: _profiles(scored, n=pl.col("n") + 1), "counts more examples"),
    "order of rows": (_knows_order, "rows of its tables stand in another order"),
    "names": (_knows_names, "have other names"),
    "other models": (_knows_company, "no other model stands beside"),
    "imputes zero": (_imputes, "every observation failed"),
    "numbers of reruns": (_knows_reruns, "reruns have other numbers"),
    "scores one wording": (_scores_singles, "gives a number to an example with one wording"),
    "excuses one wording otherwise": (_excuses_singles, "too few"),
    "drops one wording": (_drops_singles, "too few"),
    "never equal": (_never_equal, "one response whatever the wording"),
    "never stable": (_never_stable, "one response whatever the wording"),
    "stable constant": (_stable_constant, "gives an instability where all responses are the same"),
}


@pytest.fixture(scope="module")
def small() -> AxisInput:
    return sample_inputs(examples=8)


@pytest.mark.parametrize("name", list(BROKEN))
def test_broken_axes_are_rejected(name: str, small: AxisInput) -> None:
    change, message = BROKEN[name]
    own = replace(small, features=small.features.clone())  # one of them alters its input
    with pytest.raises(PluginError, match=message):
        check_axis(Broken(change), own)


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"name": ""}, "one-line text as its name"),
        ({"description": "two\nlines"}, "one-line text as its description"),
        ({"measures": ()}, "names no measures"),
        ({"score": None}, "lacks score"),
    ],
)
def test_an_axis_has_to_declare_itself(attributes: dict[str, Any], message: str) -> None:
    plugin = type("Plugin", (Confidence,), attributes)()
    with pytest.raises(PluginError, match=message):
        check_axis(plugin)


def test_something_else_is_no_axis() -> None:
    with pytest.raises(PluginError, match="lacks name, description, measures, score"):
        check_axis(object())
