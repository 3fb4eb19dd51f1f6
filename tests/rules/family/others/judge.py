"""Score Pedro, Cinch, All Fours and Smudge from the published rules alone, independent of the engine."""

import json
from pathlib import Path
from typing import Any

PEDRO_VALUES = {"high": 1, "low": 1, "jack": 1, "game": 1, "five": 5, "off_five": 5}
FOUR_VALUES = {"high": 1, "low": 1, "jack": 1, "game": 1}
COUNTING_ORDER = ("high", "low", "jack", "game")


def count_sides(record: dict[str, Any], alone: bool) -> int:
    """Return the number of sides in a game record.

    If the record doesn't list sides, each player is a side if `alone` is true, and otherwise there are two sides.
    """
    if "sides" in record:
        return len(record["sides"])
    players = len(record["players"])
    return players if alone else 2


def points_won(hand: dict[str, Any], sides: int, values: dict[str, int]) -> list[int]:
    """Return the points that each side won in a hand; `values` has the value of each point by its key."""
    if "taken" in hand:
        return list(hand["taken"])
    won = [0] * sides
    for category, side in hand["points"].items():
        if side is not None:
            won[side] += values[category]
    return won


def score_bid(totals: list[int], won: list[int], side: int, bid: int) -> tuple[list[int], bool]:
    """Return the totals after a hand, and whether `side` made its `bid`.

    A side that didn't make its bid loses that many points, and scores none of the points in `won`.
    """
    made = won[side] >= bid
    after = [old + new for old, new in zip(totals, won, strict=True)]
    if not made:
        after[side] = totals[side] - bid
    return after, made


def winner_bidder_first(totals: list[int], target: int, side: int, made: bool) -> int | None:
    """Return the winning side, or None if nobody has won yet.

    The bidding side, `side`, wins if it made its bid and has reached the target. Otherwise, the side with the highest
    score wins if that score is at least the target and isn't tied.
    """
    if made and totals[side] >= target:
        return side
    best = max(totals)
    if best >= target and totals.count(best) == 1:
        return totals.index(best)
    return None


def winner_bid_out(totals: list[int], target: int, side: int, made: bool, win_by: int) -> int | None:
    """Return the bidding side, `side`, if it has won by bidding out, or else None.

    The bidding side wins if it made its bid, has reached the target and leads all other sides by at least `win_by`.
    """
    if not made or totals[side] < target:
        return None
    others = [score for number, score in enumerate(totals) if number != side]
    return side if totals[side] >= max(others) + win_by else None


def outcome(totals: list[list[int]], winner: int | None) -> dict[str, Any]:
    """Return a dict like the "expect" of a worked case.

    The dict has the totals after each hand, whether the game is over, and the winner. The game is over if `winner`
    isn't None.
    """
    return {"totals": totals, "over": winner is not None, "winner": winner}


def judge_pedro(record: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """Return the outcome of a game of Pedro to 62 points.

    By default, a side can win only with a bid that it made.
    """
    sides = count_sides(record, alone=False)
    target = options.get("target", 62)
    finish = options.get("finish", "bid_out")
    score, history = [0] * sides, []
    winner: int | None = None
    for hand in record["hands"]:
        won = points_won(hand, sides, PEDRO_VALUES)
        side = hand["bidder"] % sides
        score, made = score_bid(score, won, side, hand["bid"])
        history.append(score)
        if finish == "bid_out":
            winner = winner_bid_out(score, target, side, made, options.get("win_by", 1))
        else:
            winner = winner_bidder_first(score, target, side, made)
    return outcome(history, winner)


def judge_cinch(record: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """Return the outcome of a game of Cinch to 51 points.

    If several sides reach the target in the same hand, a bidding side that made its bid wins.
    """
    sides = count_sides(record, alone=False)
    target = options.get("target", 51)
    score, history = [0] * sides, []
    winner: int | None = None
    for hand in record["hands"]:
        won = points_won(hand, sides, PEDRO_VALUES)
        side = hand["bidder"] % sides
        score, made = score_bid(score, won, side, hand["bid"])
        history.append(score)
        winner = winner_bidder_first(score, target, side, made)
    return outcome(history, winner)


def events_all_fours(hand: dict[str, Any], dealer: int, sides: int, options: dict[str, Any]) -> list[tuple[int, int]]:
    """Return the points of a hand as a list of (side, points), in the order in which the points are counted."""
    events: list[tuple[int, int]] = []
    if "turned_up" in hand:
        table = options.get("turned_up_points", {"A": 1, "6": 2, "J": 3})
        events.append((dealer % sides, table.get(hand["turned_up"][0], 0)))
    if "taken" in hand:
        events.extend(enumerate(hand["taken"]))
        return events
    for category in COUNTING_ORDER:
        side = hand["points"][category]
        if side is None:
            continue
        hung = category == "jack" and hand.get("jack_hung", False)
        events.append((side, options.get("hang_jack", 3) if hung else 1))
    return events


def judge_all_fours(record: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """Return the outcome of a game of All Fours, which has no bids.

    The points of a hand count in order, and counting stops when a side reaches the target.
    """
    seats = len(record["players"])
    sides = count_sides(record, alone=seats == 2)
    target = options.get("target", 14)
    score, history = [0] * sides, []
    dealer = record["first_dealer"]
    winner: int | None = None
    for hand in record["hands"]:
        dealer = hand.get("dealer", dealer)
        score = list(score)
        for side, points in events_all_fours(hand, dealer, sides, options):
            if winner is None:
                score[side] += points
                if score[side] >= target:
                    winner = side
        history.append(score)
        dealer = (dealer + 1) % seats
    return outcome(history, winner)


def judge_smudge(record: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """Return the outcome of a game of Smudge.

    A side that takes every point after bidding a smudge wins at once, unless its score was below zero.
    """
    sides = count_sides(record, alone=True)
    target = options.get("target", 7)
    slam = options.get("slam", False)
    values = {**FOUR_VALUES, "slam": 1} if slam else FOUR_VALUES
    score, history = [0] * sides, []
    winner: int | None = None
    for hand in record["hands"]:
        if hand.get("passed"):
            history.append(score)
            continue
        won = points_won(hand, sides, values)
        side = hand["bidder"] % sides
        smudge = hand["bid"] == "pitch"
        in_the_hole = score[side] < 0
        score, made = score_bid(score, won, side, len(values) if smudge else hand["bid"])
        history.append(score)
        at_once = smudge and made and not in_the_hole
        winner = side if at_once else winner_bidder_first(score, target, side, made)
    return outcome(history, winner)


def judge(record: dict[str, Any]) -> dict[str, Any]:
    """Score the game in `record`, and return a dict like the "expect" of a worked case.

    The dict has the totals after each hand, whether the game is over, and the winner.
    """
    ruleset = record["ruleset"]
    options = ruleset.get("options", {})
    if ruleset["preset"] == "pedro-62":
        return judge_pedro(record, options)
    if ruleset["preset"] == "cinch-51":
        return judge_cinch(record, options)
    if ruleset["preset"] == "all-fours-14":
        return judge_all_fours(record, options)
    if ruleset["preset"] == "smudge":
        return judge_smudge(record, options)
    raise ValueError(f"unknown game {ruleset['preset']}")


def check() -> int:
    """Score the cases in this folder that the rules don't refuse, and print each difference from the expected results.

    Return 1 if there are differences, or else 0.
    """
    cases = json.loads(Path(__file__).with_name("cases.json").read_text(encoding="utf-8"))
    scored = [case for case in cases if "error" not in case["expect"]]
    wrong = 0
    for case in scored:
        found = judge(case["record"])
        if found != case["expect"]:
            wrong += 1
            print(f"{case['id']}: judged {found}, expected {case['expect']}")
    print(f"{len(scored)} cases scored, {wrong} differ, {len(cases) - len(scored)} refused entries not judged")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(check())
