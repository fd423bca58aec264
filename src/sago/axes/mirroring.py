"""Response mirroring: how much of a wording turns up in the reply to it? (METRICS 6)."""

from __future__ import annotations

from collections.abc import Mapping

from sago.arrays import uptake, uptake_matrix, words
from sago.arrays.grouping import Floats
from sago.arrays.uptake import gains_of_wordings
from sago.axes.cells import Asked, asked
from sago.axes.protocol import AxisInput, Scored
from sago.axes.siblings import Mirrored, Wordings, mirrored, replies
from sago.records import CANONICAL

MEASURE = "distinctive_uptake"


class Mirroring:
    """``distinctive_uptake``: share of the words that only one wording has which its own reply takes up, less the siblings' share.

    The number of a cell is the mean over examples. The rows of a family count the distinctive words of its wordings alone; the siblings
    are all other wordings, the canonical one among them. A reply without text takes up nothing; one that was not recorded, and a wording
    without prompt text, is missing. The axis has no controls: its 0 and 1 are not those of a distance.
    """

    name = "mirroring"
    description = "does the reply copy the wording: distinctive_uptake; 0 = no, 1 = echo"
    measures = (MEASURE,)

    def score(self, inputs: AxisInput) -> Scored:
        """Returns scores and profiles; see ``sago.axes.siblings``."""
        return mirrored(self.name, MEASURE, asked(inputs, replies(inputs)), uptake_by_family, seed=inputs.seed, default=True)


def uptake_by_family(_: Asked, one: Wordings) -> Mapping[str | None, Mirrored]:
    """Returns the uptake of all wordings of an example, and of those of each family."""
    counts, sizes = uptake_matrix([words(prompt) for prompt in one.prompts], [[words(reply) for reply in own] for own in one.replies])
    places: dict[str, list[int]] = {}
    for place, family in enumerate(one.families):
        places.setdefault(family, []).append(place)
    whole = taken_up(counts, sizes)
    found: dict[str | None, Mirrored] = {None: whole if whole.reason else whole._replace(gains=gains_of_wordings(counts, sizes))}
    return found | {family: taken_up(counts, sizes, among) for family, among in places.items() if family != CANONICAL}


def taken_up(counts: Floats, sizes: Floats, among: list[int] | None = None) -> Mirrored:
    """Returns an uptake as a value of an example."""
    found = uptake(counts, sizes, among)
    return Mirrored(found.own, found.sibling, found.gain, found.weight, None if found.weight else "no_distinctive_surface")


axis = Mirroring()
"""The registered axis."""
