"""Flags from the fields of ``Study``: each field is one flag, so the two never drift apart."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from typing import Annotated, Any, get_args

import typer
from pydantic.fields import FieldInfo

from sago.errors import StudyError
from sago.records import ApiOptions
from sago.study import Study

FLAG_NAMES: dict[str, tuple[str, ...]] = {"models": ("--model", "-M"), "limit": ("--limit", "-L"), "seed": ("--seed",)}
"""Flags whose names follow the field rather than the study's field name; every other flag is the name with dashes."""

_NOT_SPLIT = {"data", "models", "stop"}
"""Lists whose items may hold a comma themselves: they are repeated, never split."""

_PANELS = {
    "What to ask": (
        "models",
        "data",
        "columns",
        "limit",
        "sample",
        "variations",
        "variants",
        "checks",
        "reruns",
        "temperature",
        "system",
        "max_new_tokens",
        "stop",
    ),
    "What to measure": (
        "axes",
        "measures",
        "nli",
        "generation_measure",
        "non_answers",
        "smallest_effect",
        "margin",
        "alpha",
        "audit_examples",
        "audit_reruns",
        "depths",
        "taps",
    ),
    "Models behind an API": tuple(ApiOptions.__dataclass_fields__),
}


def flag_names(field: str) -> tuple[str, ...]:
    """Returns the flags of a study field, for instance ``("--max-new-tokens",)``."""
    return FLAG_NAMES.get(field, (f"--{field.replace('_', '-')}",))


def study_flags(*, leave_out: tuple[str, ...] = ()) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Gives a command one flag for each field of ``Study``; the command receives what was given as ``changes``.

    Args:
        leave_out: Fields for which the command has no flag.
    """
    fields = {name: info for name, info in Study.model_fields.items() if name not in leave_out}

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def with_flags(**arguments: Any) -> None:
            given = {name: arguments.pop(name) for name in fields}
            changes = {name: _value(name, fields[name], text) for name, text in given.items() if text not in (None, [])}
            try:
                command(**arguments, changes=changes)
            except StudyError as error:
                raise _in_flags(error, changes, command.__name__) from error

        own = [parameter for name, parameter in inspect.signature(command, eval_str=True).parameters.items() if name != "changes"]
        flags = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_annotation(name, info))
            for name, info in fields.items()
        ]
        with_flags.__signature__ = inspect.Signature([*own, *flags])  # type: ignore[attr-defined]
        with_flags.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *flags)}
        del with_flags.__wrapped__
        return with_flags

    return decorate


def _in_flags(error: StudyError, changes: dict[str, Any], verb: str) -> StudyError:
    """Returns the error with flags in place of the fields that were given by flags: a person wrote ``--alpha``, not ``alpha``."""
    if error.where is not None:
        return error
    what = error.what
    for name in changes:
        what = re.sub(rf"(^|; ){name}(?:\.\d+)?: (?:input )?", rf"\1{flag_names(name)[0]}: ", what)
    return error if what == error.what else StudyError(what, fix=f"See sago {verb} --help for every option")


def _annotation(name: str, info: FieldInfo) -> Any:
    kind = _kind(info)
    panel = next((title for title, members in _PANELS.items() if name in members), "How to run it")
    default = info.default
    shown = ",".join(map(str, default)) if isinstance(default, list) else default
    text = f"{info.description}." + ("" if shown in (None, "", {}) or isinstance(shown, bool) else f" [dim]\\[{shown}][/dim]")
    names = flag_names(name)
    if kind is bool:
        return Annotated[bool | None, typer.Option(f"{names[0]}/--no-{names[0][2:]}", help=text, rich_help_panel=panel, show_default=False)]
    if kind in (int, float):
        return Annotated[kind | None, typer.Option(*names, help=text, rich_help_panel=panel, show_default=False)]
    if kind is list:
        return Annotated[list[str] | None, typer.Option(*names, help=text, rich_help_panel=panel, show_default=False)]
    return Annotated[str | None, typer.Option(*names, help=text, rich_help_panel=panel, show_default=False)]


def _kind(info: FieldInfo) -> type:
    parts = [part for part in get_args(info.annotation) if part is not type(None)] or [info.annotation]
    text = str(info.annotation)
    if text.startswith(("list", "typing.List")) or "list[" in text:
        return list
    return next((kind for kind in (bool, int, float) if parts[0] is kind), str)


def _value(name: str, info: FieldInfo, given: Any) -> Any:
    if name == "columns":
        return read_columns(given)
    if _kind(info) is not list:
        return given
    items = [str(item) for item in given]
    if name not in _NOT_SPLIT:
        items = [part for item in items for part in _split(item)]
    if not items:
        raise StudyError("names nothing", where=flag_names(name)[0], fix="Give names joined by commas, or leave it out")
    if name == "depths":
        if items == ["all"]:
            return "all"
        return [_depth(item) for item in items]
    return items


def _split(text: str) -> list[str]:
    """Splits at commas, except before ``key=value``, which belongs to the item in front: ``typo:n=2,rate=0.1,case``."""
    return [part.strip() for part in re.split(r",(?![\w-]+=)", text) if part.strip()]


def read_columns(text: str) -> dict[str, str]:
    """Reads a mapping of columns as it is written on the command line: ``field=column,field=column``."""
    columns = {}
    for part in text.split(","):
        field, equals, column = part.partition("=")
        if not (equals and field.strip() and column.strip()):
            raise StudyError(
                f"cannot read '{part}'", where="--columns", fix="Write field=column, for instance question=prompt,answer=target"
            )
        columns[field.strip()] = column.strip()
    return columns


def _depth(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise StudyError(f"'{text}' is no number", where="--depths", fix="Give numbers from 0 to 1, such as 0.5,1, or all") from error
