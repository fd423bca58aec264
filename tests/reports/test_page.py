"""The page: nothing in it acts, nothing is fetched, nothing is left unsaid."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest
from tests.reports.sample import CHOICE, HOSTILE, MODELS, TEXT, empty_tables, sample_summary

from sago.reports import REASONS, RunSummary, least_stable, write_html
from sago.reports.page import is_self_contained
from sago.reports.side_by_side import cards
from sago.reports.visible import visible_text
from sago.schemas import Tables

VOID = {"meta", "br", "link", "img", "input", "hr"}
ELEMENTS = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "header",
        "main",
        "section",
        "h1",
        "h2",
        "h3",
        "p",
        "span",
        "bdi",
        "div",
        "ul",
        "ol",
    ),
    *(
        "li",
        "dl",
        "dt",
        "dd",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "details",
        "summary",
        "strong",
        "ins",
        "del",
        "sup",
        "abbr",
        "br",
    ),
    *("figure", "figcaption", "svg", "g", "path", "line", "text"),
}


class Outline(HTMLParser):
    """Elements with their attributes, and the text, as a browser's parser sees them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.comments: list[str] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.unbalanced: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, tuple(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, tuple(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


@pytest.fixture(scope="module")
def outline(page: str) -> Outline:
    parser = Outline()
    parser.feed(page)
    parser.close()
    return parser


def written(tables: Tables, folder: Path, summary: RunSummary | None = None) -> str:
    return write_html(tables, summary or sample_summary(), folder / "page.html").read_text(encoding="utf-8")


def test_elements_are_only_ours_and_closed(outline: Outline) -> None:
    assert {tag for tag, _ in outline.elements} <= ELEMENTS
    assert outline.unbalanced == []
    assert outline.open == []
    assert outline.comments == []


def test_no_attribute_acts(outline: Outline) -> None:
    names = {name for _, attributes in outline.elements for name, _ in attributes}
    assert [name for name in names if name.startswith("on") or name in ("src", "href", "srcdoc", "action")] == []


def test_no_attribute_holds_an_output(outline: Outline) -> None:
    values = [value or "" for _, attributes in outline.elements for _, value in attributes]
    assert [value for value in values if "window.hit" in value or "<" in value or "javascript:" in value] == []


@pytest.fixture(scope="module")
def hostile(tables: Tables, tmp_path_factory: pytest.TempPathFactory) -> Outline:
    """A page on which every response of the k-th least stable example is the k-th output of case 20."""
    ranking = least_stable(tables).select("dataset", "example", response=pl.Series([row["output"] for row in (HOSTILE * 2)[:10]]))
    observations = tables.observations.drop("response").join(ranking, on=["dataset", "example"], how="left")
    parser = Outline()
    parser.feed(written(replace(tables, observations=observations), tmp_path_factory.mktemp("hostile")))
    return parser


@pytest.mark.parametrize("place", range(len(HOSTILE)))
def test_hostile_outputs_are_shown_as_they_are(place: int, hostile: Outline) -> None:
    assert visible_text(HOSTILE[place]["output"]) in "".join(hostile.texts)
    assert visible_text("<b>id</b>") in "".join(hostile.texts)


def test_hostile_outputs_add_no_element(hostile: Outline) -> None:
    assert {tag for tag, _ in hostile.elements} <= ELEMENTS
    assert hostile.unbalanced == []
    assert hostile.comments == []


def test_hostile_names_do_not_get_out_of_text(tables: Tables, tmp_path: Path) -> None:
    name = '"><script>window.hit=6</script>\u202e'
    frames = {
        field: getattr(tables, field).with_columns(dataset=pl.lit(name), **{"model": pl.lit(name)})
        if "model" in getattr(tables, field).columns
        else getattr(tables, field).with_columns(dataset=pl.lit(name))
        for field in ("profiles", "examples", "variation_counts")
    }
    page = written(replace(tables, **frames), tmp_path, RunSummary(name, study={name: [name]}, versions={name: name}, notes=(name,)))
    parser = Outline()
    parser.feed(page)
    assert "script" not in {tag for tag, _ in parser.elements}
    assert "\u202e" not in page
    assert parser.unbalanced == []


def test_ids_are_escaped(page: str) -> None:
    assert "<b>" not in page
    assert "&lt;b&gt;id&lt;/b&gt;" in page


def test_control_characters_are_made_visible(page: str) -> None:
    assert not set(page) & set("\x00\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    assert '<span class="unseen">[U+202E]</span>' in page
    assert '<span class="unseen">[U+0000]</span>' in page


def test_self_contained(page: str) -> None:
    assert is_self_contained(page)
    assert "http://" not in page
    assert "https://" not in page


@pytest.mark.parametrize("bad", ['<img src="http://x.org/a">', "<a href='https://x.org'>", "url(//x.org)", "<script>", "@import 'x'"])
def test_the_check_for_addresses_can_fail(bad: str) -> None:
    assert not is_self_contained(bad)


HEADINGS = ["What may be claimed", "Is it unstable", "Do the axes fail", "Does the order of models", "Profile", "Controls"]
HEADINGS += ["Inner state by layer", "By kind of wording", "Accuracy beside"]


@pytest.mark.parametrize("heading", HEADINGS)
def test_sections_are_there(page: str, heading: str) -> None:
    assert re.search(rf"<h2[^>]*>{heading}", page)


def test_sections_come_in_reading_order(page: str) -> None:
    order = ["findings", "unstable", "independent", "order", "profile", "controls", "layers", "families", "accuracy", "statuses"]
    order += ["wordings", "examples", "how", "read", "assumed"]
    assert re.findall(r'<h2 id="(\w+)">', page) == order


def test_figures_are_inline_and_described(outline: Outline) -> None:
    drawn = [dict(attributes) for tag, attributes in outline.elements if tag == "svg"]
    assert len(drawn) == 6
    assert all(figure["role"] == "img" and len(figure["aria-label"] or "") > 20 for figure in drawn)
    assert any("no number" in (figure["aria-label"] or "") for figure in drawn)


def test_tables_have_scopes(outline: Outline) -> None:
    heads = [dict(attributes) for tag, attributes in outline.elements if tag == "th"]
    assert heads
    assert {head.get("scope") for head in heads} == {"col", "row", "rowgroup"}


def test_ids_are_unique(outline: Outline) -> None:
    ids = Counter(value for _, attributes in outline.elements for name, value in attributes if name == "id")
    assert [name for name, count in ids.items() if count > 1] == []


def test_null_is_a_dash_with_its_reason_and_never_zero(page: str) -> None:
    profile = page.split('<h2 id="profile">')[1]
    row = re.search(r"<tr>(?:(?!</tr>).)*gemma-3-270m-it(?:(?!</tr>).)*hardly more(?:(?!</tr>).)*</tr>", profile, re.DOTALL)
    assert row is not None
    cell = row[0].split('<td class="r strong">')[1]
    assert cell.startswith("<span class=number>—</span>")
    assert REASONS["degenerate_null"] in cell
    assert "not tested" in cell


def test_every_flag_is_explained(page: str, tables: Tables) -> None:
    shown = tables.profiles.filter(pl.col("default") & pl.col("instability").is_not_null())
    for flag in set(shown["flags"].explode(empty_as_null=False)):
        assert REASONS[flag] in page


def test_identity_of_width_zero_is_not_informative(page: str) -> None:
    assert re.search(rf"not informative</span><span class=\"remark\">{REASONS['width_zero']} \(n = 9\)", page)


def test_least_stable_examples_are_all_there(tables: Tables, page: str) -> None:
    ranking = least_stable(tables)
    assert page.count('<details class="card"') == ranking.height == 10
    assert "<ins>teh</ins>" in page
    assert re.search(r"✗ wrong", page)


def test_statuses_and_dropped_wordings_are_counted(page: str) -> None:
    assert all(f">{status}</abbr>" in page for status in ("ok", "empty", "refusal", "filtered", "truncated", "too long", "error"))
    assert "dropped: same as original" in page


def test_equal_answers_of_an_example_have_one_colour(tables: Tables) -> None:
    for card in cards(tables, 3):
        chips = {
            (chip.text, chip.kind)
            for wording in card.wordings
            for reply in wording.replies
            if reply is not None
            for chip in (reply.answer, *reply.drawn)
            if chip is not None and chip.kind >= 0
        }
        assert len({text for text, _ in chips}) == len(chips)


def test_controls_stand_behind_the_wordings(tables: Tables) -> None:
    flags = [wording.control for wording in cards(tables, 1)[0].wordings]
    assert flags == sorted(flags)
    assert any(flags)


def test_confidence_is_that_of_the_chosen_option(tables: Tables) -> None:
    found = 0
    for card in cards(tables):
        for wording in card.wordings:
            for model, reply in zip(MODELS, wording.replies, strict=True):
                if reply is None or reply.confidence is None or reply.answer is None:
                    continue
                key = (pl.col("model") == model) & (pl.col("dataset") == card.dataset) & (pl.col("example") == card.example)
                key &= (pl.col("variant") == wording.name) & (pl.col("decoding") == "greedy")
                vector = tables.features.filter(key & (pl.col("feature") == "option_probabilities"))["vector"][0]
                assert reply.confidence == vector[card.choices.index(reply.answer.text)]
                found += 1
    assert found > 20


def test_one_model_needs_no_model_column(tables: Tables, tmp_path: Path) -> None:
    one = {
        name: getattr(tables, name).filter(pl.col("model") == MODELS[0])
        for name in ("observations", "features", "scores", "profiles", "controls", "accuracy")
    }
    page = written(replace(tables, **one), tmp_path)
    assert MODELS[1] not in page.split('<h2 id="accuracy">', maxsplit=1)[0].split('<h2 id="profile">')[1]
    assert CHOICE in page
    assert TEXT in page


def test_a_run_without_scores_still_shows_what_came_back(tables: Tables, tmp_path: Path) -> None:
    empty = empty_tables()
    page = written(replace(empty, observations=tables.observations, variants=tables.variants, examples=tables.examples), tmp_path)
    assert "What came back" in page
    assert "No answer moved, or none was scored." in page


def test_empty_tables_make_a_page(tmp_path: Path) -> None:
    page = written(empty_tables(), tmp_path, RunSummary("nothing"))
    assert "there is no profile" in page
    assert is_self_contained(page)


def test_the_same_tables_make_the_same_page(tables: Tables, page: str, tmp_path: Path) -> None:
    assert written(tables, tmp_path) == page


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs chromium to open the page in a browser")
def test_in_a_browser_nothing_is_hit(page: str, tmp_path: Path) -> None:
    # The probe looks once everything has loaded, so that handlers of broken images would have run; it writes into an element of its own.
    look = "document.getElementById('probe').textContent = 'hit is ' + typeof window.hit"
    probe = f"<p id=probe></p><script>addEventListener('load', () => {{ {look} }})</script></body>"
    target = tmp_path / "probed.html"
    target.write_text(page.replace("</body>", probe), encoding="utf-8")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--dump-dom"]
    quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", f"--user-data-dir={tmp_path / 'profile'}"]
    shown = subprocess.run([*command, *quiet, target.as_uri()], capture_output=True, text=True, check=True, timeout=120).stdout
    assert "hit is undefined" in shown
    cards_shown = re.findall(r'<details class="card"', shown)
    assert len(cards_shown) == 10
    assert "a &lt; b" in shown


def test_the_interval_for_other_wordings_stands_below_that_for_these(tables: Tables, tmp_path: Path) -> None:
    default = pl.col("default") & pl.col("instability").is_not_null()
    given = tables.profiles.with_columns(
        instability=pl.when(default).then(0.5).otherwise("instability"),
        se_total=pl.when(default).then(0.1),
        n=pl.when(default).then(200).otherwise("n"),
        flags=pl.when(default).then(pl.lit([], dtype=pl.List(pl.String))).otherwise("flags"),
    )
    page = written(replace(tables, profiles=given), tmp_path)
    assert 'with other wordings too: <span class="nowrap">[.30, .70]' in page
    few = given.with_columns(flags=pl.lit(["few_variants"]))
    page = written(replace(tables, profiles=few), tmp_path)
    assert "with other wordings too: <" not in page


def test_a_verdict_that_its_interval_seems_to_contradict_is_explained(tables: Tables, tmp_path: Path) -> None:
    """An interval far above the smallest effect beside INCONCLUSIVE: the bound behind the verdict is a more careful one."""
    far = pl.col("default") & pl.col("instability").is_not_null()
    profiles = tables.profiles.with_columns(
        instability=pl.when(far).then(0.9).otherwise("instability"),
        lower=pl.when(far).then(0.8).otherwise("lower"),
        upper=pl.when(far).then(0.95).otherwise("upper"),
    )
    calm = tables.findings.with_columns(verdict=pl.lit("INCONCLUSIVE"), threshold=pl.lit(0.05))
    remark = "the verdict rests on a more careful bound"
    assert remark in written(replace(tables, profiles=profiles, findings=calm), tmp_path)
    shown = tables.findings.with_columns(verdict=pl.lit("UNSTABLE"), threshold=pl.lit(0.05))
    assert remark not in written(replace(tables, profiles=profiles, findings=shown), tmp_path)


def test_a_legend_names_the_models_that_are_drawn(tables: Tables, tmp_path: Path) -> None:
    """A model without data on a data set stands in the legend of the page, and in none of that data set's figures."""
    model, dataset = tables.profiles.select("model", "dataset").row(0)
    rest = tables.profiles.filter((pl.col("model") != model) | (pl.col("dataset") != dataset))
    page = written(replace(tables, profiles=rest), tmp_path)
    legends = [model in legend for legend in re.findall(r'<p class="legend">(.*?)</p>', page, re.DOTALL)]
    assert legends[0] is True
    assert False in legends[1:]


def test_controls_that_no_cell_could_judge_are_one_line(tables: Tables, tmp_path: Path) -> None:
    twin = pl.col("kind") == "meaning-changed"
    nothing = tables.controls.with_columns(
        verdict=pl.when(twin).then(pl.lit("not_informative")).otherwise("verdict"),
        reason=pl.when(twin).then(pl.lit("no_twin")).otherwise("reason"),
    )
    page = written(replace(tables, controls=nothing), tmp_path)
    assert '<th scope="col">meaning-changed</th>' not in page
    assert "meaning-changed: not informative in any cell: the data give no meaning-changed twin." in page
