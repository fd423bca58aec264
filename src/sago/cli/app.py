"""The ``sago`` command: its verbs, and what happens when something goes wrong."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated

import typer

from sago._version import __version__
from sago.cli.mistakes import Mistake, told
from sago.errors import EXIT_BAD_INPUT, EXIT_INTERRUPTED, SagoError

VERBS: dict[str, tuple[str, str]] = {
    "demo": ("demo", "See it work: a small real model, built-in questions, no network, no account."),
    "run": ("run", "Ask models the same questions in many wordings, score and report."),
    "score": ("score", "Score recorded answers, or a run again, without a model."),
    "import": ("import_logs", "Read logs of other tools into a run folder, without scoring them."),
    "vary": ("vary", "Make the wordings of every question, without a model."),
    "report": ("report", "Show the profile, the controls and the findings of one run or several."),
    "show": ("show", "Show one example: its wordings and the answers, side by side."),
    "plan": ("plan", "Count calls and tokens of a study, its time, and what it could show; runs nothing."),
    "list": ("list_names", "List the models, variations, features, axes, data sets and measures that can be named."),
}
"""Verb -> function, and its first line of help. Only the verb that was called is imported."""

_FILES = {"import": "import_logs"}
"""Verb -> file in ``cli`` that holds its function, where it is not called like the verb: some verbs are words of Python."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line and leaves with its exit code; errors are one clear line, never a traceback.

    Args:
        arguments: What stands behind ``sago``; null = those of the process.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = build(given)(given or ["--help"], prog_name="sago", standalone_mode=False)
    except Mistake as mistake:
        print(f"sago: {told(mistake, given, VERBS)}", file=sys.stderr)
        sys.exit(EXIT_BAD_INPUT)
    except SagoError as error:
        print(f"sago: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        _interrupted()
    except BrokenPipeError:
        # The reader of our output (head, less) has left; that is no error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        # What a person can mend without us: no space, no permission, a file where a folder should be.
        print(f"sago: {error.filename or 'file system'}: {error.strerror or error}. Give another path, or free it", file=sys.stderr)
        sys.exit(EXIT_BAD_INPUT)
    if code == EXIT_INTERRUPTED:
        _interrupted()
    if isinstance(code, int) and code:
        sys.exit(code)


def build(arguments: Sequence[str]) -> typer.Typer:
    """Returns the command line; the verb among the arguments is imported, the others stand there with their help line."""
    wanted = next((argument for argument in arguments if not argument.startswith("-")), None)
    app = typer.Typer(
        name="sago",
        help="How much a language model's behaviour changes when the same input is said in another way, against the noise of asking twice.",
        add_completion=False,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        epilog="Exit codes: 0 done, 2 bad input (nothing spent), 4 ended with observations in error, 130 interrupted.",
    )
    app.callback()(_sago)
    for verb, (function, summary) in VERBS.items():
        if verb == wanted:
            app.command(verb, short_help=summary)(getattr(import_module(f"sago.cli.{_FILES.get(verb, verb)}"), function))
        else:
            app.command(verb, help=summary)(_not_wanted)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"sago {__version__}")
        raise typer.Exit


def _sago(
    version: Annotated[bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)] = False,
) -> None:
    del version


def _not_wanted() -> None:
    """Stands for a verb that was not called."""


def _interrupted() -> None:
    print("\nsago: interrupted. Nothing that was observed is lost: go on with the same command.", file=sys.stderr)
    sys.exit(EXIT_INTERRUPTED)
