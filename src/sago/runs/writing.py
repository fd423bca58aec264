"""Models that write for the program: wordings, translations, and whatever else is asked through the same door.

A :class:`Writer` is a ``sago.variations.Write``: name of a model, requests -> one text a request. It opens a model by its name, asks it for
what is not kept yet, and keeps every text as it comes. With ``is_dry`` it opens and asks nothing, and counts what it would ask.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sago import _version, registry
from sago.errors import StudyError
from sago.models import Model, Translator, check_model_spec, open_model
from sago.models.opening import stamp_of
from sago.records import CANONICAL, Key, Message, ModelOptions
from sago.records import Request as Call
from sago.runs.execute import describe
from sago.runs.kept_texts import Identities, KeptTexts, texts_folder
from sago.runs.progress import Progress, Silent
from sago.seeds import content_hash
from sago.variations import Request
from sago.variations.specs import short_name

CALLS_AT_ONCE = 256
"""Requests that a model is given together: enough to fill its batches."""

_NOT_THE_MODEL = ("notes", "source", "device", "capabilities")
"""What is told of a model and changes none of its texts."""


@dataclass(slots=True)
class Tally:
    """What one model was asked for one purpose.

    Attributes:
        asked: Texts that were needed.
        known: Those of them that were kept already.
        missing: Those that did not come; none of them is kept, and each is asked for again next time.
        following: Texts that will be needed for those that are not there yet.
        characters: Of the prompts that were, or would be, asked.
        new_tokens: Most tokens that they can make.
        error: What the first that did not come was told.
    """

    asked: int = 0
    known: int = 0
    missing: int = 0
    following: int = 0
    characters: int = 0
    new_tokens: int = 0
    error: str | None = None


class Writer:
    """Asks models for texts, and none twice.

    Args:
        options: How to open a model, by its name; null = the defaults.
        folder: Where texts are kept; null = in the user's cache.
        is_dry: Whether to open and ask nothing, and give only what is kept.
        progress: Told of every step; null = silent.
    """

    def __init__(
        self,
        options: Callable[[str], ModelOptions] | None = None,
        *,
        folder: Path | None = None,
        is_dry: bool = False,
        progress: Progress | None = None,
    ) -> None:
        self.is_dry = is_dry
        self.tallies: dict[tuple[str, str], Tally] = {}
        """What was asked, by model and purpose."""
        self.described: dict[str, dict[str, Any]] = {}
        """What is known of each model that was named."""
        self._options = options or (lambda _: ModelOptions())
        self._folder = texts_folder() if folder is None else folder
        self._progress = progress or Silent()
        self._identities = Identities(self._folder)
        self._texts: dict[str, KeptTexts] = {}
        self._models: dict[str, Model] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Frees every model that was opened; may be called twice."""
        for model in self._models.values():
            model.close()
        self._models = {}

    def __call__(self, model: str, requests: Sequence[Request]) -> list[str | None]:
        """Returns one text a request; null where none came, or one that was cut off and is of no use so.

        Raises:
            InputError: If no model has the name, or it cannot be used; before anything is asked.
            ModelError: If the model fails as a whole; what it wrote before is kept.
            KeyboardInterrupt: After everything that was written has been kept.
        """
        translator = _translator(model)
        if translator is None:
            check_model_spec(model)
        else:
            for request in requests:
                _check_passage(translator, request)
        if not requests:
            return []
        texts = self._texts_of(model, translator)
        keys = [_key(request, is_translated=translator is not None) for request in requests]
        wanted = {key: request for key, request in zip(keys, requests, strict=True) if texts is None or texts.get(key) is None}
        tally = self._tally(model, requests, keys, wanted)
        if wanted and not self.is_dry and texts is not None:
            self._progress.start(f"{model} writes", len(wanted))
            ask = self._ask if translator is None else self._translate
            ask(model, wanted, texts, tally)
            self._progress.stop()
        return [_text(texts, key, request) for key, request in zip(keys, requests, strict=True)]

    def _tally(self, model: str, requests: Sequence[Request], keys: Sequence[str], wanted: dict[str, Request]) -> Tally:
        tally = self.tallies.setdefault((model, requests[0].purpose), Tally())
        different = len(set(keys))
        tally.asked += different
        tally.known += different - len(wanted)
        tally.following += sum(request.followed_by for request in wanted.values())
        tally.characters += sum(len(request.prompt) for request in wanted.values())
        tally.new_tokens += sum(request.max_new_tokens for request in wanted.values())
        return tally

    def _texts_of(self, model: str, translator: Translator | None) -> KeptTexts | None:
        """Returns the texts of a model; opens it where only that tells which it is, and then, dry, returns null."""
        if model not in self._texts:
            described = {"id": translator.name, "version": translator.describe()} if translator else self._described(model)
            if described is None:
                return None
            identity = content_hash({name: value for name, value in described.items() if name not in _NOT_THE_MODEL})
            self.described[model] = described
            self._texts[model] = KeptTexts(self._folder, identity, described)
        return self._texts[model]

    def _described(self, model: str) -> dict[str, Any] | None:
        options = self._options(model)
        stamp = stamp_of(model, options)
        name = None if stamp is None else content_hash(_version.__version__, model, stamp, asdict(options))
        known = self._identities.get(name) if name else None
        if known is not None:
            return known
        if self.is_dry:
            return None
        described = describe(self._opened(model))
        if name:
            self._identities.remember(name, described)
        return described

    def _opened(self, spec: str) -> Model:
        if spec not in self._models:
            self._progress.start(f"loading {spec}")
            self._models[spec] = open_model(spec, self._options(spec))
            self._progress.stop()
        return self._models[spec]

    def _ask(self, spec: str, wanted: dict[str, Request], texts: KeptTexts, tally: Tally) -> None:
        model, waiting = self._opened(spec), list(wanted.items())
        for start in range(0, len(waiting), CALLS_AT_ONCE):
            calls = [_call(model.id, key, request) for key, request in waiting[start : start + CALLS_AT_ONCE]]
            for found in model.observe(calls):
                key = found.key.example
                if found.status in ("error", "too_long"):
                    tally.missing += 1
                    tally.error = tally.error or found.error or found.status
                else:
                    texts.keep(key, {**_content(wanted[key]), "text": found.response or "", "status": found.status})
                self._progress.advance()

    def _translate(self, spec: str, wanted: dict[str, Request], texts: KeptTexts, tally: Tally) -> None:
        translator = registry.get("translators", spec)
        for key, request in wanted.items():
            passage = request.passage
            text = translator.translate([passage.text], passage.source, passage.target)[0] if passage else None
            if text is None:
                tally.missing += 1
                tally.error = tally.error or "no translation came"
            else:
                texts.keep(key, {"passage": asdict(passage) if passage else None, "text": text, "status": "ok" if text else "empty"})
            self._progress.advance()


def notes_of(writer: Writer, tested: Sequence[str]) -> tuple[str, ...]:
    """Returns what a reader should know of the texts, one line each, the same whether they were kept already or not.

    Args:
        writer: Who wrote.
        tested: Names of the models under test: one that wrote as well is pointed out.
    """
    notes: list[str] = []
    ids = {writer.described[spec]["id"]: spec for spec in tested if spec in writer.described}
    for (spec, purpose), tally in sorted(writer.tallies.items()):
        if writer.is_dry:
            notes.append(_would_ask(spec, purpose, tally))
        else:
            notes.append(f"{purpose}: written by {_named(spec, writer.described[spec])}; kept, so that the same texts come out again")
        if tally.missing:
            notes.append(f"{purpose}: {tally.missing:,} of {tally.asked:,} texts did not come from '{spec}' ({tally.error})")
        if spec in tested or writer.described.get(spec, {}).get("id") in ids:
            notes.append(
                f"{purpose}: '{spec}' wrote them and is under test too. What it says itself may suit it better than other models: "
                "read its stability there with care, or name another model to write"
            )
    return tuple(notes)


def _would_ask(spec: str, purpose: str, tally: Tally) -> str:
    new = tally.asked - tally.known
    if not new:
        return f"{purpose}: all {tally.asked:,} texts of '{spec}' are kept already; it would be asked for none"
    more = f", and at most {tally.following:,} that follow from them" if tally.following else ""
    return (
        f"{purpose}: '{spec}' would be asked for {new:,} texts ({tally.known:,} are kept already; prompts of {tally.characters:,} "
        f"characters, at most {tally.new_tokens:,} new tokens){more}. It was asked for none: what is not written yet stands as dropped in "
        "the table, and is not among the prompts and calls counted"
    )


def _named(spec: str, described: dict[str, Any]) -> str:
    details = [str(described[name])[:12] for name in ("revision", "weights_hash") if described.get(name)]
    version = described.get("version")
    return f"'{described['id']}' ({', '.join([short_name(spec) if version is None else version, *details])})"


def _translator(spec: str) -> Translator | None:
    if spec not in registry.names("translators"):
        return None
    translator: Translator = registry.get("translators", spec)
    return translator


def _check_passage(translator: Translator, request: Request) -> None:
    if request.passage is None:
        raise StudyError("only translates, and was asked for something else", where=translator.name, fix="Name a model, such as embedded")
    translator.check(request.passage.source, request.passage.target)


def _content(request: Request) -> dict[str, Any]:
    """Returns everything about a request that could change the text; a greedy one has no seed."""
    sampled = {"seed": request.seed, "temperature": request.temperature} if request.temperature else {}
    return {"prompt": request.prompt, "max_new_tokens": request.max_new_tokens, **sampled}


def _key(request: Request, *, is_translated: bool) -> str:
    return content_hash(asdict(request.passage) if is_translated and request.passage else _content(request))


def _call(model: str, key: str, request: Request) -> Call:
    return Call(
        key=Key(model, "written", key, CANONICAL, "sampled" if request.temperature else "greedy", 0),
        messages=(Message("user", request.prompt),),
        is_canonical=True,
        max_new_tokens=request.max_new_tokens,
        temperature=request.temperature,
        seed=request.seed,
    )


def _text(texts: KeptTexts | None, key: str, request: Request) -> str | None:
    row = texts.get(key) if texts is not None else None
    if row is None or (request.is_whole and row.get("status") == "truncated"):
        return None
    return row.get("text") or None
