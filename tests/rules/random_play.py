"""Whole games by a seeded random: any hands that the rules of a table allow, thousands in a few seconds.

`strategies` draws games that shrink well; this one plays many. A game of n hands is the
start of the longer one from the same seed, so a failure shrinks by its length.
"""

from __future__ import annotations

from random import Random
from typing import Any

from scorekeeper.rules.bidding import PASS, allowed_bids, hear_call, legal_calls, open_auction
from scorekeeper.rules.cards import SUITS, pack_of
from scorekeeper.rules.hands import allowed_points, allowed_trumps, most_tricks, read_hand
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import differing
from scorekeeper.rules.scoring import add_hand, new_tally
from scorekeeper.rules.table import Table, dealer_after
from tests.rules import book, judge


def play(table: Table, seed: int, most: int) -> dict[str, Any]:
    """Return the record of a game of at most `most` hands, none of them after its end."""
    chance = Random(seed)
    dealer = first_dealer = chance.randrange(table.players)
    hands: list[dict[str, Any]] = []
    tally = new_tally(table)
    while len(hands) < most and tally.outcome is None:
        data = any_hand(table, dealer, chance)
        hand = read_hand(table, data, dealer=dealer)
        tally, _ = add_hand(table, tally, hand)
        dealer = dealer_after(table, hand.dealer, thrown_in=hand.thrown_in)
        hands.append(data)
    return {
        "format": "scorekeeper-game/1",
        "ruleset": {"preset": table.rules.preset, "options": differing(PRESETS[table.rules.preset], table.rules)},
        "players": [f"Player {seat}" for seat in range(table.players)],
        "sides": [list(side) for side in table.sides],
        "first_dealer": first_dealer,
        "hands": hands,
    }


def any_hand(table: Table, dealer: int, chance: Random) -> dict[str, Any]:
    """Return a hand in the form of a record's hand that these rules accept when `dealer` deals."""
    data: dict[str, Any] = {}
    if chance.random() < 0.1:
        data["dealer"] = dealer = chance.randrange(table.players)
    if table.rules.forced_bid is None and chance.random() < 0.08:
        return data | {"passed": True}
    if chance.random() < 0.4:
        data["calls"], bidder, bid = _auction(table, dealer, chance)
        if bidder is None:
            return data
    else:
        bidder = chance.randrange(table.players)
        bid = chance.choice(allowed_bids(table, bidder, dealer))
        data |= {"bidder": bidder, "bid": bid}
    if chance.random() < 0.5:
        data["trump"] = chance.choice(allowed_trumps(table))
    if table.called:
        others = [seat for seat in range(table.players) if seat != bidder]
        data["partner"] = chance.choice([*others, None])
    if bid == "pitch":
        data["tricks"] = chance.randint(0, most_tricks(table.rules))
    return data | _won(table, chance)


def _auction(table: Table, dealer: int, chance: Random) -> tuple[list[Any], int | None, Any]:
    auction = open_auction(table, dealer)
    while not auction.closed:
        legal = legal_calls(table, auction)
        auction = hear_call(table, auction, chance.choice(legal[:3] if chance.random() < 0.7 else legal))
    assert auction.bidder is not None or set(auction.calls) == {PASS}
    return list(auction.calls), auction.bidder, auction.bid


def _won(table: Table, chance: Random) -> dict[str, Any]:
    way = chance.choice(("taken", "points", "captured") if table.rules.categories else ("taken",))
    if way == "captured":
        return _captured(table, chance)
    if way == "points":
        return {"points": {key: chance.choice(sides) for key, sides in allowed_points(table).items()}}
    least, most = table.least, table.most
    parts = 2 if table.called else len(table.sides)
    total = chance.choice((most, most, chance.randint(least, most)))
    cuts = sorted(chance.randint(0, total) for _ in range(parts - 1))
    shares = [high - low for low, high in zip([0, *cuts], [*cuts, total], strict=True)]
    return {"taken": chance.choice((shares, [total, *[0] * (parts - 1)], shares[::-1]))}


def _captured(table: Table, chance: Random) -> dict[str, Any]:
    """Piles of all cards or of some, and who took what they cannot tell; some cards may be left out of it."""
    trump = chance.choice(SUITS)
    pack = sorted(pack_of(table.rules))
    chance.shuffle(pack)
    # Half of the pack may lack a point that somebody always takes; the whole of it has them all.
    for dealt in (pack[: chance.randint(len(pack) // 3, len(pack))], pack):
        piles: list[list[str]] = [[] for _ in table.sides]
        for card in dealt:
            piles[chance.randrange(len(piles))].append(card)
        options = {key: getattr(table.rules, key) for key in book.NEUTRAL}
        found = judge.owners(table.rules.preset, options, trump, piles, None)
        untold = {key: chance.choice(sides) for key, sides in allowed_points(table).items() if key not in found}
        never_null = [category.key for category in table.rules.categories if category.always]
        if all(found.get(key, untold.get(key)) is not None for key in never_null):
            break
    return {"trump": trump, "captured": piles} | ({"points": untold} if untold else {})
