"""Make random games from a seed to test the phone's rules, with any house rules and with valid and invalid hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any

from scorekeeper.games.logic.waiting_changes import KINDS
from scorekeeper.games.presenters.client_state import FIELDS, UNBID_FIELDS
from scorekeeper.rules import commands as c
from scorekeeper.rules.bidding import allowed_bids, hear_call, legal_calls, open_auction
from scorekeeper.rules.game import Game
from scorekeeper.rules.hands import allowed_trumps, read_hand, write_hand
from scorekeeper.rules.options import OPTIONS
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.presets import PRESETS
from scorekeeper.rules.replay import evolve, replay
from scorekeeper.rules.ruleset import Ruleset, with_options
from scorekeeper.rules.table import Table, table_at
from tests.rules.random_play import any_hand
from tests.rules.slips import slip
from tests.rules.strategies import CHOICES, ENDINGS, NEAR, started

LATE = 2
"""Number of hands that are tried after a game has ended, to test that they are refused."""
PLAIN = (*FIELDS, *UNBID_FIELDS)
"""The fields of a hand that are sent to the phone."""
STARTS: tuple[dict[str, Any], ...] = (
    *ENDINGS,
    {"special_bid": "pitch", "pitch_test": "tricks"},
    {"special_bid": "pitch", "pitch_test": "tricks_all"},
    {"special_bid": "pitch", "slam": True},
    {"finish": "bidder_first", "target": 2},
    {"finish": "bid_out", "win_by": 3, "target": 4},
    {"finish": "bid_out", "win_by": 1, "go_out": "take", "target": 2},
    {"finish": "highest", "tie": "bidder", "target": 2},
    {"finish": "highest", "tie": "one_more_hand", "tie_break_round": "threshold", "target": 2},
    {"negative": "floor_zero", "target": 30},
    {"dealer_privilege": "match", "dealer_may_match_max": True},
)
"""Sets of options that the random games use, so that every way to end a game and some rare combinations occur."""


@dataclass(frozen=True)
class Try:
    """A game on which the phone's rules and the server's rules are compared.

    The commands in `before` are carried out first, and then the phone gets the game. From this state of the game, the
    hands in `tries`, the changes and the calls are tried independently of each other.
    """

    table: Table
    first_dealer: int
    before: tuple[c.Command, ...] = ()
    tries: tuple[Mapping[str, Any], ...] = ()
    changes: tuple[Mapping[str, Any], ...] = ()
    """Changes to the game, such as a hand or an undo, in the format in which a phone stores them.

    The first change is made to the game from which the first hand in `tries` also starts.
    """
    calls: tuple[Any, ...] = ()
    """Calls of the next hand's auction, in order."""

    @cached_property
    def start(self) -> Game:
        """The state of the game when the phone gets it; commands in `before` that the rules refuse are left out."""
        game = replay([started(self.table, self.first_dealer)])
        for wish in self.before:
            game = after(game, wish)
        return game

    def smaller(self) -> Iterator[Try]:
        """Yield smaller versions of the game, each with fewer hands, changes or commands."""
        for at in range(1, len(self.tries)):
            yield replace(self, tries=self.tries[:at])
        for at in range(len(self.tries)):
            yield replace(self, tries=self.tries[:at] + self.tries[at + 1 :])
        for at in range(len(self.changes)):
            yield replace(self, changes=self.changes[:at])
        for at in range(len(self.before)):
            yield replace(self, before=self.before[:at] + self.before[at + 1 :])


def after(game: Game, wish: c.Command) -> Game:
    """Return the game after the command `wish`, or the same game if the rules refuse it."""
    try:
        events = c.decide(game, wish)
    except RuleViolation:
        return game
    for event in events:
        game = evolve(game, event)
    return game


def games(count: int, seed: int = 0) -> Iterator[Try]:
    """Yield `count` random games; the same `seed` always gives the same games.

    With enough games, each preset occurs with each set of options in `STARTS` and with each value of each option.
    """
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
    """Return a random game at `table`, with random commands, hands, changes and calls."""
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
    """Yield random changes to `game`, in the format in which a phone stores changes.

    The rules accept the changes if they are made one after another.
    """
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
    """Return a random valid hand without its calls and cards, which the phone doesn't use."""
    table = game.table
    hand = read_hand(table, any_hand(table, game.dealer, chance), dealer=game.dealer)
    data = write_hand(table, hand, dealer=game.dealer)
    return {key: value for key, value in data.items() if key in PLAIN}


def _calls(game: Game, chance: Random) -> Iterator[Any]:
    auction = open_auction(game.table, game.dealer)  # closed from the start where nobody bids
    while not auction.closed:
        call = chance.choice(legal_calls(game.table, auction))
        auction = hear_call(game.table, auction, call)
        yield call


def command_of(change: Mapping[str, Any], ids: Mapping[int, str]) -> c.Command:
    """Return the command for a change that a phone stored.

    A phone gives each change an id. `ids` maps the sequence number of each hand or adjustment to the id of the change
    that added it.
    """
    if "kind" not in change:
        return c.EnterHand(change["hand"])
    places = {key: seq for seq, key in ids.items()}
    return KINDS[change["kind"]].command(places.get(change.get("of", ""), change.get("of", 0)), change)


def _plain(chance: Random, preset: str, start: dict[str, Any]) -> Table:
    """Return a table for the preset with the options in `start`, or without options if no seating fits them."""
    return _table(chance, _changed(PRESETS[preset], [start])) or _plain(chance, preset, {})


def table_with(chance: Random, preset: str, wished: dict[str, Any]) -> Table:
    """Return a table for the preset with the options in `wished` and up to a few random options.

    If no such table is found in a few tries, the random options are left out.
    """
    for _ in range(12):
        others = chance.sample(list(OPTIONS), chance.randint(0, 5))
        drawn = [chance.choice(STARTS), *({key: chance.choice(values_of(key))} for key in others)]
        rules = _changed(PRESETS[preset], [*drawn, wished])
        table = _table(chance, rules)
        if table and all(getattr(rules, key) == value for key, value in wished.items()):
            return table
    return _plain(chance, preset, wished)


def _changed(rules: Ruleset, wishes: Sequence[dict[str, Any]]) -> Ruleset:
    """Return `rules` with each set of options in `wishes` added in turn; sets that the rules refuse are skipped."""
    preset, options = rules, dict[str, Any]()
    for wish in wishes:
        try:
            rules = with_options(preset, options | wish)
        except RuleViolation:
            continue
        options |= wish
    return rules


def _table(chance: Random, rules: Ruleset) -> Table | None:
    """Return a table for `rules` with a random seating, or None if the rules allow no seating."""
    fitting = []
    for seating in rules.seatings:
        try:
            fitting.append(table_at(rules, seating))
        except RuleViolation:
            continue
    return chance.choice(fitting) if fitting else None


def values_of(option: str) -> tuple[Any, ...]:
    if OPTIONS[option].several:
        return CHOICES
    if OPTIONS[option].values:
        return tuple(OPTIONS[option].values)
    low, high = OPTIONS[option].numbers
    numbers = range(low, min(high, NEAR.get(option, high)) + 1)
    return (None, *numbers) if OPTIONS[option].nullable else tuple(numbers)


def _head_starts(game: Game, chance: Random) -> list[c.Command]:
    """Return one score adjustment for each side before the first hand.

    All adjustments are within 1 of the same number, which is -3, the target, or the target plus 4. Since an adjustment
    can't exceed 99, a target of 90 or more is first replaced by its remainder after division by 90.
    """
    sides = range(len(game.table.sides))
    near = chance.choice((-3, game.table.rules.target % 90, game.table.rules.target % 90 + 4))
    return [c.AdjustScore(side, near + chance.choice((0, 0, -1, 1)), "head start") for side in sides]


def _wish(game: Game, chance: Random) -> c.Command:
    """Return a random command to carry out before the phone gets the game; the rules may refuse the command."""
    table = game.table
    seat = chance.randrange(table.players)
    common = ("hand",) * 8 + ("bid", "call", "call", "call")
    kind = chance.choice((*common, *common, "adjust", "adjust", "undo", "dealer", "misdeal", "stop"))
    if game.over and chance.random() < 0.8:
        return c.Undo()
    if kind == "hand":
        return c.EnterHand(any_hand(table, game.dealer, chance))
    if kind in ("bid", "call") and not table.rules.has_bids:
        return chance.choice((c.TakeBid(seat, 2), c.MakeCall("pass")))
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
    """Return a random hand in the format in which a phone posts hands; about one hand in four has a mistake."""
    table = game.table
    hand = read_hand(table, any_hand(table, game.dealer, chance), dealer=game.dealer)
    data = {key: value for key, value in write_hand(table, hand, dealer=game.dealer).items() if key in PLAIN}
    if chance.random() < 0.25:
        data = slip(table, data, chance)
    if game.open_bid is not None and chance.random() < 0.6:
        data.pop("bidder", None)
    if game.open_bid is not None and "bidder" not in data:
        # A form that leaves the bidder to the bid in play says nothing about the bid either.
        data = {key: value for key, value in data.items() if key not in ("bid", "dealer")}
    return data
