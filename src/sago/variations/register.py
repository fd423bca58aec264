"""How the question is asked: politely, formally, in a hurry. Only an opening in front of the prompt; no text of the data is touched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from sago.records import Draft, Example
from sago.variations.mentions import hints_at
from sago.variations.protocol import Parameter
from sago.variations.specs import names_in

_OPENINGS: dict[str, dict[str, str]] = {
    "en": {
        "polite": "Could you please answer the following question? Thank you.",
        "formal": "You are kindly requested to provide an answer to the question set out below.",
        "urgent": "This is urgent: I need the answer to this question right away.",
        "grateful": "I would be very grateful for your help with this question.",
        "casual": "Hey, here's a quick question for you.",
        "curt": "Answer this.",
        "hesitant": "Sorry to bother you. I was wondering whether you could help me with a question.",
        "pressing": "I am running out of time and my work depends on this. Please answer as soon as you can.",
    },
    "de": {
        "polite": "Könntest du bitte die folgende Frage beantworten? Danke.",
        "formal": "Wir bitten Sie höflich, die nachstehende Frage zu beantworten.",
        "urgent": "Es ist dringend: Ich brauche die Antwort auf diese Frage sofort.",
        "grateful": "Ich wäre sehr dankbar für Hilfe bei dieser Frage.",
        "casual": "Hey, hier ist eine kurze Frage für dich.",
        "curt": "Beantworte das.",
    },
    "fr": {
        "polite": "Pourriez-vous répondre à la question suivante, s'il vous plaît ? Merci.",
        "formal": "Nous vous prions de bien vouloir répondre à la question ci-dessous.",
        "urgent": "C'est urgent : j'ai besoin de la réponse à cette question tout de suite.",
        "grateful": "Je vous serais très reconnaissant de votre aide pour cette question.",
        "casual": "Salut, voici une petite question pour toi.",
        "curt": "Réponds à ceci.",
    },
    "es": {
        "polite": "¿Podría responder a la siguiente pregunta, por favor? Gracias.",
        "formal": "Le rogamos que responda a la pregunta que figura a continuación.",
        "urgent": "Es urgente: necesito la respuesta a esta pregunta de inmediato.",
        "grateful": "Agradecería mucho su ayuda con esta pregunta.",
        "casual": "Hola, aquí va una pregunta rápida para ti.",
        "curt": "Responde a esto.",
    },
}
_ALL = tuple(_OPENINGS["en"])


class Register:
    """One opening for each register. All examples get the same ones, so that register and question are crossed.

    One that names a choice or the gold answer is refused for that example.
    """

    name: str = "register"
    description: str = "an opening that asks politely, formally, urgently, casually"
    control: bool = False
    draws: bool = False
    equivalence: Literal["by_construction", "to_check", "changed"] = "by_construction"
    protects: str = "every text of the data, byte for byte"
    parameters: Mapping[str, Parameter] = MappingProxyType(
        {
            "registers": Parameter("polite+formal+urgent", f"which of {', '.join(_ALL)}, joined by +"),
            "language": Parameter("en", "language of the openings; others than en lack hesitant and pressing", options=tuple(_OPENINGS)),
        }
    )

    def applies(self, example: Example) -> bool:
        """Returns true: an opening stands in front of any question."""
        return True

    def asked(self, example: Example, parameters: Mapping[str, Any]) -> int:
        """Returns the number of registers."""
        return len(_registers(parameters))

    def vary(self, example: Example, parameters: Mapping[str, Any], rng: np.random.Generator) -> Sequence[Draft]:
        """Returns one draft for each register; nothing is drawn."""
        openings = _OPENINGS[parameters["language"]]
        return tuple(
            Draft(
                name,
                lead=openings[name],
                parameters={"register": name},
                refused="names an answer" if hints_at(openings[name], example) else None,
            )
            for name in _registers(parameters)
        )


def _registers(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    return names_in(parameters["registers"], tuple(_OPENINGS[parameters["language"]]), "variation 'register': registers")


register = Register()
