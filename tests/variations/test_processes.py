from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, cast

import polars as pl
import pytest
from tests.variations.tables import row, table

from sago import registry, schemas
from sago.errors import StudyError
from sago.variations import Varied, total_counts, variants, vary, vary_in_parts
from sago.variations.beside import Beside
from sago.variations.making import Maker
from sago.variations.processes import Watched, _handed_out, _taken_back, workers
from sago.variations.typo import Typo

MECHANICAL = ["identity", "typo:n=2", "case:styles=upper", "surface", "format:n=2", "choice-order", "register", "typo+case"]


def _examples(count: int = 90) -> pl.DataFrame:
    rows = (
        row(f"e{number}", f"Which animal with the number {number} doesn't sleep?", choices=["otter", "heron"]) for number in range(count)
    )
    return table(*({**one, "dataset": "ab"[place % 2]} for place, one in enumerate(rows)))


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variants, "_CHUNK", 7)
    monkeypatch.setattr(variants, "_FEW", 10)


@pytest.fixture
def no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> Iterator[Varied]:
        raise AssertionError("processes were started")

    monkeypatch.setattr(variants, "made_by_processes", refused)


def _same(one: Varied, other: Varied) -> bool:
    return one.variants.equals(other.variants) and one.counts.equals(other.counts)


@pytest.mark.usefixtures("small_parts")
def test_the_parts_together_are_the_whole() -> None:
    parts = list(vary_in_parts(_examples(), MECHANICAL, seed=3))
    assert len(parts) == 14
    assert all(part.variants.n_unique("example") <= 7 for part in parts)
    whole = vary(_examples(), MECHANICAL, seed=3)
    assert pl.concat([part.variants for part in parts]).equals(whole.variants)
    assert total_counts(part.counts for part in parts).equals(whole.counts)


@pytest.mark.usefixtures("small_parts")
def test_two_processes_make_the_same_table_whatever_the_order_of_rows() -> None:
    alone = vary(_examples(), MECHANICAL, seed=3, system="Be brief.")
    assert _same(vary(_examples().sample(fraction=1.0, shuffle=True, seed=1), MECHANICAL, seed=3, system="Be brief.", processes=2), alone)


def test_few_examples_start_no_process(no_processes: None) -> None:
    assert _same(vary(_examples(), MECHANICAL, processes=2), vary(_examples(), MECHANICAL))


@pytest.mark.usefixtures("small_parts", "no_processes")
@pytest.mark.parametrize("processes", [0, 1])
def test_one_process_is_this_one(processes: int) -> None:
    assert vary(_examples(), ["case"], processes=processes).variants.n_unique("example") == 90


@pytest.mark.usefixtures("small_parts", "no_processes")
def test_families_that_use_other_examples_are_made_here() -> None:
    examples = table(*(row(str(number), f"What is {number}?", answers=["x"]) for number in range(30)))
    assert _same(vary(examples, ["few-shot", "case"], processes=2), vary(examples, ["few-shot", "case"]))


@pytest.mark.usefixtures("small_parts", "no_processes")
def test_a_variation_registered_by_hand_is_made_here() -> None:
    registry.register("variations", "by-hand", Typo())
    try:
        assert vary(_examples(), ["case+by-hand"], processes=2).counts["made"].sum() > 0
    finally:
        registry.unregister("variations", "by-hand")


@pytest.mark.usefixtures("small_parts")
def test_bad_specs_are_named_before_anything_starts(no_processes: None) -> None:
    with pytest.raises(StudyError, match="given twice"):
        vary(_examples(), ["typo", "typo"], processes=2)


def test_no_examples_make_empty_tables_with_any_number_of_processes() -> None:
    assert vary(schemas.empty("examples"), MECHANICAL, processes=None).variants.is_empty()


def test_what_a_process_could_not_make_is_made_here() -> None:
    examples = _examples(4).filter(dataset="a")
    maker = Maker(["case"], 0, None)
    made = maker.make(examples, Beside(examples, None))

    def here(part: pl.DataFrame) -> Varied:
        assert part is examples
        return made

    failed: Future[Varied] = Future()
    failed.set_exception(BrokenProcessPool("ended"))
    assert _taken_back(examples, failed, here) is made
    assert _taken_back(examples, None, here) is made
    done: Future[Varied] = Future()
    done.set_result(made)
    assert _taken_back(examples, done, lambda _: pytest.fail("made again")) is made


def test_a_pool_that_broke_takes_nothing() -> None:
    class Broken:
        def submit(self, *_: Any) -> None:
            raise BrokenProcessPool

    assert _handed_out(cast("ProcessPoolExecutor", Broken()), _examples(1)) is None


def test_workers_are_as_many_as_asked_for_or_as_there_are_cores() -> None:
    assert workers(3) == 3
    assert workers(0) == 1
    assert (workers(None) or 0) >= 1


def test_the_use_of_the_outside_is_seen() -> None:
    watched = Watched(Beside(_examples(2), None))
    assert not watched.is_used
    assert [example.example for example in watched.pool("a")] == ["e0"]
    assert watched.is_used
