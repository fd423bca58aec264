"""From a study to its questions: the data is loaded, its wordings are made or read from a file, and checked.

:func:`questions_of` holds all of it, for a run; :func:`stream_questions` gives part by part, for files of any size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import polars as pl

from sago import registry
from sago.axes import wanted
from sago.datasets import Loaded, load
from sago.errors import MissingExtraError
from sago.models import check_model_spec, lazy_encoder, lazy_entailment
from sago.models.entailment import EntailmentModel
from sago.models.opening import most_of
from sago.records import Capability, ModelOptions
from sago.runs import Progress, Writer, frozen_variants, notes_of
from sago.study import Study
from sago.variations import Varied, check_meaning, joined, vary_in_parts
from sago.variations.judges import CheckSpec, asked_judge, encoder_judge, entailment_judge, parse_checks
from sago.variations.judging import Judge
from sago.variations.named_nowhere import named_nowhere


def questions_of(
    study: Study, *, is_dry: bool = False, tested: Sequence[str] | None = None, progress: Progress | None = None
) -> tuple[Loaded, Varied]:
    """Loads the data and makes the variants; checks every name in the study first, so that nothing is spent on a wrong one.

    Args:
        study: What to load and how to vary it.
        is_dry: Whether to ask no model: of wordings that one writes those that are kept are used, wordings are checked by no model, and
            the notes say what would be asked.
        tested: Models of which it is pointed out where they wrote wordings too; null = those of the study.
        progress: Told of every step; null = silent.
    """
    parts: list[Varied] = []
    loaded = stream_questions(study, parts.append, is_dry=is_dry, tested=tested, progress=progress)
    return loaded, joined(parts)


def stream_questions(
    study: Study,
    take: Callable[[Varied], None],
    *,
    is_dry: bool = False,
    tested: Sequence[str] | None = None,
    progress: Progress | None = None,
    processes: int | None = 1,
    by_name: bool = False,
) -> Loaded:
    """Loads the data and makes the variants part by part; no more of them is held than one part.

    Args:
        study: What to load and how to vary it.
        take: Is given each part: some hundred examples with all their variants.
        is_dry: See :func:`questions_of`.
        tested: See there.
        progress: Told of every step; null = silent.
        processes: How many processes make variants of many examples; null = one for each core.
        by_name: Whether examples come in the order of their names and not of the source, so that a file of them is the same whatever that.

    Returns:
        The data, with what a person should know of it and of the wordings.
    """
    check_names(study)
    specs = parse_checks(study.checks)
    loaded = load(study.data, columns=study.columns or None, limit=study.limit, sample=study.sample, seed=study.seed)
    if by_name:
        ordered = loaded.examples.sort("dataset", "example").with_columns(position=pl.int_range(pl.len(), dtype=pl.Int64))
        loaded = loaded._replace(examples=ordered)
    told: list[str] = [] if study.variants is not None else list(named_nowhere(loaded.examples))
    with writer_of(study, is_dry=is_dry, progress=progress) as writer:
        judges = _judges(specs, writer, is_dry=is_dry, note=told.append)
        for part in _parts(study, loaded.examples, writer, told.append, processes):
            take(check_meaning(part, judges))
    notes = notes_of(writer, study.models if tested is None else tested)
    return loaded._replace(notes=(*loaded.notes, *told, *notes))


def writer_of(study: Study, *, is_dry: bool = False, progress: Progress | None = None) -> Writer:
    """Returns what asks models for texts under a study: wordings, translations, and whatever else is to be judged or written for it."""

    def options(spec: str) -> ModelOptions:
        # How the models under test are asked is part of the study; how somebody writes for it is not.
        revision = study.revision if spec in study.models else None
        return ModelOptions(revision, study.dtype, study.device, study.batch_size, threads=study.threads, api=study.api_options())

    return Writer(options, is_dry=is_dry, progress=progress)


def check_names(study: Study) -> None:
    """Refuses a study that names what is not there, before anything is loaded.

    Raises:
        SagoError: Naming it.
    """
    check_scoring(study)
    for spec in study.models:
        check_model_spec(spec)


def not_observable(models: Sequence[str], axes: Sequence[str], opened: Mapping[str, frozenset[Capability]] | None = None) -> Iterator[str]:
    """Yields a line for each model on which something cannot be measured, whatever it answers.

    Args:
        models: Models as the study names them.
        axes: Names of axes.
        opened: What models declare, as far as they are open: only what is lacking beyond what was known before is told of them.
    """
    for spec in models:
        most = most_of(spec)
        declared = None if opened is None else opened.get(spec)
        capabilities = most if declared is None else declared
        if capabilities is None:
            continue
        lacking = _lacking(axes, capabilities)
        if declared is not None and most is not None:
            lacking -= _lacking(axes, most)
        if lacking:
            told = ", ".join(f"{measure} of {axis} (needs {capability})" for axis, measure, capability in sorted(lacking))
            yield f"{spec}: not observable: {told}; nothing is asked for it"


def _lacking(axes: Sequence[str], capabilities: frozenset[Capability]) -> set[tuple[str, str, str]]:
    """Returns axis, measure and capability of every measure that cannot be had."""
    needs = [(name, getattr(registry.get("axes", name), "needs", {})) for name in axes]
    return {(axis, measure, capability) for axis, of in needs for measure, capability in of.items() if capability not in capabilities}


def check_scoring(study: Study) -> None:
    """Refuses a study whose scoring cannot be done.

    Raises:
        SagoError: If an axis or measure is not there, or the model of entailment cannot be used.
    """
    for name in study.axes:
        registry.get("axes", name)
    wanted(study.measures, study.axes)
    if study.nli is not None:
        _usable_entailment(study.nli)


def _usable_entailment(name: str) -> EntailmentModel:
    """Returns a model of entailment that has answered once: one that cannot be used is refused before anything is spent."""
    entailment = lazy_entailment(name)
    entailment([("yes", "yes")])
    return entailment


def _parts(study: Study, examples: pl.DataFrame, writer: Writer, note: Callable[[str], None], processes: int | None) -> Iterator[Varied]:
    if study.variants is None:
        yield from vary_in_parts(
            examples, study.variations, seed=study.seed, system=study.system, write=writer, note=note, processes=processes
        )
        return
    varied, notes = frozen_variants(study.variants, examples, system=study.system)
    for line in notes:
        note(line)
    yield varied


def _judges(specs: Sequence[CheckSpec], writer: Writer, *, is_dry: bool, note: Callable[[str], None]) -> list[Judge]:
    """Returns the checks of meaning; one that cannot be used is refused before a wording is made."""
    judges: list[Judge] = []
    for spec in specs:
        if spec.name == "judge" and spec.model is not None:
            writer(spec.model, [])
            judges.append(asked_judge(writer, spec.model))
        elif is_dry:
            note(f"wordings would be checked by {spec.name}, and those that fail left out; nothing was checked")
        elif spec.name == "nli" and spec.model is not None:
            entailment = _usable_entailment(spec.model)
            judges.append(entailment_judge(entailment.judged, spec.model.rstrip("/").rpartition("/")[2], spec.threshold or 0.0))
        else:
            encoder = lazy_encoder()
            if not encoder.available:
                raise MissingExtraError("the check by encoder needs the sentence encoder", install="pip install 'sago-eval[hf]'")
            judges.append(encoder_judge(encoder, encoder.name, spec.threshold or 0.0))
    return judges
