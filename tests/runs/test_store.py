"""A part is there or it is not; what is damaged or foreign is named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from sago import schemas
from sago.errors import RunFolderError
from sago.runs import RunStore

ROW = {
    "model": "m",
    "dataset": "d",
    "example": "e",
    "variant": "canonical",
    "decoding": "greedy",
    "rerun": 0,
    "status": "ok",
    "response": "yes",
    "request_key": "k",
}


def observations(**changes: object) -> pl.DataFrame:
    return schemas.frame("observations", [{**ROW, **changes}])


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    store.append("observations", observations(), 1)
    store.append("observations", observations(example="f", response="Ünïcode 以上\n\ttab"), 2)
    assert store.read("observations")["response"].to_list() == ["yes", "Ünïcode 以上\n\ttab"]
    assert store.next_part() == 3


def test_a_table_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert RunStore(tmp_path).read("profiles").equals(schemas.empty("profiles"))
    assert RunStore(tmp_path).read("states").is_empty()


def test_parquet_files_carry_their_schema_version(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    store.append("observations", observations(), 1)
    metadata = pl.read_parquet_metadata(tmp_path / "observations" / "part-000001.parquet")
    assert (metadata["sago_table"], metadata["sago_schema_version"]) == ("observations", str(schemas.SCHEMA_VERSION))


@pytest.mark.parametrize(
    ("first", "second", "counts"), [("error", "ok", "ok"), ("ok", "error", "ok"), ("error", "error", "error"), ("empty", "ok", "ok")]
)
def test_of_two_answers_to_one_request_the_last_without_error_counts(tmp_path: Path, first: str, second: str, counts: str) -> None:
    store = RunStore(tmp_path)
    store.append("observations", observations(status=first, response=first), 1)
    store.append("observations", observations(status=second, response=second), 2)
    read = store.read("observations")
    assert read.height == 1
    assert read["status"].item() == counts


def test_temporary_files_of_a_crash_are_not_parts(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    store.append("observations", observations(), 1)
    (tmp_path / "observations" / ".part-000002.parquet.99.tmp").write_bytes(b"half a file")
    assert store.read("observations").height == 1
    assert store.next_part() == 2


@pytest.mark.parametrize("content", [b"", b"PAR1 torn", b"\0" * 200])
def test_a_damaged_part_is_named_with_what_to_do(tmp_path: Path, content: bytes) -> None:
    store = RunStore(tmp_path)
    store.append("observations", observations(), 1)
    path = tmp_path / "observations" / "part-000001.parquet"
    path.write_bytes(content)
    with pytest.raises(RunFolderError, match=r"part-000001\.parquet: damaged.*Delete this file"):
        store.read("observations")


def test_another_schema_version_is_refused(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    store.append("observations", observations(), 1)
    path = tmp_path / "observations" / "part-000001.parquet"
    pl.read_parquet(path).write_parquet(path, metadata={"sago_schema_version": "0"})
    with pytest.raises(RunFolderError, match="schema version 0"):
        store.read("observations")


def test_a_second_process_is_told_that_the_folder_is_in_use(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom sago.errors import RunFolderError\nfrom sago.runs import RunStore\n"
        f"try:\n  with RunStore(Path({str(tmp_path)!r})).locked(): print('got it')\nexcept RunFolderError as error: print(error)"
    )
    with RunStore(tmp_path).locked():
        held = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    free = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "another process" in held
    assert free == "got it\n"


def test_a_folder_with_other_content_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(RunFolderError, match=r"thesis\.tex"):
        RunStore(tmp_path).check_usable()


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("x")
    with pytest.raises(RunFolderError, match="is a file"):
        RunStore(path).check_usable()


@pytest.mark.parametrize(("text", "message"), [(None, "no such folder"), ("{", "cannot be read"), ("[1]", "not a JSON object")])
def test_a_missing_or_broken_manifest_is_named(tmp_path: Path, text: str | None, message: str) -> None:
    folder = tmp_path / "run"
    if text is not None:
        folder.mkdir()
        (folder / "manifest.json").write_text(text)
    with pytest.raises(RunFolderError, match=message):
        RunStore(folder).read_manifest()
