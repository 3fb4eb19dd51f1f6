"""A hand as one person sat through it."""

from __future__ import annotations

from typing import NamedTuple

from scorekeeper.leagues.standings.person_game import GameKey
from scorekeeper.rules.bidding import Bid


class HandPlayed(NamedTuple):
    """One person's hand; made by the thousand, so it is a named tuple.

    `number` counts the hands of the game from 1. `seats` is how many sat there; `seat`, `dealer` and `bidder` are
    seats, and `bidder` is None where all passed (then `bid` and `made` are too). `bidding` are the sides that stand
    behind the bid. `delta` is what each side scored, `side` his own. `partners` and `opponents` are persons, a partner
    whom the bidder called for this hand among the partners.
    """

    game: GameKey
    night: int
    number: int
    seats: int
    seat: int
    dealer: int
    bidder: int | None
    bid: Bid | None
    made: bool | None
    bidding: tuple[int, ...]
    delta: tuple[int, ...]
    side: int
    partners: tuple[int, ...] = ()
    opponents: tuple[int, ...] = ()
