"""The contract of a variation as code: what a plug-in is held to before its variants are trusted."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sago.errors import PluginError, SagoError, UnknownNameError
from sago.records import CONTROL_FAMILIES, Draft, Example, Message, Twin
from sago.seeds import stream
from sago.variations import HasIntensity, Parameter, Prepared, Request, Variation
from sago.variations.equivalence import RULES, checks_passed
from sago.variations.layouts import LABELS, get_layout
from sago.variations.protect import protected_in
from sago.variations.rendering import render
from sago.variations.specs import is_within, limits

_EQUIVALENCES = ("by_construction", "to_check", "changed")
_NAME = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_SEEDS = range(5)

SAMPLE: tuple[Example, ...] = (
    Example(
        dataset="sample",
        example="options",
        question="Which of these big animals never sleeps lying down for 8 hours?",
        choices=("A horse", "A lion", "A child", "None of the above"),
        answers=("A horse",),
        answer_index=0,
        task="choice",
        paraphrases=("Name the animal that never lies down to sleep for 8 hours.", "Which animal never sleeps 8 hours lying down?"),
        twin=Twin("Which of these big animals often sleeps lying down for 8 hours?", ("A child",), 2),
        metadata={"source": {"page": 3}, "translations": {"de": "Welches dieser Tiere schläft nie 8 Stunden im Liegen?"}},
    ),
    Example(
        dataset="sample",
        example="references",
        question="Which metals conduct electricity well?",
        choices=("Copper", "Silver", "Both A and B", "Neither A nor B"),
        answers=("Both A and B",),
        answer_index=2,
        task="choice",
    ),
    Example(
        dataset="sample",
        example="number",
        question="A train without passengers travels 120 km in 1.5 hours; what is its average speed in km/h?",
        answers=("80",),
        task="numeric",
        paraphrases=("What is the average speed in km/h of a train without passengers that needs 1.5 hours for 120 km?",),
    ),
    Example(
        dataset="sample",
        example="fields",
        question="Open https://docs.example.org/a?b=1 and say what `print({x})` or {{ 7*7 }} shows; don't run v2.14.0 at 192.168.10.7.",
        context="A page about templates.\n\nIt has two paragraphs.",
        answers=("a page",),
        task="text",
    ),
    Example(dataset="sample", example="han", question="今年是哪一年？", answers=("2026",), task="text"),
    Example(
        dataset="sample", example="legs", question="It's a spider. How many legs does it have in total?", answers=("8",), task="numeric"
    ),
    Example(dataset="sample", example="sum", question="12 + 30 = ?", task="numeric"),
)
"""Examples of every task: with and without context, choices that name each other, protected spans, nothing to edit."""


def check_variation(variation: Any, examples: Sequence[Example] | None = None) -> None:
    """Holds a variation to its protocol and to what every user relies on.

    It declares itself completely; its drafts depend on the example, the parameters and the generator alone; each draft changes
    something, has its own name and fits its example; whatever is protected stays; controls say that they are controls.

    Args:
        variation: What the plug-in registers.
        examples: Examples to try it on, in place of :data:`SAMPLE`.

    Raises:
        PluginError: At the first promise that is broken, naming the example and the draft.
    """
    _check_declaration(variation)
    tried = SAMPLE if examples is None else tuple(examples)
    for parameters in _parameter_sets(variation):
        variation = _prepared(variation, tried, parameters)
        first = [_drafts(variation, example, parameters, seed) for example in tried for seed in _SEEDS]
        again = [_drafts(variation, example, parameters, seed) for example in reversed(tried) for seed in reversed(_SEEDS)]
        if first != again[::-1]:
            raise _broken(variation, "gives other drafts for the same seed when the order of examples changes", "Draw from rng alone")
        if not any(first):
            fix = "Pass examples to which it applies, or let applies and vary find something to do"
            raise _broken(variation, "makes no draft of any of the examples, so nothing could be checked", fix)
        for example, drafts in zip((example for example in tried for _ in _SEEDS), first, strict=True):
            _check_drafts(variation, example, drafts, parameters)


def _prepared(variation: Variation, examples: Sequence[Example], parameters: Mapping[str, Any]) -> Variation:
    """Returns the variation with what it needs: the other examples, and a model that writes without thinking."""
    if not isinstance(variation, Prepared):
        return variation
    mine = [example for example in examples if variation.applies(example)]
    return variation.prepared(mine, parameters, _Outside(tuple(examples)))


class _Outside:
    def __init__(self, examples: Sequence[Example]) -> None:
        self._examples = examples

    def pool(self, dataset: str) -> Sequence[Example]:
        return self._examples

    def write(self, model: str, requests: Sequence[Request]) -> Sequence[str | None]:
        return [self._written(request.prompt) for request in requests]

    def _written(self, prompt: str) -> str:
        """Returns the question that a longer prompt is about, said a little otherwise; any other prompt back to front."""
        about = max((one.question for one in self._examples if one.question in prompt), key=len, default=prompt)
        return " ".join(reversed(prompt.split())) if about == prompt else f"say, {about}"


def _broken(variation: Any, what: str, fix: str | None = None, example: Example | None = None, draft: Draft | None = None) -> PluginError:
    where = f"variation '{getattr(variation, 'name', type(variation).__name__)}'"
    if example is not None:
        where += f", example '{example.example}'"
    if draft is not None:
        where += f", draft '{draft.name}'"
    return PluginError(what, where=where, fix=fix)


def _check_declaration(variation: Any) -> None:
    if not isinstance(variation, Variation):
        members = ("name", "description", "control", "equivalence", "protects", "parameters", "applies", "vary")
        lacking = [name for name in members if not hasattr(variation, name)]
        raise _broken(variation, f"lacks {', '.join(lacking)}", "See sago.variations.Variation")
    if not isinstance(variation.name, str) or not _NAME.fullmatch(variation.name):
        raise _broken(variation, f"has the name {variation.name!r}", "Use small letters, digits and hyphens")
    for attribute in ("description", "protects"):
        text = getattr(variation, attribute)
        if not isinstance(text, str) or not text.strip() or "\n" in text:
            raise _broken(variation, f"has no one-line text as its {attribute}")
    if not isinstance(variation.control, bool):
        raise _broken(variation, f"has {variation.control!r} as its control", "Give True or False")
    if variation.equivalence not in _EQUIVALENCES:
        raise _broken(variation, f"has the equivalence {variation.equivalence!r}", f"Give one of {', '.join(_EQUIVALENCES)}")
    if not variation.control and (variation.equivalence == "changed" or variation.name in CONTROL_FAMILIES):
        raise _broken(variation, "changes the meaning, or has a control's name, but is not flagged as a control", "Set control = True")
    if not isinstance(variation.parameters, Mapping):
        raise _broken(variation, "has no mapping as its parameters", "Give {} where there are none")
    if isinstance(variation, HasIntensity) and variation.intensity not in variation.parameters:
        raise _broken(variation, f"has the intensity {variation.intensity!r}, which is none of its parameters", "Name a parameter")
    for name, parameter in variation.parameters.items():
        if not isinstance(parameter, Parameter) or not is_within(parameter.default, parameter):
            hint = f"; it has to be a {limits(parameter)}" if isinstance(parameter, Parameter) else ""
            raise _broken(variation, f"declares parameter '{name}' with a default out of its limits{hint}")


def _parameter_sets(variation: Variation) -> Iterator[dict[str, Any]]:
    """Yields the defaults, and every number at its smallest and at its largest value."""
    defaults = {name: parameter.default for name, parameter in variation.parameters.items()}
    yield defaults
    for name, parameter in variation.parameters.items():
        for limit in (parameter.minimum, parameter.maximum):
            if limit is not None:
                yield {**defaults, name: type(parameter.default)(limit)}


def _drafts(variation: Variation, example: Example, parameters: Mapping[str, Any], seed: int) -> tuple[Draft, ...]:
    given_example, given_parameters = copy.deepcopy(example), dict(parameters)
    applies = variation.applies(given_example)
    if not isinstance(applies, bool):
        raise _broken(variation, f"answers applies with {applies!r}", "Return True or False", example)
    drafts = variation.vary(given_example, given_parameters, stream(seed)) if applies else ()
    if given_example != example or given_parameters != parameters:
        raise _broken(variation, "alters the example or the parameters that it was given", "Work on copies", example)
    if isinstance(drafts, str) or not isinstance(drafts, Sequence) or not all(isinstance(draft, Draft) for draft in drafts):
        raise _broken(variation, "returns something else than a sequence of drafts", "Return a tuple of sago.records.Draft", example)
    return tuple(drafts)


def _check_drafts(variation: Variation, example: Example, drafts: Sequence[Draft], parameters: Mapping[str, Any]) -> None:
    names = [draft.name for draft in drafts]
    if len(set(names)) < len(names):
        raise _broken(variation, f"gives two drafts the same name: {names}", "Give each draft its own name", example)
    if isinstance(parameters.get("n"), int) and len(drafts) > max(parameters["n"], 1) and not parameters.get("layouts"):
        raise _broken(variation, f"returns {len(drafts)} drafts where n is {parameters['n']}", "Return n drafts or fewer", example)
    for draft in drafts:
        _check_types(variation, example, draft)
        _check_change(variation, example, draft)
        _check_meaning(variation, example, draft)


def _check_types(variation: Variation, example: Example, draft: Draft) -> None:
    def texts(value: Any) -> bool:
        return value is None or (isinstance(value, tuple) and all(isinstance(item, str) for item in value))

    def text(value: Any) -> bool:
        return value is None or (isinstance(value, str) and bool(value.strip()))

    fields_fit = {
        "name": isinstance(draft.name, str) and bool(draft.name.strip()),
        "question": text(draft.question),
        "context": draft.context is None or isinstance(draft.context, str),
        "layout": draft.layout is None or _is_layout(draft.layout),
        "labels": draft.labels is None or draft.labels in LABELS,
        "instruction": all(text(said) for said in _instructions(draft)),
        "lead": text(draft.lead),
        "system": text(draft.system),
        "turns": isinstance(draft.turns, tuple) and all(isinstance(turn, Message) for turn in draft.turns),
        "choices": texts(draft.choices),
        "answers": texts(draft.answers),
        "checks": draft.checks is not None and texts(draft.checks),
        "permutation": draft.permutation is None or isinstance(draft.permutation, tuple),
        "answer_index": draft.answer_index is None or 0 <= draft.answer_index < len(example.choices or ()),
    }
    wrong = [name for name, fits in fields_fit.items() if not fits]
    if wrong:
        raise _broken(variation, f"sets {', '.join(wrong)} to a value that does not fit", "See sago.records.Draft", example, draft)
    try:
        json.dumps(dict(draft.parameters), allow_nan=False)
        render(example, draft)
    except (TypeError, ValueError) as error:
        raise _broken(variation, f"has parameters that are no JSON: {error}", None, example, draft) from error
    except SagoError as error:
        raise _broken(variation, error.what, error.fix, example, draft) from error


def _instructions(draft: Draft) -> tuple[Any, ...]:
    return tuple(draft.instruction.values()) if isinstance(draft.instruction, Mapping) else (draft.instruction,)


def _is_layout(name: Any) -> bool:
    try:
        return isinstance(name, str) and get_layout(name).name == name
    except UnknownNameError:
        return False


def _check_change(variation: Variation, example: Example, draft: Draft) -> None:
    if variation.name != "identity" and render(example, draft).whole == render(example).whole:
        raise _broken(variation, "returns a draft that changes nothing", "Return no draft instead", example, draft)
    if draft.answers is not None and not variation.control:
        raise _broken(variation, "changes the right answer but is no control", "Set control = True", example, draft)


def _check_meaning(variation: Variation, example: Example, draft: Draft) -> None:
    if variation.equivalence != "by_construction":
        return
    lost = set(RULES) - set(checks_passed(example.question, draft.question)) if draft.question is not None else set()
    if lost:
        raise _broken(variation, f"does not keep {', '.join(sorted(lost))}", "Leave numbers and negations alone", example, draft)
    if not protected_in(example, draft):
        fix = "Leave the spans of sago.variations.protect alone"
        raise _broken(variation, f"alters a protected span: {draft.question!r}", fix, example, draft)
