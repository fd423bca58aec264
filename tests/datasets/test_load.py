from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from sago import registry
from sago.datasets import LoadOptions, load, load_file
from sago.errors import DataError, PluginError, StudyError


def _write(path: Path, rows: list[dict[str, Any]]) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return str(path)


ROWS = [{"id": f"q{number}", "question": f"What is {number} + 1?", "answer": number + 1} for number in range(40)]


@pytest.fixture
def file(tmp_path: Path) -> str:
    return _write(tmp_path / "sums.jsonl", ROWS)


@pytest.fixture
def plugin() -> Iterator[list[Any]]:
    """A registered loader; the list holds what it returns, and is given what it was asked."""
    state: list[Any] = []

    def loader(source: str, options: LoadOptions) -> pl.DataFrame:
        state.append((source, options.name))
        table: pl.DataFrame = state[0]
        return table

    registry.register("datasets", "planted-data", loader)
    yield state
    registry.unregister("datasets", "planted-data")


class TestSources:
    def test_a_dataset_is_called_like_its_file(self, file: str) -> None:
        assert load([file]).examples["dataset"].unique().to_list() == ["sums"]

    def test_several_sources_follow_each_other(self, file: str, tmp_path: Path) -> None:
        other = _write(tmp_path / "b.jsonl", ROWS[:2])
        examples = load([other, file]).examples
        assert examples["dataset"].to_list() == ["b"] * 2 + ["sums"] * 40
        assert examples["position"].to_list() == [0, 1, *range(40)]

    def test_equal_names_are_told_apart_by_their_folders(self, tmp_path: Path) -> None:
        sources = [_write(tmp_path / folder / "test.jsonl", ROWS[:1]) for folder in ("mmlu", "squad")]
        assert load(sources).examples["dataset"].to_list() == ["mmlu-test", "squad-test"]

    def test_equal_names_in_equal_folders_are_refused(self, tmp_path: Path) -> None:
        sources = [_write(tmp_path / top / "data" / "test.jsonl", ROWS[:1]) for top in ("a", "b")]
        with pytest.raises(DataError, match="data-test"):
            load(sources)

    def test_one_file_twice_is_refused(self, file: str) -> None:
        with pytest.raises(DataError, match="given twice"):
            load([file, f"{Path(file).parent}/./sums.jsonl"])

    def test_a_wrong_path_suggests_the_file_beside_it(self, file: str) -> None:
        with pytest.raises(DataError, match=r"sumz\.jsonl: no such file.*Did you mean .*sums\.jsonl\?"):
            load([file.replace("sums", "sumz")])

    def test_a_wrong_name_suggests_the_registered_one(self) -> None:
        with pytest.raises(DataError, match="Did you mean builtin-choice"):
            load(["builtin-choise"])

    def test_a_folder_lists_its_files(self, file: str) -> None:
        with pytest.raises(DataError, match=r"is a folder.*sums\.jsonl"):
            load([str(Path(file).parent)])

    def test_no_source_is_no_example(self) -> None:
        assert load([]).examples.height == 0


class TestColumns:
    def test_for_built_in_data_alone_there_is_nothing_to_map(self) -> None:
        with pytest.raises(StudyError, match=r"columns: the fields of builtin-text have fixed names\. Leave --columns out"):
            load(["builtin-text"], columns={"question": "prompt"})

    def test_beside_a_file_built_in_data_keeps_its_own_fields(self, tmp_path: Path) -> None:
        path = _write(tmp_path / "own.jsonl", [{"prompt": "What is 1 + 1?", "answer": 2}])
        loaded = load(["builtin-text", path], columns={"question": "prompt"}).examples
        assert loaded.filter(dataset="own")["question"].to_list() == ["What is 1 + 1?"]
        assert loaded.filter(dataset="builtin-text").height == 12


class TestPlugins:
    def test_a_registered_name_is_loaded(self, plugin: list[Any], file: str) -> None:
        plugin.append(load_file(file, LoadOptions(name="planted-data")))
        assert load(["planted-data"]).examples.height == 40
        assert plugin[-1] == ("planted-data", None)

    def test_what_stands_behind_the_colon_is_its_argument(self, plugin: list[Any], file: str) -> None:
        plugin.append(load_file(file, LoadOptions(name="planted-data")))
        load(["planted-data:some/thing"])
        assert plugin[-1] == ("some/thing", None)

    def test_a_table_that_fits_no_schema_is_the_plugins_fault(self, plugin: list[Any]) -> None:
        plugin.append(pl.DataFrame({"question": ["x"]}))
        with pytest.raises(PluginError, match="planted-data"):
            load(["planted-data"])

    def test_two_sources_of_one_name_are_refused(self, plugin: list[Any], file: str) -> None:
        plugin.append(load_file(file, LoadOptions()))
        with pytest.raises(DataError, match="'sums'"):
            load(["planted-data", file])


class TestLimit:
    def test_the_draw_is_said_and_keeps_the_order(self, file: str) -> None:
        loaded = load([file], limit=10, seed=3)
        assert loaded.examples.height == 10
        assert loaded.examples["position"].is_sorted()
        assert loaded.examples["position"].to_list() != list(range(10))
        assert "sums: drew 10 of 40 at random (seed 3)" in loaded.notes

    def test_it_does_not_depend_on_the_order_of_the_file(self, file: str, tmp_path: Path) -> None:
        turned = _write(tmp_path / "turned" / "sums.jsonl", ROWS[::-1])
        drawn = [set(load([source], limit=10).examples["example"]) for source in (file, turned)]
        assert drawn[0] == drawn[1]

    def test_it_is_a_part_of_a_larger_draw(self, file: str) -> None:
        small, large = (set(load([file], limit=limit).examples["example"]) for limit in (5, 20))
        assert small < large

    def test_another_seed_draws_others(self, file: str) -> None:
        assert set(load([file], limit=10, seed=1).examples["example"]) != set(load([file], limit=10, seed=2).examples["example"])

    @pytest.mark.parametrize("limit", [40, 41])
    def test_a_limit_that_leaves_all_draws_nothing(self, limit: int, file: str) -> None:
        loaded = load([file], limit=limit)
        assert loaded.examples.height == 40
        assert loaded.notes == ()

    @pytest.mark.parametrize("limit", [0, -1])
    def test_no_examples_is_no_limit(self, limit: int, file: str) -> None:
        with pytest.raises(StudyError, match="limit"):
            load([file], limit=limit)

    def test_the_task_is_that_of_the_whole_dataset(self, tmp_path: Path) -> None:
        source = _write(tmp_path / "mixed.jsonl", [*ROWS, {"id": "w", "question": "Colour of snow?", "answer": "white"}])
        assert load([source], limit=1).examples["task"].to_list() == ["text"]


class TestSample:
    def test_the_draw_is_said_and_is_a_share(self, file: str) -> None:
        loaded = load([file], sample=0.25, seed=3)
        assert loaded.examples.height == 10
        assert "sums: drew 10 of 40 at random (seed 3; --sample 0.25)" in loaded.notes

    def test_it_is_the_draw_of_a_limit(self, file: str) -> None:
        assert load([file], sample=0.25).examples.equals(load([file], limit=10).examples)

    @pytest.mark.parametrize(
        ("limit", "sample", "count", "why"), [(5, 0.5, 5, "--limit"), (30, 0.5, 20, "--sample 0.5"), (None, 0.001, 1, "--sample 0.001")]
    )
    def test_the_smaller_of_both_counts(self, limit: int | None, sample: float, count: int, why: str, file: str) -> None:
        loaded = load([file], limit=limit, sample=sample)
        assert loaded.examples.height == count
        assert loaded.notes == (f"sums: drew {count} of 40 at random (seed 0; {why})",)

    def test_all_is_no_draw(self, file: str) -> None:
        assert load([file], sample=1.0).notes == ()

    @pytest.mark.parametrize("sample", [0.0, -0.5, 1.5, float("nan")])
    def test_what_is_no_share_is_refused(self, sample: float, file: str) -> None:
        with pytest.raises(StudyError, match="is no share"):
            load([file], sample=sample)
