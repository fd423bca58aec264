"""Models whose answers are drawn from a known source, through the whole pipeline."""

from __future__ import annotations

from itertools import combinations

import polars as pl
import pytest
from tests.planted.known import WITHIN, control, flips, is_near, profile, verdict

from sago.runs import Run
from sago.testing.planted import TemplateDrivenModel

CANONICAL_AND_FORMATS = ("canonical", "format-labelled", "format-markdown", "format-xml")


@pytest.mark.parametrize("dataset", ["numeric", "builtin-numeric"])
@pytest.mark.parametrize("decoding", ["greedy", "sampled"])
def test_coin_flip_on_shared_answers(asked_again: Run, decoding: str, dataset: str) -> None:
    """rate .3 of K = 4 answers that all questions share.

    F = 2 x .3 - .09 x 4/3 = .48; W = 0 (reruns repeat); N = 1 - 1/4 = .75; S = .48 / .75 = .64 = 1 - (1 - .3 x 4/3)^2.
    """
    found = profile(asked_again, "coin-flip:rate=0.3", decoding=decoding, dataset=dataset)
    assert flips(0.3, 4) == pytest.approx(0.48)
    assert found["across"] == pytest.approx(0.48, abs=WITHIN * found["across_se"])
    assert found["rerun"] == 0
    assert found["unrelated"] == pytest.approx(0.75, abs=0.03)
    assert is_near(found, 0.64)
    assert verdict(asked_again, "instability", "coin-flip:rate=0.3", decoding=decoding, dataset=dataset) == "UNSTABLE"


@pytest.mark.parametrize(("dataset", "null"), [("choice", 1.0), ("text", 0.75)])
def test_coin_flip_on_options_of_their_own_and_on_text(kinds: Run, dataset: str, null: float) -> None:
    """rate .3, K = 4: B = .48. Options that no two questions share: N = 1 exactly, S = .48. Words that all share: N = .75, S = .64."""
    found = profile(kinds, "coin-flip:rate=0.3", dataset=dataset)
    assert found["across"] == pytest.approx(0.48, abs=WITHIN * found["across_se"])
    assert found["unrelated"] == pytest.approx(null, abs=1e-12 if null == 1 else 0.02)
    assert is_near(found, 0.48 / null)


def test_coin_flip_repeats_itself_on_the_same_prompt(asked_again: Run) -> None:
    """The identity control asks the canonical prompt again and gets the same answer: across 0, nothing that could have moved."""
    found = control(asked_again, "coin-flip:rate=0.3", "identity")
    assert (found["across"], found["instability"], found["verdict"], found["reason"]) == (0, 0, "not_informative", "width_zero")


@pytest.mark.parametrize("decoding", ["greedy", "sampled"])
def test_template_driven_is_as_different_as_unrelated_questions(asked_again: Run, decoding: str) -> None:
    """All examples answer alike, by the name of the wording: B = share d of the pairs of wordings with different answers.

    N pairs different examples under different wordings (METRICS 2.1): each such pair is a pair of wordings too, so N = d as well, W = 0 and
    S = d / d = 1 exactly, for every example; no degenerate null. A null within one wording would be 0 (S without meaning), one over all
    pairs d x (V - 1) / V, and B/N = V / (V - 1) = 4/3: above 1 although nothing is wrong with the answers' spread.
    """
    places = [TemplateDrivenModel().place(name, 4) for name in CANONICAL_AND_FORMATS]
    different = sum(one != two for one, two in combinations(places, 2)) / 6
    assert 0 < different <= 1
    found = profile(asked_again, "template-driven", decoding=decoding)
    assert (found["across"], found["unrelated"]) == pytest.approx((different, different), abs=1e-9)
    assert (found["rerun"], found["reason"]) == (0, None)
    assert found["instability"] == pytest.approx(1, abs=1e-9)
    assert (found["lower"], found["upper"]) == pytest.approx((1, 1), abs=1e-6)
    of_axis = asked_again.scores.filter(pl.col("axis") == "generation", pl.col("dataset") == "numeric")
    each = of_axis.filter(pl.col("model") == "planted-template-driven")
    assert each["instability"].to_list() == pytest.approx([1.0] * each.height, abs=1e-9)
    assert verdict(asked_again, "instability", "template-driven", decoding=decoding) == "UNSTABLE"


@pytest.mark.parametrize("axis", ["activations", "confidence"])
def test_template_driven_inside(asked_again: Run, axis: str) -> None:
    """The same argument holds for states and certainties by the name of the wording: B = N > 0, S = 1."""
    found = profile(asked_again, "template-driven", axis)
    assert found["across"] == pytest.approx(found["unrelated"], abs=1e-9)
    assert found["across"] > 0.1
    assert found["instability"] == pytest.approx(1, abs=1e-6)


def test_template_driven_on_options_of_their_own(kinds: Run) -> None:
    """Options are taken by place, and no two questions share any: N = 1, so S = B = the share of wording pairs with different places."""
    places = [TemplateDrivenModel().place(name, 4) for name in CANONICAL_AND_FORMATS]
    different = sum(one != two for one, two in combinations(places, 2)) / 6
    found = profile(kinds, "template-driven", dataset="choice")
    assert (found["across"], found["unrelated"], found["instability"]) == pytest.approx((different, 1, different), abs=1e-9)


@pytest.mark.parametrize(("dataset", "null"), [("choice", 1.0), ("text", 0.75)])
def test_example_driven_answers_are_stable(kinds: Run, dataset: str, null: float) -> None:
    """No wording makes a difference: B = W = 0. N = 1 (own options) or 1 - 1/4: there is a scale, so S = 0, not null."""
    found = profile(kinds, "example-driven", dataset=dataset)
    assert (found["across"], found["rerun"], found["instability"], found["reason"]) == (0, 0, 0, None)
    assert found["unrelated"] == pytest.approx(null, abs=1e-12 if null == 1 else 0.02)
    assert found["upper"] > 0


@pytest.mark.parametrize("axis", ["generation", "activations", "confidence"])
def test_example_driven_is_stable_on_every_axis(components: Run, axis: str) -> None:
    """B = W = 0 exactly, N > 0: S = 0. Of 200 examples none moved: at most 1.5 % would (95 %), which is below the smallest effect 5 %."""
    found = profile(components, "example-driven", axis)
    assert (found["across"], found["rerun"], found["instability"], found["reason"]) == (0, 0, 0, None)
    assert found["unrelated"] > 0.2
    if axis == "generation":
        assert verdict(components, "instability", "example-driven") == "STABLE"


def test_rerun_noise_is_no_instability(asked_again: Run) -> None:
    """rate .3, K = 4: two sampled answers of one example differ with probability F = .48, under one wording or two: W = B = .48, S = 0."""
    found = profile(asked_again, "rerun-noise:rate=0.3", decoding="sampled")
    assert found["across"] == pytest.approx(0.48, abs=WITHIN * found["across_se"])
    assert found["rerun"] == pytest.approx(0.48, abs=0.07)
    assert found["unrelated"] == pytest.approx(0.75, abs=0.01)
    assert is_near(found, 0)
    assert verdict(asked_again, "rerun_floor", "rerun-noise:rate=0.3", decoding="sampled") == "NOT_SHOWN"
    assert control(asked_again, "rerun-noise:rate=0.3", "identity", decoding="sampled")["verdict"] == "pass"
    greedy = profile(asked_again, "rerun-noise:rate=0.3")
    assert (greedy["across"], greedy["rerun"], greedy["instability"]) == (0, 0, 0)


@pytest.mark.parametrize("model", ["coin-flip:rate=0.3", "template-driven"])
def test_wordings_that_matter_differ_more_than_reruns(asked_again: Run, model: str) -> None:
    assert verdict(asked_again, "rerun_floor", model, decoding="sampled") == "DIFFERS"


@pytest.mark.parametrize("axis", ["generation", "activations", "confidence"])
def test_constant_has_no_scale(components: Run, axis: str) -> None:
    """B = W = N = 0: S = 0/0 is null with reason degenerate_null, and nothing calls it stable."""
    found = profile(components, "constant:reply=7", axis)
    assert (found["across"], found["rerun"], found["unrelated"]) == (0, 0, 0)
    assert (found["instability"], found["lower"], found["upper"], found["reason"]) == (None, None, None, "degenerate_null")
    assert verdict(components, "instability", "constant:reply=7", axis) == "NOT_TESTED"


@pytest.mark.parametrize("axis", ["generation", "activations", "confidence"])
def test_constant_text_has_no_scale_either(kinds: Run, axis: str) -> None:
    found = profile(kinds, "constant", axis, dataset="text")
    assert (found["across"], found["unrelated"], found["instability"], found["reason"]) == (0, 0, None, "degenerate_null")


def test_constant_letter_names_another_content_in_every_question(kinds: Run) -> None:
    """It always says "A", which is another option in each question and the same in all wordings that keep the order: N = 1.

    Where a wording shows no letters ("bullets"), "A" could not be read; none of these does. So B = 0 and S = 0: with options of their own a
    constant letter is stable as far as answers go, and only another order of the options tells (``test_choice_order``).
    """
    found = profile(kinds, "constant", dataset="choice")
    assert (found["across"], found["unrelated"], found["instability"]) == (0, 1, 0)
