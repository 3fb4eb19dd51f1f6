"""The record of one person's game, from which standings and statistics are calculated.

Calculate rates, and show them with their number of cases.

List the hands of a replayed game that count, in their corrected form and without deleted hands.

Calculate a player's bids and points from their hands.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from msgspec import Struct

from scorekeeper.rules.bidding import Bid
from scorekeeper.rules.game import Game
from scorekeeper.rules.phrase import Phrase
from scorekeeper.rules.scoring import Hand, bidding_sides


class Total(NamedTuple):
    """A person's games, wins and losses on a night that was imported as totals.

    A number that the file lacks is None.
    """

    games: int | None
    wins: int | None
    losses: int | None


GameKey = int | str
"""Identifies a game among those that are counted together."""

Unit = tuple[int, ...]
"""The ids of the people who share a row in the standings, lowest first: one person, or fixed partners."""


class Played(NamedTuple):
    """A person's game or bye. This is a named tuple, because a season has twelve thousand such records.

    `night` is the number of the night in the season. `round` and `table` are numbers within the night. `points` is the
    score of the person's side, and `points_against` is the score of the best other side. In a tie, `drawn` is true and
    `won` is false for everyone. `sets` counts the failed bids (sets) of the person's side, and `hands` counts the hands
    of the game. Each person has one record of a game. `partners` and `opponents` are the people who really played.

    For a bye, `bye` is true, `partners` holds fixed partners, and the other fields of a game are empty. The season's
    settings decide what a bye scores, regardless of `points`.

    If the person was a substitute, `sub_for` is the regular player whom they replaced. `credit.credited` returns the
    people for whom the game counts.

    For a night that was imported as totals, each person has a single record with a `total` and no data of a game.
    """

    night: int
    round: int
    table: int
    game: GameKey
    person: int
    partners: tuple[int, ...] = ()
    opponents: tuple[int, ...] = ()
    points: int = 0
    points_against: int = 0
    won: bool = False
    drawn: bool = False
    sets: int = 0
    hands: int = 0
    bye: bool = False
    sub_for: int | None = None
    total: Total | None = None


def playing_order(game: Played) -> tuple[int, int, int, bool, GameKey]:
    """Return a key that sorts a person's games in the order of play."""
    return game.night, game.round, game.table, isinstance(game.game, str), game.game


ENOUGH = 10
"""The fewest cases for which a percentage is shown."""


class Rate(NamedTuple):
    """A number of `hits`, such as wins, among a number of `cases`, such as games."""

    cases: int
    hits: int

    @property
    def enough(self) -> bool:
        """Return whether there are enough cases for a percentage."""
        return self.cases >= ENOUGH

    @property
    def share(self) -> Fraction:
        """Return the rate from 0 to 1. The rate is 0 if there are no cases."""
        return Fraction(self.hits, self.cases or 1)

    @property
    def percent(self) -> int:
        """Return the rate in whole percent, halves rounded up."""
        return int(self.share * 100 + Fraction(1, 2))


def rate_text(rate: Rate) -> Phrase:
    """Return a rate as text, such as "62% of 34".

    The text is "3 of 4" if there are fewer than `ENOUGH` cases, and a dash if there are none.
    """
    if not rate.cases:
        return Phrase("–")
    if not rate.enough:
        return Phrase("%(hits)s of %(cases)s", hits=rate.hits, cases=rate.cases)
    return Phrase("%(percent)s of %(cases)s", percent=f"{rate.percent}%", cases=rate.cases)


class CountedHand(NamedTuple):
    """A hand that counts.

    `seq` is the log position of the hand's first event. `number` is the number of the hand, from 1. `bidding` lists the
    sides that share the bid, and `made` tells whether the bid was made. If all passed or the game has no bids,
    `bidder`, `bid` and `made` are None, and `bidding` is empty. `delta` holds the points of each side.
    """

    seq: int
    number: int
    dealer: int
    bidder: int | None
    bid: Bid | None
    made: bool | None
    bidding: tuple[int, ...]
    delta: tuple[int, ...]


def counted_hands(game: Game) -> Iterator[CountedHand]:
    """Yield the hands of a game that count, in order. A game entered as a final score has none."""
    for line in game.counted:
        hand = line.entry.what
        if isinstance(hand, Hand):
            bidding = bidding_sides(game.table, hand)
            yield CountedHand(
                line.entry.seq, line.number, hand.dealer, hand.bidder, hand.bid, line.made, bidding, line.delta
            )


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


class LevelLine(Struct, frozen=True):
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


class SeatLine(Struct, frozen=True):
    """A player's bids from one seat relative to the dealer.

    `seat` counts clockwise from the dealer, who is 0. `took` is the rate of winning the bid in all hands from that
    seat, including hands in which all passed. `made` is the rate of making these bids.
    """

    seat: int
    took: Rate
    made: Rate


class Points(Struct, frozen=True):
    """The number of hands that a player played in one role, and the points of the player's side in these hands."""

    hands: int = 0
    points: int = 0


class Hands(Struct, frozen=True):
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
