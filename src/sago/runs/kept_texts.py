"""Texts that models wrote, kept by content in the user's cache: what was written once is never asked for again."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from filelock import FileLock

from sago.models.cache import cache_folder

_FOLDER = "written"
_IDENTITIES = "models.json"


def texts_folder() -> Path:
    """Returns where texts are kept: ``written`` in the cache folder, which the variable ``SAGO_CACHE`` moves."""
    return cache_folder() / _FOLDER


class KeptTexts:
    """The texts of one model: a file of one JSON object a line, the model first; it only ever grows.

    A line is written in one piece and brought to the disk before the next is asked for. What a crash left of a line is passed over. Of two
    processes that wrote the same text at once, the first one's stands for both.

    Args:
        folder: Where the files are.
        identity: Hash of everything about the model that could change a text.
        described: What stands in the file's first line.
    """

    def __init__(self, folder: Path, identity: str, described: Mapping[str, Any]) -> None:
        name = re.sub(r"[^\w.-]+", "-", str(described.get("id", "model")))[:80].strip("-.") or "model"
        self.path = folder / f"{name}-{identity[:16]}.jsonl"
        self._described = dict(described)
        self._rows: dict[str, dict[str, Any]] = {}
        self._read_to = 0
        if self.path.exists():
            self._read()

    def get(self, key: str) -> dict[str, Any] | None:
        """Returns what is kept under a key."""
        return self._rows.get(key)

    def keep(self, key: str, row: Mapping[str, Any]) -> None:
        """Keeps what was written, unless somebody else was first."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(self.path.with_suffix(".lock")):
            self._read()
            if key not in self._rows:
                self._append({"key": key, **row})
                self._read()

    def _append(self, row: Mapping[str, Any]) -> None:
        lines = [row]
        size = self.path.stat().st_size if self.path.exists() else 0
        if not size:
            lines.insert(0, {"model": self._described})
        text = "".join(json.dumps(line, ensure_ascii=False, sort_keys=True) + "\n" for line in lines)
        # Behind half a line of a process that was ended, a new one begins.
        data = (b"\n" if size > self._read_to else b"") + text.encode("utf-8", "replace")
        with self.path.open("ab") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())

    def _read(self) -> None:
        """Reads the whole lines that came since the last look."""
        if not self.path.exists():
            return
        with self.path.open("rb") as stream:
            stream.seek(self._read_to)
            for line in stream:
                if not line.endswith(b"\n"):
                    break
                self._read_to += len(line)
                row = _row(line)
                if isinstance(row.get("key"), str):
                    self._rows.setdefault(row["key"], row)


class Identities:
    """Remembers which model was behind a name, so that nothing has to be loaded to find its texts.

    Args:
        folder: Where the texts are.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / _IDENTITIES

    def get(self, stamp: str) -> dict[str, Any] | None:
        """Returns what is remembered under a stamp."""
        found = self._all().get(stamp)
        return found if isinstance(found, dict) else None

    def remember(self, stamp: str, described: Mapping[str, Any]) -> None:
        """Remembers a model; a file that is damaged is begun anew."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(self._path.with_suffix(".lock")):
            partial = self._path.with_suffix(".partial")
            partial.write_text(json.dumps({**self._all(), stamp: dict(described)}, indent=1, sort_keys=True), encoding="utf-8")
            partial.replace(self._path)

    def _all(self) -> dict[str, Any]:
        try:
            return _row(self._path.read_bytes())
        except OSError:
            return {}


def _row(data: bytes) -> dict[str, Any]:
    try:
        found = json.loads(data)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
