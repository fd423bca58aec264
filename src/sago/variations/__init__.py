"""Ways to say an example differently: examples in, variants out, with what was edited and why the meaning is kept.

``variants`` holds the stage :func:`vary`, ``making``, ``crossing`` and ``processes`` how it is done; ``protocol`` what a family has to be;
one file each the families (``typo``, ``case``, ``format``, ``position``, ``enumerator``, ``choice_order``, ``paraphrase``) and the
``controls``; ``layouts``, ``grammar``, ``parts``, ``labelling`` and ``rendering`` how a prompt is put together; ``protect`` and
``equivalence`` what must not change and how that is checked; ``edits`` what did change; ``specs`` and ``stacked`` what a user writes to
ask for a family; ``beside`` what a family may use beyond the one example.
"""

from __future__ import annotations

from sago.variations.beside import Write
from sago.variations.judging import check_meaning
from sago.variations.making import Varied
from sago.variations.protocol import Checks, CountsAsked, HasIntensity, Outside, Parameter, Passage, Prepared, Request, Variation
from sago.variations.variants import joined, total_counts, vary, vary_in_parts

__all__ = [
    "Checks",
    "CountsAsked",
    "HasIntensity",
    "Outside",
    "Parameter",
    "Passage",
    "Prepared",
    "Request",
    "Variation",
    "Varied",
    "Write",
    "check_meaning",
    "joined",
    "total_counts",
    "vary",
    "vary_in_parts",
]
