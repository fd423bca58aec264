from __future__ import annotations

import pytest
from tests.features.hand_made import observation, tables
from tests.variations.tables import prompt_of, row, table

from sago.errors import StudyError
from sago.features import extract
from sago.variations import vary
from sago.variations.answer_format import FORMS

_ROWS = {
    "choice": row("1", "Which planet is hot?", choices=["Mars", "Venus", "Earth"], answer_index=1),
    "references": row("1", "Which?", choices=["Copper", "Silver", "Both A and B"], answer_index=2),
    "yes": row("1", "Is it?", choices=["Yes", "No"], answer_index=1),
    "numeric": row("1", "How much?", task="numeric", answers=["1234.5"]),
    "text": row("1", "Where?", answers=["New York"]),
}
_REPLIES = {
    "json": '{{"answer": "{label}"}}|```json\n{{"answer": "{label}"}}\n```|{{"answer": "{text}"}}',
    "marked": "Answer: {label}|**Answer:** {label}|Answer: {label}. {text}|Answer: {text}",
    "sentence": "The answer is {label}.|The answer is {label}. {text}|The answer is {text}.|The answer is **{text}**.",
    "boxed": "\\boxed{{{label}}}|$\\boxed{{{text}}}$|\\[ \\boxed{{{label}}} \\]",
    "label-and-text": "{label}. {text}|{label}) {text}|({label}) {text}|{label}: {text}",
    "label": "{label}|{label}.|({label})|**{label}**",
}
_TASKS = {"choice": "choice", "references": "choice", "yes": "choice", "numeric": "numeric", "text": "text"}


@pytest.mark.parametrize("kind", _ROWS)
@pytest.mark.parametrize("form", FORMS)
def test_the_same_answer_is_read_from_a_reply_in_each_form(form: str, kind: str) -> None:
    given = _ROWS[kind]
    varied = vary(table(given), [f"answer-format:forms={form}"])
    rows = varied.variants.filter(family="answer-format").to_dicts()
    if _TASKS[kind] not in FORMS[form].tasks:
        assert not rows
        return
    (variant,) = rows
    gold = given["answers"][0]
    label = variant["shown_labels"][variant["answer_index"]] if variant["shown_labels"] else gold
    # Without labels nothing stands beside the text.
    kept = [reply for reply in _REPLIES[form].split("|") if variant["shown_labels"] or "{label}" not in reply or "{text}" not in reply]
    replies = [reply.format(label=label, text=gold) for reply in kept]
    seen = [observation(variant, reply, rerun=place) for place, reply in enumerate(replies)]
    read = extract(*tables([{**given, "position": 0}], [variant], seen))
    answers = read.filter(feature="answer", reader="answer").sort("rerun")["category"].to_list()
    assert answers == [{"text": "new york"}.get(kind, gold)] * len(replies), replies
    assert read.filter(feature="correct")["number"].to_list() == [1.0] * len(replies)


def test_the_same_form_has_the_same_name_for_all_examples() -> None:
    rows = vary(table({**_ROWS["choice"]}, {**_ROWS["text"], "example": "2"}), ["answer-format"]).variants
    names = [f"answer-format-{name}" for name in ("json", "marked", "sentence")]
    assert [rows.filter(example=example)["variant"].to_list()[1:] for example in "12"] == [names, names]
    wanted = 'Answer with a JSON object that has one field, "answer", which holds the letter of the right option.'
    assert prompt_of(rows.row(1, named=True)).endswith(wanted)


def test_of_free_text_the_answer_is_asked_for() -> None:
    (said,) = vary(table(_ROWS["text"]), ["answer-format:forms=json"]).variants.filter(family="answer-format").to_dicts()
    assert prompt_of(said).endswith('one field, "answer", which holds the answer in a few words.')


def test_forms_that_do_not_suit_a_task_are_not_asked_for() -> None:
    counts = vary(table(_ROWS["text"]), ["answer-format:n=6"]).counts
    assert counts.select("asked", "made", "dropped_same").row(0) == (3, 3, 0)


def test_an_unknown_form_is_named() -> None:
    with pytest.raises(StudyError, match=r"unknown name 'xml'\. Known, joined by \+: json, marked"):
        vary(table(_ROWS["text"]), ["answer-format:forms=xml"])


def test_without_labels_a_text_is_asked_for() -> None:
    spec = "answer-format+format:answer-format.forms=label-and-text+marked,format.layouts=bullets"
    rows = vary(table(_ROWS["choice"]), [spec]).variants.to_dicts()[1:]
    assert [prompt_of(one).rpartition("- Task: ")[2] for one in rows] == [
        "Answer with the text of one option only.",
        'Answer in one line that starts with "Answer:", followed by the text of the right option.',
    ]
