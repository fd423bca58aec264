"""Texts that are about nothing anybody asks: for the family ``distractor``.

No sentence holds a number, a name, a negation or a fact, and each can stand without those behind it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

OWN: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "shelf": (
            "The shelf in the hallway was tidied last week.",
            "Somebody put the folders back in their usual places.",
            "A few labels had come loose and were glued on again.",
            "The old notes went into a carton under the stairs.",
            "It took longer than planned, but the result looked neat.",
            "A cloth and a brush were borrowed from downstairs.",
            "The handle of the cupboard was tightened on the way.",
            "Later the lamp above it was dusted as well.",
            "Visitors walked past and looked up briefly.",
            "In the evening everything was back in order.",
        ),
        "walk": (
            "The walk began at the gate behind the houses.",
            "The path was a little muddy after the weather of the past days.",
            "Along the way there was a bench where people like to rest.",
            "Some of the leaves had already been swept aside.",
            "A conversation about the weekend made the time pass quickly.",
            "Near the corner the ground became somewhat steeper.",
            "The view from up there was pleasant, though rather hazy.",
            "Everybody agreed to take the same way back.",
            "A jacket was forgotten on the fence and fetched again.",
            "The afternoon ended with a chat at the gate.",
        ),
        "meeting": (
            "The meeting started somewhat later than announced.",
            "First the notes of the previous meeting were read out.",
            "Then the group talked about the plan for the coming weeks.",
            "Somebody suggested moving the tables closer to the wall.",
            "The suggestion was welcomed and written down.",
            "There was a short break with something to drink.",
            "Afterwards the list of open points was gone through again.",
            "A volunteer offered to send the summary around.",
            "The chairs were pushed back at the end.",
            "People left in small groups and in good spirits.",
        ),
        "kitchen": (
            "The recipe had been copied by hand on a card.",
            "Its corners were worn, for it had been used a lot.",
            "The bowl was taken from the upper cupboard.",
            "Everything was stirred slowly with a spoon.",
            "While it rested, the counter was wiped clean.",
            "A radio was playing quietly in the background.",
            "The towel hung over the back of a chair.",
            "Somebody came in and asked when it would be ready.",
            "The plates were already standing on the side.",
            "What was left over was kept for the next day.",
        ),
        "repair": (
            "The hinge had been squeaking for a while.",
            "A screwdriver was found in the drawer after some searching.",
            "The screw turned easily once it had been oiled.",
            "A scratch on the frame was polished away with a rag.",
            "The tools were laid out on a sheet of paper.",
            "A neighbour looked in and praised the work.",
            "The leftover screws went back into their jar.",
            "Afterwards the hinge moved smoothly again.",
            "The floor was swept before the tools were put away.",
            "It was a quiet and rather uneventful morning.",
        ),
    }
)
"""Name -> sentences."""
