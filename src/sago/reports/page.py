"""The report as one self-contained HTML page: no script, no address, readable from disk, in light and dark, on paper and on a phone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from sago.reports import numbers, words
from sago.reports.cells import (
    ControlGroup,
    ProfileRow,
    absent_lines,
    accuracy_rows,
    control_groups,
    control_kinds,
    datasets_of,
    judged_kinds,
    models_of,
    never_judged,
    profile_rows,
    split_unobserved,
)
from sago.reports.claim_counts import scope
from sago.reports.claim_tables import grid, matrices, rank_legend, ranks
from sago.reports.claims import by_claim, claims
from sago.reports.counts import status_counts
from sago.reports.details import accuracy_details, further_details, profile_details
from sago.reports.doses import dose_responses
from sago.reports.equivalence import equivalence_lines, least_words
from sago.reports.figures import GLYPHS, hue
from sago.reports.headlines import noise_floors, tiles
from sago.reports.least_stable import main_decoding
from sago.reports.numbers import Estimate, interval
from sago.reports.panels import Panels, family_tables, panels
from sago.reports.side_by_side import cards
from sago.reports.summary import RunSummary
from sago.reports.visible import visible_html, visible_text
from sago.schemas import Tables

if TYPE_CHECKING:
    from jinja2 import Template

_MOST_SENTENCES = 7
_MOST_ROWS = 300
"""So many findings of one question stand on the page with their tests; the JSON has all."""


@dataclass(frozen=True)
class DatasetPart:
    """What the page shows of one data set in its profile."""

    name: str
    rows: list[ProfileRow]
    absent: list[str]
    controls: list[ControlGroup]
    panels: Panels

    @property
    def groups(self) -> list[list[ProfileRow]]:
        """The rows, those of one axis and measure together."""
        return [list(group) for _, group in groupby(self.rows, key=lambda row: (row.axis, row.measure))]

    @property
    def drawn(self) -> list[str]:
        """Models that the figures show."""
        return list(dict.fromkeys(row.model for row in self.rows if row.across.value is not None or row.instability.value is not None))

    @property
    def notes(self) -> list[str]:
        """Codes of the remarks beside the numbers, in the order in which they come up; their place is their mark."""
        return list(dict.fromkeys(code for row in self.rows for code in (*row.count_codes, *row.verdict_codes, *row.rerun_codes)))


def write_html(tables: Tables, summary: RunSummary, path: str | Path) -> Path:
    """Writes the report as one page and returns its path.

    Everything that comes from data or models is escaped, its control characters made visible; nothing in it can act.

    Args:
        tables: All tables of one or several runs.
        summary: How the runs were made.
        path: Where the page goes; its folder has to exist.
    """
    target = Path(path)
    target.write_text(_page(tables, summary), encoding="utf-8")
    return target


def _page(tables: Tables, summary: RunSummary) -> str:
    models, datasets = models_of(tables), datasets_of(tables)
    rows, hidden = split_unobserved(profile_rows(tables))
    groups, drawn = control_groups(tables), panels(tables, rows, models)
    said, about, said_of = claims(tables, summary), scope(tables), equivalence_lines(tables)
    parts = [
        DatasetPart(
            name,
            [row for row in rows if row.dataset == name],
            [*absent_lines([row for row in hidden if row.dataset == name]), *([said_of[name]] if name in said_of else [])],
            [group for group in groups if group.dataset == name],
            drawn[name],
        )
        for name in datasets
    ]
    return _template().render(
        summary=summary,
        models=models,
        datasets=datasets,
        tiles=tiles(tables, rows, groups),
        claims=said,
        by_key={question.key: question for question in said.questions},
        grid=grid(said.questions[0].findings, about, said.soundness, said.alpha),
        matrices=matrices(said.questions[1].findings),
        rank_legend=rank_legend,
        ranks=ranks(said.questions[2].findings, about, said.soundness),
        most_sentences=_MOST_SENTENCES,
        most_rows=_MOST_ROWS,
        parts=parts,
        details=profile_details(tables),
        accuracy_details=accuracy_details(tables),
        further_details=further_details(tables),
        other_measures=profile_rows(tables, defaults=False),
        kinds=judged_kinds(groups) or control_kinds(groups),
        never_judged=never_judged(groups),
        families=family_tables(tables, rows),
        doses=dose_responses(tables, models),
        accuracy=accuracy_rows(tables),
        statuses=status_counts(tables),
        counts=tables.variation_counts.to_dicts(),
        cards=cards(tables),
        decoding=main_decoding(tables),
        noise_floors=noise_floors(tables),
        words=words,
    )


@cache
def _template() -> Template:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("sago.reports", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "show": _show,
        "plain": lambda value: visible_text(str(value)),
        "num": lambda value: _typeset(numbers.decimal(value)),
        "interval": lambda estimate: _typeset(numbers.interval(estimate)),
        "est": _estimate,
        "bracket": lambda estimate: _typeset(interval(estimate)),
        "least": least_words,
        "pair_estimate": lambda finding: _estimate(Estimate(finding.estimate, finding.lower, finding.upper)),
        "p": lambda value: _typeset(numbers.probability(value)),
        "percent": numbers.percent,
        "words": words.meaning,
        "verdict": words.verdict_of,
        "by_claim": by_claim,
        "detail": lambda value: f"{value}" if isinstance(value, int) else _estimate(value),
        "value": _value,
        "tint": _tint,
        "glyph": lambda place: GLYPHS[place % len(GLYPHS)],
        "hue": hue,
    }
    return environment.get_template("report.html.jinja")


def _show(value: Any) -> Markup:
    return value if isinstance(value, Markup) else visible_html(None if value is None else str(value))


def _typeset(text: str) -> str:
    """Returns the number with a true minus sign."""
    return text.replace("-", "−")


def _estimate(estimate: Estimate) -> Markup:
    brackets = numbers.interval(estimate) if estimate.value is not None else ""
    value = Markup("<span class=number>{}</span>").format(_typeset(numbers.decimal(estimate.value)))
    return value + Markup(" <span class=interval>{}</span>").format(_typeset(brackets)) if brackets else value


def _value(value: Any) -> Markup:
    """Returns the value of a study field in plain words."""
    if value is None:
        return Markup("<span class=muted>not set</span>")
    if isinstance(value, bool):
        return escape("yes" if value else "no")
    if isinstance(value, list | tuple):
        return Markup(", ").join(visible_html(str(part)) for part in value) if value else Markup("<span class=muted>none</span>")
    if isinstance(value, dict):
        return _value([f"{name}={part}" for name, part in value.items()])
    return visible_html(str(value))


def _tint(value: float | None) -> int:
    """Returns how strongly a cell is coloured, in percent."""
    return 0 if value is None else round(60 * min(1.0, max(0.0, value)))


def is_self_contained(page: str) -> bool:
    """Returns whether a page names no address in an attribute or a style sheet from which a browser would fetch.

    >>> is_self_contained("<p>see https://example.org</p>"), is_self_contained('<img src="https://example.org/a.png">')
    (True, False)
    """
    return re.search(r"""(?:src|href|srcset|action|data|poster)\s*=\s*["']?\s*(?:https?:)?//|url\(|@import|<link|<script""", page) is None
