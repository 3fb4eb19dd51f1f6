"""Games for the phone's rules, by a seeded random: any rules, any moment of an evening, hands right and wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any

from scorekeeper.games.logic.waiting_changes import KINDS
from scorekeeper.games.presenters.client_state import FIELDS
from scorekeeper.rules import commands as c
from scorekeeper.rules.bidding import allowed_bids, hear_call, legal_calls, open_auction
from scorekeeper.rules.game import Game
from scorekeeper.rules.hands import allowed_trumps, read_hand, write_hand
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import evolve, replay
from scorekeeper.rules.ruleset import Ruleset, with_options
from scorekeeper.rules.table import Table, set_table, sides_of
from scorekeeper.rules.violation import RuleViolation
from tests.rules.random_play import any_hand
from tests.rules.slips import slip
from tests.rules.strategies import ENDINGS, NEAR, started

LATE = 2
"""Hands that are tried after the end."""
STARTS: tuple[dict[str, Any], ...] = (
    *ENDINGS,
    {"special_bid": "pitch", "pitch_test": "tricks"},
    {"special_bid": "pitch", "pitch_test": "tricks_all"},
    {"finish": "bidder_first", "target": 2},
    {"finish": "bid_out", "win_by": 3, "target": 4},
    {"finish": "bid_out", "win_by": 1, "go_out": "take", "target": 2},
    {"finish": "highest", "tie": "bidder", "target": 2},
    {"finish": "highest", "tie": "one_more_hand", "tie_break_round": "threshold", "target": 2},
    {"negative": "floor_zero", "target": 30},
    {"dealer_privilege": "match", "dealer_may_match_max": True},
)
"""Where the drawing of options starts: every way to end a game, and what seldom comes about by chance."""


@dataclass(frozen=True)
class Try:
    """A game to be tried: what happened before the phone got it, and the hands that it is told then."""

    table: Table
    first_dealer: int
    before: tuple[c.Command, ...] = ()
    tries: tuple[Mapping[str, Any], ...] = ()
    changes: tuple[Mapping[str, Any], ...] = ()
    """Changes as the phone keeps them, from the same start."""
    calls: tuple[Any, ...] = ()
    """The auction of the next hand."""

    @cached_property
    def start(self) -> Game:
        """Return the game as the phone gets it; what the rules refused before did not happen."""
        game = replay([started(self.table, self.first_dealer)])
        for wish in self.before:
            game = after(game, wish)
        return game

    def smaller(self) -> Iterator[Try]:
        """Yield the same game with less in it."""
        for at in range(1, len(self.tries)):
            yield replace(self, tries=self.tries[:at])
        for at in range(len(self.tries)):
            yield replace(self, tries=self.tries[:at] + self.tries[at + 1 :])
        for at in range(len(self.changes)):
            yield replace(self, changes=self.changes[:at])
        for at in range(len(self.before)):
            yield replace(self, before=self.before[:at] + self.before[at + 1 :])


def after(game: Game, wish: c.Command) -> Game:
    """Return the game after `wish`; the same where the rules refuse it."""
    try:
        events = c.decide(game, wish)
    except RuleViolation:
        return game
    for event in events:
        game = evolve(game, event)
    return game


def games(count: int, seed: int = 0) -> Iterator[Try]:
    """Yield so many games, the same for the same seed; every preset has its turn with every start and every value."""
    starts = [(preset, start) for start in STARTS for preset in PRESETS]
    values = [(preset, {key: value}) for key in OPTIONS for value in values_of(key) for preset in PRESETS]
    for turns in (starts, values):
        Random(seed).shuffle(turns)
    for number in range(count):
        chance = Random(f"{seed} {number}")
        turn, plain = divmod(number, 2)
        yield _game(
            chance,
            _plain(chance, *starts[turn % len(starts)]) if plain else table_with(chance, *values[turn % len(values)]),
        )


def _game(chance: Random, table: Table) -> Try:
    """A game at that table, from its start or from later on."""
    tried = Try(table, chance.randrange(table.players))
    game = tried.start
    wishes = _head_starts(game, chance) if chance.random() < 0.3 else []
    for wish in wishes:
        game = after(game, wish)
    for _ in range(chance.choice((0, 0, 0, 2, 5, 12))):
        wishes.append(_wish(game, chance))
        game = after(game, wishes[-1])
    tries: list[Mapping[str, Any]] = []
    late = 0
    for _ in range(chance.choice((3, 12, 24, 40))):
        late += game.over
        if late > LATE:
            break
        tries.append(_told(game, chance))
        game = after(game, c.EnterHand(tries[-1]))
    tried = replace(tried, before=tuple(wishes), tries=tuple(tries))
    return replace(tried, changes=tuple(_changes(tried.start, chance)), calls=tuple(_calls(tried.start, chance)))


def _changes(game: Game, chance: Random) -> Iterator[Mapping[str, Any]]:
    """Changes that the rules allow, one after the other: new hands, corrections, undos and the rest of the menu."""
    ids: dict[int, str] = {}
    for number in range(chance.choice((0, 2, 6, 14))):
        change = {"id": f"change-{number}", **_change(game, ids, chance)}
        version = game.version
        try:
            events = c.decide(game, command_of(change, ids))
        except RuleViolation:
            continue
        for event in events:
            game = evolve(game, event)
        ids |= {line.entry.seq: change["id"] for line in game.lines if line.entry.seq > version}
        yield change


def _change(game: Game, ids: Mapping[int, str], chance: Random) -> dict[str, Any]:
    table = game.table
    kinds = ["hand"] * 5 + ["correct", "undo", "delete"] * 2 + ["dealer", "misdeal", "adjust", "adjust"]
    kind = chance.choice([*kinds, *(["concede", "abandon"] if chance.random() < 0.2 else []), "reopen"])
    if kind == "adjust":
        side = chance.randrange(len(table.sides))
        return {"kind": kind, "side": side, "points": chance.choice((-3, -1, 1, 5)), "reason": "agreed"}
    if kind == "dealer":
        return {"kind": kind, "dealer": chance.randrange(table.players)}
    if kind in ("misdeal", "abandon", "reopen"):
        return {"kind": kind}
    if kind == "concede":
        return {"kind": kind, "winner": chance.randrange(len(table.sides))}
    lines = game.hands if kind == "correct" else game.lines
    if kind == "hand" or not lines:
        return {"hand": _plain_hand(game, chance)}
    line = game.lines[-1] if kind == "undo" else chance.choice(lines)
    of: dict[str, Any] = {"kind": kind, "of": ids.get(line.entry.seq, line.entry.seq)}
    return of | {"hand": _plain_hand(game, chance)} if kind == "correct" else of


def _plain_hand(game: Game, chance: Random) -> dict[str, Any]:
    """A hand without its calls and cards, which the phone does not look at."""
    table = game.table
    hand = read_hand(table, any_hand(table, game.dealer, chance), dealer=game.dealer)
    data = write_hand(table, hand, dealer=game.dealer)
    return {key: value for key, value in data.items() if key in FIELDS}


def _calls(game: Game, chance: Random) -> Iterator[Any]:
    auction = open_auction(game.table, game.dealer)
    while not auction.closed:
        call = chance.choice(legal_calls(game.table, auction))
        auction = hear_call(game.table, auction, call)
        yield call


def command_of(change: Mapping[str, Any], ids: Mapping[int, str]) -> c.Command:
    """Return the command of a change; `ids` has the phone's ids of the lines that it made, by place in the log."""
    if "kind" not in change:
        return c.EnterHand(change["hand"])
    places = {key: seq for seq, key in ids.items()}
    return KINDS[change["kind"]].command(places.get(change.get("of", ""), change.get("of", 0)), change)


def _plain(chance: Random, preset: str, start: dict[str, Any]) -> Table:
    """A table for the preset with these options, or for the preset as it is where they do not suit it."""
    return _table(chance, _changed(PRESETS[preset], [start])) or _plain(chance, preset, {})


def table_with(chance: Random, preset: str, wished: dict[str, Any]) -> Table:
    """A table for the preset with a few options changed, and with what was wished for where that can be."""
    for _ in range(12):
        others = chance.sample(list(OPTIONS), chance.randint(0, 5))
        drawn = [chance.choice(STARTS), *({key: chance.choice(values_of(key))} for key in others)]
        rules = _changed(PRESETS[preset], [*drawn, wished])
        table = _table(chance, rules)
        if table and all(getattr(rules, key) == value for key, value in wished.items()):
            return table
    return _plain(chance, preset, wished)


def _changed(rules: Ruleset, wishes: Sequence[dict[str, Any]]) -> Ruleset:
    """The rules with each wish that they accept beside those before it."""
    preset, options = rules, dict[str, Any]()
    for wish in wishes:
        try:
            rules = with_options(preset, options | wish)
        except RuleViolation:
            continue
        options |= wish
    return rules


def _table(chance: Random, rules: Ruleset) -> Table | None:
    """A table for these rules, any of those that there are."""
    fitting = []
    for seating in rules.seatings:
        try:
            fitting.append(set_table(rules, seating.players, sides_of(seating)))
        except RuleViolation:
            continue
    return chance.choice(fitting) if fitting else None


def values_of(option: str) -> tuple[Any, ...]:
    if OPTIONS[option].values:
        return tuple(OPTIONS[option].values)
    low, high = OPTIONS[option].numbers
    numbers = range(low, min(high, NEAR.get(option, high)) + 1)
    return (None, *numbers) if OPTIONS[option].nullable else tuple(numbers)


def _head_starts(game: Game, chance: Random) -> list[c.Command]:
    """Points agreed on before the first hand: below zero, near the target, or level above it."""
    sides = range(len(game.table.sides))
    near = chance.choice((-3, game.table.rules.target % 90, game.table.rules.target % 90 + 4))
    return [c.AdjustScore(side, near + chance.choice((0, 0, -1, 1)), "head start") for side in sides]


def _wish(game: Game, chance: Random) -> c.Command:
    """What a table may want before the signal goes."""
    table = game.table
    seat = chance.randrange(table.players)
    common = ("hand",) * 8 + ("bid", "call", "call", "call")
    kind = chance.choice((*common, *common, "adjust", "adjust", "undo", "dealer", "misdeal", "stop"))
    if game.over and chance.random() < 0.8:
        return c.Undo()
    if kind == "hand":
        return c.EnterHand(any_hand(table, game.dealer, chance))
    if kind == "bid":
        trump = chance.choice((None, *allowed_trumps(table)))
        return c.TakeBid(seat, chance.choice(allowed_bids(table, seat, game.dealer)), trump)
    if kind == "call":
        auction = game.auction or open_auction(table, game.dealer)
        return c.MakeCall(chance.choice(legal_calls(table, auction)))
    if kind == "adjust":
        return c.AdjustScore(chance.randrange(len(table.sides)), chance.choice((-3, -1, 1, 5)), "agreed")
    if kind == "dealer":
        return c.SetDealer(seat)
    if kind == "stop":
        return chance.choice((c.Concede(0), c.Abandon(), c.Reopen(), c.Reopen()))
    return c.Undo() if kind == "undo" else c.Misdeal()


def _told(game: Game, chance: Random) -> dict[str, Any]:
    """A hand as a form tells it, every fourth with a slip."""
    table = game.table
    hand = read_hand(table, any_hand(table, game.dealer, chance), dealer=game.dealer)
    data = {key: value for key, value in write_hand(table, hand, dealer=game.dealer).items() if key in FIELDS}
    if chance.random() < 0.25:
        data = slip(table, data, chance)
    if game.open_bid is not None and chance.random() < 0.6:
        data.pop("bidder", None)
    if game.open_bid is not None and "bidder" not in data:
        # A form that leaves the bidder to the bid in play says nothing about the bid either.
        data = {key: value for key, value in data.items() if key not in ("bid", "dealer")}
    return data
