"""What may be claimed: sorted under three questions, counted rightly, and silent about nothing."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest
from tests.reports.sample import CHOICE, MODELS, TEXT, empty_tables, sample_summary
from tests.reports.sample_claims import MEASURES, SETS, THREE, claims_tables, passed_controls

from sago import schemas
from sago.reports import RunSummary
from sago.reports.claim_counts import pairs_and_summaries, pooled_and_strata, scope
from sago.reports.claim_tables import grid, matrices, rank_legend, ranks
from sago.reports.claims import Claims, Question, claims
from sago.reports.findings import findings_of, listed, tally
from sago.reports.words import AFTER_FAILURE, CLAIMS, CONTROL_FAILED, EXPECTED
from sago.schemas import Tables


@pytest.fixture(scope="module")
def told() -> Tables:
    return claims_tables()


@pytest.fixture(scope="module")
def said(told: Tables) -> Claims:
    return claims(told, sample_summary())


def question(said: Claims, key: str) -> Question:
    return next(one for one in said.questions if one.key == key)


def part(tables: Tables, *where: pl.Expr) -> Tables:
    return replace(tables, profiles=tables.profiles.filter(*where))


def test_every_finding_stands_somewhere(said: Claims, told: Tables) -> None:
    placed = sum(len(one.findings) for one in said.questions) + len(said.others)
    controls = told.findings.filter(pl.col("claim") == "controls").height
    assert placed + controls == said.total == told.findings.height
    assert not said.others


def test_a_claim_that_is_not_known_is_kept(told: Tables) -> None:
    strange = told.findings.head(1).with_columns(claim=pl.lit("brand_new"))
    found = claims(replace(told, findings=pl.concat([told.findings, strange])), sample_summary())
    assert [finding.claim for finding in found.others] == ["brand_new"]


def test_cells_are_counted_before_and_after_the_correction(said: Claims, told: Tables) -> None:
    rows = told.findings.filter(pl.col("claim") == "instability", pl.col("mode") == "calibrated")
    unstable = rows.filter(pl.col("verdict") == "UNSTABLE")
    after = unstable.filter(pl.col("p_adjusted") <= 0.05).height
    assert (rows.height, unstable.height, after) == (24, 13, 12)
    first = question(said, "unstable").counts[0]
    cells, behind = first.split(", above the smallest instability that matters (.05) at an error rate of .05; ")
    assert cells == "UNSTABLE in 13 of 24 cells (3 models, 2 data sets, 4 axes)"
    assert behind == "12 after Holm. STABLE in 1. INCONCLUSIVE in 10. 1 UNSTABLE cell of 1 with a failed control (✗) prove nothing."


def test_the_error_level_of_the_study_counts(told: Tables) -> None:
    strict = claims(told, RunSummary("r", study={"alpha": 0.00001}))
    assert "13 of 24" in question(strict, "unstable").counts[0]
    assert "; 0 after Holm" in question(strict, "unstable").counts[0]


def test_raw_and_calibrated_are_counted_beside_each_other(said: Claims, told: Tables) -> None:
    rows = told.findings.filter(pl.col("claim") == "instability")
    modes = [rows.filter(pl.col("mode") == mode)["verdict"].to_list() for mode in ("calibrated", "raw")]
    differ = sum(one != other for one, other in zip(*modes, strict=True))
    assert f"disagree in {differ} cells" in " ".join(question(said, "unstable").counts)


def test_what_was_not_measured_is_said(said: Claims) -> None:
    assert any("Against asking twice: not tested, no wording was asked twice" in line for line in question(said, "unstable").nothing)


def test_reasons_come_from_cells_that_have_data(told: Tables) -> None:
    nothing = told.findings.filter(pl.col("claim") == "rerun_floor").with_columns(
        n=pl.lit(0, dtype=pl.Int64), reason=pl.lit("not_observable")
    )
    both = claims(replace(told, findings=pl.concat([told.findings, nothing, nothing])), sample_summary())
    assert any("not tested, no wording was asked twice" in line for line in question(both, "unstable").nothing)


def test_pairs_of_axes_are_counted_over_all_models_and_in_each(said: Claims) -> None:
    counts = question(said, "independent").counts
    assert counts[0] == "6 pairs of axes: INDEPENDENT 2, DEPENDENT 2, INCONCLUSIVE 1, NOT ASSESSABLE 1."
    assert counts[1].startswith("36 pairs in one model on one data set: DEPENDENT 12")


def test_reversals_are_counted_without_their_summaries(said: Claims) -> None:
    assert question(said, "order").counts[0] == "REVERSED in 2 of 12 comparisons of two models on two data sets (4 axes), after Holm."


def test_of_two_models_the_summary_is_told_from_the_pair(told: Tables) -> None:
    rows = told.findings.filter(pl.col("claim") == "reversal", pl.col("mode") == "calibrated", pl.col("axis") == "generation")
    pair = rows.filter(pl.col("models").list.len() == 2).head(1)
    summary = pair.with_columns(p=pl.lit(None, dtype=pl.Float64), sentence=pl.lit("all"))
    pairs, summaries = pairs_and_summaries(findings_of(pl.concat([summary, pair])))
    assert [len(pairs), [one.sentence for one in summaries]] == [1, ["all"]]


def test_pooled_is_the_finding_over_most(told: Tables) -> None:
    found, strata = pooled_and_strata(findings_of(told.findings.filter(pl.col("claim") == "independence")))
    assert {one.models for one in found} == {THREE}
    assert (len(found), len(strata)) == (6, 36)


@pytest.mark.parametrize(
    ("where", "key", "line"),
    [
        (pl.col("axis") == "generation", "independent", "Only generation has data: there is no pair of axes."),
        (pl.col("model") == MODELS[0], "order", "One model only: there is no order that could change."),
        (pl.col("dataset") == TEXT, "order", "One data set only: an order cannot change between data sets."),
        (pl.col("dataset") == TEXT, "unstable", "One data set only: whether it is unstable on several cannot be asked."),
        (
            (pl.col("model") == MODELS[0]) == (pl.col("dataset") == TEXT),
            "order",
            "No two models have two data sets in common: their orders cannot be compared.",
        ),
    ],
)
def test_a_question_without_answer_says_why_in_one_line(told: Tables, where: pl.Expr, key: str, line: str) -> None:
    assert line in question(claims(part(told, where), sample_summary()), key).nothing


def test_nothing_at_all_is_said_three_times() -> None:
    found = claims(empty_tables(), RunSummary("nothing"))
    assert [len(one.nothing) for one in found.questions] == [1, 1, 1]
    assert [one.counts for one in found.questions] == [(), (), ()]
    assert not found.soundness.failed
    assert not found.soundness.others


def test_unreliable_axes_are_explained(told: Tables) -> None:
    bad = told.findings.filter(pl.col("claim") == "independence").with_columns(verdict=pl.lit("NOT_ASSESSABLE"), reason=pl.lit("no_reruns"))
    lines = question(claims(replace(told, findings=bad), sample_summary()), "independent").nothing
    assert lines == ("No pair of axes can be judged: no wording was asked twice, so the noise of asking twice was not measured.",)


def test_every_claim_speaks_before_one_speaks_twice(said: Claims) -> None:
    first = [finding.claim for finding in question(said, "unstable").first]
    assert first[:5] == ["instability", "uniformity", "consistency", "unstable_examples", "heterogeneity"]
    assert first.count("instability") == 3
    assert "rank" not in [finding.claim for finding in question(said, "order").first]


def test_the_first_sentences_are_shown_and_spread_over_the_axes(said: Claims) -> None:
    told = [finding for finding in question(said, "unstable").first if finding.claim == "instability"]
    assert [finding.axis for finding in told] == ["generation", "activations", "confidence"]
    assert {finding.verdict for finding in told} == {"UNSTABLE"}
    assert told[0].estimate == 0.41


@pytest.mark.parametrize(("claim", "key"), [("independence", "independent"), ("acceptability", "order")])
def test_what_cannot_be_assessed_at_all_has_no_sentence(told: Tables, claim: str, key: str) -> None:
    lost = pl.when(pl.col("claim") == claim).then(pl.lit("NOT_ASSESSABLE")).otherwise("verdict").alias("verdict")
    found = question(claims(replace(told, findings=told.findings.with_columns(lost)), sample_summary()), key)
    assert claim not in [finding.claim for finding in found.first]
    assert claim in [finding.claim for finding in found.findings]


def test_a_cell_that_was_not_tested_has_no_other_verdict(told: Tables) -> None:
    lost = pl.when((pl.col("claim") == "instability") & (pl.col("mode") == "calibrated") & (pl.col("axis") == "activations"))
    findings = told.findings.with_columns(verdict=lost.then(pl.lit("NOT_TESTED")).otherwise("verdict"))
    about, sound = scope(told), claims(told, sample_summary()).soundness
    verdicts = grid(findings_of(findings), about, sound, 0.05)
    assert verdicts is not None
    assert all(cell.raw is None for cell in verdicts.cells if cell.finding.axis == "activations")


def test_shown_sentences_of_one_claim_stand_together(said: Claims) -> None:
    names = [finding.claim for finding in question(said, "unstable").sentences(5)]
    assert names == sorted(names, key=list(CLAIMS).index)


def test_failed_controls_name_their_cells(said: Claims, told: Tables) -> None:
    assert said.soundness.line == f"The run proves nothing about {MODELS[0]} on {TEXT}, activations (state cosine, greedy)."
    assert (said.soundness.others, said.soundness.passed) == ((), False)
    doubtful = [finding for finding in findings_of(told.findings) if finding.claim == "instability" and said.soundness.doubts(finding)]
    assert {(finding.models, finding.datasets, finding.axis) for finding in doubtful} == {((MODELS[0],), (TEXT,), "activations")}
    pairs = [one for one in findings_of(told.findings) if one.claim == "independence" and len(one.models) > 1]
    assert {one.axis for one in pairs if said.soundness.doubts(one)} == {one.axis for one in pairs if "activations" in one.axis}


def test_a_failed_control_is_explained_with_what_to_do(told: Tables) -> None:
    for test, kind in EXPECTED.items():
        failed = told.findings.filter(pl.col("verdict") == "FAILED").with_columns(test=pl.lit(test))
        sound = claims(replace(told, findings=failed), sample_summary()).soundness
        assert sound.advice == (CONTROL_FAILED, AFTER_FAILURE[kind])
        assert "What to do: " in sound.advice[1]
    assert claims(replace(told, findings=schemas.frame("findings", [passed_controls()])), sample_summary()).soundness.advice == ()


def test_another_measure_that_failed_casts_no_doubt_on_the_default_one(told: Tables) -> None:
    other = pl.when(pl.col("claim") == "controls").then(pl.lit("state_angle")).otherwise("measure").alias("measure")
    found = claims(replace(told, findings=told.findings.with_columns(other)), sample_summary())
    assert not [one for one in question(found, "unstable").findings if one.claim == "instability" and found.soundness.doubts(one)]


def test_controls_that_hold_are_said_in_their_own_words(told: Tables) -> None:
    one = schemas.frame("findings", [passed_controls()])
    assert claims(replace(told, findings=one), sample_summary()).soundness.others == (one["sentence"][0],)
    many = claims(replace(told, findings=pl.concat([one] * 5)), sample_summary()).soundness
    assert (many.others, many.passed) == (("Other controls: PASSED 5.",), True)


def test_the_calibrated_summary_leads_whatever_it_says(told: Tables) -> None:
    calm = pl.when((pl.col("claim") == "reversal") & (pl.col("mode") == "calibrated")).then(pl.lit("NOT_SHOWN")).otherwise("verdict")
    found = question(claims(replace(told, findings=told.findings.with_columns(verdict=calm)), sample_summary()), "order")
    shown = [(one.mode, one.verdict, len(one.models)) for one in found.first if one.claim == "reversal"]
    assert shown == [("calibrated", "NOT_SHOWN", 3), ("raw", "REVERSED", 3), ("raw", "REVERSED", 2)]
    assert found.counts[:2] == (
        "REVERSED in 0 of 12 comparisons of two models on two data sets (4 axes), after Holm.",
        "Raw, not set against other questions: REVERSED in 2 of 12.",
    )


def test_the_grid_has_every_cell_once(said: Claims, told: Tables) -> None:
    verdicts = grid(question(said, "unstable").findings, scope(told), said.soundness, said.alpha)
    assert verdicts is not None
    assert verdicts.columns == tuple(MEASURES)
    assert [dataset for dataset, _ in verdicts.groups] == list(SETS)
    assert len(verdicts.cells) == 24
    assert sum(not cell.survives for cell in verdicts.cells) == 1
    assert sum(cell.is_doubtful for cell in verdicts.cells) == 1
    assert sum(cell.raw is not None for cell in verdicts.cells) == 5


def test_of_one_axis_the_data_sets_stand_side_by_side(told: Tables) -> None:
    found = findings_of(told.findings.filter(pl.col("axis") == "generation"))
    verdicts = grid(found, scope(told), claims(told, sample_summary()).soundness, 0.05)
    assert verdicts is not None
    assert verdicts.columns == SETS
    assert [dataset for dataset, _ in verdicts.groups] == [None]


def test_no_grid_without_cells(told: Tables) -> None:
    assert grid([], scope(told), claims(told, sample_summary()).soundness, 0.05) is None


def test_the_matrix_has_all_pairs_whichever_way_they_are_named(told: Tables) -> None:
    (matrix,) = matrices(findings_of(told.findings))
    assert matrix.axes == tuple(MEASURES)
    assert len(matrix.pairs) == 6
    assert matrix.at("mirroring", "generation") == matrix.at("generation", "mirroring")
    assert matrix.at("generation", "activations")[0].strata == "DEPENDENT 6 of 6"


def test_ranks_stand_from_the_most_stable_down(told: Tables) -> None:
    first = ranks(findings_of(told.findings), scope(told), claims(told, sample_summary()).soundness)[0]
    assert (first.axis, first.datasets, first.sizes) == ("generation", SETS, [3, 3])
    assert {model for model, _ in first.rows} == set(THREE)
    places = dict(first.rows)[THREE[2]]
    assert [place.words for place in places if place is not None] == ["1 [1, 1]", "3 [2, 3]"]


def test_raw_ranks_stand_beside_and_say_where_they_contradict(told: Tables) -> None:
    raw = (pl.col("claim") == "rank") & (pl.col("mode") == "raw") & (pl.col("models").list.first() == THREE[2])
    columns = {name: pl.when(raw).then(3.0).otherwise(name).alias(name) for name in ("estimate", "lower", "upper")}
    sound = claims(told, sample_summary()).soundness
    before, after = (
        dict(ranks(findings_of(found), scope(told), sound)[0].rows)[THREE[2]][0]
        for found in (told.findings, told.findings.with_columns(**columns))
    )
    assert before is not None
    assert after is not None
    assert (before.words, before.raw, before.differs) == ("1 [1, 1]", "1 [1, 1]", False)
    assert (after.words, after.raw, after.differs) == ("1 [1, 1]", "3 [3, 3]", True)


def test_a_rank_on_a_failed_control_is_marked(told: Tables) -> None:
    sound = claims(told, sample_summary()).soundness
    bad = sound.failed[0]
    tables = ranks(findings_of(told.findings), scope(told), sound)
    marked = {
        (model, dataset)
        for table in tables
        for model, places in table.rows
        for dataset, place in zip(table.datasets, places, strict=True)
        if place is not None and place.is_doubtful
    }
    assert marked == {(bad.models[0], bad.datasets[0])}
    assert any("proves nothing" in line for table in tables for line in rank_legend(table))


def test_several_models_of_which_none_has_a_number_are_not_one(told: Tables) -> None:
    silent = replace(told, profiles=told.profiles.with_columns(n=pl.lit(0, dtype=pl.Int64)), findings=told.findings.clear())
    asked = question(claims(silent, sample_summary()), "order")
    assert asked.nothing[0] == "3 models were asked, but none has a number: there is no order that could change."


def test_a_model_that_one_data_set_lacks_has_no_rank_there(told: Tables) -> None:
    here = ~((pl.col("claim") == "rank") & (pl.col("models").list.first() == THREE[1]) & (pl.col("datasets").list.first() == CHOICE))
    first = ranks(findings_of(told.findings.filter(here)), scope(told), claims(told, sample_summary()).soundness)[0]
    assert dict(first.rows)[THREE[1]][0] is None
    assert first.sizes == [2, 3]


def test_words_for_counts(told: Tables) -> None:
    rows = findings_of(told.findings.filter(pl.col("claim") == "rank_agreement"))
    assert tally(rows) == "RANKS DIFFER 1, NOT SHOWN 3"
    assert listed(["a", "b", "a"]) == "a and b"
