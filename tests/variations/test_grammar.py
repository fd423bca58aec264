from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.variations.tables import case_rows

from sago.records import Draft, Example
from sago.variations import grammar
from sago.variations.grammar import SPACE, Point, differing, name_of, point_named, points
from sago.variations.layouts import get_layout
from sago.variations.parts import Parts, labels_of
from sago.variations.rendering import render

_CHOICE = Example("d", "1", "Which?", context="One.\n\nTwo.", choices=("green", "blue"), answer_index=0, task="choice")
_TEXT = Example("d", "2", "Who?", task="text")
_SOME = points()[:25]


def _shown(example: Example, **fields: Any) -> str:
    name = name_of(Point(**fields))
    return render(example, Draft(name, layout=name)).text


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"gap": "line"}, "One.\n\nTwo.\nWhich?\nA. green\nB. blue\nAnswer with the letter only."),
        ({"mark": "brackets", "options": "semicolon"}, "One.\n\nTwo.\n\nWhich?\n\n[A] green; [B] blue\n\nAnswer with the letter only."),
        (
            {"names": "short", "separator": "dashes", "gap": "bars", "mark": "parens", "options": "comma"},
            "Text -- One.\n\nTwo. || Q -- Which? || Choices -- (A) green, (B) blue || Task -- Answer with the letter only. || A --",
        ),
        (
            {"names": "words", "case": "upper", "gap": "rule", "mark": "paren", "labels": "small_romans"},
            "CONTEXT: One.\n\nTwo.\n---\nQUESTION: Which?\n---\nOPTIONS:\ni) green\nii) blue\n---\n"
            "INSTRUCTION: Answer with the roman numeral of the option only.\n---\nANSWER:",
        ),
        (
            {"names": "input", "case": "lower", "separator": "colon-line", "gap": "lines", "mark": "bold", "options": "blank"},
            "background:\nOne.\n\nTwo.\n\n\ninput:\nWhich?\n\n\ncandidates:\n**A** green\n\n**B** blue\n\n\n"
            "request:\nAnswer with the letter only.\n\n\noutput:",
        ),
    ],
)
def test_points_as_they_are_shown(fields: dict[str, Any], expected: str) -> None:
    assert _shown(_CHOICE, **fields) == expected


def test_an_open_question_without_context_shows_what_it_has() -> None:
    assert _shown(_TEXT, names="problem", separator="tab") == "Problem\tWho?\n\nDirections\tAnswer in a few words.\n\nSolution"


@pytest.mark.parametrize("example", [_CHOICE, _TEXT], ids=["choice", "text"])
def test_the_origin_of_the_space_is_the_canonical_layout(example: Example) -> None:
    origin = grammar.layout_named("plain")
    labels = labels_of("letters", len(example.choices or ()))
    parts = Parts(example.question, "Say it.", example.context, example.choices or (), labels)
    assert origin is not None
    assert origin.place(parts) == get_layout("plain").place(parts)


@settings(deadline=None, max_examples=200, derandomize=True)
@given(st.tuples(*(st.sampled_from(values) for values in SPACE.values())))
def test_a_name_tells_its_point(values: tuple[Any, ...]) -> None:
    point = Point(*values)
    is_sound = point.names != "none" or (point.case, point.separator) == ("title", "colon")
    assert point_named(name_of(point)) == (point if is_sound and not _cue_is_a_label(point) else None)


def _cue_is_a_label(point: Point) -> bool:
    """Returns whether the last line of the prompt is how its first option begins, as it would be shown."""
    if point.names != "short":
        return False
    cue = grammar.CASES[point.case]("A") + grammar.SEPARATORS[point.separator].rstrip()
    before, after = grammar.MARKS[point.mark]
    return cue == before + labels_of(point.labels, 1)[0] + after.rstrip() and after.strip() == ":"


@pytest.mark.parametrize(
    "name",
    ["", "json", "gap-none", "gap-blank", "gap", "gap-rule.gap-line", "gap-rule.names-short", "case-upper", "labels-none", "gap-rule."],
)
def test_what_names_no_point(name: str) -> None:
    assert point_named(name) is None


@pytest.mark.parametrize("any_labels", [False, True])
def test_the_whole_space_once(any_labels: bool) -> None:
    everything = points(any_labels=any_labels)
    by_hand = (5 * 6 * 5 + 4 * 3 * 7 * 5 * 6 * 5) * (5 if any_labels else 1) - 1
    by_hand -= (2 * 2 + 1 * 2 if any_labels else 2 * 2) * 5 * 5  # the cue A: behind labels A:, and a: behind a:
    assert len(everything) == len(set(everything)) == by_hand
    assert "plain" not in everything


@pytest.mark.parametrize("count", range(1, 7))
def test_the_intensity_is_the_number_of_fields_that_differ(count: int) -> None:
    some = points(count)
    assert {len(differing(point)) for name in some[:500] if (point := point_named(name))} == {count}
    assert sum(len(points(each)) for each in range(1, 7)) == len(points())


def test_the_order_is_the_same_in_another_process() -> None:
    code = "from sago.variations.grammar import points; print(*points()[:3])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert tuple(done.stdout.split()) == points()[:3]
    assert points()[0] == "names-words.case-upper.separator-line.mark-bold.options-blank"


@pytest.mark.parametrize("name", _SOME)
@pytest.mark.parametrize("row", case_rows("06-braces.jsonl"), ids=lambda row: row["id"])
def test_data_is_never_a_template(name: str, row: dict[str, Any]) -> None:
    example = Example("d", row["id"], row["question"], choices=tuple(row["choices"]), answer_index=row["answer"], task="choice")
    prompt = render(example, Draft(name, layout=name)).text
    assert prompt.count(row["question"]) == 1
    labels = render(example, Draft(name, layout=name)).labels
    before, after = grammar.MARKS[point.mark] if (point := point_named(name)) else ("", "")
    assert labels is not None
    assert all(before + label + after + choice in prompt for label, choice in zip(labels, row["choices"], strict=True))


_TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=30)


@settings(deadline=None, max_examples=100, derandomize=True)
@given(_TEXTS, _TEXTS, st.lists(_TEXTS, min_size=2, max_size=4), st.sampled_from(points(any_labels=True)[:2000]))
def test_every_text_stands_byte_for_byte_in_its_order(question: str, context: str, choices: list[str], name: str) -> None:
    example = Example("d", "1", question, context=context, choices=tuple(choices), task="choice")
    prompt = render(example, Draft(name, layout=name)).text
    position = 0
    for text in (context, question, *choices):
        position = prompt.index(text, position) + len(text)


@pytest.mark.parametrize("name", _SOME)
def test_a_format_adds_no_white_space_at_the_ends(name: str) -> None:
    prompt = render(_CHOICE, Draft(name, layout=name)).text
    assert prompt == prompt.strip()
