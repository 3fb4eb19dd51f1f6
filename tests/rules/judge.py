"""A second, independent implementation of the rules: slow, simple, and sharing no code with the app.

Everything here is plain dictionaries and loops, written from the text of the rules. The tests compare the library with
this implementation. The options of a game are those in the table of games in the rules (`BOOK`), unless a record has
other options.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.rules import book

BOOK: dict[str, dict[str, Any]] = {key: game.options for key, game in book.GAMES.items()}
"""The options of each game, by the table in RULES 7."""
WORTH: dict[str, dict[str, int]] = {key: game.worth for key, game in book.GAMES.items() if game.worth}


VALUES = {"three": 3, "off_three": 3, "five": 5, "off_five": 5}
"""The value of each point that is worth more than 1; all other points are worth 1."""


def worth_of(preset: str, options: dict[str, Any]) -> dict[str, int]:
    """Return a dict that maps the key of each point of a hand to the point's value.

    The points are those in `options`, or else the usual points of the game `preset`.
    """
    chosen = options.get("points") or WORTH.get(preset, {})
    keys = chosen.split() if isinstance(chosen, str) else list(chosen)
    return {key: VALUES.get(key, 1) for key in keys}


def options_of(preset: str, told: dict[str, Any]) -> dict[str, Any]:
    """Return all options of a game: those in `told`, and the others from the table of games.

    If `told` changes the points but not the highest bid, the highest bid is the sum of the new points.
    """
    options = BOOK[preset] | told
    if "points" in told and "bid_max" not in told:
        options["bid_max"] = sum(worth_of(preset, options).values())
    return options


def points_of_a_hand(preset: str, players: int, options: dict[str, Any]) -> int:
    """Return the most points that one hand can give, without the point for all the tricks."""
    return book.GAMES[preset].totals.get(players) or sum(worth_of(preset, options).values())


# Scoring.


@dataclass
class Ruling:
    """The judge's result for a game: the totals after each hand, whether each bid was made, and the winner.

    A None in `made` means that the hand had no bid. If `over` is true and `winner` is None, the game ended without a
    winner.
    """

    totals: list[list[int]]
    made: list[bool | None]
    over: bool = False
    winner: int | None = None


def rule(options: dict[str, Any], most: int, sides: int, hands: list[dict[str, Any]]) -> Ruling:
    """Return the judge's result for a game with bids.

    Each of the `hands` has "bidder" (a side), "bid" and "took" (points by side). If needed, a hand also has "partner"
    (a side), "tricks" (how many the bidding side took), "of_tricks" (how many a hand has) and "revoked" (a side). A
    hand in which everyone passed is `{}`. With a called partner, each player is a side. "took" then gives all that the
    bidder and the partner took together to both of these sides. `most` is the most points that a hand can give. Hands
    after the end are ignored.
    """
    ruling = Ruling([], [])
    score = [0] * sides
    times_set = [0] * sides
    played = 0
    extra_hand = False
    for hand in hands:
        if ruling.over:
            break
        if not hand:
            ruling.totals.append(list(score))
            ruling.made.append(None)
            continue
        after = step(options, most, score, times_set, played, extra_hand, hand)
        score, times_set, extra_hand = after.score, after.times_set, after.extra_hand
        played += 1
        ruling.totals.append(list(score))
        ruling.made.append(after.made)
        if after.over:
            ruling.over, ruling.winner = True, after.winner
    return ruling


@dataclass
class Step:
    """The state of a game after one hand."""

    score: list[int]
    times_set: list[int]
    made: bool
    winner: int | None
    extra_hand: bool
    over: bool


def step(
    options: dict[str, Any],
    most: int,
    score: list[int],
    times_set: list[int],
    played: int,
    extra_hand: bool,
    hand: dict[str, Any],
) -> Step:
    """Return the state of a game after `hand`, without changing an argument.

    `score` has the points of each side before the hand, and `times_set` the number of bids that each side has lost.
    `played` is the number of earlier hands. `extra_hand` says whether the hand is played only to decide a tie. `most`
    is the most points that a hand can give.
    """
    before, score, times_set = list(score), list(score), list(times_set)
    bidder, bid, took = hand["bidder"], hand["bid"], hand["took"]
    party = [bidder] if hand.get("partner") is None else [bidder, hand["partner"]]
    # Where all the tricks are a point of a pitch, it promises and costs that one, too.
    everything = most + 1 if options["slam"] and bid == "pitch" else most

    if bid == "pitch" and options["pitch_test"] == "tricks":
        made = hand["tricks"] >= 4
    elif bid == "pitch" and options["pitch_test"] == "tricks_all":
        made = hand["tricks"] == hand.get("of_tricks", 6)
    elif bid in ("pitch", "moon"):
        made = took[bidder] == everything
    else:
        made = took[bidder] >= bid
    guilty = hand.get("revoked")
    if guilty is not None:
        # The side that revoked loses the bid; a bidder against whom somebody revoked has made it.
        made = guilty not in party

    for side in range(len(score)):
        if guilty is not None and (side == guilty or (guilty in party and side in party)):
            score[side] -= everything if bid in ("pitch", "moon") else bid
            if options["negative"] == "floor_zero":
                score[side] = max(score[side], min(before[side], 0))
            times_set[side] += side in party
            continue
        if side not in party and not options["defenders_score"]:
            continue
        if side not in party:
            score[side] += took[side]
        elif made and bid == "moon":
            score[side] = 0 if before[side] < 0 else max(options["target"], before[side])
        elif made and bid == "pitch":
            score[side] += everything
        elif made and options["made_scores"] == "bid":
            score[side] += bid
        elif made:
            score[side] += took[side]
        else:
            penalty = everything if bid in ("pitch", "moon") else bid
            if options["set_penalty"] == "double_shortfall" and bid not in ("pitch", "moon"):
                penalty = 2 * (bid - took[side])
            score[side] -= penalty
            if options["negative"] == "floor_zero" and score[side] < 0:
                score[side] = 0
            times_set[side] += 1

    winner = None
    if bid in ("pitch", "moon") and made and before[bidder] >= 0:
        winner = bidder
    elif not made and bid == "moon":
        ranked = sorted((points, side) for side, points in enumerate(score) if side not in party)
        if len(ranked) == 1 or ranked[-1][0] > ranked[-2][0]:
            winner = ranked[-1][1]
        return Step(score, times_set, made, winner, extra_hand, over=True)
    elif not made and times_set[bidder] == options["max_sets"]:
        winner = 1 - bidder
    else:
        # To bid out is up to the bidder; only in Some'R'Set, with 22 points for five, a called partner can do it too.
        able = party if most == 22 else party[:1]
        winner, extra_hand = _finish(options, score, able, made, played + 1, extra_hand)
        limit = options["lose_at_minus"]
        fallen = [side for side, points in enumerate(score) if limit is not None and points <= -limit]
        if winner is None and fallen:
            standing = sorted((points, side) for side, points in enumerate(score) if side not in fallen)
            if len(standing) == 1 or (len(standing) > 1 and standing[-1][0] > standing[-2][0]):
                winner = standing[-1][1]
            return Step(score, times_set, made, winner, extra_hand=False, over=True)
    return Step(score, times_set, made, winner, extra_hand, over=winner is not None)


def _finish(
    options: dict[str, Any], score: list[int], able: list[int], made: bool, played: int, extra_hand: bool
) -> tuple[int | None, bool]:
    """Return a pair: the winning side or None, and whether one more hand must decide a tie.

    `able` lists the sides that may win by bidding out, the bidder first. `played` is the number of hands so far.
    `extra_hand` says whether the last hand was itself played to decide a tie.
    """
    target, win_by, finish = options["target"], options["win_by"], options["finish"]
    top = max(score)
    at_top = [side for side, points in enumerate(score) if points == top]

    def leads_by(side: int, points: int) -> bool:
        return all(score[side] - other >= points for i, other in enumerate(score) if i != side)

    if finish == "bid_out":
        for side in able:
            if score[side] >= target and leads_by(side, win_by) and (made or options["go_out"] == "take"):
                return side, False
        return None, False

    if finish == "bidder_first":
        lead = options["bidder_lead"]
        if made and score[able[0]] >= target:
            return (able[0] if lead == 0 or leads_by(able[0], lead) else None), False
        if len(at_top) == 1 and top >= target and leads_by(at_top[0], lead):
            return at_top[0], False
        return None, False

    if finish == "fixed_hands":
        if played >= options["hands_limit"] and len(at_top) == 1:
            return at_top[0], False
        return None, False

    assert finish == "highest"
    if extra_hand and options["tie_break_round"] == "decides":
        return (at_top[0], False) if len(at_top) == 1 else (None, True)
    if top < target:
        return None, False
    if len(at_top) == 1:
        return (at_top[0], False) if leads_by(at_top[0], win_by) else (None, False)
    if options["tie"] == "bidder" and able[0] in at_top:
        return able[0], False
    return None, options["tie"] == "one_more_hand"


# The auction.


@dataclass
class Bidding:
    """The judge's result for an auction.

    `illegal_at` is the index of the first illegal call, or None. `closed` is true once the auction is over. `bid` is
    the highest bid, and `bidder` is the seat that made that bid.
    """

    illegal_at: int | None = None
    closed: bool = False
    bidder: int | None = None
    bid: int | str | None = None


def bidding(options: dict[str, Any], most: int, players: int, dealer: int, calls: list[Any]) -> Bidding:
    """Return the judge's result for an auction with these `calls`.

    The player to the dealer's left makes the first call. `most` is the most points that a hand can give.
    """
    best = options["bid_max"] if options["bid_max"] is not None else most
    ladder: list[Any] = list(range(options["bid_min"], best + 1))
    if options["special_bid"] != "none":
        ladder.append(options["special_bid"])
    once = options["auction"] == "once_around"
    matches = once and options["dealer_privilege"] == "match"
    raises = options["dealer_may_raise"] or not matches
    state = Bidding(closed=options["auction"] == "none")
    passed: set[int] = set()
    seat = (dealer + 1) % players
    for index, call in enumerate(calls):
        if state.closed:
            state.illegal_at = index
            return state
        stuck = options["forced_bid"] is not None and seat == dealer and len(passed) == players - 1
        known = any(type(call) is type(rung) and call == rung for rung in ladder)
        if call == "pass":
            legal = not stuck
        elif not known:
            legal = False
        elif stuck:
            legal = call == options["forced_bid"]
            exactly = options["forced_bid_exact"]
            if exactly is None:
                exactly = not raises
            if not exactly and ladder.index(call) > ladder.index(options["forced_bid"]):
                legal = True
        elif state.bid is None:
            legal = True
        elif ladder.index(call) > ladder.index(state.bid):
            legal = seat != dealer or raises
        elif call == state.bid:
            legal = (
                seat == dealer
                and matches
                and isinstance(call, int)
                and (call < best or options["dealer_may_match_max"])
            )
        else:
            legal = False
        if not legal:
            state.illegal_at = index
            return state

        if call == "pass":
            passed.add(seat)
        else:
            state.bidder, state.bid = seat, call

        dealer_may_still_match_it = matches and options["dealer_may_match_max"] and ladder[-1] == best
        if options["stop_at_max"] and state.bid == ladder[-1] and not dealer_may_still_match_it:
            state.closed = True
        elif once:
            state.closed = seat == dealer
        else:
            bidders_left = players - len(passed)
            state.closed = bidders_left == 0 or (bidders_left == 1 and state.bid is not None)
        seat = (seat + 1) % players
        if not once:
            while seat in passed and len(passed) < players:
                seat = (seat + 1) % players
    return state


# The cards.

RANK_ORDER = "23456789TJQKA"


def card_points(options: dict[str, Any], trump: str, pile: list[str]) -> int:
    """Return the number of card points in a pile; the side with the most card points wins the point Game."""
    worth = {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}
    total = 0
    for card in pile:
        if card in ("RJ", "BJ"):
            continue
        if card == "J" + trump and not options["trump_jack_counts"]:
            continue
        total += worth.get(card[0], 0)
    return total


def other_of_its_colour(suit: str) -> str:
    """Return the other suit that has the same color as `suit`."""
    red, black = "HD", "SC"
    pair = red if suit in red else black
    return pair.replace(suit, "")


ONE_CARD = {"pedro-62": {"high": "A", "low": "2", "game": "T"}, "cinch-51": {"high": "A", "low": "2", "game": "T"}}
"""Games in which the points High, Low and Game each belong to a single trump (RULES 8).

For each of these points, the dict has the rank of that trump.
"""
OFF = {"left": "J", "off_jack": "J", "off_five": "5", "off_ace": "A", "off_three": "3"}
"""For each point that an off card scores, the rank of that card.

An off card has the same color as the trump suit, but is of the other suit. It is a trump, and ranks just below the card
of the same rank in the trump suit.
"""


def strength(worth: dict[str, int], trump: str, card: str) -> float | None:
    """Return a number that is greater for a higher trump, or None if `card` isn't a trump.

    The keys of `worth` are the points of a hand. An off card is a trump only if there is a point for it.
    """
    if card in ("RJ", "BJ"):
        return RANK_ORDER.index("J") - (0.6 if card == "RJ" else 0.7)
    if card[1] == trump:
        return RANK_ORDER.index(card[0])
    for key, rank in OFF.items():
        if key in worth and card == rank + other_of_its_colour(trump):
            return RANK_ORDER.index(rank) - 0.5
    return None


def owners(
    preset: str,
    options: dict[str, Any],
    trump: str,
    piles: list[list[str]],
    bidding_side: int | None,
    dealing_side: int | None = None,
) -> dict[str, int | None]:
    """Return a dict that maps the key of each point to the side that wins the point, or to None if nobody wins it.

    `piles` lists the cards that each side took, and `trump` is the trump suit. Points that captured cards can't show
    are left out.
    """
    worth = worth_of(preset, options)
    trumps = []
    for side, pile in enumerate(piles):
        for card in pile:
            height = strength(worth, trump, card)
            if height is not None:
                trumps.append((height, side))
    found: dict[str, int | None] = {}
    for key in worth:
        if (key == "low" and options["low"] == "dealt") or key == "two":
            continue
        if key in ONE_CARD.get(preset, {}):
            card = ONE_CARD[preset][key] + trump
            found[key] = next((side for side, pile in enumerate(piles) if card in pile), None)
        elif key == "high":
            found[key] = max(trumps)[1] if trumps else None
        elif key == "low":
            found[key] = min(trumps)[1] if trumps else None
        elif key == "game":
            found[key] = _game(options, trump, piles, bidding_side, dealing_side)
        else:
            card = {
                "jack": "J" + trump,
                "right": "J" + trump,
                **{off: rank + other_of_its_colour(trump) for off, rank in OFF.items()},
                "joker": "RJ",
                "high_joker": "RJ",
                "low_joker": "BJ",
                "ace": "A" + trump,
                "ten": "T" + trump,
                "three": "3" + trump,
                "five": "5" + trump,
            }[key]
            found[key] = next((side for side, pile in enumerate(piles) if card in pile), None)
    return found


def _game(
    options: dict[str, Any],
    trump: str,
    piles: list[list[str]],
    bidding_side: int | None,
    dealing_side: int | None,
) -> int | None:
    counts = [card_points(options, trump, pile) for pile in piles]
    top = max(counts)
    tied = [side for side, count in enumerate(counts) if count == top]
    if top < options["game_minimum"]:
        return None
    if len(tied) == 1:
        return tied[0]
    if bidding_side is not None and options["game_tie"] == "bidder" and bidding_side in tied:
        return bidding_side
    if bidding_side is not None and options["game_tie"] == "defenders":
        return 1 - bidding_side
    if options["game_tie"] == "dealer" and dealing_side in tied:
        return dealing_side
    return None


def rule_record(raw: dict[str, Any], read: Any) -> Ruling:
    """Return the judge's result for the game record `raw`.

    `read` is the same record after the app's library has parsed it. From `read`, the judge takes the seating and each
    hand's bid, tricks and points, but none of the scores.
    """
    ruleset = raw["ruleset"]
    preset = ruleset["preset"]
    options = options_of(preset, ruleset.get("options", {}))
    players = len(raw["players"])
    sides = [list(side) for side in read.table.sides]
    called = (options["called_partner"] and players == 5) or (
        (preset, players)
        in {("somerset-66", 5), ("horsley-66", 5), ("call-partner-pitch", 5), ("call-partner-pitch", 6)}
    )

    def side_of(seat: int) -> int:
        return next(index for index, side in enumerate(sides) if seat in side)

    hands: list[dict[str, Any]] = []
    for hand in read.hands:
        if hand.bidder is None:
            hands.append({})
            continue
        if hand.conceded:
            # Nothing is played: the dealer's side bid and took nothing.
            given_up = {"bidder": side_of(hand.dealer), "bid": options["forced_bid"], "took": [0] * len(sides)}
            hands.append(given_up)
            continue
        partner = None if hand.partner is None else side_of(hand.partner)
        took = list(hand.taken)
        if called:
            party, others = hand.taken
            took = [party if seat in (hand.bidder, hand.partner) else others for seat in range(players)]
        hands.append(
            {
                "bidder": side_of(hand.bidder),
                "partner": partner,
                "bid": hand.bid,
                "took": took,
                "tricks": hand.tricks,
                "of_tricks": book.GAMES[preset].tricks,
                "revoked": None if hand.revoked is None else side_of(hand.revoked),
            }
        )
    if options["auction"] == "none":
        return count_out(options, [[*in_order(preset, options, hand, side_of)] for hand in read.hands], len(sides))
    return rule(options, points_of_a_hand(preset, players, options), len(sides), hands)


TURNED_UP = {
    "none": {},
    "six": {"A": 1, "6": 2, "J": 3},
    "two": {"A": 1, "2": 2, "J": 3},
    "jack": {"J": 1},
}


def in_order(preset: str, options: dict[str, Any], hand: Any, side_of: Any) -> Iterator[list[tuple[int, int]]]:
    """Yield lists of (side, points) for a hand in a game without bidding, in the order in which the points count.

    All points in a list count at the same time. `side_of` is a function that returns the side of a seat.
    """
    scale = options["turned_up_points"]
    scale = TURNED_UP[scale] if isinstance(scale, str) else scale
    if hand.turned_up is not None:
        yield [(side_of(hand.dealer), scale.get(hand.turned_up[0], 0))]
    if hand.points is None:
        yield list(enumerate(hand.taken))
        return
    for key, worth in worth_of(preset, options).items():
        if hand.points[key] is not None:
            hung = key == "jack" and hand.jack_hung
            yield [(hand.points[key], options["hang_jack"] if hung else worth)]


def count_out(options: dict[str, Any], hands: list[list[list[tuple[int, int]]]], sides: int) -> Ruling:
    """Return the judge's result for a game without bidding.

    Each of the `hands` is a list of the lists that `in_order` yields. After each of these lists, the side with the
    highest score wins if that score is at least the target and isn't tied.
    """
    ruling = Ruling([], [])
    score = [0] * sides
    for hand in hands:
        for lot in hand:
            if not ruling.over:
                for side, points in lot:
                    score[side] += points
                there = sorted((total, side) for side, total in enumerate(score) if total >= options["target"])
                if there and (len(there) == 1 or there[-1][0] > there[-2][0]):
                    ruling.over, ruling.winner = True, there[-1][1]
        ruling.totals.append(list(score))
        ruling.made.append(None)
    return ruling
