"""A model on this machine: every prompt is read once, and its responses, choices, anchor and states come out of that one pass."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence

from sago.errors import ModelError
from sago.models.local.assembly import Assembly, Findings, encode, failed, too_long
from sago.models.local.budget import Budget, cut, is_out_of_memory, tokens_that_fit
from sago.models.local.continuations import Continuation
from sago.models.local.forward import Network
from sago.models.local.generation import Generator, Row
from sago.models.local.grouping import PromptGroup, batches, windows
from sago.models.local.loading import Loaded
from sago.models.local.prompts import PromptMaker
from sago.models.local.replies import ReplyReader, read_reply
from sago.models.local.rows import Prefix
from sago.models.local.scoring import log_likelihoods, plain_log_likelihood
from sago.models.local.seams import continuation_of
from sago.models.local.states import FINAL, LAST, RESPONSE, layers_at, state_vectors
from sago.records import Capability, ModelDescription, ModelOptions, Observation, Request

Example = tuple[str, str]
"""Dataset and example."""

_log = logging.getLogger(__name__)


class LocalModel:
    """A causal language model of transformers.

    Args:
        loaded: The model in memory.
        options: How it was opened.
        model_id: Name in tables.
        source: What the person wrote.
        notes: What a reader of the numbers should know.
    """

    def __init__(self, loaded: Loaded, options: ModelOptions, *, model_id: str, source: str, notes: tuple[str, ...] = ()) -> None:
        self.id = model_id
        self.capabilities: frozenset[Capability] = frozenset({"generate", "token_logprobs", "choice_logprobs", "anchor_logprobs", "states"})
        self._prompts = PromptMaker(loaded.tokenizer, chat_template=options.chat_template, enable_thinking=options.enable_thinking)
        self._network: Network | None = Network(loaded.model)
        self._generator = Generator(ReplyReader(loaded.tokenizer), ends=_ends(loaded), stops=options.stop)
        self._layers = layers_at(options.depths, len(self._network.blocks))
        self._taps = frozenset(options.taps)
        self._batch_size = options.batch_size
        self._budget = Budget(options.batch_tokens or tokens_that_fit(loaded.model, self._network.device))
        self._truncate = options.truncate
        notes = (*notes, *self._prompts.notes)
        if self._network.one_by_one:
            self._batch_size = 1
            notes = (*notes, "padding changes the numbers of this architecture: prompts were run one by one")
            _log.warning("%s: padding changes its numbers; prompts are run one by one", model_id)
        elif not self._network.shares_tokens:
            notes = (*notes, "this architecture does not take prompts as a tree: what they have in common was computed for each of them")
            _log.warning("%s: its attention takes no tree of prompts; what they have in common is computed for each of them", model_id)
        self._description = ModelDescription(
            id=model_id,
            source=source,
            revision=loaded.revision,
            weights_hash=loaded.weights,
            dtype=str(loaded.model.dtype).removeprefix("torch."),
            device=str(self._network.device),
            chat_template_hash=loaded.template_hash if self._prompts.template is not None else None,
            notes=notes,
        )

    def describe(self) -> ModelDescription:
        """Returns everything about the model that could change an observation."""
        return self._description

    def close(self) -> None:
        """Frees the weights; the model cannot be asked afterwards. May be called twice."""
        self._network = None

    def observe(self, requests: Sequence[Request]) -> Iterator[Observation]:
        """Yields one observation per request, batch by batch; memory is bounded by a few batches.

        Raises:
            ModelError: If the model was closed.
        """
        if self._network is None:
            raise ModelError("was closed", where=self.id, fix="Open it again")
        anchors: dict[Example, str] = {}
        for window in windows(requests, self._batch_size):
            ready: list[PromptGroup] = []
            for group in window:
                yield from self._prepare(group, self._network)
                if group.requests:
                    ready.append(group)
            for batch in batches(ready, self._batch_size, self._budget, shares_tokens=self._network.shares_tokens):
                yield from self._observe_batch(self._network, batch, anchors)

    def _prepare(self, group: PromptGroup, network: Network) -> Iterator[Observation]:
        """Renders and encodes the group's prompt; yields the requests that end here and takes them out."""
        yield from encode(group, self._prompts)
        fitting = []
        for request in group.requests:
            room = network.context - request.max_new_tokens
            if len(group.ids) <= room:
                fitting.append(request)
            elif self._truncate is not None and room > 0:
                group.ids = cut(group.whole, room, self._truncate)
                fitting.append(request)
            else:
                yield too_long(request, group.ids, network.context)
        group.requests = fitting

    def _observe_batch(self, network: Network, batch: list[PromptGroup], anchors: dict[Example, str]) -> Iterable[Observation]:
        """Observes a batch; one that fails is halved until only what really fails is an error."""
        try:
            return self._pass(network, batch, anchors)
        except Exception as error:  # noqa: BLE001 - one prompt that fails must not cost the others; the message is recorded
            if is_out_of_memory(error):
                self._budget.halve(self.id)
                network.free()
            if len(batch) == 1:
                return [failed(request, error) for request in batch[0].requests]
        middle = len(batch) // 2
        return [observation for half in (batch[:middle], batch[middle:]) for observation in self._observe_batch(network, half, anchors)]

    def _pass(self, network: Network, batch: list[PromptGroup], anchors: dict[Example, str]) -> list[Observation]:
        started = time.perf_counter()
        wants_states = any(request.wants_states for group in batch for request in group.requests)
        layers = self._prompt_layers() if wants_states else ()
        prefix = network.read([group.ids for group in batch], layers, list(self._behind(network, batch)))
        responses = [(index, Row(request, group.is_plain)) for index, group in enumerate(batch) for request in group.requests]
        self._generator.generate(network, prefix, [index for index, _ in responses], [row for _, row in responses])
        found = [self._findings(batch[index], row, anchors) for index, row in responses]
        self._score(network, prefix, batch, [(index, one) for (index, _), one in zip(responses, found, strict=True)], anchors)
        for (index, row), one in zip(responses, found, strict=True):
            if row.request.wants_states:
                one.add_states(*state_vectors(prefix.pooled, index, len(network.blocks)))
        if wants_states and RESPONSE in self._taps:
            self._add_response_states(network, prefix, [(index, one) for (index, _), one in zip(responses, found, strict=True)])
        seconds = (time.perf_counter() - started) / len(responses)
        assembly = Assembly(batch_size=len(batch), seconds=seconds)
        return [assembly.observation(batch[index], one) for (index, _), one in zip(responses, found, strict=True)]

    def _prompt_layers(self) -> tuple[int, ...]:
        layers = self._layers if LAST in self._taps else ()
        return (*layers, FINAL) if "final" in self._taps else layers

    def _add_response_states(self, network: Network, prefix: Prefix, found: list[tuple[int, Findings]]) -> None:
        """Adds means over the tokens of responses: all of them are fed once more behind their prompts, in one pass."""
        wanting = [(index, one) for index, one in found if one.row.request.wants_states]
        said = [(index, one) for index, one in wanting if one.row.tokens]
        for one in (one for _, one in wanting if not one.row.tokens):
            one.notes.append(f"{RESPONSE}: the response has no token")
        if not said:
            return
        layers = [layer for layer in self._layers if layer > 0]
        pooled = network.mean_states(prefix.select([index for index, _ in said]), [one.row.tokens for _, one in said], layers)
        for row, (_, one) in enumerate(said):
            one.add_states(*state_vectors(pooled, row, len(network.blocks), RESPONSE))

    def _behind(self, network: Network, batch: list[PromptGroup]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yields the choices that stand right behind their prompt: these can be scored in the pass that reads it."""
        for index, group in enumerate(batch):
            for text in dict.fromkeys(choice for request in group.requests for choice in request.choices or ()):
                item = continuation_of(self._prompts, group, text, network.context, self._truncate)
                if not isinstance(item, str) and list(item.context) == group.ids:
                    yield index, item.tokens

    def _findings(self, group: PromptGroup, row: Row, anchors: dict[Example, str]) -> Findings:
        opens_thinking = group.prompt is not None and group.prompt.opens_thinking
        reply = read_reply(row.text, row.finish_reason or "stop", opens_thinking=opens_thinking)
        request = row.request
        if request.is_canonical and request.key.decoding == "greedy" and request.key.rerun == 0:
            anchors[group.example] = reply.response
        found = Findings(row, reply)
        if len(group.ids) < len(group.whole):
            found.notes.append(f"prompt cut ({self._truncate}): {len(group.ids)} of its {len(group.whole)} tokens were read")
        return found

    def _score(
        self, network: Network, prefix: Prefix, batch: list[PromptGroup], found: list[tuple[int, Findings]], anchors: Mapping[Example, str]
    ) -> None:
        """Scores every choice and every anchor of the batch, those behind the same prompt from the same kept keys."""
        cached: list[tuple[int, Continuation, Findings, int]] = []
        for index, one in found:
            group = batch[index]
            for slot, text in one.wanted(anchors.get(group.example)):
                item = continuation_of(self._prompts, group, text, network.context, self._truncate)
                if isinstance(item, str):
                    one.miss(slot, item)
                elif list(item.context) == group.ids:
                    cached.append((index, item, one, slot))
                else:
                    # The seam changed a token of the prompt itself: exact by a pass of its own.
                    one.score(slot, item.tokens, plain_log_likelihood(network, item))
        values = log_likelihoods(network, prefix, [entry[0] for entry in cached], [entry[1] for entry in cached])
        for (_, item, one, slot), value in zip(cached, values, strict=True):
            one.score(slot, item.tokens, value)


def _ends(loaded: Loaded) -> frozenset[int]:
    """Returns every token id that ends a response: of the generation settings, which may name several, and of the tokenizer."""
    ends: set[int] = set()
    for named in (getattr(loaded.model.generation_config, "eos_token_id", None), loaded.tokenizer.eos_token_id):
        if named is not None:
            ends |= set(named) if isinstance(named, list | tuple) else {named}
    return frozenset(ends)
