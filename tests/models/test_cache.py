from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from sago.models import cache


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(tmp_path / "cache"))


def test_the_folder_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache.cache_folder() == tmp_path / "cache"
    monkeypatch.delenv(cache.CACHE_VARIABLE)
    assert cache.cache_folder().name == "sago"


def weights(folder: Path, **contents: str) -> list[Path]:
    paths = []
    for name, content in contents.items():
        (folder / name).write_text(content)
        paths.append(folder / name)
    return paths


def test_the_hash_depends_on_names_and_contents_not_on_order(tmp_path: Path) -> None:
    files = weights(tmp_path, a="one", b="two")
    first = cache.weights_hash(files)
    digests = [hashlib.sha256(text.encode()).hexdigest() for text in ("one", "two")]
    assert first == hashlib.sha256(f"a:{digests[0]}\nb:{digests[1]}\n".encode()).hexdigest()
    assert cache.weights_hash(reversed(files)) == first
    assert cache.weights_hash(files[:1]) != first
    assert cache.weights_hash([]) is None


def test_a_file_is_read_once_and_again_when_it_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = weights(tmp_path, a="one")
    read: list[Path] = []
    hash_of = cache.file_hash

    def counted(path: Path) -> str:
        read.append(path)
        return hash_of(path)

    monkeypatch.setattr(cache, "file_hash", counted)
    first = cache.weights_hash(files)
    assert cache.weights_hash(files) == first
    assert len(read) == 1
    weights(tmp_path, a="another")
    assert cache.weights_hash(files) != first
    assert len(read) == 2


@pytest.mark.parametrize("content", ["{broken", "[1, 2]", ""])
def test_a_damaged_memory_is_made_again(tmp_path: Path, content: str) -> None:
    files = weights(tmp_path, a="one")
    first = cache.weights_hash(files)
    (cache.cache_folder() / "weight-hashes.json").write_text(content)
    assert cache.weights_hash(files) == first
