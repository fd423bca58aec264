"""A study: what to run. Written by people, as YAML or in Python, and held to its limits here."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from sago.errors import StudyError
from sago.records import ApiOptions, Endpoint, ModelOptions, ObserveOptions

if TYPE_CHECKING:
    from sago.runs import Plan, Progress, Run

DEFAULT_VARIATIONS = ["identity", "meaning-changed", "paraphrase", "format", "choice-order", "typo", "case"]
_ADDRESS = re.compile(r"https?://[^/@?#\s]+(?:/[^@?#\s]*)?")
DEFAULT_AXES = ["generation", "activations", "confidence", "mirroring"]


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str | Path) else value


Names = Annotated[list[str], BeforeValidator(_as_list)]


class Study(BaseModel):
    """Models x data x variations x reruns x axes, and how to run them.

    Every field is also a flag of ``sago run`` and a key of a study file. Raises ``StudyError`` for a value out of its limits.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)

    models: Names = Field(default=["embedded"], min_length=1, description="Models to observe: embedded, hf:NAME_OR_PATH, planted:NAME")
    data: Names = Field(default=["builtin-choice"], min_length=1, description="Data files, built-in names, or - for standard input")
    variations: Names = Field(default=DEFAULT_VARIATIONS, description="Families of wordings, with parameters: typo:n=2,rate=0.05")
    variants: str | None = Field(default=None, description="File of wordings that sago vary --out made, in place of families")
    checks: Names = Field(
        default=[], description="How wordings that could mean something else are checked: encoder, nli:MODEL, judge:MODEL; encoder@0.85"
    )
    axes: Names = Field(default=DEFAULT_AXES, min_length=1, description="Axes to score")
    measures: Names = Field(default=["default"], min_length=1, description="Measures beside the default ones: default, all, or names")
    nli: str | None = Field(default=None, description="Model of entailment (folder or hub name) for measures that compare meanings by it")
    reruns: int = Field(default=0, ge=0, le=1000, description="Sampled answers per wording: the noise of asking twice; 0 = greedy only")
    temperature: float = Field(default=0.7, gt=0, le=5, description="Temperature of the sampled reruns")
    seed: int = Field(default=0, ge=0, lt=2**63, description="Seed of every random choice")
    limit: int | None = Field(default=None, ge=1, description="Draw this many examples of each data set at random")
    sample: float | None = Field(default=None, gt=0, le=1, description="Draw this share of each data set at random: 0.1 = a tenth")
    columns: dict[str, str] = Field(default={}, description="Names of the data's own columns: question=prompt,answer=target")
    system: str | None = Field(default=None, description="System message in front of every prompt")
    max_new_tokens: int = Field(default=32, ge=1, le=100_000, description="Longest response, in tokens")
    stop: Names = Field(default=[], description="Texts at which a response ends")
    revision: str | None = Field(default=None, description="Revision of models from a hub")
    chat_template: bool | None = Field(default=None, description="Use the model's chat template; default: where it has one")
    enable_thinking: bool | None = Field(default=None, description="Switch thinking on or off in models that think; default: as the model")
    depths: Annotated[list[Annotated[float, Field(ge=0, le=1)]], Field(min_length=1)] | Literal["all"] = Field(
        default=[0.25, 0.5, 0.75, 1.0], description="Relative layer depths of hidden states, or all"
    )
    taps: list[Literal["last_prompt_token", "final", "response_mean"]] = Field(
        default=["last_prompt_token"], min_length=1, description="Hidden states to keep: last_prompt_token, final, response_mean"
    )
    audit_examples: int = Field(default=50, ge=0, description="Examples asked again in another batch make-up: the noise of greedy runs")
    audit_reruns: int = Field(default=2, ge=1, le=100, description="How often each of them is asked again")
    generation_measure: Literal["auto", "answer_flip", "embedding"] = Field(
        default="auto", description="Default measure of the generation axis"
    )
    non_answers: Literal["category", "unknown", "missing"] = Field(default="category", description="How refusals and empty replies count")
    smallest_effect: float = Field(default=0.05, ge=0, lt=1, description="Smallest instability of interest, for the verdicts")
    margin: float = Field(default=0.30, gt=0, lt=1, description="Correlations of two axes within this of 0 count as independent")
    alpha: float = Field(default=0.05, gt=0, lt=0.5, description="Error level of the tests")
    device: str = Field(default="auto", description="Device of local models: cpu, cuda, mps, several with commas (cuda:0,cuda:1), or auto")
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = Field(
        default="auto", description="Number type of local models; auto: float32 on a CPU, elsewhere the type of the weights"
    )
    batch_size: int = Field(default=16, ge=1, le=100_000, description="Prompts a batch; changes speed, never a number")
    batch_tokens: int | None = Field(
        default=None, ge=64, description="Distinct prompt tokens a batch; default: as many as memory has room for"
    )
    truncate: Literal["left", "middle"] | None = Field(
        default=None, description="Where to cut prompts too long for a local model (left, middle); default: not asked, and counted"
    )
    threads: int | None = Field(default=None, ge=1, description="Threads of local models; default: all cores")
    base_url: str | None = Field(default=None, description="Address of a server that speaks the protocol of the model's provider")
    key_file: str | None = Field(default=None, description="File with the key of an API; default: the provider's environment variable")
    endpoint: Endpoint = Field(default="chat", description="Kind of call behind an API: chat, or completions for base models")
    max_connections: int = Field(default=16, ge=1, le=1000, description="Most calls to an API in flight; fewer where it limits the rate")
    max_retries: int = Field(default=5, ge=0, le=20, description="How often a call that failed in passing is sent again")
    timeout: float = Field(default=120.0, gt=0, le=3600, description="Longest time that one call to an API may take (s)")
    max_requests: int | None = Field(default=None, ge=1, description="Most requests that a command sends to APIs; then it stops")
    max_cost: float | None = Field(
        default=None, gt=0, description="Most that a command spends, in the currency of the prices; then it stops"
    )
    price_in: float | None = Field(default=None, ge=0, allow_inf_nan=False, description="Price of a million prompt tokens")
    price_out: float | None = Field(default=None, ge=0, allow_inf_nan=False, description="Price of a million response tokens")

    def __init__(self, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            raise StudyError(_explain(error), fix="See sago run --help for every field") from None
        self._check_api()

    def _check_api(self) -> None:
        if self.base_url is not None and not _ADDRESS.fullmatch(self.base_url):
            # The address itself is not shown: what is wrong with it may be that it holds a key.
            raise StudyError(
                "base_url: is no plain http(s) address; a name, password, query or key has no place in it",
                fix="Write http://HOST:PORT/v1, and give the key by environment variable or key_file",
            )
        if self.max_cost is not None and (self.price_in is None or self.price_out is None):
            raise StudyError("max_cost: needs price_in and price_out, the prices of a million tokens", fix="Give both")

    def with_changes(self, changes: Mapping[str, Any]) -> Self:
        """Returns a copy in which the given fields have new values; limits are checked again."""
        return type(self)(**{**self.model_dump(), **changes})

    def model_options(self) -> ModelOptions:
        """Returns the part of the study that a model is opened with."""
        return ModelOptions(
            revision=self.revision,
            dtype=self.dtype,
            device=self.device,
            batch_size=self.batch_size,
            batch_tokens=self.batch_tokens,
            truncate=self.truncate,
            taps=tuple(self.taps),
            depths="all" if self.depths == "all" else tuple(self.depths),
            enable_thinking=self.enable_thinking,
            chat_template=self.chat_template,
            stop=tuple(self.stop),
            threads=self.threads,
            api=self.api_options(),
        )

    def api_options(self) -> ApiOptions:
        """Returns the part of the study that says how models behind an API are reached, and what they may cost."""
        return ApiOptions(**{name: getattr(self, name) for name in ApiOptions.__dataclass_fields__})

    def observe_options(self) -> ObserveOptions:
        """Returns the part of the study that says what to ask of every model."""
        return ObserveOptions(
            seed=self.seed,
            reruns=self.reruns,
            temperature=self.temperature,
            max_new_tokens=self.max_new_tokens,
            audit_examples=self.audit_examples,
            audit_reruns=self.audit_reruns,
            wants_states="activations" in self.axes,
        )

    def to_yaml(self) -> str:
        """Returns the study with every field resolved, as the text of a study file."""
        return yaml.safe_dump(self.model_dump(mode="json"), sort_keys=False, allow_unicode=True)

    def plan(self) -> Plan:
        """Counts examples, wordings, calls and prompt characters; loads no model and runs nothing."""
        from sago.pipeline import plan_study

        return plan_study(self)

    def run(self, out: str | Path, *, progress: Progress | None = None, notify: Callable[[str], None] | None = None) -> Run:
        """Runs the study into a folder, or goes on where an earlier run of the same study stopped.

        Args:
            out: Run folder; made where it is not there yet.
            progress: Told of every step; null = silent.
            notify: Told, in a line each, what a person should know (a random draw, a repaired file); null = silent.

        Raises:
            SagoError: Bad input, before anything is spent, or a folder that belongs to another study.
        """
        from sago.pipeline import run_study

        return run_study(self, Path(out), progress=progress, notify=notify)


def read_study(path: str | Path) -> Study:
    """Reads a study file (YAML).

    Raises:
        StudyError: If the file is missing, is no YAML mapping, or holds a field that cannot be used.
    """
    file = Path(path)
    try:
        content = yaml.safe_load(file.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise StudyError(f"cannot read the study: {error}", where=str(file), fix="Give the path of a YAML study file") from error
    except yaml.YAMLError as error:
        raise StudyError(f"not valid YAML: {' '.join(str(error).split())}", where=str(file)) from error
    if not isinstance(content, dict):
        raise StudyError("a study file is a mapping of fields to values", where=str(file), fix="See sago run --help for the fields")
    if "recorded" in content:
        raise StudyError("is about recorded answers, not a study that can be run", where=str(file), fix="Use sago score on its folder")
    try:
        return Study(**{str(name): value for name, value in content.items()})
    except StudyError as error:
        raise StudyError(error.what, where=str(file), fix=error.fix) from error


def _explain(error: ValidationError) -> str:
    lines = []
    for problem in error.errors():
        if "literal['all']" in problem["loc"]:
            continue  # the other way to give the same field, which what was given did not try to be
        field = ".".join(str(part) for part in problem["loc"] if not str(part).startswith("list["))
        if problem["type"] == "extra_forbidden":
            near = difflib.get_close_matches(field, Study.model_fields, n=1)
            lines.append(f"unknown field '{field}'" + (f" (did you mean {near[0]}?)" if near else ""))
        else:
            given = repr(problem["input"])
            message = problem["msg"][0].lower() + problem["msg"][1:]
            lines.append(f"{field}: {message}, not {given if len(given) < 60 else given[:57] + '...'}")
    return "; ".join(lines)
