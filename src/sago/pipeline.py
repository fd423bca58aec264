"""The whole way through, one line a stage: load, vary, observe, extract, score, conclude, report.

Every stage is a function from table to table and can be used alone; here they are strung together and kept in a run folder.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import polars as pl

from sago import registry
from sago.axes import score, wanted
from sago.datasets import Loaded, load
from sago.features import extract
from sago.models import check_model_spec, lazy_encoder, open_model
from sago.runs import Missing, Plan, Progress, Run, Session, Silent, describe, make_plan, observe
from sago.stats import accuracy, conclude
from sago.study import Study
from sago.variations import Varied, vary


def plan_study(study: Study) -> Plan:
    """Counts what a study would ask; loads no model.

    Raises:
        SagoError: Whatever ``run_study`` would refuse before it spends anything.
    """
    loaded, varied = questions_of(study)
    return make_plan(varied.variants, varied.counts, study.observe_options(), models=len(study.models), notes=loaded.notes)


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
    loaded, varied = questions_of(study)
    if notify is not None:
        for note in loaded.notes:
            notify(note)
    questions = {"examples": loaded.examples, "variants": varied.variants, "variation_counts": varied.counts}
    with Session(folder, study.model_dump(mode="json"), questions, loaded.notes) as session:
        for spec in session.models:
            _observe_model(session, spec, study, varied.variants, progress)
        _conclude(session, study, loaded.examples, varied.variants, progress)
        session.finish()
    run = Run(folder)
    progress.start("writing the report")
    run.report()
    progress.stop()
    return run


def questions_of(study: Study) -> tuple[Loaded, Varied]:
    """Loads the data and makes the variants; checks every name in the study first, so that nothing is spent on a wrong one."""
    for name in study.axes:
        registry.get("axes", name)
    wanted(study.measures, study.axes)
    for spec in study.models:
        check_model_spec(spec)
    loaded = load(study.data, columns=study.columns or None, limit=study.limit, seed=study.seed)
    return loaded, vary(loaded.examples, study.variations, seed=study.seed, system=study.system)


def _observe_model(session: Session, spec: str, study: Study, variants: pl.DataFrame, progress: Progress) -> None:
    options = study.observe_options()
    name = session.name_of(spec)
    if name is not None and not Missing(variants, session.store.read("observations"), name, options).total:
        return  # a model that has answered everything is not even loaded
    progress.start(f"loading {spec}")
    model = open_model(spec, study.model_options())
    progress.stop()
    try:
        session.remember(spec, describe(model))
        # Read again: the folder is ours only since it was locked, and another process may have answered meanwhile.
        observe(model, Missing(variants, session.store.read("observations"), model.id, options), session.store, progress)
    finally:
        model.close()


def _embedded(study: Study) -> Literal["text", "all"]:
    """Which responses are given to the encoder: those of free text, or all where a measure compares every response by its meaning."""
    needs = study.generation_measure == "embedding" or any("embedding" in one.needs for one in wanted(study.measures, study.axes))
    return "all" if needs else "text"


def _conclude(session: Session, study: Study, examples: pl.DataFrame, variants: pl.DataFrame, progress: Progress) -> None:
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
        generation_measure=study.generation_measure,
        non_answers=study.non_answers,
        seed=study.seed,
    )
    session.keep("scores", scored.scores)
    session.keep("profiles", scored.profiles)
    session.keep("controls", scored.controls)
    session.keep("accuracy", accuracy(features, variants))
    session.keep("findings", conclude(scored.profiles, smallest_effect=study.smallest_effect, alpha=study.alpha))
    progress.stop()
