"""Data that no form has: hands as the script of an offline phone sends them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.fuzz.crawler.reading import Field, Form
from tests.fuzz.samples import ALL

if TYPE_CHECKING:
    from random import Random

KEPT = "sent"
"""Name of the form field that contains the hands of an offline phone."""
AS_JSON = ""
"""Used as the field name if the hands aren't sent in a form: their JSON text is the whole body of the request."""
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
"""Form for each endpoint that accepts offline hands. The game's id in the form's address must be replaced."""


def kept_hands(game: str, choice: Random) -> str:
    """Return one or two hands for `game`, which has four players, as the JSON text that an offline phone sends."""
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
