"""A second reading of the rules: slow, obvious, and sharing no code with the first.

Everything here is plain dictionaries and loops, written from the text of the rules.
The tests hold the library against it. A game is described by the table of games (`BOOK`,
written by hand in the rules), with changes laid over it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.rules import book

BOOK: dict[str, dict[str, Any]] = {key: game.options for key, game in book.GAMES.items()}
"""The options of each game, by the table in RULES 7."""
WORTH: dict[str, dict[str, int]] = {key: game.worth for key, game in book.GAMES.items() if game.worth}


def points_of_a_hand(preset: str, players: int) -> int:
    """Return the most points one hand can award."""
    return book.GAMES[preset].totals.get(players) or sum(WORTH[preset].values())


# Scoring.


@dataclass
class Ruling:
    """What the judge says of a game: totals after each hand that was played, who won, and at which hand."""

    totals: list[list[int]]
    made: list[bool | None]
    over: bool = False
    winner: int | None = None


def rule(options: dict[str, Any], most: int, sides: int, hands: list[dict[str, Any]]) -> Ruling:
    """Return the ruling on `hands`, each `{"bidder": side, "partner": side or absent, "bid", "took": by side}`.

    A hand that was thrown in is `{}`. `took` gives every side its points, the whole
    party's to both where a partner was called. Hands after the end are not looked at.
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
        if after.winner is not None:
            ruling.over, ruling.winner = True, after.winner
    return ruling


@dataclass
class Step:
    """The game after one hand that was played."""

    score: list[int]
    times_set: list[int]
    made: bool
    winner: int | None
    extra_hand: bool


def step(
    options: dict[str, Any],
    most: int,
    score: list[int],
    times_set: list[int],
    played: int,
    extra_hand: bool,
    hand: dict[str, Any],
) -> Step:
    """Return the game after `hand`, played when it stood so after `played` hands; nothing given is changed."""
    before, score, times_set = list(score), list(score), list(times_set)
    bidder, bid, took = hand["bidder"], hand["bid"], hand["took"]
    party = [bidder] if hand.get("partner") is None else [bidder, hand["partner"]]

    if bid == "pitch" and options["pitch_test"] == "tricks":
        made = hand["tricks"] >= 4
    elif bid == "pitch" and options["pitch_test"] == "tricks_all":
        made = hand["tricks"] == hand.get("of_tricks", 6)
    elif bid in ("pitch", "moon"):
        made = took[bidder] == most
    else:
        made = took[bidder] >= bid

    for side in range(len(score)):
        if side not in party:
            score[side] += took[side]
        elif made and bid == "moon":
            score[side] = 0 if before[side] < 0 else max(options["target"], before[side])
        elif made and bid == "pitch":
            score[side] += most
        elif made:
            score[side] += took[side]
        else:
            penalty = most if bid in ("pitch", "moon") else bid
            if options["set_penalty"] == "double_shortfall" and bid not in ("pitch", "moon"):
                penalty = 2 * (bid - took[side])
            score[side] -= penalty
            if options["negative"] == "floor_zero" and score[side] < 0:
                score[side] = 0
            times_set[side] += 1

    winner = None
    if bid in ("pitch", "moon") and made and before[bidder] >= 0:
        winner = bidder
    elif not made and (bid == "moon" or times_set[bidder] == options["max_sets"]):
        winner = 1 - bidder
    else:
        winner, extra_hand = _finish(options, score, party, made, played + 1, extra_hand)
    return Step(score, times_set, made, winner, extra_hand)


def _finish(
    options: dict[str, Any], score: list[int], party: list[int], made: bool, played: int, extra_hand: bool
) -> tuple[int | None, bool]:
    """Return who wins by the table of finishes, and whether the next hand settles a tie."""
    target, win_by, finish = options["target"], options["win_by"], options["finish"]
    top = max(score)
    at_top = [side for side, points in enumerate(score) if points == top]

    def leads_by(side: int, points: int) -> bool:
        return all(score[side] - other >= points for i, other in enumerate(score) if i != side)

    if finish == "bid_out":
        for side in party:
            if score[side] >= target and leads_by(side, win_by) and (made or options["go_out"] == "take"):
                return side, False
        return None, False

    if finish == "bidder_first":
        if made and score[party[0]] >= target:
            return party[0], False
        if len(at_top) == 1 and top >= target:
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
    if options["tie"] == "bidder" and party[0] in at_top:
        return party[0], False
    return None, options["tie"] == "one_more_hand"


# The auction.


@dataclass
class Bidding:
    """What the judge says of an auction: the first illegal call, whether it is over, and who has the bid."""

    illegal_at: int | None = None
    closed: bool = False
    bidder: int | None = None
    bid: int | str | None = None


def bidding(options: dict[str, Any], most: int, players: int, dealer: int, calls: list[Any]) -> Bidding:
    """Return the ruling on an auction, call by call, from the left of the dealer."""
    best = options["bid_max"] if options["bid_max"] is not None else most
    ladder: list[Any] = list(range(options["bid_min"], best + 1))
    if options["special_bid"] != "none":
        ladder.append(options["special_bid"])
    once = options["auction"] == "once_around"
    matches = once and options["dealer_privilege"] == "match"
    raises = options["dealer_may_raise"] or not matches
    state = Bidding()
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
    """Return what a pile counts toward Game."""
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
    """Return the other suit of the same color."""
    red, black = "HD", "SC"
    pair = red if suit in red else black
    return pair.replace(suit, "")


def strength(preset: str, trump: str, card: str) -> float | None:
    """Return how high a card stands among the trumps, None where it is no trump."""
    if card in ("RJ", "BJ"):
        return RANK_ORDER.index("J") - (0.6 if card == "RJ" else 0.7)
    if card[1] == trump:
        return RANK_ORDER.index(card[0])
    left_is_trump = "left" in WORTH[preset] or "off_jack" in WORTH[preset]
    if left_is_trump and card == "J" + other_of_its_colour(trump):
        return RANK_ORDER.index("J") - 0.5
    return None


def owners(
    preset: str, options: dict[str, Any], trump: str, piles: list[list[str]], bidding_side: int | None
) -> dict[str, int | None]:
    """Return who owns each point the cards can tell, None for nobody."""
    trumps = []
    for side, pile in enumerate(piles):
        for card in pile:
            height = strength(preset, trump, card)
            if height is not None:
                trumps.append((height, side))
    found: dict[str, int | None] = {}
    for key in WORTH[preset]:
        if (key == "low" and options["low"] == "dealt") or key == "two":
            continue
        if key == "high":
            found[key] = max(trumps)[1] if trumps else None
        elif key == "low":
            found[key] = min(trumps)[1] if trumps else None
        elif key == "game":
            found[key] = _game(options, trump, piles, bidding_side)
        else:
            card = {
                "jack": "J" + trump,
                "right": "J" + trump,
                "left": "J" + other_of_its_colour(trump),
                "off_jack": "J" + other_of_its_colour(trump),
                "high_joker": "RJ",
                "low_joker": "BJ",
                "ace": "A" + trump,
                "ten": "T" + trump,
                "three": "3" + trump,
            }[key]
            found[key] = next((side for side, pile in enumerate(piles) if card in pile), None)
    return found


def _game(options: dict[str, Any], trump: str, piles: list[list[str]], bidding_side: int | None) -> int | None:
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
    return None


def rule_record(raw: dict[str, Any], read: Any) -> Ruling:
    """Return the ruling on a whole record; `read` is what the library made of it, trusted only for who took what."""
    ruleset = raw["ruleset"]
    preset, options = ruleset["preset"], BOOK[ruleset["preset"]] | ruleset.get("options", {})
    players = len(raw["players"])
    sides = [list(side) for side in read.table.sides]
    called = preset in ("somerset-66", "horsley-66") and players == 5

    def side_of(seat: int) -> int:
        return next(index for index, side in enumerate(sides) if seat in side)

    hands: list[dict[str, Any]] = []
    for hand in read.hands:
        if hand.bidder is None:
            hands.append({})
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
            }
        )
    return rule(options, points_of_a_hand(preset, players), len(sides), hands)
