"""The line of a response that holds its short answer, where it may be a list, a table."""

from __future__ import annotations

import re

_TABLE_ROW = re.compile(r"\|[^\n]*|[^\n|]+\|[^\n]*")
_RULE = re.compile(r"\|?(?:\s*:?-{2,}:?\s*\|?)+")
_ITEM = re.compile(r"\s*(?:[-*•–]|\d{1,2}[.)])\s+(?P<said>\S.*)")
_CALLED = r"(?:(?:the|my|final|correct|short)\s+)*answer:?"
_PARTS = re.compile(r"^[ \t]*(?:-{3,}|_{3,}|\*{3,}|[-*_](?:[ \t][-*_]){2,})[ \t]*(?:\n|\Z)", re.MULTILINE)
"""A line that parts what stands above it from what stands below; alone it may be an answer."""


def first_line(text: str, *, cut_off: bool, is_below: bool = False) -> str | None:
    r"""Returns the first line of a text that says something: all items of a list, the answer of a table; null where there is none.

    Args:
        text: Lines without emphasis.
        cut_off: Whether the text ended because of its length, so that its last line may not be whole.
        is_below: Whether the text stands below a mark or heading, where a list of one item is that item.

    >>> first_line("---\nParis", cut_off=False), first_line("- Lyon\n- Paris", cut_off=False), first_line("Pa", cut_off=True)
    ('Paris', 'Lyon, Paris', None)
    """
    lines = _without_rules(text).splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        if line.strip():
            is_whole = number < len(lines) or line.endswith(("\n", "\r")) or line.rstrip().endswith((".", "!", "?", "。"))
            table = _table(lines[number - 1 :])
            if table:
                return None if cut_off and not text.rstrip(" ").endswith("\n") and number - 1 + len(table) >= len(lines) else _cell(table)
            items = _items(lines[number - 1 :])
            if len(items) > 1:
                return None if cut_off and number - 1 + len(items) == len(lines) else ", ".join(items)
            if is_below and items:
                return items[0]  # the mark of a list of one: 1. Paris
            return line.strip() if is_whole or not cut_off else None
    return None


def _without_rules(text: str) -> str:
    bare = _PARTS.sub("", text)
    return bare if bare.strip() else text


def _items(lines: list[str]) -> list[str]:
    """Returns the items of a list that begins at the first of some lines; none of a list is its answer."""
    said = []
    for line in lines:
        item = _ITEM.fullmatch(line.strip())
        if item is None:
            break
        said.append(item["said"].strip())
    return said


def _table(lines: list[str]) -> list[list[str]]:
    """Returns the cells of the table that begins at the first of some lines; a row of several cells without more is none."""
    rows = []
    for line in lines:
        if "|" not in line or not _TABLE_ROW.fullmatch(line.strip()):
            break
        rows.append(line.strip())
    if not rows or not (any(_RULE.fullmatch(row) for row in rows) or (rows[0][0] == rows[0][-1] == "|" and len(rows[0]) > 1)):
        return []
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def _cell(rows: list[list[str]]) -> str | None:
    """Returns the cell of a table that is the answer: the only one, or that of the column or row called so; null where there is none."""
    rules = [number for number, row in enumerate(rows) if all(re.fullmatch(r":?-{2,}:?", cell) for cell in row)]
    head, body = (
        (rows[rules[0] - 1], rows[rules[0] + 1 :])
        if rules and rules[0]
        else ([], [row for row in rows if row not in map(rows.__getitem__, rules)])
    )
    column = next((place for place, cell in enumerate(head) if re.fullmatch(_CALLED, cell, re.IGNORECASE)), None)
    if len(body) == 1 and (column is not None or len(body[0]) == 1) and len(body[0]) > (column or 0):
        return body[0][column or 0] or None
    said = [row[1] for row in rows if len(row) == 2 and re.fullmatch(_CALLED, row[0], re.IGNORECASE) and row is not head]
    return said[0] or None if len(said) == 1 else None
