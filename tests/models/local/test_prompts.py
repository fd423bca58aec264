from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.models.local.tiny import CHAT, open_tiny, request, tokenizer

from sago.models.local.prompts import PromptMaker
from sago.records import Message

CASE_7: dict[str, str] = json.loads((Path(__file__).parents[2] / "cases" / "data" / "07-chat-templates.json").read_text("utf-8"))
HI = [Message("user", "Hi")]


def maker_of(template: str | None, **arguments: Any) -> PromptMaker:
    return PromptMaker(tokenizer(template), **arguments)


@pytest.mark.parametrize(("name", "begin_tokens"), [("bos_inside", 1), ("bos_spelled", 1), ("no_bos", 0), (None, 1)])
def test_begin_tokens_case_7(name: str | None, begin_tokens: int) -> None:
    maker = maker_of(CASE_7[name] if name else None)
    prompt = maker.render(HI)
    for ids in (maker.encode(prompt), maker.encode(prompt, maker.join(prompt, "B"))):
        assert ids.count(1) == begin_tokens
        assert (ids[0] == 1) == bool(begin_tokens)
    assert any("begin-of-text" in note for note in maker.notes) == (name == "no_bos")


def test_every_pass_sees_the_same_prompt() -> None:
    for template in (*CASE_7.values(), None):
        observation = next(iter(open_tiny("llama", template).observe([request("Hi", choices=("A",), wants_states=True)])))
        maker = maker_of(template)
        assert observation.prompt_tokens == len(maker.encode(maker.render(HI)))


@pytest.mark.parametrize("template", [*CASE_7.values(), None], ids=[*CASE_7, "plain"])
@pytest.mark.parametrize("text", ["<s>Hi", "Hi</s>", "a <s></s> b:", "<s>"])
def test_control_tokens_of_the_user_are_characters(template: str | None, text: str, caplog: pytest.LogCaptureFixture) -> None:
    maker = maker_of(template)
    begin = maker.encode(maker.render(HI)).count(1)
    ids = maker.encode(maker.render([Message("user", text)]))
    assert ids.count(1) == begin
    assert ids.count(2) == 0
    assert text in tokenizer().decode(ids, skip_special_tokens=False)
    assert "control tokens" in caplog.text


def test_a_trimming_template_still_shows_where_the_user_speaks() -> None:
    trimming = CHAT.replace("m['content'] }}", "m['content'] | trim }}")
    ids = maker_of(trimming).encode(maker_of(trimming).render([Message("user", "  a </s> ")]))
    assert ids.count(2) == 0


def test_a_rewriting_template_is_told(caplog: pytest.LogCaptureFixture) -> None:
    rewriting = CHAT.replace("m['content'] }}", "m['content'] | replace('a', 'b') }}")
    maker_of(rewriting).render([Message("user", "a </s>")])
    assert "read as control" in caplog.text


REFUSING = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}" + CHAT
DROPPING = CHAT.replace("{% for m in messages %}", "{% for m in messages if m['role'] != 'system' %}")


@pytest.mark.parametrize("template", [REFUSING, DROPPING], ids=["refuses", "drops"])
def test_a_system_message_is_folded_and_recorded(template: str) -> None:
    maker = maker_of(template)
    assert "<user>Be brief.\n\nHi</user>" in maker.render([Message("system", "Be brief."), *HI]).text
    assert any("folded" in note for note in maker.notes)


def test_a_system_message_that_is_taken_stays() -> None:
    maker = maker_of(CHAT)
    assert "<system>Be brief.</system><user>Hi</user>" in maker.render([Message("system", "Be brief."), *HI]).text
    assert maker.notes == ()


@pytest.mark.parametrize(
    ("content", "text"), [("Q?", "Q?\n\nAnswer:"), ("Q? Answer:", "Q? Answer:"), ("Answer: ", "Answer: "), ("", "\n\nAnswer:")]
)
def test_plain_prompts_end_with_a_colon(content: str, text: str) -> None:
    assert maker_of(None).render([Message("user", content)]).text == text


def test_plain_text_on_request() -> None:
    maker = maker_of(CHAT, chat_template=False)
    assert maker.render([Message("system", "Be brief."), Message("user", "Q:")]).text == "Be brief.\n\nQ:"
    assert maker.notes == ("plain text prompts, as asked",)


@pytest.mark.parametrize(("template", "joined"), [(CHAT, "B"), (None, " B")], ids=["chat", "plain"])
def test_the_space_before_an_answer(template: str | None, joined: str) -> None:
    maker = maker_of(template)
    assert maker.join(maker.render([Message("user", "Q:")]), "B") == joined


def test_the_template_decides_the_space_of_chat_answers() -> None:
    spaced = "{% for m in messages %}{{ '[' + m['content'] + ']' if m['role'] == 'user' else ' ' + m['content'] }}{% endfor %}"
    maker = maker_of(spaced)
    assert maker.join(maker.render(HI), "B") == " B"
    assert maker.join(maker.render(HI), " B") == " B"


@pytest.mark.parametrize(("flag", "expected"), [(None, "default"), (True, "True"), (False, "False")])
def test_thinking_is_passed_to_the_template(flag: bool | None, expected: str) -> None:
    template = "{{ enable_thinking | default('default') }}{% for m in messages %}{{ m['content'] }}{% endfor %}"
    assert maker_of(template, enable_thinking=flag).render(HI).text == f"{expected}Hi"


def test_a_template_that_opens_thinking_is_noticed() -> None:
    opening = CHAT.replace("<assistant>{%", "<assistant><think>\n{%")
    assert maker_of(opening).render(HI).opens_thinking
    assert not maker_of(CHAT).render(HI).opens_thinking


def test_a_date_in_the_template_is_noted() -> None:
    assert any("date" in note for note in maker_of("{{ strftime_now('%d') }}" + CHAT).notes)
