"""Findings in one plain sentence each; no sentence says more than its test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_BEHAVIOUR = {
    "generation": "the answer",
    "activations": "the inner state",
    "confidence": "the confidence",
    "mirroring": "the reply",
}

_NOISE = {
    "noise_floor=assumed_zero": " Rerun noise was not measured.",
    "noise_floor=audit": " Rerun noise was measured by asking again in other batches.",
    "noise_floor=pooled": " Rerun noise was measured on a part of the examples.",
}


def figure(value: float) -> str:
    """Returns a number as it stands in a sentence: three decimals, no leading zero, sign kept."""
    text = f"{value:.3f}"
    text = text.removeprefix("-") if float(text) == 0 else text
    return text.replace("0.", ".", 1) if abs(float(text)) < 1 else text


def probability(value: float) -> str:
    """Returns a p value as it stands in a sentence."""
    return "p < .001" if value < 0.001 else f"p = {figure(value)}"


def instability_sentence(finding: dict[str, Any], *, flags: Sequence[str], alpha: float) -> str:
    """Returns the sentence of an ``instability`` finding; takes the number of tests out of it."""
    where = _where(finding)
    tests = finding.pop("tests", 0)
    if finding["verdict"] == "NOT_TESTED":
        return f"{where}: not tested ({finding['reason']})."
    said = _said(finding, flags)
    threshold, level = figure(finding["threshold"]), f"{100 * (1 - alpha):.0f} %"
    corrected = f"{probability(finding['p_adjusted'])} by {finding.pop('test')}, Holm over {tests} cells"
    detail = f"({corrected}, n = {finding['n']} examples)"
    survives = "" if finding["p_adjusted"] <= alpha else ", but not after the correction"
    verdict = {
        "UNSTABLE": f"UNSTABLE: above {threshold} at the one-sided {level} bound{survives} {detail}",
        "STABLE": f"STABLE: below {threshold} at the one-sided {level} bound (n = {finding['n']} examples)",
        "INCONCLUSIVE": f"INCONCLUSIVE: neither above nor below {threshold} {detail}",
    }[finding["verdict"]]
    noise = "" if finding["axis"] == "mirroring" else next((text for flag, text in _NOISE.items() if flag in flags), "")
    few = " With so few examples the interval is rough." if "small_n" in flags else ""
    return f"{where}: {said}. {verdict}.{noise}{few}"


def _said(finding: dict[str, Any], flags: Sequence[str]) -> str:
    bracket = f"{figure(finding['estimate'])} [{figure(finding['lower'])}, {figure(finding['upper'])}]"
    if finding["axis"] == "mirroring":
        return f"the reply takes up {bracket} of the words that only its own wording has, beyond what replies to the other wordings take up"
    moved = _BEHAVIOUR.get(finding["axis"], finding["axis"])
    beyond = "" if "noise_floor=assumed_zero" in flags else ", beyond what asking again moves it"
    return f"another wording moves {moved} by {bracket} of what another question does{beyond}"


def rerun_sentence(finding: dict[str, Any]) -> str:
    """Returns the sentence of a ``rerun_floor`` finding; takes the number of tests out of it."""
    tests = finding.pop("tests", 0)
    where = _where(finding)
    if finding["verdict"] == "NOT_TESTED":
        return f"{where}: not tested against asking twice ({finding['reason']})."
    verb = "wordings differ more than" if finding["verdict"] == "DIFFERS" else "wordings are not shown to differ more than"
    detail = (
        f"{probability(finding['p_adjusted'])} by permutation inside each example, Holm over {tests} cells, n = {finding['n']} examples"
    )
    return f"{where}: {verb} reruns of one wording, by {figure(finding['estimate'])} ({detail})."


def _where(finding: dict[str, Any]) -> str:
    about = f"{', '.join(finding['models'])} on {', '.join(finding['datasets'])}"
    return f"{about}, {finding['axis']} ({finding['measure']}, {finding['decoding']})"
