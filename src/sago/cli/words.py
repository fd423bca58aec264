"""Words of data and users on the terminal: never read as markup, never as control codes."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text


def plain(text: str) -> str:
    """Returns the text with control characters made visible; line breaks and tabs stay."""
    from sago.reports.visible import visible_text

    return visible_text(text)


def has_colours(console: Console) -> bool:
    """Returns whether colours reach the eye: the terminal has them and the reader did not switch them off (``NO_COLOR``)."""
    return console.color_system is not None and not console.no_color


def print_note(console: Console, note: str) -> None:
    """Prints one note of the program about the user's data."""
    console.print(Text.assemble(("note: ", "dim"), plain(note)))


def print_place(console: Console, label: str, place: object) -> None:
    """Prints a label and a path, whole and on one line."""
    console.print(Text.assemble(label, (plain(str(place)), "bold")), soft_wrap=True)
