"""Objects that a user names by their module, or by the Python file that makes them."""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from sago.errors import DataError, SagoError


def named_object(source: str, ways: str) -> tuple[Any, str]:
    """Returns the object behind ``MODULE:NAME`` or ``FILE.py:NAME``, and its name. The code of the module is run.

    Args:
        source: What the user wrote.
        ways: How it may be written, for messages.

    Raises:
        DataError: If the module cannot be imported or holds nothing of that name.
    """
    module_name, colon, name = source.rpartition(":")
    if not (colon and module_name and name):
        raise DataError("names no module and object", where=source or "''", fix=f"Write {ways}")
    module = _of_file(Path(module_name), source) if module_name.endswith(".py") else _of_name(module_name, source)
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            near = difflib.get_close_matches(part, [other for other in vars(module) if not other.startswith("_")], n=2)
            hint = f"Did you mean {' or '.join(near)}?" if near else None
            raise DataError(f"'{module_name}' holds no '{name}'", where=source, fix=hint)
        found = getattr(found, part)
    return found, name


def _of_name(name: str, source: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not (name == error.name or name.startswith(f"{error.name}.")):
            raise DataError(f"cannot be imported: {error}", where=source) from error
        beside = Path(*name.split(".")).with_suffix(".py")
        hint = f"Name the file: {beside}:..." if beside.is_file() else "Install its package, or name a file: folder/file.py:..."
        raise DataError(f"there is no module '{error.name}'", where=source, fix=hint) from error
    except SagoError:
        raise
    except Exception as error:  # whatever foreign code raises at import is reported with its name
        raise DataError(f"cannot be imported: {error!r}", where=source) from error


def _of_file(path: Path, source: str) -> ModuleType:
    if not path.is_file():
        raise DataError(f"no such file: {path}", where=source)
    name = f"_sago_file_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise DataError(f"{path} is no Python file", where=source)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickles of the file look for it there
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        if isinstance(error, SagoError):
            raise
        raise DataError(f"cannot be imported: {error!r}", where=source) from error
    return module
