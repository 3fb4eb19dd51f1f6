"""Score Smear and the pitch games named by their number of points, straight from the published rules.

This file is written from the texts quoted in `sources.md` and shares nothing with the engine that it checks. `judge`
takes a game record whose hands are known to be legal, and doesn't check bids. Run this file to compare `judge` with
`cases.json`.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WORTH = {"three": 3, "off_three": 3, "five": 5, "off_five": 5}

SMEAR_FOUR = ("high", "low", "jack", "game")
WITH_OFF_JACK = ("high", "low", "jack", "off_jack", "game")
WITH_JOKER = ("high", "low", "jack", "off_jack", "joker", "game")
TWO_JOKERS = ("high", "low", "jack", "off_jack", "high_joker", "low_joker", "game")
TEN_SMEAR = ("high", "low", "jack", "off_jack", "high_joker", "low_joker", "three", "game")
WITH_FIVE = ("high", "low", "jack", "five", "game")
ELEVEN = ("ace", "off_ace", "jack", "off_jack", "high_joker", "low_joker", "ten", "three", "two")
THIRTEEN = ("ace", "jack", "off_jack", "high_joker", "low_joker", "ten", "three", "off_three", "two")


@dataclass(frozen=True)
class Game:
    """The default points, target and ending of one preset."""

    points: tuple[str, ...]
    target: int
    finish: str


GAMES = {
    "smear-4": Game(SMEAR_FOUR, 15, "highest"),
    "smear-5": Game(WITH_OFF_JACK, 11, "bidder_first"),
    "smear-6": Game(WITH_JOKER, 21, "highest"),
    "smear-10": Game(TEN_SMEAR, 52, "highest"),
    "oklahoma-21": Game(TEN_SMEAR, 21, "bidder_first"),
    "five-point": Game(WITH_OFF_JACK, 11, "bidder_first"),
    "six-point": Game(WITH_JOKER, 21, "bidder_first"),
    "seven-point": Game(TWO_JOKERS, 21, "bidder_first"),
    "nine-point": Game(WITH_FIVE, 31, "bidder_first"),
    "eleven-point": Game(ELEVEN, 52, "bidder_first"),
    "thirteen-point": Game(THIRTEEN, 52, "bidder_first"),
}


def worth(points: tuple[str, ...]) -> int:
    """Return the sum of the values of `points`, which is the most that one hand can give."""
    return sum(WORTH.get(name, 1) for name in points)


def sides_of(record: dict[str, Any], called: bool) -> list[list[int]]:
    """Return a list of sides, each as a list of its seats.

    If the record doesn't list sides, return the usual sides for the game and the number of players. If `called` is
    true, partners are called, and the usual sides are single players.
    """
    if "sides" in record:
        return [list(side) for side in record["sides"]]
    seats = len(record["players"])
    three_a_side = record["ruleset"]["preset"] == "smear-6"
    count = seats
    if not called and seats in (4, 6, 8):
        count = {4: 2, 6: 2 if three_a_side else 3, 8: 4}[seats]
    return [[seat for seat in range(seats) if seat % count == side] for side in range(count)]


def parties(hand: dict[str, Any], parties_or_sides: int) -> list[int]:
    """Return the points that each side took in a hand.

    With a called partner, return two numbers instead. The first is what the bidder and the partner took together, and
    the second is what the other players took together. `parties_or_sides` is how many numbers to return.
    """
    if "taken" in hand:
        return list(hand["taken"])
    took = [0] * parties_or_sides
    for name, owner in hand["points"].items():
        if owner is not None:
            took[owner] += WORTH.get(name, 1)
    return took


def won_by_highest(totals: list[int], target: int, bidder: int) -> int | None:
    """Return the side with the highest score if that score is at least the target, or else None.

    If several sides are tied for the highest score, return the bidding side, `bidder`, if it is one of them, or else
    None.
    """
    top = max(totals)
    if top < target:
        return None
    level = [side for side, score in enumerate(totals) if score == top]
    if len(level) == 1:
        return level[0]
    return bidder if bidder in level else None


def won_by_bidder_first(totals: list[int], target: int, bidder: int, made: bool) -> int | None:
    """Return the winning side, or None if nobody has won yet.

    The bidding side, `bidder`, wins if it made its bid and has reached the target. Otherwise, the side with the highest
    score wins if that score is at least the target and isn't tied.
    """
    if made and totals[bidder] >= target:
        return bidder
    top = max(totals)
    return totals.index(top) if top >= target and totals.count(top) == 1 else None


def won_by_bidding_out(totals: list[int], target: int, bidder: int, made: bool, lead: int) -> int | None:
    """Return the bidding side, `bidder`, if it has won by bidding out, or else None.

    The bidding side wins if it made its bid, has reached the target and leads all other sides by at least `lead`.
    """
    rest = max(score for side, score in enumerate(totals) if side != bidder)
    return bidder if made and totals[bidder] >= target and totals[bidder] - rest >= lead else None


def won_after_hands(totals: list[int], played: int, limit: int) -> int | None:
    """Return the side with the highest score if at least `limit` hands were played, or else None.

    A tie for the highest score also gives None. `played` is the number of hands so far.
    """
    top = max(totals)
    return totals.index(top) if played >= limit and totals.count(top) == 1 else None


def judge(record: dict[str, Any]) -> dict[str, Any]:
    """Score the game in `record`, and return a dict like the "expect" of a worked case.

    The dict has the totals after each hand, whether the game is over, and the winner.
    """
    options: dict[str, Any] = record["ruleset"].get("options", {})
    game = GAMES[record["ruleset"]["preset"]]
    points = tuple(options.get("points", game.points))
    target = int(options.get("target", game.target))
    finish = str(options.get("finish", game.finish))
    called = bool(options.get("called_partner", False))
    sides = sides_of(record, called)
    home = {seat: index for index, side in enumerate(sides) for seat in side}

    totals = [0] * len(sides)
    history: list[list[int]] = []
    played = 0
    winner: int | None = None
    for hand in record["hands"]:
        if winner is not None:
            raise ValueError("a hand after the end of the game")
        if hand.get("passed"):
            history.append(list(totals))
            continue
        played += 1
        bidder = home[hand["bidder"]]
        if called:
            party = {hand["bidder"], hand.get("partner")}
            both = parties(hand, 2)
            took = [both[0] if seat in party else both[1] for seat in range(len(sides))]
            bidding = [seat for seat in range(len(sides)) if seat in party]
        else:
            took = parties(hand, len(sides))
            bidding = [bidder]

        moon = hand["bid"] == "moon"
        bid = worth(points) if moon else int(hand["bid"])
        made = took[bidder] >= bid
        for side in range(len(sides)):
            if side not in bidding:
                totals[side] += took[side]
            elif not made:
                totals[side] -= bid
            elif not moon:
                totals[side] += took[side]
            else:
                # A moon takes nothing from a side that is past the target already [D].
                totals[side] = max(target, totals[side]) if totals[side] >= 0 else 0
        history.append(list(totals))

        if moon and not made:
            # Several that are tied at the top of the others win nothing [D, RULES 8].
            others = sorted((side for side in range(len(sides)) if side not in bidding), key=lambda side: -totals[side])
            tied = len(others) > 1 and totals[others[0]] == totals[others[1]]
            return {"totals": history, "over": True, "winner": None if tied else others[0]}
        if moon and totals[bidder] > 0:
            winner = bidder
        elif finish == "highest":
            winner = won_by_highest(totals, target, bidder)
        elif finish == "bidder_first":
            winner = won_by_bidder_first(totals, target, bidder, made)
        elif finish == "bid_out":
            enough = made or options.get("go_out", "make") == "take"
            winner = won_by_bidding_out(totals, target, bidder, enough, int(options.get("win_by", 1)))
        else:
            winner = won_after_hands(totals, played, int(options["hands_limit"]))
    return {"totals": history, "over": winner is not None, "winner": winner}


def check() -> int:
    """Score every case that the rules don't refuse, print the differences, and return the number of differing cases."""
    cases = json.loads(Path(__file__).with_name("cases.json").read_text(encoding="utf-8"))
    wrong = 0
    run = 0
    for case in cases:
        if case["expect"].get("error"):
            continue
        run += 1
        found = judge(case["record"])
        if found != case["expect"]:
            wrong += 1
            print(f"{case['id']}: expected {case['expect']}, judged {found}")
    print(f"{run} cases judged, {wrong} differ, {len(cases) - run} refusals not judged")
    return wrong


if __name__ == "__main__":
    sys.exit(1 if check() else 0)
