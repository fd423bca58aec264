from __future__ import annotations

import pytest
from tests.variations.tables import row, table

from sago.variations import vary

_WORDINGS = ["Name 3 fish.", "Name three fish.", "Name 4 fish."]
_EXAMPLES = table(row("1", "List 3 fish.", paraphrases=_WORDINGS), row("2", "Who?"))


@pytest.mark.parametrize(("n", "made"), [(1, 1), (2, 2), (3, 3), (9, 3)])
def test_the_first_wordings_of_the_data_are_taken(n: int, made: int) -> None:
    varied = vary(_EXAMPLES, [f"paraphrase:n={n}"])
    given = varied.variants.filter(family="paraphrase")
    assert given["question"].to_list() == _WORDINGS[:made]
    assert given["variant"].to_list() == [f"paraphrase-{place}" for place in range(1, made + 1)]
    assert varied.counts.select("examples", "asked", "made", "not_applicable").rows() == [(2, made, made, 1)]


def test_rules_are_recorded_but_never_drop_a_wording_of_the_data() -> None:
    checks = vary(_EXAMPLES, ["paraphrase"]).variants.filter(family="paraphrase")["checks"].to_list()
    assert checks == [["same_numbers", "same_negations"], ["same_numbers", "same_negations"], ["same_negations"]]


def test_a_wording_that_changes_nothing_keeps_its_place_in_the_numbering() -> None:
    varied = vary(table(row("1", "Who?", paraphrases=["Who? ", "Who then?", " "])), ["paraphrase"])
    assert varied.variants["variant"].to_list() == ["canonical", "paraphrase-2"]
    assert varied.counts.select("asked", "made", "dropped_same").rows() == [(3, 1, 2)]
