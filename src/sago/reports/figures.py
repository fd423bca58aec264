"""Figures as inline SVG: colours are CSS variables of the page, so that one drawing serves light and dark.

One small panel for each data set; the page lays them out side by side, or below each other on a phone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from markupsafe import Markup

from sago.reports.numbers import Estimate
from sago.reports.visible import visible_line

SHAPES = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross")
"""Shape of the first, second, ... model; the colours are the CSS variables ``--model-0``, ``--model-1``, ..."""

GLYPHS = ("●", "■", "◆", "▲", "▼", "✚")
"""The same shapes as characters, for legends."""

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
    import altair as alt

    # Row names are data set independent words of ours; model names are shown by colour only, so the data carry their number.
    rows = list(dict.fromkeys(dot.row for dot in dots))
    shown = [model for model in models if any(dot.model == model for dot in dots)]
    values = [_values(dot.estimate, domain) | {"row": dot.row, "model": str(models.index(dot.model))} for dot in dots]
    scale = alt.Scale(domain=list(domain), nice=False, zero=False)
    base = alt.Chart(alt.Data(values=values)).encode(
        y=alt.Y("row:N", sort=rows, title=None, scale=alt.Scale(paddingInner=0.25, paddingOuter=0.15)),
        yOffset=alt.YOffset("model:N", sort=None, scale=alt.Scale(domain=[str(models.index(model)) for model in shown])),
        color=_model_colour(models),
    )
    have, lack = "isValid(datum.value)", "!isValid(datum.value)"
    x = alt.X("value:Q", title=title, scale=scale, axis=alt.Axis(tickCount=6, format="~g"))
    intervals = base.transform_filter("isValid(datum.lower)").mark_rule(strokeWidth=3, strokeCap="round", opacity=0.55)
    points = base.transform_filter(have).mark_point(filled=True, size=75, opacity=1)
    words = base.transform_filter(lack).mark_text(align="left", baseline="middle", fontSize=11, fontStyle="italic", dx=4)
    anchors = alt.Chart(alt.Data(values=[{"at": at} for at in (0, 1) if domain[0] <= at <= domain[1]]))
    layers = [
        anchors.mark_rule(strokeDash=[3, 3], color="var(--muted)").encode(x=alt.X("at:Q", scale=scale)),
        intervals.encode(x=alt.X("lower:Q", scale=scale), x2="upper:Q"),
        points.encode(x=x, shape=_model_shape(models)),
        words.encode(x=alt.datum(max(0.0, domain[0])), text=alt.value("no number: see the table")),
    ]
    height = len(rows) * (12 + 14 * max(1, len(shown)))
    return _svg(alt.layer(*layers).properties(width=_WIDTH, height=height), description)


def layer_panel(dots: Sequence[LayerDot], models: Sequence[str], domain: tuple[float, float], description: str) -> Markup:
    """Returns the instability of the hidden states by layer, with its interval as a band."""
    import altair as alt

    values = [
        _values(dot.estimate, domain) | {"layer": dot.layer, "model": str(models.index(dot.model))}
        for dot in dots
        if dot.estimate.value is not None
    ]
    layers = sorted({dot.layer for dot in dots})
    base = alt.Chart(alt.Data(values=values)).encode(
        x=alt.X("layer:Q", title="layer", axis=alt.Axis(values=layers, format="d"), scale=alt.Scale(nice=False, zero=False)),
        color=_model_colour(models),
    )
    scale = alt.Scale(domain=list(domain), nice=False, zero=False)
    band = base.mark_area(opacity=0.18).encode(
        y=alt.Y("lower:Q", scale=scale), y2="upper:Q", fill=_model_colour(models, alt.Fill), color=alt.value(None)
    )
    line = base.mark_line(strokeWidth=2).encode(
        y=alt.Y("value:Q", title="instability", scale=scale, axis=alt.Axis(format="~g", tickCount=5))
    )
    points = base.mark_point(filled=True, size=60, opacity=1).encode(y=alt.Y("value:Q", scale=scale), shape=_model_shape(models))
    return _svg(alt.layer(band, line, points).properties(width=_WIDTH, height=170), description)


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


def _model_colour(models: Sequence[str], channel: Any = None) -> Any:
    import altair as alt

    scale = alt.Scale(
        domain=[str(place) for place in range(len(models))], range=[f"var(--model-{hue(place)})" for place in range(len(models))]
    )
    return (channel or alt.Color)("model:N", scale=scale, legend=None)


def _model_shape(models: Sequence[str]) -> Any:
    import altair as alt

    scale = alt.Scale(
        domain=[str(place) for place in range(len(models))], range=[SHAPES[place % len(SHAPES)] for place in range(len(models))]
    )
    return alt.Shape("model:N", scale=scale, legend=None)


def _svg(chart: Any, description: str) -> Markup:
    import vl_convert

    ink: Mapping[str, Any] = {"labelColor": "currentColor", "titleColor": "currentColor", "gridColor": "var(--line)"}
    styled = (
        chart.configure(background="transparent", font="sans-serif", aria=False, padding=4)
        .configure_axis(
            **ink, domainColor="var(--line)", tickColor="var(--line)", labelFontSize=12, titleFontSize=12, titleFontWeight="normal"
        )
        .configure_axisY(domain=False, ticks=False, labelPadding=8)
        .configure_view(stroke=None)
    )
    drawn = vl_convert.vegalite_to_svg(styled.to_dict(validate=False))  # checking it takes longer than drawing it
    size = re.search(r'viewBox="([^"]*)"', drawn)
    box = size[1] if size else "0 0 400 200"
    label = escape(visible_line(description), quote=True)
    # The name spaces are not needed inside a page, and no address shall stand in it.
    opening = f'<svg role="img" aria-label="{label}" viewBox="{box}" style="max-width:{1.25 * float(box.split()[2]):.0f}px">'
    return Markup(re.sub(r"^\s*<svg[^>]*>", lambda _: opening, drawn, count=1))
