"""What a person typed wrongly, as one clear message; the parser's own box of several lines buries it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence

import typer

Mistake: type[Exception] = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
"""Every error of the parser of the command line: typer names only some of them, and which library they come from differs by its version."""

_LONGEST = 200
_ELSEWHERE = {"--dry-run": "sago plan counts calls, tokens and cost, and asks nothing"}
"""What other programs have as an option, and this one under another name."""


def told(mistake: Exception, given: Sequence[str], verbs: Iterable[str]) -> str:
    """Returns what was wrong with the command line and what to do about it, in one line.

    Args:
        mistake: An error of the parser (:data:`Mistake`).
        given: What was typed behind ``sago``.
        verbs: Every verb there is.
    """
    known = list(verbs)
    verb = next((f" {word}" for word in given if word in known), "")
    what, hint = _what(mistake, known)
    return f"{' '.join(what.split())}. {hint or f'See sago{verb} --help'}"


def _what(mistake: Exception, verbs: list[str]) -> tuple[str, str | None]:
    """Returns the problem and, where it is not the list of options, what to do."""
    kind = type(mistake).__name__
    said = str(getattr(mistake, "message", mistake)).strip().rstrip(".")
    if kind == "NoSuchOption":
        name = str(getattr(mistake, "option_name", said))
        if name in _ELSEWHERE:
            return f"there is no option {name}", _ELSEWHERE[name]
        near = difflib.get_close_matches(name.lstrip("-"), [one.lstrip("-") for one in _options_of(mistake)], n=1)
        return f"there is no option {name}", f"Did you mean --{near[0]}?" if near else None
    if kind == "BadOptionUsage":
        return f"{getattr(mistake, 'option_name', said)}: needs a value" if "requires" in said else said, None
    unknown = re.match(r"No such command '(?P<name>.*?)'(?:\.|$)", said, re.DOTALL)
    if unknown:
        near = difflib.get_close_matches(unknown["name"], verbs, n=1)
        return f"there is no verb '{unknown['name'][:_LONGEST]}'", f"Did you mean {near[0]}?" if near else f"Verbs: {', '.join(verbs)}"
    extra = re.match(r"Got unexpected extra arguments?(?:\(s\))? \((?P<words>.*)\)$", said, re.DOTALL)
    if extra:
        return f"more arguments than it takes: {extra['words'][:_LONGEST]}", None
    parameter = getattr(mistake, "param", None)
    if parameter is None:
        return _first_small(said), None
    name = max(parameter.opts, key=len) if parameter.param_type_name == "option" else str(parameter.name).upper()
    if kind == "MissingParameter":
        help_text = str(getattr(parameter, "help", None) or "").strip().rstrip(".")
        return f"{name} is missing" + (f": {_first_small(help_text)}" if help_text else ""), None
    return f"{name}: {_plainly(said)}", None


def _options_of(mistake: Exception) -> list[str]:
    context = getattr(mistake, "ctx", None)
    known = [] if context is None else [name for parameter in context.command.params for name in parameter.opts]
    return [name for name in known if name.startswith("--")]


def _plainly(said: str) -> str:
    """Returns what a checker of values says without the words that speak to programmers.

    >>> _plainly("Input should be a valid integer, unable to parse string as an integer")
    'should be a whole number'
    >>> _plainly("Value error, 'x' is not one of 'a', 'b'")
    "'x' is not one of 'a', 'b'"
    """
    said = re.sub(r"^(?:Value error, |Input )|, unable to parse.*$", "", said, flags=re.DOTALL)
    said = said.replace("greater than or equal to", "at least").replace("less than or equal to", "at most")
    return _first_small(said.replace("a valid integer", "a whole number").replace("a valid number", "a number"))


def _first_small(text: str) -> str:
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
