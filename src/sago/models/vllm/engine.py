"""Requests to vLLM and back.

What is used of vLLM is its documented face: ``LLM.generate`` over token ids with ``SamplingParams``, and of what it returns the token ids,
the log-probability of each, the finish reason, and the log-probabilities of the prompt. The prefix cache is vLLM's own.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sago.errors import ModelError
from sago.models.local.assembly import Assembly, Findings, encode, prompt_hash, too_long
from sago.models.local.continuations import Continuation
from sago.models.local.generation import Generator, Row
from sago.models.local.grouping import PromptGroup, windows
from sago.models.local.prompts import PromptMaker
from sago.models.local.replies import ReplyReader, read_reply
from sago.models.local.seams import continuation_of
from sago.records import Capability, ModelDescription, ModelOptions, Observation, Request

Example = tuple[str, str]

_PROMPTS = 1024
"""Prompts handed over at once: vLLM makes its own batches of them."""


class VllmModel:
    """A model of vLLM.

    Args:
        llm: A ``vllm.LLM``.
        make_sampling: ``vllm.SamplingParams``.
        options: How it was opened.
        model_id: Name in tables.
    """

    def __init__(self, llm: Any, make_sampling: Any, options: ModelOptions, *, model_id: str) -> None:
        self.id = model_id
        self.capabilities: frozenset[Capability] = frozenset({"generate", "token_logprobs", "choice_logprobs", "anchor_logprobs"})
        self._llm: Any | None = llm
        self._make_sampling = make_sampling
        tokenizer = llm.get_tokenizer()
        self._prompts = PromptMaker(tokenizer, chat_template=options.chat_template, enable_thinking=options.enable_thinking)
        self._generator = Generator(ReplyReader(tokenizer), ends=frozenset({tokenizer.eos_token_id}), stops=options.stop)
        config = llm.llm_engine.model_config
        self._context = int(config.max_model_len)
        self._description = ModelDescription(
            id=model_id,
            source=f"vllm:{model_id}",
            revision=options.revision,
            dtype=str(config.dtype).removeprefix("torch."),
            device="vllm",
            notes=("numbers are vLLM's: they depend on what shares its batches",),
        )

    @classmethod
    def open(cls, name: str, options: ModelOptions) -> VllmModel:
        """Loads a model with vLLM.

        Raises:
            ModelError: If vLLM cannot load it.
        """
        from vllm import LLM, SamplingParams

        try:
            # Log-probabilities before temperature are asked for by name: what is reported is the model's own distribution.
            llm = LLM(model=name, revision=options.revision, dtype=options.dtype, enable_prefix_caching=True, logprobs_mode="raw_logprobs")
        except Exception as error:
            raise ModelError(f"vLLM cannot load it: {str(error).strip().splitlines()[0]}", where=f"vllm:{name}") from error
        return cls(llm, SamplingParams, options, model_id=name)

    def describe(self) -> ModelDescription:
        """Returns what could change an observation; vLLM does not tell a hash of its weights."""
        return self._description

    def close(self) -> None:
        """Lets go of vLLM."""
        self._llm = None

    def observe(self, requests: Sequence[Request]) -> Iterator[Observation]:
        """Yields one observation per request.

        Raises:
            ModelError: If the model was closed.
        """
        if self._llm is None:
            raise ModelError("was closed", where=self.id, fix="Open it again")
        anchors: dict[Example, str] = {}
        for window in windows(requests, _PROMPTS):
            ready = []
            for group in window:
                yield from self._prepare(group)
                if group.requests:
                    ready.append(group)
            yield from self._observe(self._llm, ready, anchors)

    def _prepare(self, group: PromptGroup) -> Iterator[Observation]:
        """Renders and encodes a prompt; yields the requests that end here and takes them out."""
        yield from encode(group, self._prompts)
        for request in list(group.requests):
            if len(group.ids) + request.max_new_tokens > self._context:
                yield too_long(request, group.ids, self._context)
                group.requests.remove(request)

    def _observe(self, llm: Any, groups: Sequence[PromptGroup], anchors: dict[Example, str]) -> Iterator[Observation]:
        started = time.perf_counter()
        asked = [(group, Row(request, group.is_plain)) for group in groups for request in group.requests]
        outputs = self._generate(llm, [group.ids for group, _ in asked], [self._sampling(row.request) for _, row in asked])
        found = [self._findings(group, row, output) for (group, row), output in zip(asked, outputs, strict=True)]
        for group, one in zip((group for group, _ in asked), found, strict=True):
            request = one.row.request
            if request.is_canonical and request.key.decoding == "greedy" and request.key.rerun == 0:
                anchors[group.example] = one.reply.response
        self._score(llm, [group for group, _ in asked], found, anchors)
        assembly = Assembly(batch_size=len(groups), seconds=(time.perf_counter() - started) / max(1, len(asked)))
        for (group, _), one in zip(asked, found, strict=True):
            yield assembly.observation(group, one)

    def _sampling(self, request: Request) -> Any:
        seed = None if request.temperature <= 0 else request.seed
        return self._make_sampling(temperature=request.temperature, max_tokens=request.max_new_tokens, logprobs=0, seed=seed)

    def _generate(self, llm: Any, prompts: Sequence[Sequence[int]], sampling: Sequence[Any]) -> Sequence[Any]:
        if not prompts:
            return ()
        outputs: Sequence[Any] = llm.generate([{"prompt_token_ids": list(ids)} for ids in prompts], list(sampling), use_tqdm=False)
        return outputs

    def _findings(self, group: PromptGroup, row: Row, output: Any) -> Findings:
        """Reads a response by the rules of the local engine: ends, stop texts and line breaks are looked for here, token by token."""
        said = output.outputs[0]
        logprobs = [float(each[token].logprob) for token, each in zip(said.token_ids, said.logprobs, strict=True)]
        self._generator.replay(row, said.token_ids, logprobs)
        opens_thinking = group.prompt is not None and group.prompt.opens_thinking
        return Findings(row, read_reply(row.text, row.finish_reason or "stop", opens_thinking=opens_thinking))

    def _score(self, llm: Any, groups: Sequence[PromptGroup], found: Sequence[Findings], anchors: Mapping[Example, str]) -> None:
        """Scores options and anchors off the log-probabilities of a prompt that holds them; each text behind a prompt once."""
        wanted: dict[tuple[str, tuple[int, ...]], tuple[Continuation, list[tuple[Findings, int]]]] = {}
        for group, one in zip(groups, found, strict=True):
            for slot, text in one.wanted(anchors.get(group.example)):
                item = continuation_of(self._prompts, group, text, self._context - 1)
                if isinstance(item, str):
                    one.miss(slot, item)
                    continue
                key = (prompt_hash(item.context), item.tokens)
                wanted.setdefault(key, (item, []))[1].append((one, slot))
        items = [item for item, _ in wanted.values()]
        sampling = [self._make_sampling(temperature=0.0, max_tokens=1, prompt_logprobs=0) for _ in items]
        outputs = self._generate(llm, [[*item.context, *item.tokens] for item in items], sampling)
        for (item, users), output in zip(wanted.values(), outputs, strict=True):
            places = output.prompt_logprobs[len(item.context) :]
            value = sum(float(place[token].logprob) for token, place in zip(item.tokens, places, strict=True))
            for one, slot in users:
                one.score(slot, item.tokens, value)
