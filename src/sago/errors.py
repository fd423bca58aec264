"""Every error that SAGO raises on purpose, as one tree.

    SagoError                     base: message says where, what, and what to do
    ├── InputError                bad input from a person; nothing was spent (exit code 2)
    │   ├── DataError             a data file or one of its rows
    │   ├── StudyError            a study, a flag, or a plug-in's parameter
    │   ├── UnknownNameError      a name that is not registered; suggests its neighbours
    │   └── MissingExtraError     an optional package is not installed; names the install line
    ├── SchemaError               a table that does not fit its declared schema (a bug, or a foreign file)
    ├── RunFolderError            a run folder that is locked, foreign, damaged, or of another study (exit code 2)
    ├── ModelError                a model that cannot be loaded or that fails as a whole
    │   ├── NotObservableError    something was asked of a model that it declared it cannot do
    │   └── StoppedError          a model cannot be asked any further: quota, key, limit (exit code 4 where something was answered)
    └── PluginError               a plug-in that breaks its protocol

An error message is one line where it can be: ``where: what. What to do.``
"""

from __future__ import annotations

from collections.abc import Iterable

EXIT_DONE = 0
EXIT_GATE = 1
EXIT_BAD_INPUT = 2
EXIT_INCONCLUSIVE = 3
EXIT_OBSERVATIONS_IN_ERROR = 4
EXIT_INTERRUPTED = 130


class SagoError(Exception):
    """Base of every error that SAGO raises on purpose.

    Args:
        what: The problem, without a full stop at the end.
        where: The place (file, line, item), put in front of the message.
        fix: What the reader can do about it, put behind the message.
    """

    exit_code: int = EXIT_BAD_INPUT

    def __init__(self, what: str, *, where: str | None = None, fix: str | None = None) -> None:
        self.what = what
        self.where = where
        self.fix = fix
        message = f"{where}: {what}" if where else what
        # What a server said ends in a full stop of its own; an ellipsis stays.
        stop = "" if message.endswith(".") and not message.endswith("..") else "."
        super().__init__(f"{message}{stop} {fix}" if fix else message)


class InputError(SagoError):
    """Bad input from a person, found before anything was spent."""


class DataError(InputError):
    """A data file, or some of its rows, cannot be used.

    Args:
        problems: One line for each bad row, each naming its line or item.
    """

    def __init__(self, what: str, *, where: str | None = None, fix: str | None = None, problems: Iterable[str] = ()) -> None:
        self.problems = tuple(problems)
        shown = list(self.problems[:10])
        if len(self.problems) > len(shown):
            shown.append(f"and {len(self.problems) - len(shown)} more")
        joined = "".join(f"\n  {line}" for line in shown)
        super().__init__(f"{what}{':' if joined else ''}{joined}", where=where, fix=fix)


class StudyError(InputError):
    """A study, a flag or a plug-in's parameter has a value that cannot be used."""


class UnknownNameError(InputError):
    """A name that is not registered."""

    def __init__(self, kind: str, name: str, *, known: Iterable[str], neighbours: Iterable[str] = ()) -> None:
        self.kind = kind
        self.name = name
        self.known = tuple(sorted(known))
        self.neighbours = tuple(neighbours)
        hint = f"Did you mean {' or '.join(self.neighbours)}?" if self.neighbours else f"Known: {', '.join(self.known) or 'none'}"
        super().__init__(f"unknown {kind} '{name}'", fix=hint)


class MissingExtraError(InputError):
    """A feature needs an optional package that is not installed."""

    def __init__(self, what: str, *, install: str) -> None:
        super().__init__(what, fix=f"Install it with: {install}")


class SchemaError(SagoError):
    """A table does not fit its declared schema."""


class RunFolderError(SagoError):
    """A run folder is locked by another process, foreign, damaged, or belongs to another study."""


class ModelError(SagoError):
    """A model cannot be loaded, or fails as a whole."""


class NotObservableError(ModelError):
    """A model was asked for something that it declared it cannot do."""


class StoppedError(ModelError):
    """A model cannot be asked any further: no credit, a key that is not accepted, a limit that was set. What it answered is saved.

    Args:
        answered: Whether anything was answered before; if so something was spent, and the exit code is 4.
    """

    def __init__(self, what: str, *, where: str | None = None, fix: str | None = None, answered: bool = False) -> None:
        super().__init__(what, where=where, fix=fix)
        self.exit_code = EXIT_OBSERVATIONS_IN_ERROR if answered else EXIT_BAD_INPUT


class PluginError(SagoError):
    """A plug-in breaks the protocol that it registered for."""
