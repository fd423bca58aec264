"""Figures as inline SVG: colours are CSS variables of the page, so that one drawing serves light and dark.

One small panel for each data set; the page lays them out side by side, or below each other on a phone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

from markupsafe import Markup

from sago.reports.numbers import Estimate
from sago.reports.visible import visible_line

SHAPES = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross")
"""Shape of the first, second, ... model; the colours are the CSS variables ``--model-0``, ``--model-1``, ..."""

GLYPHS = ("●", "■", "◆", "▲", "▼", "✚")
"""The same shapes as characters, for legends."""

Spec = dict[str, Any]
"""A part of a Vega-Lite specification."""

_TICKS = ".3~g"
"""Format of ticks; without its digits they are guessed from the step, and 0.15 becomes 0.1."""
_WIDTH = 300
_FARTHEST = (-0.5, 1.5)
"""Intervals are drawn no farther than this; the table has their ends."""


class Dot(NamedTuple):
    """One number of a panel: its row, its model, its interval; a null value is drawn as words."""

    row: str
    model: str
    estimate: Estimate


class LayerDot(NamedTuple):
    """One number of a layer curve."""

    layer: int
    model: str
    estimate: Estimate


class DosePoint(NamedTuple):
    """One number of a dose-response curve; ``dose`` is the mean share of the prompt that was changed, in [0, 1]."""

    dose: float
    model: str
    estimate: Estimate


def extent(estimates: Sequence[Estimate], always: Sequence[float]) -> tuple[float, float]:
    """Returns the axis limits that hold every interval, within reason, and the values that always have to be seen.

    >>> extent([Estimate(0.4, 0.3, 0.5), Estimate(None), Estimate(0.1, -0.07, 9.0)], (0.0, 1.0))
    (-0.1, 1.5)
    """
    ends = [end for estimate in estimates for end in estimate if end is not None]
    low, high = min([*ends, *always]), max([*ends, *always])
    low, high = max(low, _FARTHEST[0]), min(high, _FARTHEST[1])
    return round(low * 20 - 0.4999) / 20 + 0.0, round(high * 20 + 0.4999) / 20


def interval_panel(dots: Sequence[Dot], models: Sequence[str], domain: tuple[float, float], title: str, description: str) -> Markup:
    """Returns a dot-and-interval plot: rows from top to bottom, one colour and shape a model.

    Args:
        dots: What to draw, in row order.
        models: All models of the report, so that each keeps its colour.
        domain: Limits of the axis.
        title: Under the axis.
        description: What a screen reader says.
    """
    # Row names are data set independent words of ours; model names are shown by colour only, so the data carry their number.
    rows = list(dict.fromkeys(dot.row for dot in dots))
    shown = [model for model in models if any(dot.model == model for dot in dots)]
    values = [_values(dot.estimate, domain) | {"row": dot.row, "model": str(models.index(dot.model))} for dot in dots]
    scale = {"domain": list(domain), "nice": False, "zero": False}
    place: Spec = {
        "y": _nominal("row", sort=rows, title=None, scale={"paddingInner": 0.25, "paddingOuter": 0.15}),
        "yOffset": _nominal("model", sort=None, scale={"domain": [str(models.index(model)) for model in shown]}),
        "color": _model_colour(models),
    }
    anchors = {
        "data": {"values": [{"at": at} for at in (0, 1) if domain[0] <= at <= domain[1]]},
        "mark": {"type": "rule", "strokeDash": [3, 3], "color": "var(--muted)"},
        "encoding": {"x": _number("at", scale=scale)},
    }
    layers = _dot_layers(values, place, models, domain, title)
    return _svg([anchors, *layers], len(rows) * (12 + 14 * max(1, len(shown))), description)


def _dot_layers(values: Sequence[Spec], place: Spec, models: Sequence[str], domain: tuple[float, float], title: str) -> list[Spec]:
    """Returns intervals, points, and the words where there is no number, each drawn from the same values."""
    scale = {"domain": list(domain), "nice": False, "zero": False}
    layers: list[tuple[str, Spec, Spec]] = [
        (
            "isValid(datum.lower)",
            {"type": "rule", "strokeWidth": 3, "strokeCap": "round", "opacity": 0.55},
            {"x": _number("lower", scale=scale), "x2": {"field": "upper"}},
        ),
        (
            "isValid(datum.value)",
            {"type": "point", "filled": True, "size": 75, "opacity": 1},
            {"x": _number("value", scale=scale, title=title, axis={"tickCount": 6, "format": _TICKS}), "shape": _model_shape(models)},
        ),
        (
            "!isValid(datum.value)",
            {"type": "text", "align": "left", "baseline": "middle", "fontSize": 11, "fontStyle": "italic", "dx": 4},
            {"x": {"datum": max(0.0, domain[0])}, "text": {"value": "no number: see the table"}},
        ),
    ]
    return [
        {"data": {"values": values}, "transform": [{"filter": test}], "mark": mark, "encoding": {**place, **own}}
        for test, mark, own in layers
    ]


def layer_panel(dots: Sequence[LayerDot], models: Sequence[str], domain: tuple[float, float], description: str) -> Markup:
    """Returns the instability of the hidden states by layer, with its interval as a band."""
    values = [
        _values(dot.estimate, domain) | {"at": dot.layer, "model": str(models.index(dot.model))}
        for dot in dots
        if dot.estimate.value is not None
    ]
    axis = {"values": sorted({dot.layer for dot in dots}), "format": "d"}
    return _curves(values, _number("at", title="layer", axis=axis, scale={"nice": False, "zero": False}), models, domain, description)


def dose_panel(points: Sequence[DosePoint], models: Sequence[str], domain: tuple[float, float], description: str) -> Markup:
    """Returns instability against the share of the prompt that was changed, with its interval as a band."""
    values = [
        _values(point.estimate, domain) | {"at": point.dose, "model": str(models.index(point.model))}
        for point in points
        if point.estimate.value is not None
    ]
    axis = {"format": _TICKS, "tickCount": 5}
    return _curves(
        values, _number("at", title="dose (share of the prompt changed)", axis=axis, scale={"zero": True}), models, domain, description
    )


def _curves(values: Sequence[Spec], x: Spec, models: Sequence[str], domain: tuple[float, float], description: str) -> Markup:
    """Returns instability against a number, a line and a band for each model."""
    scale = {"domain": list(domain), "nice": False, "zero": False}
    colour = _model_colour(models)
    y = _number("value", title="instability", scale=scale, axis={"format": _TICKS, "tickCount": 5})
    band = {"x": x, "y": _number("lower", scale=scale), "y2": {"field": "upper"}, "fill": colour, "color": {"value": None}}
    layers = [
        {"mark": {"type": "area", "opacity": 0.18}, "encoding": band},
        {"mark": {"type": "line", "strokeWidth": 2}, "encoding": {"x": x, "y": y, "color": colour}},
        {
            "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
            "encoding": {"x": x, "y": _number("value", scale=scale), "color": colour, "shape": _model_shape(models)},
        },
    ]
    return _svg([{"data": {"values": list(values)}, **layer} for layer in layers], 170, description)


def _values(estimate: Estimate, domain: tuple[float, float]) -> dict[str, float | None]:
    def held(value: float | None) -> float | None:
        return None if value is None else min(domain[1], max(domain[0], value))

    known = estimate.has_interval and estimate.value is not None
    return {
        "value": held(estimate.value),
        "lower": held(estimate.lower) if known else None,
        "upper": held(estimate.upper) if known else None,
    }


def hue(place: int) -> int:
    """Returns the number of the colour of a model; with the shape it names up to 36 models without repeating."""
    return (place + place // len(SHAPES)) % len(SHAPES)


def _number(name: str, **how: Any) -> Spec:
    return {"field": name, "type": "quantitative", **how}


def _nominal(name: str, **how: Any) -> Spec:
    return {"field": name, "type": "nominal", **how}


def _by_model(models: Sequence[str], looks: Sequence[str]) -> Spec:
    return _nominal("model", legend=None, scale={"domain": [str(place) for place in range(len(models))], "range": list(looks)})


def _model_colour(models: Sequence[str]) -> Spec:
    return _by_model(models, [f"var(--model-{hue(place)})" for place in range(len(models))])


def _model_shape(models: Sequence[str]) -> Spec:
    return _by_model(models, [SHAPES[place % len(SHAPES)] for place in range(len(models))])


_STYLE: Spec = {
    "font": "sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelColor": "currentColor",
        "titleColor": "currentColor",
        "gridColor": "var(--line)",
        "domainColor": "var(--line)",
        "tickColor": "var(--line)",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    },
    "axisY": {"domain": False, "ticks": False, "labelPadding": 8},
    "aria": False,
    "background": "transparent",
    "padding": 4,
}


def _svg(layers: Sequence[Spec], height: int, description: str) -> Markup:
    """Draws layers, each a Vega-Lite specification with its own data, as an SVG for a page."""
    import vl_convert

    drawn = vl_convert.vegalite_to_svg({"layer": list(layers), "width": _WIDTH, "height": height, "config": _STYLE})
    size = re.search(r'viewBox="([^"]*)"', drawn)
    box = size[1] if size else "0 0 400 200"
    label = escape(visible_line(description), quote=True)
    # The name spaces are not needed inside a page, and no address shall stand in it.
    opening = f'<svg role="img" aria-label="{label}" viewBox="{box}" style="max-width:{1.25 * float(box.split()[2]):.0f}px">'
    return Markup(re.sub(r"^\s*<svg[^>]*>", lambda _: opening, drawn, count=1))
