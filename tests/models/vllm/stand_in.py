"""A stand-in for vLLM on a tiny model: the documented types with the documented fields, nothing more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import torch


@dataclass
class SamplingParams:
    temperature: float = 1.0
    max_tokens: int = 16
    logprobs: int | None = None
    prompt_logprobs: int | None = None
    seed: int | None = None


@dataclass
class Logprob:
    logprob: float
    rank: int | None = None
    decoded_token: str | None = None


@dataclass
class CompletionOutput:
    index: int
    text: str
    token_ids: Sequence[int]
    logprobs: list[dict[int, Logprob]] | None
    finish_reason: str | None


@dataclass
class RequestOutput:
    request_id: str
    prompt_token_ids: list[int]
    prompt_logprobs: list[dict[int, Logprob] | None] | None
    outputs: list[CompletionOutput]
    finished: bool = True


@dataclass
class LLM:
    """Greedy by plain passes; samples from a generator of the request's seed."""

    network: Any
    tokenizer: Any
    max_model_len: int = 256
    calls: list[int] = field(default_factory=list)

    @property
    def llm_engine(self) -> Any:
        config = SimpleNamespace(max_model_len=self.max_model_len, dtype=self.network.dtype)
        return SimpleNamespace(model_config=config)

    def get_tokenizer(self) -> Any:
        return self.tokenizer

    def generate(
        self, prompts: Sequence[Mapping[str, Any]], sampling_params: Sequence[SamplingParams], *, use_tqdm: bool = True
    ) -> list[RequestOutput]:
        assert len(prompts) == len(sampling_params)
        self.calls.append(len(prompts))
        return [
            self._one(str(number), list(prompt["prompt_token_ids"]), how)
            for number, (prompt, how) in enumerate(zip(prompts, sampling_params, strict=True))
        ]

    @torch.inference_mode()
    def _one(self, number: str, ids: list[int], how: SamplingParams) -> RequestOutput:
        assert len(ids) + how.max_tokens <= self.max_model_len, "vLLM refuses what does not fit"
        prompt_logprobs: list[dict[int, Logprob] | None] | None = None
        if how.prompt_logprobs is not None:
            shares = self.network(input_ids=torch.tensor([ids])).logits[0].float().log_softmax(-1)
            prompt_logprobs = [None, *({token: Logprob(float(shares[place, token]))} for place, token in enumerate(ids[1:]))]
        said: list[int] = []
        logprobs: list[dict[int, Logprob]] = []
        reason = "length"
        random = torch.Generator().manual_seed(how.seed or 0)
        for _ in range(how.max_tokens):
            shares = self.network(input_ids=torch.tensor([[*ids, *said]])).logits[0, -1].float().log_softmax(-1)
            greedy = how.temperature <= 0
            token = int(shares.argmax()) if greedy else int(torch.multinomial((shares / how.temperature).softmax(-1), 1, generator=random))
            said.append(token)
            logprobs.append({token: Logprob(float(shares[token]))})
            if token == self.tokenizer.eos_token_id:
                reason = "stop"
                break
        wanted = None if how.logprobs is None else logprobs
        output = CompletionOutput(0, self.tokenizer.decode(said, skip_special_tokens=True), said, wanted, reason)
        return RequestOutput(number, ids, prompt_logprobs, [output])
