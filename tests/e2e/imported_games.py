"""Import a game quickly, for browser tests that check a game but don't play it."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING, Any

from tests.support.wire_phone import WirePhone

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from playwright.sync_api import Page

    class At(Protocol):
        """Any object that has the address of a server. The helpers of this module need nothing else."""

        url: str


FOUR = ("Ann", "Bob", "Cid", "Dee")
SIDES = ((0, 2), (1, 3))


def bring_in(page: Page, server: At, record: dict[str, Any]) -> str:
    """Import a game record with the cookies of the phone `page`, and return the path of the game's board."""
    with closing(WirePhone(server.url)) as phone:
        phone.cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
        phone.get("/")
        answer = phone.post("/games/import", text=json.dumps(record))
    assert answer.status == 303, answer.body
    page.context.add_cookies(
        [{"name": name, "value": value, "url": server.url} for name, value in phone.cookies.items()]
    )
    return answer.location


def record(
    hands: Sequence[dict[str, Any]] = (),
    *,
    preset: str = "setback-21",
    players: Sequence[str] = FOUR,
    sides: Sequence[Sequence[int]] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Return a game record in which the last player deals first.

    `sides` lists the seats of each side, from 0. Without `sides`, four players form two sides and any other number play
    alone. `more` are further fields of the record.
    """
    default = SIDES if len(players) == 4 else [[seat] for seat in range(len(players))]
    return {
        "format": "scorekeeper-game/1",
        "ruleset": {"preset": preset},
        "players": list(players),
        "sides": [list(side) for side in (default if sides is None else sides)],
        "first_dealer": len(players) - 1,
        "hands": list(hands),
        **more,
    }


def hand(bidder: int, bid: int | str, high: int, low: int, jack: int | None, game: int | None) -> dict[str, Any]:
    """Return a hand in the record format. Each point is given as the index of a side, or None for nobody."""
    return {"bidder": bidder, "bid": bid, "points": {"high": high, "low": low, "jack": jack, "game": game}}
