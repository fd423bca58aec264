"""Keys of APIs: from the environment or a file, never on a command line, never shown."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sago.errors import InputError

HIDDEN = "[key]"
"""What stands where a key stood."""

NO_KEY = "none"
"""What is sent to a server of one's own where no key is known: official packages insist on sending something."""

_SHORTEST = 6
"""A text shorter than this cannot be told from an ordinary word, and is not searched for in what a server says."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A key that no representation shows.

    Attributes:
        value: The key itself.
    """

    value: str = field(repr=False)

    def __str__(self) -> str:
        return HIDDEN

    def hidden_in(self, text: str) -> str:
        """Returns a text without the key: a server may say it back in an error.

        >>> Secret("sk-very-secret").hidden_in("Incorrect key: sk-very-secret")
        'Incorrect key: [key]'
        """
        return text.replace(self.value, HIDDEN) if len(self.value) >= _SHORTEST and self.value in text else text


def hide_in_logs(key: Secret) -> None:
    """Takes a key out of everything that is logged from now on in this process.

    Packages log whole replies where a person switches that on, and a server may have said the key back. A filter of one logger or handler
    would not see what others log, so the record itself is made without it.
    """
    if len(key.value) < _SHORTEST or key in _hidden:
        return
    _hidden.add(key)
    if len(_hidden) > 1:
        return
    make = logging.getLogRecordFactory()

    def made(*given: Any, **named: Any) -> logging.LogRecord:
        record = make(*given, **named)
        try:
            message = record.getMessage()
        except (TypeError, ValueError):
            return record  # whoever logged it wrong is told so by the package itself
        if any(one.value in message for one in _hidden):
            for one in _hidden:
                message = one.hidden_in(message)
            record.msg, record.args = message, None
        return record

    logging.setLogRecordFactory(made)


_hidden: set[Secret] = set()


def key_of(variables: tuple[str, ...], key_file: str | None, *, spec: str, is_needed: bool) -> Secret:
    """Returns the key of a provider.

    Args:
        variables: Environment variables in which it may stand, the first one found counts.
        key_file: File with the key alone on a line, or lines ``NAME=key`` of which those with one of the variables' names count; null =
            look into the environment.
        spec: The model, for the message.
        is_needed: Whether there is no asking without one (a server of one's own often takes none).

    Raises:
        InputError: If the file cannot be read or holds no key, or a key is needed and there is none. No message shows any of it.
    """
    if key_file is not None:
        return Secret(_read(Path(key_file).expanduser(), variables))
    for name in variables:
        if found := os.environ.get(name, "").strip():
            return Secret(_checked(found, f"environment variable {name}"))
    if is_needed:
        fix = f"Set the environment variable {' or '.join(variables)}, or give a file with --key-file"
        raise InputError("there is no key to ask it with", where=spec, fix=fix)
    return Secret(NO_KEY)


def _read(file: Path, variables: tuple[str, ...]) -> str:
    try:
        lines = [line.strip() for line in file.read_text(encoding="utf-8-sig").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise InputError(f"the key cannot be read: {reason}", where=str(file), fix="Give the path of a file that holds it") from None
    lines = [line.removeprefix("export ").strip() for line in lines if line and not line.startswith("#")]
    named = {name.strip(): value.strip().strip("'\"") for name, equals, value in (line.partition("=") for line in lines) if equals}
    found = next((named[name] for name in variables if named.get(name)), None)
    if found is None and len(lines) == 1 and not set(variables) & set(named) and not _names_another(lines[0]):
        found = lines[0]
    if not found:
        fix = f"Write the key alone on a line, or {variables[0]}=key"
        raise InputError("holds no key for this model", where=str(file), fix=fix)
    return _checked(found, str(file))


def _names_another(line: str) -> bool:
    """Returns whether a line is ``NAME=key`` of another provider; a key itself may end in ``=``."""
    name, equals, value = line.partition("=")
    return bool(equals and value.strip("=") and name.isidentifier() and name.isupper())


def _checked(key: str, where: str) -> str:
    """Refuses what no header can carry; the message of the package beneath would show it."""
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise InputError("holds something that cannot be a key (blanks, or signs beyond ASCII)", where=where, fix="Copy the key again")
    return key
