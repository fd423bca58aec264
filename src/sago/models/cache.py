"""Where SAGO keeps what it can make again: converted weights, and hashes of large files."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

from filelock import FileLock

CACHE_VARIABLE = "SAGO_CACHE"
"""Environment variable that names another cache folder."""

_CHUNK = 1 << 22


def cache_folder() -> Path:
    """Returns the cache folder: ``SAGO_CACHE``, or the user's cache as the operating system has it; it may not exist yet."""
    given = os.environ.get(CACHE_VARIABLE)
    if given:
        return Path(given).expanduser()
    from platformdirs import user_cache_path

    return user_cache_path("sago")


def file_hash(path: Path) -> str:
    """Returns the sha256 of a file as 64 hex digits."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def weights_hash(files: Iterable[Path]) -> str | None:
    """Returns one sha256 over the names and contents of weight files; null for no file.

    The hash of each file is remembered by path, size and time of change, so that gigabytes are read once.
    """
    paths = sorted(files, key=lambda path: path.name)
    if not paths:
        return None
    known = cache_folder() / "weight-hashes.json"
    known.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with FileLock(known.with_suffix(".lock")):
        remembered = _read(known)
        for path in paths:
            seen = path.stat()
            key = f"{path.resolve()}|{seen.st_size}|{seen.st_mtime_ns}"
            if key not in remembered:
                remembered[key] = file_hash(path)
            digest.update(f"{path.name}:{remembered[key]}\n".encode())
        partial = known.with_suffix(".partial")
        partial.write_text(json.dumps(remembered, indent=1), encoding="utf-8")
        partial.replace(known)
    return digest.hexdigest()


def _read(path: Path) -> dict[str, str]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # nothing remembered yet, or a damaged file: everything in it can be made again
    return found if isinstance(found, dict) else {}
