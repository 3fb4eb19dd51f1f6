"""Return the state of a game as plain data, so that a phone can score the game while it is offline."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from scorekeeper.games.logic.default_points import NOBODY, Guesses, guesses_for
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.games.presenters.summaries import MOMENT
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.rules.bidding import Call, allowed_bids, may_match
from scorekeeper.rules.cards import taker_of_tie
from scorekeeper.rules.commands import EnterHand, decide
from scorekeeper.rules.explain import untied_game_minimum
from scorekeeper.rules.game import Adjustment, Game, Line
from scorekeeper.rules.hands import (
    RED_POINTS,
    allowed_points,
    allowed_trumps,
    most_tricks,
    read_hand,
    turned_up_cards,
    write_hand,
)
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.parts import SLAM, Category
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.scoring import Hand, Outcome, Tally, pitch_tricks
from scorekeeper.rules.table import Table

FIELDS = ("dealer", "passed", "bidder", "bid", "points", "taken", "partner", "tricks", "trump", "conceded", "revoked")
"""Fields of a hand that the phone's rules check."""
UNBID_FIELDS = ("turned_up", "jack_hung")
"""Further fields of a hand that the phone's rules check, in games without bidding."""
CHECKED_LATER = ("calls", "captured")
"""Fields of a hand that only the server checks: the calls and the captured cards, from which bid and points follow."""
PARTS = ("side_tricks", "side_red")
"""Fields of a hand that the phone adds up to the points of each party."""
MOST_LINES = 60
"""Maximum number of lines of the score sheet in a phone's state; earlier hands can only be corrected online."""


def offline_state(snapshot: Snapshot) -> dict[str, Any]:
    """Return the whole state of a game, ready for JSON: rules, score, names and sentences."""
    game = snapshot.game
    return {
        **rules_state(game.table, snapshot.learned),
        **score_state(game),
        "says": refusals(game),
        "names": list(snapshot.names),
        "side_names": [side.name for side in snapshot.sides],
    }


def rules_state(table: Table, learned: Guesses | None = None) -> dict[str, Any]:
    """Return the fixed part of a game's state, ready for JSON.

    The state has every option, the seats and sides, the points of a hand, and guesses of their winners. `learned` are
    guesses from earlier hands of the phone that started the game.
    """
    rules = table.rules
    guesses = guesses_for(table, learned or {})
    lowest = next(iter(guesses.values()), "")
    absent = {place for place, letter in enumerate(lowest) if letter == NOBODY}
    dealer, other = 0, 1
    return {
        "rules": {key: getattr(rules, key) for key in OPTIONS},
        "moment": MOMENT,
        "table": {
            "players": table.players,
            "sides": [list(side) for side in table.sides],
            "side_of": list(table.side_of),
            "called": table.called,
            "least": table.least,
            "most": table.most,
            "sums": list(table.sums),
            "bids": list(allowed_bids(table, other, dealer)),
            "dealer_bids": list(allowed_bids(table, dealer, dealer)),
            "matches": [bid for bid in table.bids if may_match(table, bid)],
            "forced_exactly": rules.forced_exactly,
            "dealer_raises": rules.dealer_raises,
            "trumps": list(allowed_trumps(table)),
            "red_points": RED_POINTS if rules.hand_totals else None,
            "most_tricks": most_tricks(rules),
            "pitch_tricks": pitch_tricks(rules),
            "game_needs": untied_game_minimum(rules),
            "tied_game": taker_of_tie(table),
            "slam": _point(SLAM) if rules.slam_worth else None,
            "has_bids": rules.has_bids,
            "turned_up": dict(rules.turned_up_worth),
            "carried": {category.card: category.key for category in rules.categories if category.card},
            "cards": sorted(turned_up_cards(rules)) if not rules.has_bids else [],
            "fields": list(FIELDS if rules.has_bids else (*FIELDS, *UNBID_FIELDS)),
        },
        "categories": [
            {
                **_point(category),
                # Read by pages of earlier versions, which guess each point for itself.
                "absent": place in absent,
            }
            for place, category in enumerate(rules.categories)
        ],
        "guesses": {str(bid): guess for bid, guess in guesses.items()},
    }


def _point(category: Category) -> dict[str, Any]:
    label = spoken(category.label)
    return {"key": category.key, "label": label, "value": category.value, "always": category.always}


def score_state(game: Game) -> dict[str, Any]:
    """Return the changing part of a game's state, ready for JSON.

    The state has the dealer, the bid in play, the score, and how the game ended.
    """
    tally, outcome, bid = game.tally, game.outcome, game.open_bid
    return {
        "version": game.version,
        "number": len(game.hands) + 1,
        "dealer": game.dealer,
        "bid": None if bid is None else {"bidder": bid.bidder, "bid": bid.bid, "trump": bid.trump},
        **_tally(tally),
        "outcome": _outcome(outcome),
        "was": None if game.last_hand is None else _was(game.last_hand.entry.hand),
        "last": None,
        "calls": list(_calls(game)),
        **_lines(game),
    }


def _outcome(outcome: Outcome | None) -> dict[str, Any] | None:
    return None if outcome is None else {"winner": outcome.winner, "rule": outcome.rule}


def _calls(game: Game) -> tuple[Call, ...]:
    """Return the calls of the hand in play, even if the auction has already ended with a winning bid."""
    bid = game.open_bid
    return (bid.calls or ()) if bid is not None else game.auction.calls if game.auction is not None else ()


def _lines(game: Game) -> dict[str, Any]:
    """Return the last lines of the score sheet, and the score before the first of these lines.

    The phone needs these lines and that score for undo and corrections.
    """
    lines = game.lines[-MOST_LINES:]
    if len(lines) < len(game.lines):
        # Adjustments count with the hand before them.
        lines = lines[next((at for at, line in enumerate(lines) if line.is_hand), len(lines)) :]
    before = lines[0].before if lines else game.tally
    return {
        "stopped": _outcome(game.stopped),
        "start": {**_tally(before), "number": max(lines[0].number, 1) if lines else len(game.hands) + 1},
        "lines": [_line(game.table, line) for line in lines],
    }


def _tally(tally: Tally) -> dict[str, Any]:
    told = {key: list(value) if type(value) is tuple else value for key, value in tally._asdict().items()}
    return told | {"outcome": _outcome(tally.outcome)}


def _line(table: Table, line: Line) -> dict[str, Any]:
    entry = line.entry
    if isinstance(entry.what, Adjustment):
        agreed = entry.what
        return {"seq": entry.seq, "side": agreed.side, "points": agreed.points, "reason": agreed.reason}
    # The phone is told who bid, what counts, and how the hand was entered, because the next one is entered in the same
    # way. The server keeps calls, cards and parts when it corrects a hand.
    hand = entry.hand._replace(calls=None, captured=None, side_tricks=None, extra=None)
    marks = {"called": entry.hand.calls, "parts": entry.hand.side_tricks, "corrected": entry.corrected or None}
    told = {mark: True for mark, value in marks.items() if value is not None}
    return {"seq": entry.seq, "hand": write_hand(table, hand, dealer=-1), **told}


def _was(hand: Hand) -> dict[str, Any]:
    """Return the data of the last hand, which the phone compares with the next hand.

    If both are the same, the phone can ask whether the player has entered the same hand twice.
    """
    points = None if hand.points is None else dict(hand.points)
    was: dict[str, Any] = {"bidder": hand.bidder, "bid": hand.bid, "taken": list(hand.taken), "points": points}
    was |= {"turned_up": hand.turned_up, "jack_hung": hand.jack_hung} if hand.turned_up or hand.jack_hung else {}
    was |= {"conceded": True} if hand.conceded else {}
    return was | ({} if hand.revoked is None else {"revoked": hand.revoked})


def refusals(game: Game) -> dict[str, str]:
    """Return a dict with the error message for each mistake that is possible in a form, in the reader's language.

    The keys are made of the code and the field of the `RuleViolation`, with a space between them, as in "seat bidder".
    If several mistakes have the same code and field, another text replaces the field in the key. The key of the message
    for a game that is over is just the code. The key "other" is for a form that can't be read.

    A message may have the placeholders `{total}` and `{bid}`, which the phone fills in. To get the
    messages, the rules are given a wrong hand for each mistake.
    """
    says = {"other": _("That form was incomplete, so nothing was changed. Reload the page and try again.")}
    try:
        decide(replace(game, stopped=Outcome(None, "abandoned")), EnterHand({}))
    except RuleViolation as violation:
        says[violation.code] = spoken(violation.message)
    for slip in _slips(game.table):
        try:
            read_hand(game.table, slip.data, dealer=_DEALER)
        except RuleViolation as violation:
            says[f"{violation.code} {slip.why or violation.field}"] = spoken(violation.message, **slip.instead)
    return says


_BIDDER, _DEALER = 0, 1


class _Slip(NamedTuple):
    """A hand with a mistake, given to the rules to get their message about the mistake.

    `data` is the hand in the format of a game record. `why` replaces the field in the key of the message, because
    another mistake has the same code and field. `why` is "" if there is no such mistake. `instead` maps values in the
    message to placeholders.
    """

    data: dict[str, Any]
    why: str = ""
    instead: Mapping[str, str] = {}


def _slips(table: Table) -> Iterator[_Slip]:
    """Yield a hand for each mistake that is possible in a form at this table."""
    if not table.rules.has_bids:
        yield from _slips_without_bids(table)
        return
    bid: dict[str, Any] = {"bidder": _BIDDER, "bid": table.bids[0]}
    unbid: tuple[dict[str, Any], ...] = ({}, {"bidder": -1}, {"bidder": _BIDDER}, {**bid, "bid": -1})
    yield from map(_Slip, (*unbid, {**bid, "trump": "?"}))
    for high in set(table.bids) - set(allowed_bids(table, _DEALER, _DEALER)):
        yield _Slip({"bidder": _DEALER, "bid": high}, "dealer", {"bid": "{bid}"})
    if table.rules.forced_bid is not None:
        yield _Slip({"passed": True})
    if table.called:
        yield from map(_Slip, (bid, {**bid, "partner": _BIDDER}))
        bid["partner"] = None
    if pitch_tricks(table.rules) is not None:
        pitch = {**bid, "bid": "pitch"}
        yield from map(_Slip, (pitch, {**pitch, "tricks": most_tricks(table.rules) + 1}))
    yield from _slips_of_points(table, bid)
    if table.rules.hand_totals:
        yield from _slips_of_parts(table, bid)
    if table.rules.slam_worth:
        told = {key: owners[0] for key, owners in allowed_points(table).items()}
        pitch = {**bid, "bid": "pitch"}
        yield _Slip({**pitch, "points": told})
        yield _Slip({**bid, "points": {**told, "slam": 0}}, "bid")
        yield _Slip({**pitch, "points": {**told, "slam": table.parties - 1 - table.party_of(_BIDDER)}}, "side")


def _slips_of_parts(table: Table, bid: Mapping[str, Any]) -> Iterator[_Slip]:
    tricks, zeros = table.most - RED_POINTS, [0] * (table.parties - 1)
    right = {"side_tricks": [tricks, *zeros], "side_red": [RED_POINTS, *zeros]}
    for key, (most, *others) in right.items():
        yield _Slip({**bid, **right, key: [most + 1, *others]}, instead={"total": "{total}"})
    yield _Slip({**bid, **right, "side_red": [*zeros, RED_POINTS]}, "no_tricks")


def _slips_without_bids(table: Table) -> Iterator[_Slip]:
    told: dict[str, Any] = {"points": {key: owners[0] for key, owners in allowed_points(table).items()}}
    yield from map(_Slip, ({**told, key: 1} for key in ("bidder", "bid", "passed", "partner", "tricks")))
    yield from map(_Slip, ({**told, "trump": "?"}, {**told, "turned_up": "?"}, {**told, "jack_hung": 1}))
    yield _Slip({**told, "trump": "D", "turned_up": "6C"}, "suit")
    yield _Slip({**told, "turned_up": "J"})
    yield _Slip({"points": {**told["points"], "jack": None}, "jack_hung": True}, "nobody")
    yield from _slips_of_points(table, {})


def _slips_of_points(table: Table, bid: Mapping[str, Any]) -> Iterator[_Slip]:
    yield _Slip({**bid})
    told = {key: owners[0] for key, owners in allowed_points(table).items()}
    for key in told:
        yield _Slip({**bid, "points": {**told, key: None}})
        yield _Slip({**bid, "points": {other: told[other] for other in told if other != key}})
    zeros = [0] * (table.parties - 1)
    yield _Slip({**bid, "taken": [0, *zeros]}, "few", {"total": "{total}"})
    yield _Slip({**bid, "taken": [table.most, 1, *zeros[1:]]}, "many", {"total": "{total}"})
    for total in set(range(table.least, table.most)) - set(table.sums):
        yield _Slip({**bid, "taken": [total, *zeros]}, "gap", {"total": "{total}"})
