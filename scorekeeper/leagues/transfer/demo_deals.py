"""Make realistic hands by dealing real cards and playing them in a simple way.

The players bid on their best suit, win a trick if they can, and feed their partner. The deal decides what the tricks
cannot, such as a Low that goes to the player who was dealt it. Hands of Some'R'Set are only totals.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from scorekeeper.rules.cards import CARD_POINTS, SUITS, count_cards, pack_of, trumps_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from scorekeeper.rules.table import Table

PLAIN = "23456789TJQKA"


def deals(table: Table, random: Random) -> Iterator[dict[str, Any]]:
    """Yield hands for a game record, endlessly; each is dealt by the next seat."""
    dealer = table.players - 1
    while True:
        told = _played(table, random, dealer) if table.rules.categories else _totals(table, random, dealer)
        if told is not None:
            yield {"dealer": dealer, **told}
            dealer = (dealer + 1) % table.players


def _played(table: Table, random: Random, dealer: int) -> dict[str, Any] | None:
    """Return one played hand, None if a card that always scores was not dealt."""
    rules = table.rules
    pack = sorted(pack_of(rules))
    random.shuffle(pack)
    size = rules.cards_each
    hands = [pack[seat * size : (seat + 1) * size] for seat in range(table.players)]
    dealt = {card: seat for seat, hand in enumerate(hands) for card in hand}
    worth = {(seat, suit): _worth(table, hands[seat], suit) for seat in range(table.players) for suit in SUITS}
    bidder, trump = max(worth, key=lambda key: (worth[key], (dealer - key[0]) % table.players))
    trumps = trumps_of(rules, trump)
    bids = [bid for bid in table.bids if isinstance(bid, int)]
    bid = max((bid for bid in bids if bid <= worth[bidder, trump]), default=bids[0])
    piles = _tricks(table, [list(hand) for hand in hands], bidder, trumps)
    side_of = table.side_of
    points = dict(count_cards(table, trump, piles, bidding_side=side_of[bidder]).points)
    for category in rules.categories:
        if category.key == "low" and category.key not in points:
            points["low"] = side_of[dealt[next(card for card in trumps if card in dealt)]]
        elif category.key not in points:
            seat = dealt.get(category.card + trump)
            points[category.key] = None if seat is None else side_of[seat]
        if category.always and points[category.key] is None:
            return None
    return {"bidder": bidder, "bid": bid, "trump": trump, "points": points}


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


def _tricks(table: Table, hands: list[list[str]], leader: int, trumps: Sequence[str]) -> list[list[str]]:
    """Play all tricks and return the cards that each side took."""
    piles: list[list[str]] = [[] for _ in table.sides]
    for _ in range(len(hands[0])):
        trick: list[tuple[int, str]] = []
        for turn in range(table.players):
            seat = (leader + turn) % table.players
            card = _choose(table, hands[seat], trick, trumps, seat)
            hands[seat].remove(card)
            trick.append((seat, card))
        leader = _winner(trick, trumps)[0]
        piles[table.side_of[leader]].extend(card for _, card in trick)
    return piles


def _rank(card: str, led: str, trumps: Sequence[str]) -> int:
    """Return the rank of a card in a trick, -1 if it cannot win after `led` was led."""
    if card in trumps:
        return 100 + trumps.index(card)
    return PLAIN.index(card[0]) if card[1] == led[1] and led not in trumps else -1


def _winner(trick: Sequence[tuple[int, str]], trumps: Sequence[str]) -> tuple[int, str]:
    return max(trick, key=lambda played: _rank(played[1], trick[0][1], trumps))


def _choose(
    table: Table, hand: Sequence[str], trick: Sequence[tuple[int, str]], trumps: Sequence[str], seat: int
) -> str:
    """Return the card to play: lead the highest, follow to win, else feed the partner or play low."""

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
    if table.side_of[best_seat] == table.side_of[seat]:
        return max(allowed, key=lambda card: (card not in trumps, count(card), -height(card)))
    winning = [card for card in allowed if height(card) > height(best)]
    if winning:
        return max(winning, key=lambda card: (count(card) + sum(count(played) for _, played in trick), height(card)))
    return min(allowed, key=lambda card: (count(card), card in trumps, height(card)))


def _totals(table: Table, random: Random, dealer: int) -> dict[str, Any]:
    """Return a hand of Some'R'Set, with a bid near half of all points and about as many taken."""
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
