"""``sago plan``: what a study would ask, take and be able to show, before anything is spent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sago.cli.flags import study_flags
from sago.study import Study, read_study

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from sago.runs.costs import Costs, Measured
    from sago.runs.plan import Plan
    from sago.stats.power import Outlook

_PANEL = "What it would take"


@study_flags()
def plan(
    study: Annotated[Path | None, typer.Argument(help="A study file (YAML); flags override its fields.", show_default=False)] = None,
    like: Annotated[
        Path | None,
        typer.Option(
            help="An earlier run folder: its speed, tokens and spread of examples stand in for assumptions.",
            show_default=False,
            rich_help_panel=_PANEL,
        ),
    ] = None,
    seconds_per_call: Annotated[
        float | None, typer.Option(help="How long one call takes, for the time.", show_default=False, rich_help_panel=_PANEL)
    ] = None,
    *,
    changes: dict[str, Any],
) -> None:
    """Count examples, wordings, calls and tokens of a study, and what it could show; loads no model and runs nothing.

    [bold]Example:[/bold] sago plan study.yaml --like runs/first --price-in 0.5 --price-out 1.5
    """
    from rich.console import Console

    from sago.cli.tables import counts_table
    from sago.cli.words import print_note
    from sago.runs.costs import costs_of, measured_in

    asked = (read_study(study) if study else Study()).with_changes(changes)
    measured = measured_in(like) if like else None
    planned = asked.plan()
    costs = costs_of(
        planned, asked.models, like=measured, seconds_per_call=seconds_per_call, price_in=asked.price_in, price_out=asked.price_out
    )
    console = Console()
    for note in planned.notes:
        print_note(console, note)
    console.print(counts_table(planned.counts))
    _print_costs(console, planned, costs, measured, seconds_per_call)
    _print_outlook(console, asked, planned, measured)


def _print_costs(console: Console, planned: Plan, costs: Costs, measured: Measured | None, seconds_per_call: float | None) -> None:
    at_most = measured is None or measured.new_tokens is None
    new = f"{'at most' if at_most else 'about'} {costs.new_tokens:,.0f} new tokens"
    _say(
        console,
        f"{planned.examples:,} examples, {planned.wordings:,} prompts (controls included), {planned.calls:,} calls, about "
        f"{costs.prompt_tokens:,.0f} prompt tokens over all calls, {new}. Nothing was run.",
    )
    if costs.seconds is None:
        _say(console, "Time: not estimated. Give --seconds-per-call, or --like with a run that measured it.")
    else:
        by = "as given" if seconds_per_call is not None else f"as in {measured.folder if measured else ''}"
        each = costs.seconds / planned.calls if planned.calls else 0.0
        _say(console, f"Time: about {duration(costs.seconds)}, at {each:.3g} s a call ({by}), one call after another.")
    if costs.money is not None:
        most = "at most " if at_most else "about "
        amount = f"{costs.money:,.2f}" if costs.money >= 1 else f"{costs.money:.2g}"
        _say(console, f"Money: {most}{amount}, in the currency of the prices.")
    if measured is None or measured.characters_per_token is None:
        _say(console, "Assumed: a prompt token has 4 characters.")


def _print_outlook(console: Console, asked: Study, planned: Plan, measured: Measured | None) -> None:
    from sago.stats.power import PAIRED_SD, RELIABILITY, SD, WORDINGS, outlook

    sd, paired = (measured.sd, measured.paired_sd) if measured else (None, None)
    reliability, wordings = (measured.reliability, measured.variants) if measured else (None, None)
    known = (RELIABILITY, WORDINGS) if reliability is None or wordings is None else (reliability, wordings)
    found = outlook(
        planned.sizes,
        planned.models,
        planned.wordings_of_each,
        smallest_effect=asked.smallest_effect,
        margin=asked.margin,
        axes=len(asked.axes),
        alpha=asked.alpha,
        sd=SD if sd is None else sd,
        paired_sd=PAIRED_SD if paired is None else paired,
        known=known,
    )
    console.print(_reach_table(found))
    origin = _origin("instability", sd, SD)
    if found.comparisons:
        origin += f", {_origin('the difference of two models', paired, PAIRED_SD)}"
    corrected = f"; differences at the strictest step of Holm over {found.comparisons}" if found.comparisons > 1 else ""
    _say(console, f"With 80 % power at level {asked.alpha:g}{corrected}. Standard deviation over examples: {origin}.")
    if found.reversal is not None:
        _say(
            console,
            f"Two models that change order between data sets: shown where they differ by {_figure(found.reversal)} one way and the other "
            f"(Holm over {found.reversals}: pairs of models and of data sets, axes; the smallest data sets).",
        )
    _print_wordings(console, found, asked, planned, is_known=reliability is not None, known=known)


def _print_wordings(console: Console, found: Outlook, asked: Study, planned: Plan, *, is_known: bool, known: tuple[float, float]) -> None:
    """Prints how far single examples could be told apart, and what axes need of that."""
    if found.reliability is None:
        _say(console, f"Wordings: {planned.wordings_of_each:.1f} a question are too few to tell single examples apart.")
        return
    origin = "measured" if is_known else "assumed"
    wanted = "" if found.for_80 is None else f"; .80 takes {found.for_80:.0f}"
    _say(
        console,
        f"Wordings: {planned.wordings_of_each:.1f} a question give scores of single examples a reliability of {_figure(found.reliability)} "
        f"({origin}: {_figure(known[0])} with {known[1]:.0f}){wanted}.",
    )
    if found.independence is not None:
        largest = max(planned.sizes.values(), default=0)
        corrected = f" (Holm over {found.axis_pairs} pairs of axes)" if found.axis_pairs > 1 else ""
        verdict = "is enough" if largest >= found.independence else "is not enough"
        _say(
            console,
            f"Two axes: to show that they correlate by less than {_figure(asked.margin)}, if they do not at all, takes "
            f"{found.independence:,.0f} examples of a data set at that reliability{corrected}; {largest:,} {verdict}.",
        )


def _reach_table(found: Outlook) -> Table:
    from rich.table import Table
    from rich.text import Text

    from sago.cli.words import plain

    table = Table(title="What it could show", title_justify="left", header_style="bold")
    table.add_column("data set", overflow="fold")
    table.add_column("examples", justify="right", no_wrap=True)
    table.add_column("UNSTABLE from instability", justify="right")
    if found.comparisons:
        table.add_column("two models differ from", justify="right")
    for reach in found.reaches:
        difference = [_figure(reach.difference)] if found.comparisons else []
        table.add_row(Text(plain(reach.dataset)), f"{reach.examples:,}", _figure(reach.unstable), *difference)
    return table


def _origin(what: str, value: float | None, otherwise: float) -> str:
    return f"{what} {_figure(otherwise if value is None else value)} ({'assumed' if value is None else 'measured'})"


def _figure(value: float | None) -> str:
    from sago.reports.numbers import decimal

    return decimal(value)


def _say(console: Console, text: str) -> None:
    from rich.text import Text

    from sago.cli.words import plain

    console.print(Text(plain(text)))


def duration(seconds: float) -> str:
    """Returns a time in its two largest units.

    >>> duration(0.4), duration(59.6), duration(3720), duration(200_000)
    ('1 s', '1 min', '1 h 2 min', '2 days 7 h')
    """
    whole = max(round(seconds), 1)
    units = (("days", 86_400), ("h", 3600), ("min", 60), ("s", 1))
    place = next(place for place, (_, size) in enumerate(units) if whole >= size)
    name, size = units[place]
    first, rest = divmod(whole, size)
    said = f"{first} {'day' if name == 'days' and first == 1 else name}"
    if place + 1 < len(units) and (second := rest // units[place + 1][1]):
        said += f" {second} {units[place + 1][0]}"
    return said
