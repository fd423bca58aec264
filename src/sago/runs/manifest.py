"""What a run was made with, and whether a later command is the same study."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import polars as pl

from sago._version import __version__
from sago.errors import RunFolderError
from sago.schemas import SCHEMA_VERSION
from sago.seeds import content_hash

_PACKAGES = (
    "numpy",
    "scipy",
    "polars",
    "pyarrow",
    "torch",
    "transformers",
    "sentence-transformers",
    "statsmodels",
    "openai",
    "anthropic",
    "google-genai",
    "litellm",
)

FIXED_FIELDS = (
    "seed",
    "max_new_tokens",
    "stop",
    "system",
    "revision",
    "chat_template",
    "enable_thinking",
    "depths",
    "taps",
    "truncate",
    "dtype",
)
"""Study fields that change observations: a run folder holds one value of each. Models, data, variations and reruns may be added."""


def new_manifest(examples: pl.DataFrame, notes: Iterable[str]) -> dict[str, Any]:
    """Returns the manifest of a run that begins now.

    Args:
        examples: Table ``examples``.
        notes: What a person should know, for instance a random draw.
    """
    return {
        "sago_version": __version__,
        "schema_version": SCHEMA_VERSION,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": {name: found for name in _PACKAGES if (found := _installed(name))},
        "data": data_fingerprints(examples),
        "models": {},
        "notes": list(notes),
    }


def data_fingerprints(examples: pl.DataFrame) -> list[dict[str, Any]]:
    """Returns one entry a data set: its name, how many examples, and a fingerprint of their content, whatever their order."""
    return [
        {
            "dataset": str(dataset),
            "examples": group.height,
            "fingerprint": content_hash(
                sorted(group.select(pl.concat_str("example", "fingerprint", separator="\n")).to_series().to_list())
            ),
        }
        for (dataset,), group in examples.sort("dataset").group_by("dataset", maintain_order=True)
    ]


def check_same_study(folder: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuses to go on in a folder whose observations were made with other settings.

    Args:
        folder: The run folder, for the message.
        before: Study fields of the folder.
        now: Study fields of this command.

    Raises:
        RunFolderError: Naming every field that differs.
    """
    fields = [*FIXED_FIELDS, *(["temperature"] if before.get("reruns") else [])]
    differing = [f"{name} was {old!r}, now {new!r}" for name, old, new in _differing(fields, before, now)]
    if now["reruns"] < before.get("reruns", 0):
        differing.append(f"reruns was {before['reruns']}, now {now['reruns']}")
    if differing:
        raise RunFolderError(
            f"holds a run of another study: {'; '.join(differing)}", where=folder, fix="Give another --out, or the settings of that run"
        )


def check_same_variants(folder: str, before: pl.DataFrame, now: pl.DataFrame) -> None:
    """Refuses to go on where a prompt that was observed is no longer the same or no longer part of the study.

    Raises:
        RunFolderError: Naming the first prompts that differ and how many do.
    """
    key = ["dataset", "example", "variant"]
    joined = before.select(*key, "fingerprint").join(now.select(*key, "fingerprint"), on=key, how="left", suffix="_now")
    changed = joined.filter(pl.col("fingerprint_now").is_null() | (pl.col("fingerprint") != pl.col("fingerprint_now")))
    if changed.is_empty():
        return
    shown = [
        f"{dataset}/{example} '{variant}' {'is no longer asked' if fingerprint is None else 'has another text'}"
        for dataset, example, variant, _, fingerprint in changed.head(3).iter_rows()
    ]
    raise RunFolderError(
        f"the data or the variations differ from this run's in {changed.height} of {before.height} prompts: {'; '.join(shown)}",
        where=folder,
        fix="Give another --out, or the data and variations of that run (adding is allowed, taking away or changing is not)",
    )


def check_same_model(folder: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuses to go on with a model whose weights, template or number type are not those of the folder.

    Raises:
        RunFolderError: Naming what differs.
    """
    fields = ("revision", "weights_hash", "dtype", "chat_template_hash", "server")
    differing = [f"{name} was {old}, now {new}" for name, old, new in _differing(fields, before, now)]
    if differing:
        raise RunFolderError(
            f"model {now['id']} is not the one that was observed: {'; '.join(differing)}", where=folder, fix="Give another --out"
        )


def check_comparable(
    first: str, folder: str, studies: tuple[Mapping[str, Any], Mapping[str, Any]], variants: tuple[pl.DataFrame, pl.DataFrame]
) -> None:
    """Refuses to show two runs together that asked other questions or in another way.

    Args:
        first: Folder of the first run, for the message.
        folder: Folder of the other run, for the message.
        studies: Study fields of both.
        variants: Tables ``variants`` of both.

    Of recorded answers only the settings of the scoring have to agree, and prompts where they are known.

    Raises:
        RunFolderError: Naming every field that differs, and how many prompts of one name have another text.
    """
    fields: tuple[str, ...] = ("smallest_effect", "margin", "alpha", "generation_measure", "non_answers", "seed")
    if not any("recorded" in study for study in studies):
        fields = (*FIXED_FIELDS, "reruns", "temperature", *fields[:-1])
    differing = [f"{name} is {other!r} here and {mine!r} there" for name, mine, other in _differing(fields, *studies)]
    key = ["dataset", "example", "variant"]
    mine, other = (table.filter(pl.col("messages").list.len() > 0).select(*key, "fingerprint") for table in variants)
    prompts = mine.join(other, on=key, suffix="_other").filter(pl.col("fingerprint") != pl.col("fingerprint_other")).height
    if prompts:
        differing.append(f"{prompts} prompts of the same name have another text")
    if differing:
        raise RunFolderError(
            f"cannot be compared with {first}: {'; '.join(differing)}",
            where=folder,
            fix="Report them one by one, or run them on the same questions with the same settings",
        )


def _differing(fields: Iterable[str], before: Mapping[str, Any], now: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    return [(name, before.get(name), now.get(name)) for name in fields if before.get(name) != now.get(name)]


def _installed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
