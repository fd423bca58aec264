"""The whole way through, one line a stage: load, vary, observe, extract, score, conclude, report.

Every stage is a function from table to table and can be used alone; here they are strung together and kept in a run folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import polars as pl

from sago.axes import Scored, score, wanted
from sago.features import AnswerFormat, extract
from sago.models import lazy_encoder, lazy_entailment, open_model
from sago.questions import check_scoring, not_observable, questions_of
from sago.records import ApiOptions
from sago.runs import (
    Answers,
    Missing,
    Plan,
    Progress,
    ReadOptions,
    Rescoring,
    Run,
    RunStore,
    Session,
    Silent,
    describe,
    joined_tables,
    make_plan,
    new_recording,
    observe,
    read_answers,
    rescoring_of,
)
from sago.schemas import Tables
from sago.stats import accuracies, conclude, covariates, equivalence_counts, variance_components
from sago.study import Study


def plan_study(study: Study) -> Plan:
    """Counts what a study would ask; loads no model.

    Raises:
        SagoError: Whatever ``run_study`` would refuse before it spends anything.
    """
    loaded, varied = questions_of(study, is_dry=True)
    notes = (*loaded.notes, *not_observable(study.models, study.axes))
    return make_plan(varied.variants, varied.counts, study.observe_options(), models=len(study.models), notes=notes)


def run_study(study: Study, folder: Path, *, progress: Progress | None = None, notify: Callable[[str], None] | None = None) -> Run:
    """Runs a study into a folder, or goes on where it stopped; what is observed already is not observed again.

    Args:
        study: What to run. Models, data, variations and reruns may have been added since the folder was begun.
        folder: The run folder.
        progress: Told of every step; null = silent.
        notify: Told of what a person should know, a line each; null = silent.

    Raises:
        SagoError: Bad input, before anything is written; or a folder of another study.
        KeyboardInterrupt: After everything observed so far was written.
    """
    progress = progress or Silent()
    loaded, varied = questions_of(study, progress=progress)
    if notify is not None:
        for note in loaded.notes:
            notify(note)
    questions = {
        "examples": loaded.examples,
        "variants": varied.variants,
        "variation_counts": varied.counts,
        "equivalence": equivalence_counts(varied.variants, varied.rejected),
    }
    with Session(folder, study.model_dump(mode="json"), questions, loaded.notes) as session:
        told = notify or _say_nothing
        for line in not_observable(session.models, study.axes):
            told(line)
        left = study.api_options()
        for spec in session.models:
            left = _observe_model(session, spec, study, left, varied.variants, progress, told)
        _conclude(session, study, loaded.examples, varied.variants, progress)
        session.finish()
    return _reported(session.store, progress)


def score_answers(
    sources: str | Path | Sequence[str | Path],
    folder: str | Path,
    *,
    options: ReadOptions | None = None,
    study: Study | None = None,
    progress: Progress | None = None,
    notify: Callable[[str], None] | None = None,
) -> Run:
    """Scores recorded answers without a model and keeps them as a run; the same files in the same folder are scored again.

    Args:
        sources: One file or several: CSV, TSV, JSON lines, a JSON list, Parquet, each also packed with gzip; ``-`` = standard input.
        folder: The run folder.
        options: How to read the files; null = as they say themselves.
        study: How to score: ``axes``, ``measures``, ``generation_measure``, ``non_answers``, ``smallest_effect``, ``margin``, ``alpha``,
            ``seed`` and ``limit`` count, the other fields do not.
        progress: Told of every step; null = silent.
        notify: Told of what a person should know, a line each; null = silent.

    Raises:
        SagoError: Bad input, before anything is written; or a folder that holds other answers.
    """
    study, progress, options = study or Study(), progress or Silent(), options or ReadOptions()
    check_scoring(study)
    answers, work = _recorded(sources, folder, options, study, progress)
    if notify is not None:
        for note in answers.notes:
            notify(note)
    with work:
        _conclude(work, study, answers.examples, answers.variants, progress, _format_of(options.read_as, options.answer_pattern))
        work.finish()
    return _reported(work.store, progress)


def import_answers(
    sources: str | Path | Sequence[str | Path],
    folder: str | Path,
    *,
    options: ReadOptions | None = None,
    progress: Progress | None = None,
) -> Run:
    """Keeps recorded answers as a run without scoring them; ``score_run`` does that.

    Args:
        sources: As for ``score_answers``.
        folder: The run folder.
        options: How to read the files; null = as they say themselves.
        progress: Told of every step; null = silent.

    Raises:
        SagoError: Bad input, before anything is written; or a folder that holds other answers.
    """
    _, work = _recorded(sources, folder, options or ReadOptions(), Study(), progress or Silent())
    with work:
        pass  # its tables are written as it begins; it stays unfinished until it is scored
    return Run(Path(folder), work.store)


def _recorded(
    sources: str | Path | Sequence[str | Path], folder: str | Path, options: ReadOptions, study: Study, progress: Progress
) -> tuple[Answers, Rescoring]:
    """Reads recorded answers and returns them with the work of keeping them in a folder."""
    given = [str(source) for source in ([sources] if isinstance(sources, str | Path) else sources)]
    progress.start("reading the answers")
    answers = read_answers(*given, options=replace(options, limit=study.limit, seed=study.seed))
    progress.stop()
    return answers, new_recording(Path(folder), given, answers, options, study.model_dump(mode="json"))


def score_run(folder: str | Path, changes: Mapping[str, Any] | None = None, *, progress: Progress | None = None) -> Run:
    """Scores the answers of a run folder again, without a model: other axes or measures, another smallest effect.

    Args:
        folder: A run folder, of a study or of recorded answers.
        changes: Fields of the study that say how to score, with their new values.
        progress: Told of every step; null = silent.

    Raises:
        SagoError: If it is no run folder, or a change would need other answers; before anything is written.
    """
    progress = progress or Silent()
    before = Run(folder)
    asked = {**before.study, **(changes or {})}
    study = _study_of(asked)
    check_scoring(study)
    given = before.study.get("recorded") or {}
    with rescoring_of(Path(folder), {name: study.model_dump(mode="json")[name] for name in changes or {}}) as work:
        how = _format_of(given.get("read_as"), given.get("answer_pattern"))
        _conclude(work, study, before.examples, before.variants, progress, how)
        work.finish()
    return _reported(work.store, progress)


def compared(runs: Sequence[Run]) -> Tables:
    """Puts several runs of the same questions together, with findings made anew, so that models of different runs are compared too.

    Args:
        runs: One run, whose tables come back as they are, or several.

    Raises:
        SagoError: If two runs hold the same model on the same data set, or asked other questions or in another way.
    """
    tables = joined_tables(list(runs))
    if len(runs) == 1:
        return tables
    study = _study_of(runs[0].study)
    return replace(tables, findings=_findings(study, tables, tables.covariates))


def _study_of(fields: Mapping[str, Any]) -> Study:
    """Returns the study of a run's fields; a run of recorded answers has some of its own."""
    return Study(**{name: value for name, value in fields.items() if name in Study.model_fields})


def _say_nothing(_: str) -> None:
    """Takes a line for somebody who is not there."""


def _observe_model(
    session: Session,
    spec: str,
    study: Study,
    left: ApiOptions,
    variants: pl.DataFrame,
    progress: Progress,
    notify: Callable[[str], None],
) -> ApiOptions:
    """Asks a model what is missing; returns what is left of the limits of this command for the models behind it."""
    options = study.observe_options()
    name = session.name_of(spec)
    if name is not None and not Missing(variants, session.store.read("observations"), name, options).total:
        return left  # a model that has answered everything is not even loaded
    progress.start(f"loading {spec}")
    model = open_model(spec, replace(study.model_options(), api=left))
    progress.stop()
    try:
        session.remember(spec, describe(model))
        for line in not_observable([spec], study.axes, {spec: model.capabilities}):
            notify(line)
        # Read again: the folder is ours only since it was locked, and another process may have answered meanwhile.
        observe(model, Missing(variants, session.store.read("observations"), model.id, options), session.store, progress)
    finally:
        model.close()
        # What a server takes shows while it is asked.
        described = describe(model)
        session.correct(described)
        spent = getattr(model, "spending", None)
        if spent is not None:
            for note in described["notes"]:
                notify(f"{spec}: {note}")
            notify(f"{spec}: {spent.told()}")
    return left if spent is None else spent.left()


def _embedded(study: Study) -> Literal["text", "all"]:
    """Which responses are given to the encoder: those of free text, or all where a measure compares every response by its meaning."""
    needs = study.generation_measure == "embedding" or any("embedding" in one.needs for one in wanted(study.measures, study.axes))
    return "all" if needs else "text"


def _format_of(read_as: str | None, pattern: str | None) -> AnswerFormat:
    return AnswerFormat(pattern, is_json=read_as == "json")


def _reported(store: RunStore, progress: Progress) -> Run:
    run = Run(store.folder, store)
    progress.start("writing the report")
    run.report()
    progress.stop()
    return run


def _conclude(
    session: Session | Rescoring,
    study: Study,
    examples: pl.DataFrame,
    variants: pl.DataFrame,
    progress: Progress,
    answer_format: AnswerFormat | None = None,
) -> None:
    observations, states, known = (session.store.read(name) for name in ("observations", "states", "features"))
    encoder = lazy_encoder()
    progress.start("reading the answers")
    features = extract(
        observations,
        variants,
        examples,
        encoder=encoder if encoder.available else None,
        encoder_name=encoder.name if encoder.available else None,
        known=known,
        embed=_embedded(study),
        answer_format=answer_format,
    )
    session.keep("features", features)
    progress.start("scoring")
    scored = score(
        features,
        states,
        observations,
        variants,
        examples,
        axes=study.axes,
        measures=study.measures,
        entails=None if study.nli is None else lazy_entailment(study.nli),
        generation_measure=study.generation_measure,
        non_answers=study.non_answers,
        seed=study.seed,
    )
    session.keep("scores", scored.scores)
    session.keep("profiles", scored.profiles)
    session.keep("controls", scored.controls)
    session.keep("halves", scored.halves)
    right = accuracies(features, variants, seed=study.seed)
    session.keep("accuracy", right.cells)
    session.keep("wording_accuracy", right.wordings)
    session.keep("components", variance_components(features, variants))
    known = covariates(features, observations, variants)
    session.keep("covariates", known)
    session.keep("findings", _findings(study, scored, known))
    progress.stop()


def _findings(study: Study, tables: Tables | Scored, covariates: pl.DataFrame) -> pl.DataFrame:
    """Makes the claims under what the study fixed before looking."""
    return conclude(
        tables.profiles,
        scores=tables.scores,
        halves=tables.halves,
        controls=tables.controls,
        covariates=covariates,
        smallest_effect=study.smallest_effect,
        alpha=study.alpha,
        margin=study.margin,
        seed=study.seed,
    )
