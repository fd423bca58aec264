"""Which tokens of a text behind a prompt are scored, and behind which: the whole-string rule, for a prompt that may have been cut."""

from __future__ import annotations

from sago.models.local.budget import cut
from sago.models.local.continuations import Continuation, split_whole
from sago.models.local.grouping import PromptGroup
from sago.models.local.prompts import PromptMaker


def continuation_of(prompts: PromptMaker, group: PromptGroup, text: str, context: int, truncate: str | None = None) -> Continuation | str:
    """Returns what is to be scored behind a group's prompt, or why it cannot be. Each text is worked out once.

    Args:
        prompts: What renders and encodes.
        group: The prompt.
        text: What may stand behind it.
        context: Most tokens of the whole.
        truncate: Where the group's prompt was cut, if it was.
    """
    if text not in group.continuations:
        group.continuations[text] = _split(prompts, group, text, context, truncate)
    return group.continuations[text]


def _split(prompts: PromptMaker, group: PromptGroup, text: str, context: int, truncate: str | None) -> Continuation | str:
    if group.prompt is None or not text.strip():
        return "is empty"
    prompt = group.prompt
    whole = prompts.encode(prompt, prompts.join(prompt, text))
    stripped = prompts.stripped(prompt)
    item = split_whole(whole, group.whole if stripped == prompt else prompts.encode(stripped))
    if item is None:
        return "has no token of its own"
    left_out = len(group.whole) - len(group.ids)
    if left_out and truncate is not None:
        item = Continuation(tuple(cut(item.context, len(item.context) - left_out, truncate)), item.tokens)
    length = len(item.context) + len(item.tokens)
    if length > context:
        return f"does not fit behind the prompt: {length} tokens, the context has {context}"
    return item
