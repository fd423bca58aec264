"""How findings put numbers and places into words."""

from __future__ import annotations

from collections.abc import Sequence


def figure(value: float) -> str:
    """Returns a number as it stands in a sentence: three decimals, no leading zero, sign kept."""
    text = f"{value:.3f}"
    text = text.removeprefix("-") if float(text) == 0 else text
    return text.replace("0.", ".", 1) if abs(float(text)) < 1 else text


def probability(value: float) -> str:
    """Returns a p value as it stands in a sentence."""
    return "p < .001" if value < 0.001 else f"p = {figure(value)}"


def bracketed(estimate: float, lower: float | None, upper: float | None) -> str:
    """Returns an estimate with its interval.

    >>> bracketed(0.5, 0.25, 0.75), bracketed(0.5, None, None)
    ('.500 [.250, .750]', '.500')
    """
    return figure(estimate) if lower is None or upper is None else f"{figure(estimate)} [{figure(lower)}, {figure(upper)}]"


def listed(names: Sequence[str], most: int = 6) -> str:
    """Returns names as they stand in a sentence; of many the first, and how many more.

    >>> listed(["a"]), listed(["a", "b", "c"]), listed(["a", "b", "c"], most=2)
    ('a', 'a, b and c', 'a, b and 1 more')
    """
    known = list(names)
    if len(known) > most:
        known = [*known[:most], f"{len(known) - most} more"]
    return known[0] if len(known) == 1 else f"{', '.join(known[:-1])} and {known[-1]}" if known else "none"


def counted(number: int, what: str, more: str | None = None) -> str:
    """Returns a number of things.

    >>> counted(1, "pair"), counted(1200, "pair"), counted(2, "pair of axes", "pairs of axes")
    ('1 pair', '1,200 pairs', '2 pairs of axes')
    """
    return f"{number:,} {what if number == 1 else more or what + 's'}"


def cell_name(models: Sequence[str], datasets: Sequence[str], axis: str, measure: str, decoding: str) -> str:
    """Returns what a finding is about: ``model on data set, axis (measure, decoding)``."""
    return f"{', '.join(models)} on {', '.join(datasets)}, {axis} ({measure}, {decoding})"


def share(value: float) -> str:
    """Returns a share as it stands in a sentence, in percent without the sign: one decimal below 10.

    >>> share(0.234), share(0.0481), share(0.05), share(-0.0002)
    ('23', '4.8', '5', '0')
    """
    text = f"{100 * value:.0f}" if abs(value) >= 0.0995 else f"{100 * value:.1f}".removesuffix(".0")
    return "0" if float(text) == 0 else text


def percent(estimate: float, lower: float | None = None, upper: float | None = None) -> str:
    """Returns a share in percent, with its interval where it has one.

    >>> percent(0.234, 0.211, 0.253), percent(0.02)
    ('23 % [21, 25]', '2 %')
    """
    return f"{share(estimate)} %" if lower is None or upper is None else f"{share(estimate)} % [{share(lower)}, {share(upper)}]"
