"""Means of distances between vectors, in two passes over the rows, a few thousand at a time (METRICS 2.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from scipy import sparse

from sago.arrays.grouping import Floats, Grouping, Integers, Values, summed
from sago.arrays.means import Means, Products, from_products, mean_of_reruns, no_reruns

_CHUNK_VALUES = 260_000
"""Numbers that a step over vectors holds: two megabytes stay in a processor's cache, and memory stays near that of the vectors."""


class Multiplied(NamedTuple):
    """How rows are multiplied.

    Attributes:
        rows: The rows. squares: <x, x> of each. scale: Factor of each row; null = 1. offset: a(x) of each; null = 1/2 everywhere.
    """

    rows: Floats
    squares: Floats
    scale: Floats | None
    offset: Floats | None


Rule = Callable[[Floats], Multiplied]
"""Rows as given, float64 -> how they are multiplied."""


def vector_means(values: Values, by: Grouping, rule: Rule, factor: float) -> Means:
    """Returns the means of a distance ``a(x) + a(y) - factor <x, y>`` of vectors.

    Args:
        values: Vectors (rows, dimensions) as given, in any number type; they are never copied as a whole.
        by: Their groups.
        rule: What is multiplied, and a(x).
        factor: f.
    """
    count, names = by.names.size, by.variant_names.size
    if by.crossed and by.asked_once and values.shape[1] == 1:
        return _means_of_grid(rule(_rows(values, by, slice(None))), by, factor)
    found = _Squares(by)
    scaled = by.weight
    sums: Floats | None = None
    for chunk in _chunks(by, values.shape[1]):
        x = rule(_rows(values, by, chunk.rows))
        if x.scale is not None:
            scaled[chunk.rows] *= x.scale
        by_name = _collected(by.variant[chunk.rows], scaled[chunk.rows], x.rows, names)
        sums = by_name if sums is None else sums + by_name
        found.add(x, chunk)
    others = np.zeros(count)
    if sums is not None:
        toward = sums.sum(axis=0) - sums
        width = toward.shape[1]
        for chunk in _chunks(by, values.shape[1]):
            dots = np.einsum("ij,ij->i", _rows(values, by, chunk.rows)[:, :width], toward[by.variant[chunk.rows]])
            dots *= scaled[chunk.rows]
            others[chunk.examples] = np.add.reduceat(dots, chunk.starts[:-1])
    return from_products(by, Products(found.cells, found.example, others, found.rerun(factor), found.offset, factor))


def _means_of_grid(x: Multiplied, by: Grouping, factor: float) -> Means:
    """Returns the means of scalars where every example has every variant once: the rows are a grid (examples, variants)."""
    names = by.variant_names.size
    column = x.rows[:, 0] if x.scale is None else x.rows[:, 0] * x.scale
    grid = column.reshape(-1, names)
    together, of_name = grid.sum(axis=1), grid.sum(axis=0) / names
    others = grid @ (of_name.sum() - of_name) / names
    cells = np.einsum("ij,ij->i", grid, grid)
    return from_products(by, Products(cells, together**2, others, no_reruns(by), x.offset, factor))


def vector_across(values: Values, by: Grouping, rule: Rule, factor: float) -> Floats:
    """Returns B_i alone of a distance of vectors, in one pass."""
    found = _Squares(by)
    for chunk in _chunks(by, values.shape[1]):
        found.add(rule(_rows(values, by, chunk.rows)), chunk)
    offsets = 1.0 if found.offset is None else 2 * summed(by.owner, found.offset, by.names.size) / by.variants
    result: Floats = offsets - factor * (found.example - found.cells) / (by.variants * (by.variants - 1))
    return result


def vector_without(values: Values, by: Grouping, rule: Rule, factor: float) -> tuple[Floats, Floats]:
    """Returns B and N without each variant name, in one pass; every example has every variant, once.

    Without variant u, the sum of an example's vectors is s - m_u: its squared norm, and that of the sums over names, follow from inner
    products with s.
    """
    count, names = by.names.size, by.variant_names.size
    left = names - 1
    inside, offsets, sums = np.zeros((count, names)), np.full((count, names), 0.5), np.zeros(0)
    for chunk in _chunks(by, values.shape[1]):
        x = rule(_rows(values, by, chunk.rows))
        scale = np.ones(x.squares.size) if x.scale is None else x.scale
        by_name = _collected(by.variant[chunk.rows], scale, x.rows, names)
        sums = by_name if not sums.size else sums + by_name
        together = _contiguous(chunk.starts, scale, x.rows)
        dots = scale * np.einsum("ij,ij->i", x.rows, together[by.example[chunk.rows] - chunk.examples.start])
        squares = (x.squares * scale**2).reshape(-1, names)
        # Sum of <m_v, m_w> over pairs v != w of the variants that are left: |s - m_u|^2 - sum of |m_v|^2.
        whole = _norms(together)[:, None] - 2 * dots.reshape(-1, names) + squares
        inside[chunk.examples] = whole - (squares.sum(axis=1, keepdims=True) - squares)
        if x.offset is not None:
            offsets[chunk.examples] = x.offset.reshape(-1, names)
    mean_offset = (offsets.sum(axis=1, keepdims=True) - offsets).mean(axis=0) / left
    across = 2 * mean_offset - factor * inside.mean(axis=0) / (left * (left - 1))
    others = _norms(sums.sum(axis=0) - sums) - (_norms(sums).sum() - _norms(sums)) - inside.sum(axis=0)
    unrelated = 2 * mean_offset - factor * others / (count * (count - 1) * left * (left - 1))
    return across, unrelated


def vector_pairs(values: Values, by: Grouping, rule: Rule, factor: float) -> tuple[Floats, Floats]:
    """Returns the mean distance of every two cells of an example, and that between the reruns of every cell, in one pass.

    Args:
        values: Vectors (rows, dimensions) as given.
        by: Their groups.
        rule: What is multiplied, and a(x).
        factor: f.

    Returns:
        (pairs, reruns): the pairs of each example side by side, (first, second), (first, third), ...; NaN for a cell that was asked once.
    """
    behind = _ends(by.variants * (by.variants - 1) // 2)
    pairs, reruns = np.empty(int(behind[-1])), np.full(by.owner.size, np.nan)
    for chunk in _chunks(by, values.shape[1]):
        x = rule(_rows(values, by, chunk.rows))
        scale = np.ones(x.squares.size) if x.scale is None else x.scale
        offset = np.full(x.squares.size, 0.5) if x.offset is None else x.offset
        if by.asked_once:
            means = x.rows if x.scale is None else x.rows * scale[:, None]
        else:
            count, of_cell = by.reruns[chunk.cells], _ends(by.reruns[chunk.cells])
            means = _contiguous(of_cell, scale / np.repeat(count, count), x.rows)
            offset = np.add.reduceat(offset, of_cell[:-1]) / count
            own = np.add.reduceat(x.squares * scale**2, of_cell[:-1])
            alike = (_norms(means) * count**2 - own) / np.maximum(count * (count - 1.0), 1.0)
            reruns[chunk.cells] = np.where(count > 1, 2 * offset - factor * alike, np.nan)
        variants, first_cell = by.variants[chunk.examples], _ends(by.variants[chunk.examples])
        for size in np.unique(variants).tolist():
            mine = np.flatnonzero(variants == size)
            cells = first_cell[mine][:, None] + np.arange(size)
            block = means[cells]
            one, two = np.triu_indices(size, 1)
            dots = np.matmul(block, block.transpose(0, 2, 1))[:, one, two]
            found = offset[cells][:, one] + offset[cells][:, two] - factor * dots
            pairs[behind[chunk.examples.start + mine][:, None] + np.arange(one.size)] = found
    return pairs, reruns


class _Chunk(NamedTuple):
    """Rows, cells and examples that fit together; ``starts``: first row of each example, from the first of the chunk, and the end."""

    rows: slice
    cells: slice
    examples: slice
    starts: Integers


class _Squares:
    """Squared norms of cell means and of their sums by example, gathered chunk by chunk."""

    def __init__(self, by: Grouping) -> None:
        self._by = by
        self.example: Floats = np.zeros(by.names.size)
        self.cells: Floats = np.zeros(by.names.size)
        self.offset: Floats | None = None
        self._repeated: Floats = np.zeros(0 if by.asked_once else by.owner.size)

    def add(self, x: Multiplied, chunk: _Chunk) -> None:
        by = self._by
        squares = x.squares if x.scale is None else x.squares * x.scale**2
        scale = np.ones(squares.size) if x.scale is None else x.scale
        offset = x.offset
        if by.asked_once:
            together = _contiguous(chunk.starts, scale, x.rows)
            self.cells[chunk.examples] = np.add.reduceat(squares, chunk.starts[:-1])
        else:
            reruns = by.reruns[chunk.cells]
            of_cell, of_example = _ends(reruns), _ends(by.variants[chunk.examples])
            means = _contiguous(of_cell, scale * by.share[chunk.rows], x.rows)
            together = _contiguous(of_example, np.ones(means.shape[0]), means)
            norms = _norms(means)
            self.cells[chunk.examples] = np.add.reduceat(norms, of_example[:-1])
            own = np.add.reduceat(squares, of_cell[:-1])
            self._repeated[chunk.cells] = (norms * reruns**2 - own) / np.maximum(reruns * (reruns - 1.0), 1.0)
            offset = None if offset is None else np.add.reduceat(offset, of_cell[:-1]) / reruns
        self.example[chunk.examples] = _norms(together)
        if offset is not None:
            self.offset = np.zeros(by.owner.size) if self.offset is None else self.offset
            self.offset[chunk.cells] = offset

    def rerun(self, factor: float) -> Floats:
        """Returns W_i."""
        if self._by.asked_once:
            return no_reruns(self._by)
        offsets = 1.0 if self.offset is None else 2 * self.offset
        return mean_of_reruns(self._by, offsets - factor * self._repeated)


def _ends(sizes: Integers) -> Integers:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(sizes, dtype=np.int64)])


def _rows(values: Values, by: Grouping, rows: slice) -> Floats:
    return np.asarray(values[rows] if by.rows is None else values[by.rows[rows]], dtype=np.float64)


def _chunks(by: Grouping, width: int) -> Iterator[_Chunk]:
    """Yields chunks of whole examples, a few thousand rows each."""
    starts, first_cell = by.starts, _ends(by.variants)
    step = max(1, _CHUNK_VALUES // max(width, 1))
    begin = 0
    while begin < by.names.size:
        end = int(np.searchsorted(starts, starts[begin] + step, side="right")) - 1
        end = min(max(end, begin + 1), by.names.size)
        rows, cells = slice(int(starts[begin]), int(starts[end])), slice(int(first_cell[begin]), int(first_cell[end]))
        yield _Chunk(rows, cells, slice(begin, end), starts[begin : end + 1] - starts[begin])
        begin = end


def _collected(groups: Integers, weights: Floats, x: Floats, count: int) -> Floats:
    """Returns the sums of weighted rows by group (groups, dimensions)."""
    if x.shape[1] == 1:
        return summed(groups, weights * x[:, 0], count)[:, None]
    member = sparse.csc_array((weights, groups, np.arange(groups.size + 1)), shape=(count, groups.size))
    return np.asarray(member @ x, dtype=np.float64)


def _contiguous(starts: Integers, weights: Floats, x: Floats) -> Floats:
    """Returns the sums of weighted rows of groups that stand side by side (groups, dimensions)."""
    if x.shape[1] == 1:
        return np.add.reduceat(weights[:, None] * x, starts[:-1])
    member = sparse.csr_array((weights, np.arange(weights.size), starts), shape=(starts.size - 1, weights.size))
    return np.asarray(member @ x, dtype=np.float64)


def _norms(x: Floats) -> Floats:
    squares: Floats = np.einsum("ij,ij->i", x, x)
    return squares


def cosine(x: Floats) -> Multiplied:
    """Rows of length 1 and a = 1/2; a row of zeros has no direction and stays zero, at distance 1 from everything."""
    squares = _norms(x)
    return Multiplied(x, squares, 1 / np.sqrt(np.where(squares > 0, squares, 1.0)), None)


def squared(x: Floats) -> Multiplied:
    """Squared Euclid: the rows themselves and a = <x, x>."""
    squares = _norms(x)
    return Multiplied(x, squares, None, squares)


def shifted(x: Floats) -> Multiplied:
    """``inner``: the last column of the rows is a - 1/2."""
    rows = x[:, :-1]
    return Multiplied(rows, _norms(rows), None, x[:, -1] + 0.5)


def unit_rows(x: Values) -> Floats:
    """Returns rows of length 1 as a copy; a row of zeros stays zero."""
    rows = np.array(x, dtype=np.float64)
    found = cosine(rows)
    if found.scale is not None:
        rows *= found.scale[:, None]
    return rows
