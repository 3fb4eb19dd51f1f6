"""What the scripts of our pages send, and no form of a page shows: the hands that a phone kept without signal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.fuzz.crawler.reading import Field, Form
from tests.fuzz.samples import ALL

if TYPE_CHECKING:
    from random import Random

KEPT = "sent"
"""The field of a form that holds such hands."""
AS_JSON = ""
"""The name of that field where they are all that is sent."""
_FIELDS = [Field("csrf_token", "hidden"), Field("client_id", "hidden"), Field("version", "number", low="1", high="4")]
FORMS = {
    endpoint: Form(address, "POST", [*_FIELDS, Field(name, "hidden")])
    for endpoint, address, name in (
        ("games.waiting", "/games/bcdfghjkmn/waiting", AS_JSON),
        ("games.tail", "/games/bcdfghjkmn/tail", KEPT),
        ("games.accept", "/games/bcdfghjkmn/tail/acceptance", KEPT),
        ("games.discard", "/games/bcdfghjkmn/tail/void", KEPT),
        ("games.save_carried", "/games/bcdfghjkmn/carried", KEPT),
        ("games.carried", "/carry", KEPT),
    )
}
"""By endpoint; the game in its address is to be put in."""


def kept_hands(game: str, choice: Random) -> str:
    """Return one or two hands of four players as a phone keeps them, in the text that it sends."""
    number = choice.choice((1, 2, 3, 3, 3, 4))
    hands = [
        {
            "id": f"phone-made-{choice.getrandbits(40)}",
            "number": each,
            "hand": {"dealer": (each + 2) % 4, "bidder": choice.randrange(4), "bid": 2, "points": ALL},
        }
        for each in range(number, number + choice.choice((1, 1, 2)))
    ]
    return json.dumps({"game": game, "version": number, "hands": hands})
