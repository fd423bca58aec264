"""Models: the noun that is asked, and the plug-in group ``sago.models``.

``protocol.py`` the contract; ``opening.py`` names to models; ``local/`` models on this machine, through transformers; ``embedded.py``
the small real model that needs no network; ``api/`` models behind an API; ``encoder.py`` the sentence encoder; ``entailment.py`` a model
of entailment; ``replies.py`` what the body of a chat completion says; ``translation.py`` translators that are no chat model; ``cache.py``
where converted weights are kept.
"""

from __future__ import annotations

from sago.models.encoder import SentenceEncoder, lazy_encoder, open_encoder
from sago.models.entailment import EntailmentModel, lazy_entailment
from sago.models.opening import Opener, check_model_spec, open_model
from sago.models.protocol import Model
from sago.models.translation import Translator

__all__ = [
    "EntailmentModel",
    "Model",
    "Opener",
    "SentenceEncoder",
    "Translator",
    "check_model_spec",
    "lazy_encoder",
    "lazy_entailment",
    "open_encoder",
    "open_model",
]
