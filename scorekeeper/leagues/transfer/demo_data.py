"""Build the demo league's archive, part by part.

Make realistic hands for the demo, by dealing cards and playing them in a simple way.

The players bid on their best suit, win a trick if they can, and give points to their partner. A point that doesn't
depend on the tricks goes by the deal: for example, Low may go to the player who was dealt it. For the game Some'R'Set,
only the points of each side are made up, without cards.

The payments of the demo league: fees at the door, payments for sets, and a few people who still owe money.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import Any

from scorekeeper.db.tokens import ALPHABET, ID_LENGTH
from scorekeeper.leagues.money.payments import FEE, PAYMENT
from scorekeeper.leagues.money.settings import MoneySettings
from scorekeeper.leagues.transfer.archive_rows import Making, Row
from scorekeeper.rules.cards import CARD_POINTS, SUITS, carrier, count_cards, pack_of, trumps_of
from scorekeeper.rules.table import Table

DEVICE = "nobody: the demo has no director yet"
"""Placeholder for the hash of a device. No device has it."""


@dataclass(kw_only=True)
class DemoMaking(Making):
    """The demo's archive while it is being built."""

    device: str = DEVICE
    random: Random
    words: Random
    now: datetime
    sets: Counter[int] = field(default_factory=Counter)
    """Maps the number of each person to how many of their bids failed (sets) on the night that is being made."""

    def word(self) -> str:
        """Return a new public id."""
        return "".join(self.words.choice(ALPHABET) for _ in range(ID_LENGTH))


PLAIN = "23456789TJQKA"


def deals(table: Table, random: Random) -> Iterator[dict[str, Any]]:
    """Yield an endless series of played hands. Each hand is a dict in the format of a game record file.

    The deal moves to the next seat after each hand.
    """
    dealer = table.players - 1
    while True:
        told = _played(table, random, dealer) if table.rules.categories else _totals(table, random, dealer)
        if told is not None:
            yield {"dealer": dealer, **told}
            dealer = (dealer + 1) % table.players


def _played(table: Table, random: Random, dealer: int) -> dict[str, Any] | None:
    """Deal and play a hand, and return it as a dict in the format of a game record file.

    Return None if a card that must score in every hand wasn't dealt.
    """
    rules = table.rules
    pack = sorted(pack_of(rules))
    random.shuffle(pack)
    size = rules.cards_for(table.players)
    hands = [pack[seat * size : (seat + 1) * size] for seat in range(table.players)]
    rest = pack[table.players * size :]
    worth = {(seat, suit): _worth(table, hands[seat], suit) for seat in range(table.players) for suit in SUITS}
    bidder, trump = max(worth, key=lambda key: (worth[key], (dealer - key[0]) % table.players))
    if not rules.has_bids:
        bidder, trump = (dealer + 1) % table.players, rest[0][1]
    trumps = trumps_of(rules, trump)
    if rules.play.dealer_takes_rest:
        _take_trumps(hands[dealer], rest, trumps)
    elif len(rest) > len(pack) // 2 and any(category.always and category.card for category in rules.categories):
        _draw_trumps(hands, [card for card in rest if card in trumps], bidder, trumps)
    dealt = {card: seat for seat, hand in enumerate(hands) for card in hand}
    carriers = [carrier(category, trump) for category in rules.categories if category.always and category.card]
    if any(card not in dealt for card in carriers):
        return None
    partner = _partner(hands, bidder, trumps) if table.called else None
    side_of = [int(seat not in (bidder, partner)) for seat in range(table.players)] if table.called else table.side_of
    piles = _tricks(side_of, [list(hand) for hand in hands], bidder, trumps)
    points = dict(count_cards(table, trump, piles, bidding_side=table.party_of(bidder), dealer=dealer).points)
    for category in rules.categories:
        if category.key not in points:
            # The lowest trump, where no single card is Low.
            card = carrier(category, trump) if category.card else next(card for card in trumps if card in dealt)
            seat = dealt.get(card)
            points[category.key] = None if seat is None else side_of[seat]
        if category.always and points[category.key] is None:
            return None
    if not rules.has_bids:
        jack = dealt.get(f"J{trump}")
        hung = {"jack_hung": True} if jack is not None and side_of[jack] != points["jack"] else {}
        return {"turned_up": rest[0], "points": points} | hung
    bids = [bid for bid in table.bids if isinstance(bid, int)]
    bid = max((bid for bid in bids if bid <= worth[bidder, trump]), default=bids[0])
    told = {"bidder": bidder, "bid": bid, "trump": trump, "points": points}
    return {**told, "partner": partner} if table.called else told


def _partner(hands: Sequence[Sequence[str]], bidder: int, trumps: Sequence[str]) -> int | None:
    """Return the seat of the bidder's called partner, or None if there is none.

    The partner is the player with the highest trump that the bidder doesn't have.
    """
    card = max((card for card in trumps if card not in hands[bidder]), key=trumps.index)
    return next((seat for seat, hand in enumerate(hands) if card in hand), None)


def _draw_trumps(hands: Sequence[list[str]], left: Sequence[str], bidder: int, trumps: Sequence[str]) -> None:
    """Replace cards that aren't trump in the players' hands with the undealt trumps in `left`.

    The players take turns to replace one card each, and the bidder is first. Some games leave most of the deck undealt.
    Without the added trumps, a card that must score would rarely be in play.
    """
    turns = [(bidder + turn) % len(hands) for turn in range(len(hands))]
    swaps = [(hand, at) for at in range(len(hands[0])) for hand in (hands[seat] for seat in turns)]
    useless = ((hand, at) for hand, at in swaps if hand[at] not in trumps)
    for card, (hand, at) in zip(left, useless, strict=False):
        hand[at] = card


def _take_trumps(hand: list[str], rest: Sequence[str], trumps: Sequence[str]) -> None:
    """Replace as many cards in `hand` that aren't trump as possible with trumps from the undealt cards.

    `rest` are the undealt cards.
    """
    taken = [card for card in rest if card in trumps]
    places = [place for place, card in enumerate(hand) if card not in trumps]
    for place, card in zip(places, taken, strict=False):
        hand[place] = card


def _worth(table: Table, hand: Sequence[str], suit: str) -> float:
    """Return the points that a player can expect from this hand with `suit` as trump."""
    trumps = trumps_of(table.rules, suit)
    held = [card for card in hand if card in trumps]
    if not held:
        return 0.0
    top = trumps.index(max(held, key=trumps.index)) / (len(trumps) - 1)
    aces = sum(card[0] == "A" for card in hand if card not in trumps)
    share = 1.1 * (len(held) - 1) / len(hand) + 0.3 * top**6 + 0.05 * aces
    # With more points in a hand, the others hold more of them.
    return share * 1.75 * math.sqrt(table.most)


def _tricks(side_of: Sequence[int], hands: list[list[str]], leader: int, trumps: Sequence[str]) -> list[list[str]]:
    """Play all tricks, and return the cards that each side took. `side_of` has the side of each seat."""
    piles: list[list[str]] = [[] for _ in set(side_of)]
    for _ in range(len(hands[0])):
        trick: list[tuple[int, str]] = []
        for turn in range(len(hands)):
            seat = (leader + turn) % len(hands)
            card = _choose(side_of, hands[seat], trick, trumps, seat)
            hands[seat].remove(card)
            trick.append((seat, card))
        leader = _winner(trick, trumps)[0]
        piles[side_of[leader]].extend(card for _, card in trick)
    return piles


def _rank(card: str, led: str, trumps: Sequence[str]) -> int:
    """Return the rank of `card` in a trick, or -1 if the card can't win. `led` is the first card of the trick."""
    if card in trumps:
        return 100 + trumps.index(card)
    return PLAIN.index(card[0]) if card[1] == led[1] and led not in trumps else -1


def _winner(trick: Sequence[tuple[int, str]], trumps: Sequence[str]) -> tuple[int, str]:
    return max(trick, key=lambda played: _rank(played[1], trick[0][1], trumps))


def _choose(
    side_of: Sequence[int], hand: Sequence[str], trick: Sequence[tuple[int, str]], trumps: Sequence[str], seat: int
) -> str:
    """Choose the card to play.

    The leader plays their highest card. The other players win the trick if they can. Otherwise, they give points to a
    winning partner or play low.
    """

    def height(card: str) -> int:
        return _rank(card, trick[0][1] if trick else card, trumps)

    def count(card: str) -> int:
        return CARD_POINTS.get(card[0], 0)

    if not trick:
        return max(hand, key=lambda card: (card in trumps, height(card)))
    led = trick[0][1]
    suit = [card for card in hand if (card in trumps) == (led in trumps) and (led in trumps or card[1] == led[1])]
    # Trump may be played at any time; otherwise follow suit if possible.
    allowed = [*suit, *(card for card in hand if card in trumps)] if suit and led not in trumps else suit or list(hand)
    best_seat, best = _winner(trick, trumps)
    if side_of[best_seat] == side_of[seat]:
        return max(allowed, key=lambda card: (card not in trumps, count(card), -height(card)))
    winning = [card for card in allowed if height(card) > height(best)]
    if winning:
        return max(winning, key=lambda card: (count(card) + sum(count(played) for _, played in trick), height(card)))
    return min(allowed, key=lambda card: (count(card), card in trumps, height(card)))


def _totals(table: Table, random: Random, dealer: int) -> dict[str, Any]:
    """Return a hand of the game Some'R'Set, with only the points of each side instead of the cards.

    The bid is about half of all points, and the bidding side takes about as many points as it bid.
    """
    bidder = random.randrange(table.players)
    bid = min(max(round(random.gauss(table.most * 0.55, table.most * 0.1)), 1), table.most)
    ours = min(max(round(random.gauss(bid + 1, 3)), 0), table.most)
    told: dict[str, Any] = {"bidder": bidder, "bid": bid, "trump": random.choice(("2", "4", "6"))}
    if table.called:
        partner = random.choice([None, *(seat for seat in range(table.players) if seat != bidder)])
        return {**told, "partner": partner, "taken": [ours, table.most - ours]}
    side = table.side_of[bidder]
    rest = [other for other in range(len(table.sides)) if other != side]
    taken = [0] * len(table.sides)
    taken[side] = ours
    for _ in range(table.most - ours):
        taken[random.choice(rest)] += 1
    return {**told, "taken": taken}


LATE = 3
"""How many people have not paid their fee yet on the night in progress."""
EVERY = 4
"""4 means: after the last closed night, one in four of the people who owe for sets (failed bids) hasn't paid yet."""
AHEAD = 1000
"""Cents that one person paid ahead."""


def pay_at_the_door(making: DemoMaking, night: Row, doors: datetime, people: Sequence[int], *, is_closed: bool) -> None:
    """Add the payments of the entry fee for a night to the demo. `people` are the numbers of the people who play.

    If the night is still in progress, the last `LATE` people haven't paid yet.
    """
    season = making.parts["seasons"][night["season_id"] - 1]
    fee = MoneySettings.from_json(season["money"]).entry_fee
    paid = people if is_closed else people[:-LATE]
    if not fee:
        return
    for person in paid:
        _pay(making, night["season_id"], person, FEE, fee, night["day"], night=night["id"])
    making.note("fees_paid", doors, night, people=_addresses(making, paid), cents=fee)


def pay_for_sets(making: DemoMaking, season: Row, night: Row, money: MoneySettings, *, is_last: bool) -> None:
    """Add the payments for sets (failed bids) on a closed night to the demo, and clear the counts in `making.sets`.

    On the last closed night, a few people don't pay yet, and one person pays ahead.
    """
    owed: defaultdict[int, list[int]] = defaultdict(list)
    for place, (person, sets) in enumerate(sorted(making.sets.items())):
        if money.per_set and not (is_last and place % EVERY == 0):
            owed[sets * money.per_set].append(person)
    if is_last and money.entry_fee:
        owed[AHEAD].append(next(iter(sorted(making.sets))))
    for cents, people in sorted(owed.items()):
        for person in people:
            _pay(making, season["id"], person, PAYMENT, cents, night["day"])
        data = {"season": season["public_id"], "people": _addresses(making, people), "cents": cents}
        making.note("payment_saved", datetime.fromisoformat(night["closed_at"]), **data, day=night["day"])
    making.sets.clear()


def _pay(
    making: DemoMaking, season: int, person: int, kind: str, cents: int, day: str, night: int | None = None
) -> None:
    row = {"season_id": season, "night_id": night, "person_id": person, "kind": kind, "cents": cents, "day": day}
    making.add("payments", **row, what="", corrects=None)


def _addresses(making: DemoMaking, people: Sequence[int]) -> list[str]:
    """Return the public ids of people. `people` are their numbers in the archive."""
    return [making.parts["people"][person - 1]["public_id"] for person in people]
