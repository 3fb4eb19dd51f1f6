"""The state from which a phone scores a game while it is offline, as plain data.

`static/js/games/rules.js` scores by it. `tests/bench/client_rules.py` compares that with the rules.

The state, which the phone's rules never change:
  rules       every option by name, as in a game record: {"finish": "bid_out", "target": 21, …}. A missing option has
              its default of `rules/options.py`, because phones keep states from before it existed
  table       players, sides (the seats of each), side_of (the side of each seat), called (the bidder calls a partner),
              least and most (points of a hand), red_points (those for red cards, where tricks count too),
              pitch_tricks (tricks that a pitch needs; null: every point), game_needs (card points needed for Game;
              0: nobody may have it because of a tie), bids and dealer_bids (legal bids of the others and of the
              dealer), trumps, most_tricks, fields (allowed in a hand)
  categories  [{key, label, value, always}], in the order of the form; empty if a hand has one total. label is
              translated
  guesses     the guess for each bid, by bid: a letter for each category, "n" for nobody, "-" for none, else how many
              sides after the bidder's. States from before it existed have none
  says        translated sentences for refusals (`sentenceOf` in `rules.js`)
  names       player names by seat, as typed
  side_names  names of the sides for use in a sentence: "Ann and Cid"
  version     of the game on the server when it made the state; never changed here
  number      of the hand in play or the next one, from 1
  dealer      seat of its dealer
  bid         null, or the winning bid: {bidder, bid, trump}
  totals, sets, hands, level    the score: by side, by side, hands not thrown in, whether one more hand settles a tie
  outcome     null while the game runs, else {winner: side or null, rule}
  was         null, or the last hand as entered: {bidder, bid, taken, points}; bidder null: thrown in
  last        null, or the hand that led to this state: {number, dealer, bidder, bid, partner, delta, made}; made null:
              thrown in, partner null: none
  calls       the calls of the hand in play, also after they led to its bid
  stopped     null, or the outcome of a game that was ended early
  lines       the last lines of the score sheet, oldest first: {seq, hand} or {seq, side, points, reason}. seq: the
              place in the server's log, or the phone's id of a waiting change. A hand here has its dealer and bidder
  start       the score before these lines: totals, sets, hands, level, outcome, number

A hand is what a form holds and the server accepts: {bidder, bid, trump, partner, tricks} with points ({key: side or
null}) or taken ([points of each side], or of the bidder's party and of the others if a partner is called); or
{passed: true}. It has a dealer only if that is not the state's. Without a bidder it is played on the winning bid.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from scorekeeper.games.logic.default_points import NOBODY, Guesses, guesses_for
from scorekeeper.games.presenters.sanity_checks import MOMENT
from scorekeeper.games.presenters.snapshot import Snapshot
from scorekeeper.i18n.catalog import _, spoken
from scorekeeper.rules.bidding import Call, allowed_bids, may_match
from scorekeeper.rules.commands import EnterHand, decide
from scorekeeper.rules.explain import untied_game_minimum
from scorekeeper.rules.game import Adjustment, Game, Line
from scorekeeper.rules.hands import RED_POINTS, allowed_points, allowed_trumps, most_tricks, read_hand, write_hand
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.scoring import Hand, Outcome, Tally, pitch_tricks
from scorekeeper.rules.table import Table
from scorekeeper.rules.violation import RuleViolation

FIELDS = ("dealer", "passed", "bidder", "bid", "points", "taken", "partner", "tricks", "trump")
"""Fields of a hand that the phone's rules check."""
CHECKED_LATER = ("calls", "captured")
"""Fields of a hand that only the server checks: the auction and the cards, which led to the fields above."""
MOST_LINES = 60
"""Lines of the score sheet in a phone's state; earlier hands are corrected with a signal."""


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

    That is: every option, the seats and sides, the points of a hand and their guesses.
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
            "fields": list(FIELDS),
        },
        "categories": [
            {
                "key": category.key,
                "label": spoken(category.label),
                "value": category.value,
                "always": category.always,
                # Read by pages of earlier versions, which guess each point for itself.
                "absent": place in absent,
            }
            for place, category in enumerate(rules.categories)
        ],
        "guesses": {str(bid): guess for bid, guess in guesses.items()},
    }


def score_state(game: Game) -> dict[str, Any]:
    """Return the changing part of a game's state, ready for JSON: dealer, bid in play, score, and how it ended."""
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
    """Return the calls of the hand in play, also after they led to its bid."""
    bid = game.open_bid
    return (bid.calls or ()) if bid is not None else game.auction.calls if game.auction is not None else ()


def _lines(game: Game) -> dict[str, Any]:
    """Return the last lines of the score sheet, and the score before them: undo and corrections need both."""
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
    # The phone is told who bid and what counts; the server keeps calls, cards and parts when it corrects a hand.
    hand = entry.hand._replace(calls=None, captured=None, side_tricks=None, extra=None)
    return {"seq": entry.seq, "hand": write_hand(table, hand, dealer=-1)}


def _was(hand: Hand) -> dict[str, Any]:
    """Return the parts of a hand that tell whether the next one is the same."""
    points = None if hand.points is None else dict(hand.points)
    return {"bidder": hand.bidder, "bid": hand.bid, "taken": list(hand.taken), "points": points}


def refusals(game: Game) -> dict[str, str]:
    """Return the error message for each mistake possible in a form, in the reader's language, by code and field.

    They come from the rules, which get a hand with each mistake. `{total}` and `{bid}` are placeholders for the values.
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
    """A hand with a mistake. `why` is set if code and field don't identify it; `instead` replaces its values."""

    data: dict[str, Any]
    why: str = ""
    instead: Mapping[str, str] = {}


def _slips(table: Table) -> Iterator[_Slip]:
    """Yield a hand for each mistake that a form can contain at this table."""
    bid: dict[str, Any] = {"bidder": _BIDDER, "bid": table.bids[0]}
    unbid: tuple[dict[str, Any], ...] = ({}, {"bidder": -1}, {"bidder": _BIDDER}, {**bid, "bid": 0})
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
    yield _Slip(bid)
    told = {key: owners[0] for key, owners in allowed_points(table).items()}
    for key in told:
        yield _Slip({**bid, "points": {**told, key: None}})
        yield _Slip({**bid, "points": {other: told[other] for other in told if other != key}})
    zeros = [0] * ((2 if table.called else len(table.sides)) - 1)
    yield _Slip({**bid, "taken": [0, *zeros]}, "few", {"total": "{total}"})
    yield _Slip({**bid, "taken": [table.most, 1, *zeros[1:]]}, "many", {"total": "{total}"})
