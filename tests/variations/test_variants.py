from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.variations.tables import case_rows, prompt_of, row, table

from sago import registry, schemas
from sago.errors import PluginError, StudyError, UnknownNameError
from sago.records import Draft, Edit, Example
from sago.seeds import content_hash, seed_of
from sago.variations import Parameter, vary
from sago.variations.edits import apply_edits

_DROPPED = ("same", "duplicate", "unsafe", "changed")
ALL = ["identity", "meaning-changed", "paraphrase", "format:n=9", "choice-order:n=2", "typo:n=3", "case"]


def _examples() -> pl.DataFrame:
    twin = {"twin_question": "Which is cold?", "twin_answers": ["ice"], "twin_answer_index": 1}
    return table(
        row("1", "Which thing is hot?", choices=["fire", "ice", "none of these"], answer_index=0, paraphrases=["What is hot?"], **twin),
        row("2", "How many legs do 3 spiders have together?", task="numeric", answers=["24"]),
        row("3", "Who wrote the letter?", context="Ann wrote a letter.\nBob read it.", answers=["Ann"]),
        row("4", "今年是哪一年？"),
        row("5", "Which is {x} or `y`?", choices=["a", "b"]),
    )


def _rows(examples: pl.DataFrame, variations: Sequence[str], **options: Any) -> list[dict[str, Any]]:
    return list(vary(examples, variations, **options).variants.iter_rows(named=True))


def test_the_canonical_wording_comes_first_and_positions_have_no_holes() -> None:
    for _, group in vary(_examples(), ALL).variants.group_by("example"):
        assert group["position"].to_list() == list(range(group.height))
        first = group.row(0, named=True)
        assert (first["variant"], first["family"], first["layout"], first["seed"], first["dose"]) == (
            "canonical",
            "canonical",
            "plain",
            None,
            0,
        )


def test_families_come_in_the_order_given() -> None:
    variants = [variant["variant"] for variant in _rows(_examples().filter(example="1"), ["case", "identity", "format"])]
    assert variants == ["canonical", "case-lower", "case-upper", "case-title", "identity", "format-labelled", "format-markdown"]


def test_a_choice_question_shows_scores_and_maps_its_choices() -> None:
    order = _rows(_examples().filter(example="1"), ["choice-order"])[1]
    assert order["permutation"] == [1, 0, 2]
    assert order["shown_choices"] == ["ice", "fire", "none of these"]
    assert order["shown_labels"] == order["scored_choices"] == ["A", "B", "C"]
    assert (order["answers"], order["answer_index"]) == (["fire"], 0)


def test_an_open_question_has_null_where_choices_would_be() -> None:
    for variant in _rows(_examples().filter(example="2"), ALL):
        assert [variant[name] for name in ("shown_choices", "shown_labels", "scored_choices", "permutation")] == [None] * 4


@pytest.mark.parametrize(("system", "roles"), [(None, ["user"]), ("Be brief.", ["system", "user"])])
def test_the_system_message_stands_in_front(system: str | None, roles: list[str]) -> None:
    for variant in _rows(_examples(), ALL, system=system):
        assert [message["role"] for message in variant["messages"]] == roles
        assert variant["fingerprint"] == content_hash(variant["messages"])
        if system:
            assert variant["messages"][0]["content"] == system


def test_edits_rebuild_every_question_and_checks_say_why_the_meaning_is_kept() -> None:
    originals = {r["example"]: r["question"] for r in _examples().iter_rows(named=True)}
    for variant in _rows(_examples(), ALL):
        assert apply_edits(originals[variant["example"]], [Edit(**edit) for edit in variant["edits"]]) == variant["question"]
        assert 0 <= variant["dose"] <= 1
        assert (variant["dose"] == 0) == (variant["family"] in ("canonical", "identity"))
        if variant["family"] in ("typo", "case", "format", "choice-order", "identity"):
            assert variant["checks"][:3] == ["by_construction", "same_numbers", "same_negations"]
        if variant["family"] in ("typo", "case"):
            assert "protected_spans" in variant["checks"]


def test_counts_add_up() -> None:
    varied = vary(_examples(), ALL)
    made = varied.variants.group_by("family").len()
    for count in varied.counts.iter_rows(named=True):
        assert count["examples"] == 5
        assert count["asked"] == count["made"] + sum(count[f"dropped_{why}"] for why in _DROPPED)
        assert count["made"] == (made.filter(family=count["family"])["len"].to_list() or [0])[0]
    assert varied.counts["family"].to_list() == [spec.partition(":")[0] for spec in ALL]


@settings(deadline=None, max_examples=20)
@given(st.permutations(range(5)), st.integers(0, 3))
def test_the_order_of_rows_does_not_matter(order: list[int], alone: int) -> None:
    examples = _examples()
    expected = vary(examples, ALL)
    shuffled = vary(examples[order], ALL)
    assert shuffled.variants.equals(expected.variants)
    assert shuffled.counts.equals(expected.counts)
    # Nor does what else is in the table, or in the study.
    one = vary(examples[alone : alone + 1], ["typo:n=3"]).variants.filter(family="typo").drop("position")
    kept = expected.variants.filter(family="typo", example=examples["example"][alone]).drop("position")
    assert one.equals(kept)


def test_another_seed_makes_other_typos_and_the_seed_is_that_of_the_content() -> None:
    first, second = (_rows(_examples(), ["typo:n=3"], seed=seed) for seed in (0, 1))
    assert [variant["question"] for variant in first] != [variant["question"] for variant in second]
    parameters = {"n": 3, "rate": 0.05, "kinds": "neighbour+swap+drop+double+common"}
    assert first[1]["seed"] == seed_of(0, "d", "1", "typo", parameters)


_PROCESS = """
import hashlib, sys
sys.path.insert(0, {root!r})
from tests.variations.test_variants import ALL, _examples
from sago.variations import vary
print(hashlib.sha256(vary(_examples(), ALL, seed=7).variants.write_json().encode()).hexdigest())
"""


@pytest.mark.parametrize("hash_seed", ["1", "4711"])
def test_another_process_makes_the_same_bytes(hash_seed: str) -> None:
    code = _PROCESS.format(root=str(Path(__file__).parents[2]))
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment).stdout
    here = hashlib.sha256(vary(_examples(), ALL, seed=7).variants.write_json().encode()).hexdigest()
    assert shown.strip() == here


def test_variants_are_the_same_after_a_round_trip(tmp_path: Path) -> None:
    rows = [row(r["id"], r["question"], choices=r["choices"], answer_index=r["answer"]) for r in case_rows("06-braces.jsonl")]
    variants = vary(table(*rows), ALL).variants
    variants.write_parquet(tmp_path / "v.parquet")
    assert pl.read_parquet(tmp_path / "v.parquet").equals(variants)
    variants.write_ndjson(tmp_path / "v.jsonl")
    assert pl.read_ndjson(tmp_path / "v.jsonl", schema=schemas.dtypes("variants")).equals(variants)
    for variant in variants.filter(pl.col("family") == "format").iter_rows(named=True):
        assert all(text in prompt_of(variant) for text in [variant["question"], *variant["shown_choices"]])


@pytest.mark.parametrize("seed", range(5))
def test_case_10_what_collapses_is_dropped_and_counted(seed: int) -> None:
    rows = [row(r["id"], r["question"], answers=[r["answer"]]) for r in case_rows("10-collapse.jsonl")]
    rows = [{**given, "paraphrases": [given["question"]]} for given in rows]
    varied = vary(table(*rows), ["identity", "paraphrase", "case", "typo"], seed=seed)
    styles = {
        str(example): [name.removeprefix("case-") for name in group["variant"] if name.startswith("case-")]
        for (example,), group in varied.variants.group_by("example", maintain_order=True)
    }
    assert styles == {"c1": ["lower", "title"], "c2": [], "c3": [], "c4": ["upper", "title"], "c5": ["lower", "upper", "title"]}
    counts = {count["family"]: count for count in varied.counts.iter_rows(named=True)}
    wanted = ("asked", "made", "dropped_same", "dropped_duplicate", "not_applicable")
    assert [counts["case"][name] for name in wanted] == [15, 7, 8, 0, 0]
    assert [counts["identity"][name] for name in wanted] == [5, 5, 0, 0, 0]
    assert [counts["paraphrase"][name] for name in wanted] == [5, 0, 5, 0, 0]
    assert [counts["typo"][name] for name in wanted] == [3, 3, 0, 0, 2]
    upper = varied.variants.filter(variant="case-upper")
    assert upper["example"].to_list() == ["c4", "c5"]
    assert upper["question"].n_unique() == 1


def test_equal_wordings_of_one_example_are_merged_under_the_first_name() -> None:
    examples = table(row("1", "What is rain?", paraphrases=["what is rain?", "What is\u0020rain? ", "WHAT IS RAIN?"]))
    varied = vary(examples, ["paraphrase", "case"])
    merged = {variant["variant"]: variant["merged"] for variant in varied.variants.iter_rows(named=True)}
    assert merged == {"canonical": [], "paraphrase-1": ["case-lower"], "paraphrase-3": ["case-upper"], "case-title": []}
    assert varied.counts["dropped_duplicate"].to_list() == [0, 2]


def test_prompts_are_compared_after_normalisation() -> None:
    examples = table(row("1", "Is it café?", paraphrases=["Is it cafe\u0301?", "Was it a cafe\u0301?", "Was it a café?"]))
    varied = vary(examples, ["paraphrase"])
    assert [(variant["variant"], variant["merged"]) for variant in varied.variants.iter_rows(named=True)] == [
        ("canonical", ["paraphrase-1"]),
        ("paraphrase-2", ["paraphrase-3"]),
    ]
    assert varied.counts.select("asked", "made", "dropped_same", "dropped_duplicate").rows() == [(3, 1, 1, 1)]


@pytest.mark.parametrize("variations", [[], ALL])
def test_no_examples_make_empty_tables(variations: list[str]) -> None:
    varied = vary(schemas.empty("examples"), variations)
    assert varied.variants.is_empty()
    assert varied.variants.schema == pl.Schema(schemas.dtypes("variants"))


def test_many_examples_are_all_there_in_their_order() -> None:
    examples = table(*(row(str(number), f"Which animal has the number {number}?") for number in range(1203)))
    variants = vary(examples, ["identity"]).variants
    assert variants["example"].to_list() == [str(number) for number in range(1203) for _ in range(2)]


def test_several_datasets_are_counted_apart() -> None:
    examples = table(row("1", "Who?"), {**row("1", "Which?", choices=["x", "y"]), "dataset": "e"})
    counts = vary(examples, ["choice-order"]).counts
    assert counts.select("dataset", "made", "not_applicable").rows() == [("d", 0, 1), ("e", 1, 0)]


class _Custom:
    """A variation whose drafts are given."""

    name = "custom"
    description = "drafts as given"
    control = False
    equivalence = "by_construction"
    protects = "nothing"
    parameters: Mapping[str, Parameter] = {"n": Parameter(1, "how many")}

    def __init__(self, *drafts: Draft) -> None:
        self.drafts = drafts

    def applies(self, example: Example) -> bool:
        return True

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        return self.drafts


@pytest.fixture
def custom() -> Iterator[_Custom]:
    variation = _Custom()
    registry.register("variations", "custom", variation)
    yield variation
    registry.unregister("variations", "custom")


def test_a_mechanical_wording_that_fails_its_rules_is_dropped_as_unsafe(custom: _Custom) -> None:
    custom.drafts = (Draft("a", question="Are there 4?"), Draft("b", question="Are there not 3?"), Draft("c", question="are there 3?"))
    varied = vary(table(row("1", "Are there 3?")), ["custom:n=3"])
    assert varied.variants["variant"].to_list() == ["canonical", "custom-c"]
    assert varied.counts.select("asked", "made", "dropped_unsafe").rows() == [(3, 1, 2)]


def test_a_family_that_keeps_the_meaning_may_not_lose_a_protected_span(custom: _Custom) -> None:
    custom.drafts = (
        Draft("name", question="did Mary see the DNA of `x` there?"),
        Draft("code", question="did Marie see the DNA of `y` there?"),
        Draft("user", question="did Marie see the DNA of `x` heer?"),
        Draft("context", context="Marie saw a seqence at www.b.org"),
        Draft("free", question="did MARIE se the dna of `x` there?", context="First: Marie saw a seqence at www.a.org"),
    )
    given = row("1", "did Marie see the DNA of `x` there?", context="Marie saw a sequence at www.a.org", metadata='{"protect": "there"}')
    varied = vary(table(given), ["custom:n=5"])
    assert varied.variants["variant"].to_list() == ["canonical", "custom-free"]
    assert varied.counts.select("made", "dropped_unsafe").rows() == [(1, 4)]
    custom.equivalence = "to_check"
    assert vary(table(given), ["custom:n=5"]).counts["dropped_unsafe"].item() == 0


def test_what_falls_short_of_n_is_counted(custom: _Custom) -> None:
    custom.drafts = (Draft("a", question="who?"),)
    counts = vary(table(row("1", "Who?")), ["custom:n=3"]).counts
    assert counts.select("asked", "made", "dropped_same").rows() == [(3, 1, 2)]


@pytest.mark.parametrize(
    ("drafts", "message"),
    [
        ((Draft("a", question="x"), Draft("a", question="y")), "names two drafts 'a'"),
        ((Draft("a", permutation=(0, 0)),), "no permutation of its 2 choices. Name every original index"),
        ((Draft("a", permutation=(0,)),), "no permutation"),
        ((Draft("a", choices=("x",)),), "shows 1 of 2 choices"),
    ],
)
def test_drafts_that_do_not_fit_are_refused(custom: _Custom, drafts: tuple[Draft, ...], message: str) -> None:
    custom.drafts = drafts
    with pytest.raises(PluginError, match=message):
        vary(table(row("1", "Which?", choices=["x", "y"])), ["custom"])


def test_an_order_for_an_open_question_is_refused(custom: _Custom) -> None:
    custom.drafts = (Draft("a", permutation=(1, 0)),)
    with pytest.raises(PluginError, match="orders or labels the choices of a question that has none"):
        vary(table(row("1", "Who?")), ["custom"])


@pytest.mark.parametrize(
    ("variations", "error", "message"),
    [
        (["tpyo"], UnknownNameError, "unknown variation 'tpyo'. Did you mean typo"),
        (["typo", "typo:n=2"], StudyError, "the family 'typo' is given twice"),
        (["typo@0.1", "typo@0.1"], StudyError, "Give it once; n asks for more of it, typo@VALUE for another intensity$"),
        (["case", "case:styles=upper"], StudyError, "the family 'case' is given twice. Give it once$"),
        (["typo+"], StudyError, "'typo.': a family has no name. Write typo, typo:n=2, typo@0.1 or typo.format"),
        (["distractor:source=nix"], StudyError, "source: there is no 'nix'. Give own or data"),
        (["identity:n=2"], StudyError, "unknown parameter 'n'. identity has no parameters"),
        (["paraphrase:n=0"], StudyError, "paraphrase:n=0': n: '0' is out of its limits"),
    ],
)
def test_bad_specs_are_named(variations: list[str], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        vary(_examples(), variations)


def test_what_is_no_variation_is_refused() -> None:
    registry.register("variations", "odd", object())
    try:
        with pytest.raises(PluginError, match="'odd' does not fit its protocol"):
            vary(_examples(), ["odd"])
    finally:
        registry.unregister("variations", "odd")
