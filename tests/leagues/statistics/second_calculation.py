"""A second calculation of a player's statistics from raw game records, which shares no code with the first.

The module `judge` scores each hand and finds the winner. Everything else is read from the dicts of the record and
counted one number at a time.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.rules import judge

RawHand = dict[str, Any]


def read_game(raw: dict[str, Any], read: Any, night: int, people: list[int]) -> dict[str, Any]:
    """Return a game as a dict of its night, people, sides, totals, winner and hands.

    `raw` is the JSON of the game's record, and `read` is the same record as read by the app. `people` are the players'
    ids in order of the seats. Each hand has the dealer, the bidder, the bid and the scores.
    """
    ruling = judge.rule_record(raw, read)
    options = judge.options_of(raw["ruleset"]["preset"], raw["ruleset"]["options"])
    seats = len(people)
    most = judge.points_of_a_hand(raw["ruleset"]["preset"], seats, options)
    dealer = raw["first_dealer"]
    before = [0] * len(raw["sides"])
    hands = []
    for hand, totals, made in zip(raw["hands"], ruling.totals, ruling.made, strict=True):
        dealer = hand.get("dealer", dealer)
        bidder, bid = hand.get("bidder"), hand.get("bid")
        if "calls" in hand:
            auction = judge.bidding(options, most, seats, dealer, hand["calls"])
            bidder, bid = auction.bidder, auction.bid
        scored = [now - was for now, was in zip(totals, before, strict=True)]
        called = hand.get("partner")
        hands.append({"dealer": dealer, "bidder": bidder, "bid": bid, "made": made, "scored": scored, "called": called})
        before = totals
        if bidder is not None or options["redeal_by"] == "next":
            dealer = (dealer + 1) % seats
    return {
        "night": night,
        "people": people,
        "sides": raw["sides"],
        "totals": before,
        "winner": ruling.winner,
        "hands": hands,
    }


def of_games(person: int, games: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a dict of the results, streaks, nights, partners and opponents of `person`.

    `games` are results of `read_game`, in order of play.
    """
    mine = [game for game in games if person in game["people"]]
    results = []
    for game in mine:
        own = _side(game, person)
        results.append("drawn" if game["winner"] is None else "won" if game["winner"] == own else "lost")
    runs = "".join({"won": "W", "lost": "L", "drawn": " "}[result] for result in results)
    last = len(runs) - len(runs.rstrip("W")) or len(runs.rstrip("L")) - len(runs)
    nights = []
    for night in sorted({game["night"] for game in mine}):
        tonight = [(game, result) for game, result in zip(mine, results, strict=True) if game["night"] == night]
        points = sum(game["totals"][_side(game, person)] for game, _ in tonight)
        nights.append((night, len(tonight), len([result for _, result in tonight if result == "won"]), points))
    return {
        "games": len(mine),
        "won": results.count("won"),
        "lost": results.count("lost"),
        "drawn": results.count("drawn"),
        "longest": max(len(run) for run in runs.replace("L", " ").split(" ")),
        "current": last,
        "nights": nights,
        "partners": _companions(person, mine, results, same=True),
        "opponents": _companions(person, mine, results, same=False),
    }


def _side(game: dict[str, Any], person: int) -> int:
    seat = game["people"].index(person)
    return next(index for index, side in enumerate(game["sides"]) if seat in side)


def _companions(person: int, mine: list[dict[str, Any]], results: list[str], *, same: bool) -> dict[str, Any]:
    met: dict[int, list[str]] = {}
    for game, result in zip(mine, results, strict=True):
        for other in game["people"]:
            if other != person and (_side(game, other) == _side(game, person)) == same:
                met.setdefault(other, []).append(result)
    rates = {
        other: Fraction(results.count("won"), len(results)) for other, results in met.items() if len(results) >= 10
    }
    best = {other for other, rate in rates.items() if rate == max(rates.values())}
    worst = {other for other, rate in rates.items() if rate == min(rates.values())}
    return {
        "all": {other: (len(results), results.count("won")) for other, results in met.items()},
        "best": best,
        "worst": worst if worst != best else set(),
    }


def of_hands(person: int, games: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a dict with the numbers of hands, bids and sets of `person`.

    The dict also has the hands and points of `person` as bidder, as the bidder's partner and as defender. `games` are
    results of `read_game`.
    """
    found: dict[str, Any] = {"hands": 0, "passed": 0, "sets": 0, "partner_sets": 0, "levels": {}, "seats": {}}
    parts = {part: [0, 0] for part in ("bidder", "partner", "defender")}
    for game in games:
        if person not in game["people"]:
            continue
        seat, seats = game["people"].index(person), len(game["people"])
        side = _side(game, person)
        for hand in game["hands"]:
            found["hands"] += 1
            if hand["bidder"] is None and any(hand["scored"]):
                continue  # nobody bids in that game
            place = found["seats"].setdefault((seat + seats - hand["dealer"]) % seats, [0, 0, 0])
            place[0] += 1
            if hand["bidder"] is None:
                found["passed"] += 1
                continue
            scored = hand["scored"][side]
            if hand["bidder"] == seat:
                part = "bidder"
                level = found["levels"].setdefault(hand["bid"], [0, 0, 0])
                level[0] += 1
                level[1] += hand["made"]
                level[2] += scored
                place[1] += 1
                place[2] += hand["made"]
                found["sets"] += not hand["made"]
            elif hand["called"] == seat or hand["bidder"] in game["sides"][side]:
                part = "partner"
                found["partner_sets"] += not hand["made"]
            else:
                part = "defender"
            parts[part][0] += 1
            parts[part][1] += scored
    return found | parts
