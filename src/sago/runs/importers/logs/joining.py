"""Several logs as one record of the same questions: what each is called, and whether its questions are those of the others.

Wordings of one question often have a log each. They are joined by the id of the example, and what the logs hold of its content has to
agree. Nothing is joined by line number: an id that means another question in another log is an error that shows the two rows.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sago.datasets.reading import stem
from sago.errors import DataError
from sago.runs.importers.logs.protocol import Log
from sago.seeds import content_hash

_SHOWN = 160
_FEWEST = 3
"""Letters that a common beginning of names needs to be a name itself."""
_PROBLEMS_SHOWN = 5


def joined(logs: Sequence[Log], *, trust_ids: bool = False) -> list[str]:
    """Gives every record of some logs its data set and variant, and returns notes.

    Logs that say of each row which wording it answers are one data set a task. Otherwise what sets logs apart names the wording: the task,
    else its arguments, else the file, where prompts differ. Logs that differ in nothing of this are reruns.

    Args:
        logs: As read; their records change.
        trust_ids: Whether equal ids are the same question although what else is known of them differs: where the log itself holds the
            question in other words.

    Raises:
        DataError: If the content of an example differs between two rows, or two wordings have no example in common.
    """
    _refuse_copies(logs)
    named = [log for log in logs if log.names_variants]
    others = [log for log in logs if not log.names_variants]
    notes = _name(others)
    for log in named:
        _fill(log, log.task, None)
    _check_overlap(others)
    check_contents(logs, trust_ids=trust_ids)
    _count_on(logs)
    if trust_ids and len(logs) > 1:
        notes.append("ids of examples were trusted: whether they mean the same question in every log was not verified")
    return [*_gathered(logs), *notes]


def check_contents(logs: Iterable[Log], *, trust_ids: bool = False) -> None:
    """Checks that every example has one content, whatever log and row it comes from.

    Only what both rows hold is compared, and at least one such field has to be there. With ``trust_ids`` nothing is compared.

    Raises:
        DataError: If two rows of one id differ; both are shown.
    """
    if trust_ids:
        return
    first: dict[tuple[str, str], tuple[Log, int, Mapping[str, Any]]] = {}
    problems = []
    for log in logs:
        for record, content in zip(log.records.rows, log.contents, strict=True):
            key = (str(record.fields.get("dataset", log.task)), str(record.fields["example"]))
            known = first.setdefault(key, (log, record.number, content))
            if known[2] is content or known[2] == content:
                continue
            field = _difference(known[2], content)
            if field is not None:
                problems.append(_told(key[1], field, known, (log, record.number, content)))
                if len(problems) == _PROBLEMS_SHOWN:
                    raise _mismatch(problems)
    if problems:
        raise _mismatch(problems)


def _refuse_copies(logs: Sequence[Log]) -> None:
    """Answers of one evaluation given twice would count as reruns that always agree."""
    known: dict[str, str] = {}
    for log in logs:
        if log.identity and known.setdefault(log.identity, log.source) != log.source:
            raise DataError(f"holds the same evaluation as {known[log.identity]}", where=log.source, fix="Give it once")


def _count_on(logs: Sequence[Log]) -> None:
    """Reruns of several logs that asked the same in the same way are counted on: each log numbers its own from 0."""
    reached: dict[tuple[str, ...], int] = {}
    for log in logs:
        here: dict[tuple[str, ...], int] = {}
        rows = []
        for record in log.records.rows:
            own = record.fields.get("rerun")
            if own is not None:
                cell = tuple(str(record.fields.get(name)) for name in ("model", "dataset", "variant", "example"))
                number = reached.get(cell, 0) + int(own)
                here[cell] = max(here.get(cell, 0), number + 1)
                record = replace(record, fields={**record.fields, "rerun": number}) if number != own else record
            rows.append(record)
        log.records.rows = rows
        reached |= here


def _gathered(logs: Sequence[Log]) -> list[str]:
    """Returns the notes of all logs, one that several share told once."""
    sources: dict[str, list[str]] = {}
    for log in logs:
        for note in log.notes:
            sources.setdefault(note, []).append(log.source)
    return [f"{those[0] if len(those) == 1 else f'{len(those)} logs'}: {note}" for note, those in sources.items()]


def _mismatch(problems: Sequence[str]) -> DataError:
    return DataError(
        "the same id is not the same question in every log, so that nothing can be compared by it",
        problems=problems,
        fix="Score logs of other questions on their own. If the logs hold one question in other words, --trust-ids joins them by id alone",
    )


def _difference(one: Mapping[str, Any], other: Mapping[str, Any]) -> str | None:
    """Returns the first field that both have and that differs; an empty name where they have none in common; null where all agree."""
    common = [name for name in one if name in other]
    if not common and (one or other):
        return ""
    return next((name for name in common if one[name] != other[name]), None)


def _told(example: str, field: str, *rows: tuple[Log, int, Mapping[str, Any]]) -> str:
    shown = []
    for log, number, content in rows:
        what = f"{field} {_short(content[field])}" if field else f"nothing but {', '.join(content) or 'its id'}"
        shown.append(f"{log.source}, {log.records.unit} {number}: {what}")
    return f"example '{example}':\n    " + "\n    ".join(shown)


def _short(value: Any) -> str:
    text = " ".join(str(value).split()) if isinstance(value, str) else repr(value)
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "...") if isinstance(value, str) else text[:_SHOWN]


def _name(logs: Sequence[Log]) -> list[str]:
    """Names data set and wording of logs that do not say it themselves."""
    if not logs:
        return []
    tasks = sorted({log.task for log in logs})
    if len(tasks) > 1:
        dataset, original = _common(tasks)
        for log in logs:
            _fill(log, dataset, log.task, "canonical" if log.task == original else None)
        return [f"{len(tasks)} tasks are taken for wordings of one data set, '{dataset}': {_some(tasks)}"]
    task = tasks[0]
    labels = _labels(logs)
    for log, label in zip(logs, labels, strict=True):
        _fill(log, task, label)
    found = sorted({label for label in labels if label})
    return [f"{len(found)} logs of {task} are taken for its wordings: {_some(found)}"] if found else []


def _labels(logs: Sequence[Log]) -> list[str | None]:
    """Returns what sets logs of one task apart; null where they are reruns, other models, or the prompts of one log alone."""
    for level in range(min((len(log.labels) for log in logs), default=0)):
        found = [log.labels[level] for log in logs]
        if len(set(found)) > 1:
            return list(found)
    prompts: dict[tuple[str, str], dict[str, set[str]]] = {}
    for log in logs:
        for record in log.records.rows:
            key = (str(record.fields.get("model")), str(record.fields["example"]))
            prompts.setdefault(key, {}).setdefault(log.source, set()).add(content_hash(record.fields.get("prompt")))
    differ = any(len(by_log) > 1 and len(set().union(*by_log.values())) > 1 for by_log in prompts.values())
    return list(_files([log.source for log in logs])) if differ else [None] * len(logs)


def _files(sources: Sequence[str]) -> list[str]:
    """Returns a short name for each file: folders and endings that all share are left out."""
    folders = [Path(source).resolve().parent for source in sources]
    if len(set(folders)) == len(sources):
        common = Path(os.path.commonpath([str(folder) for folder in folders]))
        return [folder.relative_to(common).as_posix() for folder in folders]
    return [stem(source) for source in sources]


def _common(tasks: Sequence[str]) -> tuple[str, str | None]:
    """Returns what names of tasks begin with, as the name of their data set, and the task that is called just so: the original wording.

    >>> _common(["arc", "arc_polite", "arc_typo"]), _common(["gsm8k_p1", "gsm8k_p2"]), _common(["a", "b"])
    (('arc', 'arc'), ('gsm8k', None), ('a', None))
    """
    beginning = _beginning(tasks)
    if beginning in tasks:
        return beginning, beginning
    cut = max(beginning.rfind(sign) for sign in "_-.:/ ")
    name = beginning[:cut] if cut > 0 else beginning
    return (name if len(name) >= _FEWEST else tasks[0]), None


def _beginning(names: Sequence[str]) -> str:
    """Returns the letters that all names begin with."""
    shortest, other = min(names), max(names)
    same = next((place for place, (one, two) in enumerate(zip(shortest, other, strict=False)) if one != two), len(shortest))
    return shortest[:same]


def _fill(log: Log, dataset: str, variant: str | None, family: str | None = None) -> None:
    own = {"dataset": dataset, **({"variant": variant} if variant else {}), **({"family": family} if family else {})}
    log.records.rows = [replace(record, fields={**own, **record.fields}) for record in log.records.rows]


def _check_overlap(logs: Sequence[Log]) -> None:
    """Two wordings of one data set that have no example in common are no wordings of the same questions."""
    seen: dict[tuple[str, str], tuple[str, set[str]]] = {}
    for log in logs:
        for record in log.records.rows:
            key = (str(record.fields["dataset"]), str(record.fields.get("variant")))
            seen.setdefault(key, (log.source, set()))[1].add(str(record.fields["example"]))
    for (dataset, variant), (source, examples) in seen.items():
        for (other, named), (there, others) in seen.items():
            if other == dataset and named > variant and not examples & others:
                raise DataError(
                    f"has no example in common with {there}, so that they cannot be wordings of the same questions "
                    f"(ids such as '{min(examples)}' and '{min(others)}')",
                    where=source,
                    fix="Score them on their own",
                )


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_PROBLEMS_SHOWN]) + (", ..." if len(names) > _PROBLEMS_SHOWN else "")
