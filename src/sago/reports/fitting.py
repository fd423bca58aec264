"""Terminal tables that fit: columns are dropped, the least important first, and it is said which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

_GAP = 2


@dataclass(frozen=True)
class Column:
    """One column of a terminal table.

    Attributes:
        head: Its heading.
        cells: One text for each row.
        justify: Where the texts stand.
        drop: 0 = always shown; the highest is dropped first where the terminal is too narrow.
        name: What it is called where it was dropped; empty = its heading.
    """

    head: Text
    cells: Sequence[Text]
    justify: Literal["left", "right"] = "left"
    drop: int = 0
    name: str = ""

    @property
    def width(self) -> int:
        """Cells that the widest text needs."""
        return max(cell_len(text.plain) for text in (self.head, *self.cells))


def fits(columns: Sequence[Column], width: int) -> bool:
    """Returns whether all columns fit into so many cells."""
    return sum(column.width + _GAP for column in columns) - _GAP <= width


def fitted(blocks: Sequence[tuple[Text | None, Sequence[Column]]], width: int) -> RenderableType:
    """Returns tables below each other with the same columns at the same places, and a line that names the dropped ones.

    Args:
        blocks: A heading (or null) and columns for each table; every table has columns of the same headings.
        width: Width of the terminal in cells.
    """
    if not blocks:
        return Group()
    needed = [max(column.width for column in same) for same in zip(*(columns for _, columns in blocks), strict=True)]
    first = blocks[0][1]
    shown = list(range(len(first)))
    while sum(needed[index] + _GAP for index in shown) - _GAP > width:
        droppable = [index for index in shown if first[index].drop]
        if not droppable:
            break
        shown.remove(max(droppable, key=lambda index: first[index].drop))
    squeezed = sum(needed[index] + _GAP for index in shown) - _GAP > width
    parts: list[RenderableType] = []
    for title, columns in blocks:
        if title is not None:
            parts += [Text(), title]
        parts.append(_table([(columns[index], None if squeezed else needed[index]) for index in shown]))
    dropped = [first[index].name or first[index].head.plain for index in range(len(first)) if index not in shown]
    if dropped:
        parts.append(Text(f"A wider terminal also shows: {', '.join(dropped)}.", style="dim"))
    return Group(*parts)


def _table(columns: Sequence[tuple[Column, int | None]]) -> Table:
    table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="dim")
    for column, width in columns:
        table.add_column(column.head, justify=column.justify, min_width=width, overflow="fold")
    for cells in zip(*(column.cells for column, _ in columns), strict=True):
        table.add_row(*cells)
    return table
