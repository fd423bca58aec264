"""Small signs of the terminal report: footnote marks, verdicts, an interval drawn on a line."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from sago.reports.claim_tables import Place
from sago.reports.numbers import Estimate
from sago.reports.visible import visible_line
from sago.reports.words import meaning, verdict_of

_MARKS = "¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖ"
_STYLES = {"bad": "bold red", "good": "bold green", "unsure": "yellow", "found": "bold cyan", "other": "bold magenta", "none": "dim"}
_SCALE = 26
_LOW, _HIGH = -0.25, 1.25


class Footnotes:
    """Gives every code one mark, and explains the marks at the end."""

    def __init__(self) -> None:
        self._codes: list[str] = []

    def marks(self, *codes: str) -> Text:
        """Returns the marks of the codes; an empty text for none."""
        for code in codes:
            if code not in self._codes:
                self._codes.append(code)
        return Text("".join(self._mark(code) for code in codes), style="magenta")

    def lines(self) -> list[Text]:
        """Returns one line for each code that was marked."""
        return [Text.assemble((self._mark(code), "magenta"), " ", (visible_line(meaning(code)), "dim")) for code in self._codes]

    def _mark(self, code: str) -> str:
        place = self._codes.index(code)
        return _MARKS[place] if place < len(_MARKS) else f"[{place + 1}]"


def verdict_text(verdict: str | None) -> Text:
    """Returns a verdict with its sign, in its colour; a cell without a test says so."""
    shown = verdict_of(verdict)
    name = "not tested" if verdict is None or verdict == "NOT_TESTED" else verdict.replace("_", " ")
    return Text(f"{shown.symbol} {visible_line(name)}", style=_STYLES[shown.kind])


def without_repeats(names: Sequence[str], style: str = "") -> list[Text]:
    """Returns names as cells of a column; one that stands above already is left empty."""
    return [Text("" if place and names[place - 1] == name else visible_line(name), style=style) for place, name in enumerate(names)]


def rank_line(place: Place | None) -> Text:
    """Returns a rank with its interval on a line of one cell for each rank; of very many ranks nothing."""
    if place is None or place.of > _SCALE:
        return Text()
    line = ["·"] * place.of
    if place.lower is not None and place.upper is not None:
        for at in range(round(place.lower), round(place.upper) + 1):
            line[min(place.of, max(1, at)) - 1] = "━"
    line[min(place.of, max(1, round(place.rank))) - 1] = "●"
    return Text("".join(line))


def scale_head() -> str:
    """Returns the heading of the column that :func:`scale` fills: 0 and 1 at their places."""
    head = [" "] * _SCALE
    head[_place(0.0)], head[_place(1.0)] = "0", "1"
    return "".join(head)


def scale(estimate: Estimate) -> Text:
    """Returns the interval drawn on a line; what lies outside of it ends in an arrow, null is an empty line."""
    line = [" "] * _SCALE
    line[_place(0.0)] = line[_place(1.0)] = "┊"
    if estimate.value is None:
        return Text("".join(line), style="dim")
    low, high = (estimate.lower, estimate.upper) if estimate.has_interval else (estimate.value, estimate.value)
    for place in range(_place(low), _place(high) + 1):
        line[place] = "━"
    line[_place(estimate.value)] = "●"
    if low is not None and low < _LOW:
        line[0] = "◀"
    if high is not None and high > _HIGH:
        line[-1] = "▶"
    return Text("".join(line))


def _place(value: float | None) -> int:
    share = ((value or 0.0) - _LOW) / (_HIGH - _LOW)
    return round(min(1.0, max(0.0, share)) * (_SCALE - 1))
