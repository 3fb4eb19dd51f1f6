"""Compare the phone's rules (`static/js/games/rules.js`) with the server's rules on the same games."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from quickjs import Context

from scorekeeper.games.logic.default_points import likely_points
from scorekeeper.games.logic.waiting_changes import KINDS
from scorekeeper.games.presenters.client_state import refusals, rules_state, score_state
from scorekeeper.games.presenters.summaries import MOMENT, QUESTIONS, hand_entered, questions_about
from scorekeeper.i18n.catalog import spoken
from scorekeeper.i18n.sentences import TEMPLATES
from scorekeeper.rules import commands as c
from scorekeeper.rules.bidding import allowed_bids, hear_call, legal_calls, open_auction
from scorekeeper.rules.explain import Message, effects
from scorekeeper.rules.game import Game
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.ruleset import differing
from scorekeeper.rules.scoring import Scored, Tally, put_up
from scorekeeper.rules.table import seat_after, sides_of
from tests.rules.client_games import Try, after, command_of
from tests.rules.refusals import refusal_of

RULES_JS = Path(__file__).resolve().parents[2] / "static" / "js" / "games" / "rules.js"

PLAY_JS = """
(rules, games) => {
  const freeze = (value) => {
    if (value && typeof value === "object") Object.values(Object.freeze(value)).forEach(freeze);
    return value;
  };
  const named = (refusal) => refusal && [refusal.code, refusal.field];
  return games.map((game) => {
    let state = freeze(game.state);
    const seats = state.table.side_of.map((_, seat) => rules.allowedBids(state, seat));
    const steps = freeze(game.tries).map((hand) => {
      const bid = named(rules.checkBid(state, hand));
      const refusal = rules.checkHand(state, hand);
      if (refusal) return { bid, refusal: named(refusal), says: rules.sentenceOf(state, refusal) };
      const before = state;
      state = freeze(rules.scoreHand(state, hand));
      const { rules: _options, table, categories, guesses, moment, says, version, bid: _standing, ...all } = state;
      const { calls, lines, start, stopped, ...score } = all;
      const odd = [0, state.moment, state.moment + 1].map((seconds) => rules.oddities(before, state, seconds));
      const { bidder, bid: won } = score.last;
      const likely = bidder === null ? null : rules.likelyPoints(state, bidder, won);
      const effects = rules.effects(state).map(({ key, sides }) => [key, sides]);
      return { bid, score, likely, odd, effects };
    });
    let now = freeze(game.state);
    const changes = freeze(game.changes).map((change) => {
      now = freeze(rules.scoreChange(now, change));
      const { totals, sets, hands, level, outcome, number, dealer, bid, was, calls, stopped } = now;
      const columns = ["seq", "number", "delta", "made", "totals", "late"];
      const rows = rules.sheetOf(now).map((row) => columns.map((key) => row[key]));
      return { score: { totals, sets, hands, level, outcome, number, dealer, bid, was, calls, stopped }, rows };
    });
    const auctions = game.calls.map((_, count) => {
      const { bidder, bid, turn, legal } = rules.auctionOf(game.state, game.calls.slice(0, count + 1));
      return [bidder, bid, turn, legal];
    });
    const known = { kit: { state: game.state, record: { first_dealer: game.first_dealer } } };
    const rematch = rules.rematchDealer(known, game.changes);
    return { seats, steps, changes, auctions, totals: rules.replay(known, game.changes).totals, rematch };
  });
}
"""
"""JavaScript that applies the phone's rules to a list of games, each as returned by `sent`.

Its result for each game should equal the object that `expected` returns for the game.
"""

EXPORTED = re.compile(r"^export (?:const|function) (\w+)", re.MULTILINE)

Play = Callable[[Sequence[Mapping[str, Any]]], list[Any]]
"""A function that runs `PLAY_JS` on a list of games and returns the result for each game."""

ALWAYS_THERE = frozenset(("totals", "sets", "hands", "level", "outcome"))
"""Fields of the score in every version of the app. States stored by an older version may lack the other fields."""
LISTED = ("calls", "lines", "start", "stopped")
"""Fields that are left out when the states of the phone and the server after a hand are compared."""
SAID = frozenset(
    (
        *("bidder_missing", "bid_missing", "bid_illegal", "passed_forced", "partner_missing"),
        *("tricks_missing", "points_missing", "points_nobody", "game_over"),
    )
)
"""Codes of the refusals that a form can cause; for these, the phone and the server must give the same message."""
ENDED_BY = frozenset(
    (
        *("bid_out", "bidder_first", "most", "highest", "tie_break", "tie_bidder", "fixed_hands"),
        *("pitch", "moon", "moon_failed", "max_sets", "lose_at", "count_out"),
    )
)
"""Every rule by which a hand can end a game."""


@dataclass
class Met:
    """Counts of what the tested games contained, such as option values, seatings, endings and refusals."""

    games: int = 0
    hands: int = 0
    options: Counter[tuple[str, Any]] = field(default_factory=Counter)
    tables: Counter[tuple[str, int, int]] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    odd: Counter[str] = field(default_factory=Counter)
    effects: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, tried: Try, answer: Mapping[str, Any]) -> None:
        """Count the options, refusals, effects and endings of a game.

        `answer` is the object that `expected` returned for the game.
        """
        table = tried.table
        self.games += 1
        self.hands += len(tried.tries)
        self.options.update((key, getattr(table.rules, key)) for key in OPTIONS)
        self.tables[table.rules.preset, table.players, len(table.sides)] += 1
        self.kinds.update(change.get("kind", "hand") for change in tried.changes)
        for step in answer["steps"]:
            if "refusal" in step:
                self.refusals[step["refusal"][0]] += 1
                continue
            self.odd.update(step["odd"][0])
            self.effects.update(key for key, _sides in step["effects"])
            if step["score"]["outcome"]:
                self.endings[step["score"]["outcome"]["rule"]] += 1

    def never(self) -> list[str]:
        """Return descriptions of the option values, seatings, endings, refusals and so on that no game contained."""
        values = [(key, value) for key, option in OPTIONS.items() for value in option.values]
        values += [(key, None) for key, option in OPTIONS.items() if option.nullable]
        tables = [
            (rules.preset, seating.players, len(sides_of(seating)))
            for rules in PRESETS.values()
            for seating in rules.seatings
        ]
        return [
            *(f"{key} = {value}" for key, value in values if not self.options[key, value]),
            *(
                f"{key} = two numbers"
                for key, option in OPTIONS.items()
                if not option.values and len(self.numbers(key)) < 2
            ),
            *(f"{table[0]} with {table[1]} players" for table in tables if not self.tables[table]),
            *(f"change: {kind}" for kind in KINDS if not self.kinds[kind]),
            *(f"ended by {rule}" for rule in sorted(ENDED_BY - set(self.endings))),
            *(f"refused: {code}" for code in sorted(SAID - set(self.refusals))),
            *(f"odd: {question.key}" for question in QUESTIONS if not self.odd[question.key]),
            *(f"effect: {key}" for key in TEMPLATES if key.startswith("hand.") and not self.effects[key[5:]]),
        ]

    def numbers(self, option: str) -> set[int]:
        """Return the different numbers that the option called `option` had in the tested games."""
        return {value for key, value in self.options if key == option and value is not None}


def in_quickjs(script: str, play_js: str = PLAY_JS) -> Play:
    """Return a function that runs the phone's rules in QuickJS.

    `script` is the JavaScript with these rules, and `play_js` that of a function of these rules and the games.
    """
    context = Context()
    context.module(f"{script}\nglobalThis.rules = {{{', '.join(EXPORTED.findall(script))}}};")
    answer = context.eval(f"const play = {play_js.strip()}; (games) => JSON.stringify(play(rules, JSON.parse(games)))")

    def play(games: object) -> list[object]:
        answered: list[object] = json.loads(answer(json.dumps(games)))
        return answered

    return play


def differences(play: Play, tried: Iterable[Try], met: Met, *, batch: int = 200) -> Iterator[Try]:
    """Yield the games for which the phone's rules and the server's rules give different results.

    Every game is added to the counts of `met`. `play` runs the phone's rules on a list of at most `batch` games.
    """
    games = iter(tried)
    while some := list(islice(games, batch)):
        for one, answer in zip(some, play([sent(one) for one in some]), strict=True):
            wanted = expected(one)
            met.add(one, wanted)
            if not _same(answer, wanted):
                yield one


def shrunk(play: Play, tried: Try) -> Try:
    """Return the smallest version of the game `tried` for which the phone's and the server's rules still differ.

    Hands, changes and commands are left out step by step. `play` runs the phone's rules.
    """
    for smaller in tried.smaller():
        if list(differences(play, [smaller], Met())):
            return shrunk(play, smaller)
    return tried


def sent(tried: Try) -> dict[str, Any]:
    """Return the JSON object that the phone's rules get for the game `tried`: its state, hands, changes and calls.

    If the target is an odd number, options and scores with neutral values are left out of the state, to imitate older
    versions of the app.
    """
    game = tried.start
    state = {**rules_state(game.table), **score_state(game), "says": refusals(game)}
    if game.table.rules.target % 2:
        state["rules"] = {key: value for key, value in state["rules"].items() if value != OPTIONS[key].default}
        for key, value in Tally._field_defaults.items():
            if key not in ALWAYS_THERE and getattr(game.tally, key) == value:
                del state[key]
    return {
        "state": state,
        "first_dealer": tried.first_dealer,
        "tries": list(tried.tries),
        "changes": list(tried.changes),
        "calls": list(tried.calls),
    }


def expected(tried: Try) -> dict[str, Any]:
    """Return the results of the server's rules for the game `tried`, as a JSON object.

    Its keys are "seats" (the bids that each seat may make), "steps" (a result for each hand), "changes" (the score and
    the list of hands after each change), "auctions" (the state of the auction after each call), and "totals" and
    "rematch" (the scores after all changes, and the seat that then deals a rematch).
    """
    game = tried.start
    seats = [list(allowed_bids(game.table, seat, game.dealer)) for seat in range(game.table.players)]
    steps = []
    for data in tried.tries:
        steps.append(_step(game, data))
        game = after(game, c.EnterHand(data))
    end = [tried.start, *(game for game, _ids in _played(tried))][-1]
    last = end.last_hand
    return {
        "seats": seats,
        "steps": steps,
        "changes": list(_changed(tried)),
        "auctions": list(_auctions(tried)),
        "totals": list(end.tally.totals),
        "rematch": seat_after(end.table, last.entry.hand.dealer) if last else end.first_dealer,
    }


def _played(tried: Try) -> Iterator[tuple[Game, dict[int, str]]]:
    """Yield the game after each change, and the id of the change that added each line."""
    game, ids = tried.start, dict[int, str]()
    for change in tried.changes:
        version = game.version
        game = after(game, command_of(change, ids))
        ids |= {line.entry.seq: change["id"] for line in game.lines if line.entry.seq > version}
        yield game, ids


def _changed(tried: Try) -> Iterator[dict[str, Any]]:
    for game, ids in _played(tried):
        state = score_state(game)
        score = {key: value for key, value in state.items() if key not in ("version", "last", "lines", "start")}
        rows = [
            [
                ids.get(line.entry.seq, line.entry.seq),
                *(line.number, list(line.delta), line.made, list(line.tally.totals), line.after_end),
            ]
            for line in game.lines
        ]
        yield {"score": score, "rows": rows}


def _auctions(tried: Try) -> Iterator[list[Any]]:
    table = tried.table
    auction = open_auction(table, tried.start.dealer)
    for call in tried.calls:
        auction = hear_call(table, auction, call)
        yield [auction.bidder, auction.bid, auction.turn, list(legal_calls(table, auction))]


def report(play: Play, tried: Try) -> str:
    """Return a text for debugging, with the game `tried` and the results of both the phone's and the server's rules."""
    (answer,) = play([sent(tried)])
    rules = tried.table.rules
    told = {
        "preset": rules.preset,
        "options": differing(PRESETS[rules.preset], rules),
        "sides": tried.table.sides,
        "first_dealer": tried.first_dealer,
        "before": [str(wish) for wish in tried.before],
        "tries": tried.tries,
        "changes": tried.changes,
        "calls": tried.calls,
    }
    lines = [f"{key}: {json.dumps(value)}" for key, value in told.items()]
    return "\n".join([*lines, f"phone: {json.dumps(answer)}", f"rules: {json.dumps(expected(tried))}"])


def _step(game: Game, data: Mapping[str, Any]) -> dict[str, Any]:
    bid = refusal_of(lambda: c.decide(game, c.TakeBid(data.get("bidder"), data.get("bid"), data.get("trump"))))  # type: ignore[arg-type]
    refusal = refusal_of(lambda: c.decide(game, c.EnterHand(data)))
    if refusal is not None:
        no_button = data.get("bid") in ("pitch", "moon") and data["bid"] not in game.table.bids
        says = spoken(refusal.message) if refusal.code in SAID and not no_button else None
        return {"bid": _named(bid), "refusal": _named(refusal), "says": says}
    odd = [_odd(game, data, seconds) for seconds in (0, MOMENT, MOMENT + 1)]
    game = after(game, c.EnterHand(data))
    line = game.lines[-1]
    hand = line.entry.hand
    last: dict[str, Any] = {"number": line.number, "dealer": hand.dealer, "bidder": hand.bidder, "bid": hand.bid}
    last["partner"] = hand.partner
    if not game.table.rules.has_bids:
        last["counted"] = [
            ["hung" if key == "jack" and hand.jack_hung else key, side, points]
            for key, side, points in put_up(game.table, hand)
        ]
    score = {key: value for key, value in score_state(game).items() if key not in ("version", "bid", *LISTED)}
    likely = None
    if hand.bidder is not None and hand.bid is not None:
        likely = dict(likely_points(game.table, hand.bidder, hand.bid))
    return {
        "bid": _named(bid),
        "score": score | {"last": last | {"delta": list(line.delta), "made": line.made}},
        "likely": likely,
        "odd": odd,
        "effects": [
            [each.key.removeprefix("hand."), _sides(each)]
            for each in effects(game.table, line.before, line.tally, hand, Scored(line.delta, line.made))
        ],
    }


def _sides(message: Message) -> list[int]:
    both = message.params.get("both")
    return list(both) if both else [message.params["side"]] if "side" in message.params else []


def _odd(game: Game, data: Mapping[str, Any], seconds: float) -> list[str]:
    """Return the keys of the questions that the server asks about the hand `data` because the hand is unusual.

    `seconds` is the time since the previous hand was entered.
    """
    return [question.key for question in questions_about(hand_entered(game, data, seconds_since_last=seconds))]


def _named(refusal: RuleViolation | None) -> list[str | None] | None:
    return None if refusal is None else [refusal.code, refusal.field]


def _same(answer: Any, wanted: Mapping[str, Any]) -> bool:
    for step, told in zip(answer["steps"], wanted["steps"], strict=True):
        if "says" in told and told["says"] is None:
            step["says"] = None  # no form can cause it
    return bool(answer == wanted)
