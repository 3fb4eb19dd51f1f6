"""Play random games from a seed, with any hands that the rules allow, thousands of games in a few seconds.

Hypothesis can't shrink these games, unlike those of `strategies`, but they are played quickly. A game that is played
again from its seed with a smaller limit has the same first hands, so a failing game can be shortened.
"""

from __future__ import annotations

from random import Random
from typing import Any

from scorekeeper.rules.bidding import PASS, allowed_bids, hear_call, legal_calls, open_auction
from scorekeeper.rules.cards import SUITS, pack_of
from scorekeeper.rules.hands import allowed_points, allowed_trumps, most_tricks, read_hand
from scorekeeper.rules.record import write_rules
from scorekeeper.rules.scoring import add_hand, new_tally
from scorekeeper.rules.table import Table, dealer_after
from tests.rules import book, judge

WAYS = ("taken", "points", "captured")
"""Fields of a hand in a game record; each of them is one way to enter what each side won."""


def play(table: Table, seed: int, most: int, ways: tuple[str, ...] = WAYS) -> dict[str, Any]:
    """Return the record of a random game, which ends by the rules or after `most` hands.

    `ways` lists the fields in which a hand may state what each side won, such as "captured" for the captured cards.
    """
    chance = Random(seed)
    dealer = first_dealer = chance.randrange(table.players)
    hands: list[dict[str, Any]] = []
    tally = new_tally(table)
    while len(hands) < most and tally.outcome is None:
        data = any_hand(table, dealer, chance, ways)
        hand = read_hand(table, data, dealer=dealer)
        tally, _ = add_hand(table, tally, hand)
        dealer = dealer_after(table, hand.dealer, thrown_in=hand.thrown_in)
        hands.append(data)
    return {
        "format": "scorekeeper-game/1",
        "ruleset": write_rules(table.rules),
        "players": [f"Player {seat}" for seat in range(table.players)],
        "sides": [list(side) for side in table.sides],
        "first_dealer": first_dealer,
        "hands": hands,
    }


def any_hand(table: Table, dealer: int, chance: Random, ways: tuple[str, ...] = WAYS) -> dict[str, Any]:
    """Return a random hand that the rules accept, in the format of a hand in a game record.

    `ways` lists the fields that may say what each side won in the hand. In one hand out of ten, a random player deals
    instead of `dealer`.
    """
    data: dict[str, Any] = {}
    if chance.random() < 0.1:
        data["dealer"] = dealer = chance.randrange(table.players)
    if not table.rules.has_bids:
        return data | _without_bids(table, chance, ways)
    if table.rules.forced_bid is None and chance.random() < 0.08:
        return data | {"passed": True}
    if table.rules.forced_concede and chance.random() < 0.2:
        data |= {"bidder": dealer, "bid": table.rules.forced_bid} | ({"partner": None} if table.called else {})
        return data | {"taken": [0] * table.parties, "conceded": True}
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
    if table.rules.revoke_costs_bid and chance.random() < 0.3:
        data["revoked"] = chance.randrange(table.players)
    return data | _won(table, chance, ways, bid, table.party_of(bidder))


def _without_bids(table: Table, chance: Random, ways: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields of a random hand in a game without bidding.

    The fields often include a turned-up card that scores.
    """
    data = _won(table, chance, ways)
    suit = data.get("trump", chance.choice(SUITS))
    out = [card for pile in data.get("captured", ()) for card in pile]
    jack = data.get("points", {}).get("jack")
    if "captured" in data:
        jack = next((side for side, pile in enumerate(data["captured"]) if "J" + suit in pile), None)
    ranks = [*table.rules.turned_up_worth, chance.choice(table.rules.ranks)]
    rank = chance.choice(ranks)
    card = rank + suit if chance.random() < 0.7 else rank
    if chance.random() < 0.7 and rank + suit not in out and (rank != "J" or jack is None):
        data["turned_up"] = card
    if "points" in data and jack is not None and chance.random() < 0.4:
        data["jack_hung"] = True
    return data


def _auction(table: Table, dealer: int, chance: Random) -> tuple[list[Any], int | None, Any]:
    auction = open_auction(table, dealer)
    while not auction.closed:
        legal = legal_calls(table, auction)
        auction = hear_call(table, auction, chance.choice(legal[:3] if chance.random() < 0.7 else legal))
    assert auction.bidder is not None or set(auction.calls) == {PASS}
    return list(auction.calls), auction.bidder, auction.bid


def _won(
    table: Table, chance: Random, ways: tuple[str, ...], bid: int | str | None = None, party: int = 0
) -> dict[str, Any]:
    way = chance.choice(ways if table.rules.categories else ("taken",))
    if way == "captured":
        return _captured(table, chance, bid, party)
    if way == "points":
        return {"points": {key: chance.choice(sides) for key, sides in allowed_points(table, bid, party).items()}}
    most = table.most
    parts = table.parties
    total = chance.choice((most, most, chance.choice(table.sums)))
    cuts = sorted(chance.randint(0, total) for _ in range(parts - 1))
    shares = [high - low for low, high in zip([0, *cuts], [*cuts, total], strict=True)]
    all_tricks = table.rules.slam_worth if bid == "pitch" and chance.random() < 0.5 else 0
    taken = chance.choice((shares, [total, *[0] * (parts - 1)], shares[::-1]))
    return {"taken": [points + all_tricks * (each == party) for each, points in enumerate(taken)]}


def _captured(table: Table, chance: Random, bid: int | str | None, party: int) -> dict[str, Any]:
    """Return the fields of a random hand whose points are given by captured cards.

    The fields are the trump, the cards that each side captured, and the points that these cards don't show. The
    captured cards are the whole pack or a part of it.
    """
    trump = chance.choice(SUITS)
    pack = sorted(pack_of(table.rules))
    chance.shuffle(pack)
    # Half of the pack may lack a point that somebody always takes; the whole of it has them all.
    for dealt in (pack[: chance.randint(len(pack) // 3, len(pack))], pack):
        piles: list[list[str]] = [[] for _ in range(table.parties)]
        for card in dealt:
            piles[chance.randrange(len(piles))].append(card)
        options = {key: getattr(table.rules, key) for key in book.NEUTRAL}
        found = judge.owners(table.rules.preset, options, trump, piles, None)
        untold = {
            key: chance.choice(sides) for key, sides in allowed_points(table, bid, party).items() if key not in found
        }
        never_null = [category.key for category in table.rules.categories if category.always]
        if all(found.get(key, untold.get(key)) is not None for key in never_null):
            break
    return {"trump": trump, "captured": piles} | ({"points": untold} if untold else {})
