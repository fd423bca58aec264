"""Other wordings that the data gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from sago.records import Draft, Example
from sago.variations.protocol import Parameter


class Paraphrase:
    """The wordings that the data gives, in its order; whether they keep the meaning is the data's word, checked by rule only."""

    name: str = "paraphrase"
    description: str = "other wordings of the question that the data gives"
    control: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "to_check"
    protects: str = "context and choices"
    parameters: Mapping[str, Parameter] = MappingProxyType(
        {"n": Parameter(3, "most wordings to take, in the order of the data", minimum=1, maximum=1000)}
    )

    def applies(self, example: Example) -> bool:
        """Returns whether the data gives other wordings."""
        return bool(example.paraphrases)

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns how many wordings are taken: ``n``, or all that the data gives."""
        return min(int(parameters["n"]), len(example.paraphrases))

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns the first ``n`` wordings, named by their place in the data."""
        return tuple(
            Draft(str(place), question=wording)
            for place, wording in enumerate(example.paraphrases[: parameters["n"]], start=1)
            if wording.strip() and wording.strip() != example.question.strip()
        )


paraphrase = Paraphrase()
