"""A player's bids and points, from his hands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scorekeeper.leagues.standings.person_game import GameKey
from scorekeeper.leagues.statistics.rate import Rate
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


@dataclass(frozen=True, slots=True)
class LevelLine:
    """His bids of one level: how often he had it, and how often he made it; `points` is what they brought his side."""

    bid: Bid
    made: Rate
    points: int

    @property
    def set(self) -> int:
        """Return how often he was set."""
        return self.made.cases - self.made.hits


@dataclass(frozen=True, slots=True)
class SeatLine:
    """His bids from one place: `seat` 0 is the dealer's, 1 the one to the dealer's left, and so on.

    `took` is of all hands he sat there, those that everybody passed among them; `made` of those he took.
    """

    seat: int
    took: Rate
    made: Rate


@dataclass(frozen=True, slots=True)
class Points:
    """Hands in one part, and what they brought his side."""

    hands: int = 0
    points: int = 0


@dataclass(frozen=True, slots=True)
class Hands:
    """What a player's hands come to.

    `made` is of all the bids he took himself, `sets` how often he was set, `partner_sets` how often a partner who had
    bid was. `levels` and `seats` hold what occurred, numbers first and the lowest first. A hand is one `as_bidder`, or
    `as_partner` of the bidder, also one called for the hand, or `as_defender`; `passed` ones are none of them.
    """

    hands: int
    passed: int
    made: Rate
    sets: int
    partner_sets: int
    levels: tuple[LevelLine, ...]
    seats: tuple[SeatLine, ...]
    as_bidder: Points
    as_partner: Points
    as_defender: Points


def hands_of(hands: Iterable[HandPlayed]) -> Hands:
    """Return what the hands of one person come to; all of them must be his."""
    told = list(hands)
    own = [hand for hand in told if hand.bidder == hand.seat]
    partner = [hand for hand in told if hand.bidder != hand.seat and hand.side in hand.bidding]
    defender = [hand for hand in told if hand.bidder is not None and hand.side not in hand.bidding]
    made = _made(own)
    return Hands(
        hands=len(told),
        passed=sum(hand.bidder is None for hand in told),
        made=made,
        sets=made.cases - made.hits,
        partner_sets=sum(not hand.made for hand in partner),
        levels=_levels(own),
        seats=_seats(told),
        as_bidder=_points(own),
        as_partner=_points(partner),
        as_defender=_points(defender),
    )


def _made(bids: Sequence[HandPlayed]) -> Rate:
    return Rate(len(bids), sum(bool(hand.made) for hand in bids))


def _points(hands: Sequence[HandPlayed]) -> Points:
    return Points(len(hands), sum(hand.delta[hand.side] for hand in hands))


def _levels(own: Iterable[HandPlayed]) -> tuple[LevelLine, ...]:
    bids: defaultdict[Bid, list[HandPlayed]] = defaultdict(list)
    for hand in own:
        assert hand.bid is not None
        bids[hand.bid].append(hand)
    lines = (LevelLine(bid, _made(told), _points(told).points) for bid, told in bids.items())
    return tuple(sorted(lines, key=lambda line: (isinstance(line.bid, str), line.bid)))


def _seats(hands: Iterable[HandPlayed]) -> tuple[SeatLine, ...]:
    seats: defaultdict[int, list[HandPlayed]] = defaultdict(list)
    for hand in hands:
        seats[(hand.seat - hand.dealer) % hand.seats].append(hand)
    lines = []
    for seat, told in sorted(seats.items()):
        own = [hand for hand in told if hand.bidder == hand.seat]
        lines.append(SeatLine(seat, Rate(len(told), len(own)), _made(own)))
    return tuple(lines)
