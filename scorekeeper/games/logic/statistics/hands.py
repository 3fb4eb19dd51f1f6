"""Calculate a player's bids and points from their hands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scorekeeper.games.logic.statistics.person_game import GameKey
from scorekeeper.games.logic.statistics.rate import Rate
from scorekeeper.rules.bidding import Bid


class HandPlayed(NamedTuple):
    """A person's record of a hand. This is a named tuple, because there are thousands of such records.

    `number` is the number of the hand in its game, from 1. `seats` is the number of players. `seat`, `dealer` and
    `bidder` are seats from 0. `bidder`, `bid` and `made` are None if all passed. `bidding` lists the sides that share
    the bid. `delta` holds the points of each side, and `side` is the person's own side. `partners` and `opponents` are
    ids of people. A called partner counts as a partner.
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


class OwnBid(NamedTuple):
    """A bid of a player: its game and amount, whether it was made, and the points of the player's side in that hand."""

    game: GameKey
    bid: Bid
    made: bool
    points: int


@dataclass(frozen=True, slots=True)
class LevelLine:
    """A player's bids of one amount, such as all bids of 3.

    `made` is the rate of making these bids, and `points` is the sum of the side's points in these hands. `games` are
    the games with such a bid. `set_games` are the games in which such a bid was set. Each game is listed once.
    """

    bid: Bid
    made: Rate
    points: int
    games: tuple[GameKey, ...] = ()
    set_games: tuple[GameKey, ...] = ()

    @property
    def set(self) -> int:
        """Return how many of the player's bids of this amount were set."""
        return self.made.cases - self.made.hits


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A player's bids from one seat relative to the dealer.

    `seat` counts clockwise from the dealer, who is 0. `took` is the rate of winning the bid in all hands from that
    seat, including hands in which all passed. `made` is the rate of making these bids.
    """

    seat: int
    took: Rate
    made: Rate


@dataclass(frozen=True, slots=True)
class Points:
    """The number of hands that a player played in one role, and the points of the player's side in these hands."""

    hands: int = 0
    points: int = 0


@dataclass(frozen=True, slots=True)
class Hands:
    """The totals of a player's hands.

    `made` is the rate of making their own bids. `sets` counts the player's own bids that were set, and `partner_sets`
    counts the partners' bids that were set. `levels` and `seats` have a line for each amount and each seat that
    occurred, lowest first. Named bids follow numbers.

    Each hand counts in one of three roles: `as_bidder`, `as_partner` of the bidder, or `as_defender`. A called partner
    counts as a partner. `passed` is the number of hands in which everyone passed. These hands count in no role.
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
    """Return the totals of `hands`, which must all be of one person."""
    all_hands = list(hands)
    own = [hand for hand in all_hands if hand.bidder == hand.seat]
    partner = [hand for hand in all_hands if hand.bidder != hand.seat and hand.side in hand.bidding]
    defender = [hand for hand in all_hands if hand.bidder is not None and hand.side not in hand.bidding]
    # Where nobody bids, every hand scores; a hand that was thrown in never does.
    bidding = [hand for hand in all_hands if hand.bidder is not None or not any(hand.delta)]
    made = _made(own)
    return Hands(
        hands=len(all_hands),
        passed=sum(hand.bidder is None for hand in bidding),
        made=made,
        sets=made.cases - made.hits,
        partner_sets=sum(not hand.made for hand in partner),
        levels=bid_levels(_own_bids(own)),
        seats=_seats(bidding),
        as_bidder=_points(own),
        as_partner=_points(partner),
        as_defender=_points(defender),
    )


def _made(bids: Sequence[HandPlayed]) -> Rate:
    return Rate(len(bids), sum(bool(hand.made) for hand in bids))


def _points(hands: Sequence[HandPlayed]) -> Points:
    return Points(len(hands), sum(hand.delta[hand.side] for hand in hands))


def bid_levels(own: Iterable[OwnBid]) -> tuple[LevelLine, ...]:
    """Return a line for each amount that the player bid.

    Numbers come first, lowest first, and named bids follow.
    """
    bids: defaultdict[Bid, list[OwnBid]] = defaultdict(list)
    for each in own:
        bids[each.bid].append(each)
    lines = (
        LevelLine(
            bid,
            Rate(len(same), sum(each.made for each in same)),
            sum(each.points for each in same),
            tuple(dict.fromkeys(each.game for each in same)),
            tuple(dict.fromkeys(each.game for each in same if not each.made)),
        )
        for bid, same in bids.items()
    )
    return tuple(sorted(lines, key=lambda line: (isinstance(line.bid, str), line.bid)))


def _own_bids(own: Iterable[HandPlayed]) -> Iterable[OwnBid]:
    for hand in own:
        assert hand.bid is not None
        yield OwnBid(hand.game, hand.bid, bool(hand.made), hand.delta[hand.side])


def _seats(hands: Iterable[HandPlayed]) -> tuple[SeatLine, ...]:
    seats: defaultdict[int, list[HandPlayed]] = defaultdict(list)
    for hand in hands:
        seats[(hand.seat - hand.dealer) % hand.seats].append(hand)
    lines = []
    for seat, there in sorted(seats.items()):
        own = [hand for hand in there if hand.bidder == hand.seat]
        lines.append(SeatLine(seat, Rate(len(there), len(own)), _made(own)))
    return tuple(lines)
