"""A game as a replayed log: commands in, events out, and the state that follows from them.

`decide(game, command)` says what a command makes happen, or raises `RuleViolation`;
`evolve(game, event)` is the next state; `replay(events)` is the state after all. Undo,
correction and "what would it be" are all replays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scorekeeper.rules import events as ev
from scorekeeper.rules.bidding import Bid, Call, check_bid
from scorekeeper.rules.hands import check_seat, check_trump, read_hand
from scorekeeper.rules.record import final_tally
from scorekeeper.rules.scoring import Hand, Outcome, Tally, add_hand, new_tally
from scorekeeper.rules.table import Table, dealer_after, set_table
from scorekeeper.rules.violation import RuleViolation


@dataclass(frozen=True, slots=True)
class Entry:
    """A hand in the log: `seq` is where it was first written; struck-out ones are not `live`."""

    seq: int
    hand: Hand
    live: bool = True
    corrected: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A live hand, added up.

    `number` counts from 1. `before` and `tally` are the score before and after it.
    `after_end`: the game had ended before it, so it does not count.
    """

    entry: Entry
    number: int
    before: Tally
    tally: Tally
    delta: tuple[int, ...]
    made: bool | None
    after_end: bool = False

    @property
    def ended(self) -> bool:
        """Return whether this hand ended the game by the rules."""
        return self.tally.outcome is not None and not self.after_end


@dataclass(frozen=True, slots=True)
class OpenBid:
    """The bid in play."""

    dealer: int
    bidder: int
    bid: Bid
    trump: str | None = None
    calls: tuple[Call, ...] | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A game after some events.

    `version` is the number of events. `dealer` deals the hand in play or the next one.
    `undone` holds the seqs of hands taken back that can be brought back, the last one last.
    """

    table: Table
    players: tuple[int, ...]
    first_dealer: int
    version: int
    dealer: int
    tally: Tally
    entries: tuple[Entry, ...] = ()
    lines: tuple[Line, ...] = ()
    open_bid: OpenBid | None = None
    stopped: Outcome | None = None
    undone: tuple[int, ...] = ()
    final: tuple[int, ...] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None while it runs."""
        return self.tally.outcome or self.stopped

    @property
    def over(self) -> bool:
        """Return whether no hand can be added."""
        return self.outcome is not None

    @property
    def counted(self) -> tuple[Line, ...]:
        """Return the lines that count: live, and not after the end."""
        return tuple(line for line in self.lines if not line.after_end)

    def entry(self, seq: int) -> Entry:
        """Return the hand first written at `seq`; raises `RuleViolation` where there is none."""
        for entry in self.entries:
            if entry.seq == seq:
                return entry
        raise RuleViolation("hand_unknown", "There is no such hand in this game.")


# Commands: what a person wants.


@dataclass(frozen=True, slots=True)
class TakeBid:
    bidder: int
    bid: Bid
    trump: str | None = None


@dataclass(frozen=True, slots=True)
class WithdrawBid:
    pass


@dataclass(frozen=True, slots=True)
class EnterHand:
    """Write a hand down, in the form of a record's hand; the open bid is added where `data` names none."""

    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CorrectHand:
    seq: int
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class VoidHand:
    seq: int


@dataclass(frozen=True, slots=True)
class RestoreHand:
    seq: int


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last thing: the open bid, the stop, or the last hand."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Bring back the hand that was taken back last."""


@dataclass(frozen=True, slots=True)
class Misdeal:
    pass


@dataclass(frozen=True, slots=True)
class SetDealer:
    dealer: int


@dataclass(frozen=True, slots=True)
class ReplacePlayer:
    seat: int
    player: int


@dataclass(frozen=True, slots=True)
class RenamePlayer:
    seat: int
    player: int


@dataclass(frozen=True, slots=True)
class Concede:
    winner: int


@dataclass(frozen=True, slots=True)
class Abandon:
    pass


@dataclass(frozen=True, slots=True)
class Reopen:
    pass


Command = (
    TakeBid
    | WithdrawBid
    | EnterHand
    | CorrectHand
    | VoidHand
    | RestoreHand
    | Undo
    | Redo
    | Misdeal
    | SetDealer
    | ReplacePlayer
    | RenamePlayer
    | Concede
    | Abandon
    | Reopen
)


def replay(log: Iterable[ev.Event]) -> Game:
    """Return the game after all events of `log`, which starts with `GameStarted`."""
    game: Game | None = None
    for event in log:
        game = evolve(game, event)
    if game is None:
        raise ValueError("a log starts with GameStarted")
    return game


def evolve(game: Game | None, event: ev.Event) -> Game:
    """Return the game after `event`, which happened: nothing is checked again."""
    if isinstance(event, ev.GameStarted):
        table = set_table(event.rules, len(event.players), event.sides)
        return Game(
            table, event.players, event.first_dealer, 1, event.first_dealer, new_tally(table), extra=event.extra
        )
    assert game is not None, "a log starts with GameStarted"
    return _EVOLVE[type(event)](replace(game, version=game.version + 1), event)


def decide(game: Game, command: Command) -> tuple[ev.Event, ...]:
    """Return the events that `command` makes happen; raises `RuleViolation` where the rules or the game say no."""
    return _DECIDE[type(command)](game, command)


# Evolving.


def _add(game: Game, hand: Hand) -> Game:
    entry = Entry(game.version, hand)
    line = _line(game.table, game.tally, entry, len(game.lines) + 1)
    return replace(
        game,
        entries=(*game.entries, entry),
        lines=(*game.lines, line),
        tally=line.tally,
        dealer=dealer_after(game.table, hand.dealer, thrown_in=hand.thrown_in),
        open_bid=None,
        undone=(),
    )


def _line(table: Table, before: Tally, entry: Entry, number: int) -> Line:
    if before.outcome is not None:
        return Line(entry, number, before, before, (0,) * len(table.sides), None, after_end=True)
    tally, scored = add_hand(table, before, entry.hand)
    return Line(entry, number, before, tally, scored.delta, scored.made)


def _recount(game: Game, entries: tuple[Entry, ...]) -> Game:
    """The game with other entries, added up again from the start."""
    tally = new_tally(game.table)
    lines: list[Line] = []
    for entry in entries:
        if entry.live:
            lines.append(_line(game.table, tally, entry, len(lines) + 1))
            tally = lines[-1].tally
    return replace(game, entries=entries, lines=tuple(lines), tally=tally)


def _change(game: Game, seq: int, **values: Any) -> Game:
    return _recount(game, tuple(replace(e, **values) if e.seq == seq else e for e in game.entries))


def _next_dealer(game: Game) -> int:
    """Who deals after the last hand that is written down; there is one."""
    last = game.lines[-1].entry.hand
    return dealer_after(game.table, last.dealer, thrown_in=last.thrown_in)


def _bid_taken(game: Game, event: ev.BidTaken) -> Game:
    bid = OpenBid(event.dealer, event.bidder, event.bid, event.trump, event.calls)
    return replace(game, open_bid=bid, dealer=event.dealer, undone=())


def _corrected(game: Game, event: ev.HandCorrected) -> Game:
    changed = _change(game, event.seq, hand=event.hand, corrected=True)
    # A correction that leaves the deal alone leaves a dealer alone whom the table chose.
    moved = _next_dealer(changed) != _next_dealer(game)
    return _pass_deal(changed) if moved and game.open_bid is None else changed


def _voided(game: Game, event: ev.HandVoided) -> Game:
    changed = _change(game, event.seq, live=False)
    if game.lines[-1].entry.seq != event.seq:
        return replace(changed, undone=())
    if game.open_bid is not None:
        return changed
    # The hand will be played or written again, so it is dealt by whoever dealt it.
    return replace(changed, dealer=game.entry(event.seq).hand.dealer, undone=(*game.undone, event.seq))


def _restored(game: Game, event: ev.HandRestored) -> Game:
    undone = tuple(seq for seq in game.undone if seq != event.seq)
    changed = replace(_change(game, event.seq, live=True), undone=undone)
    is_last = changed.lines[-1].entry.seq == event.seq
    return _pass_deal(changed) if is_last and game.open_bid is None else changed


def _pass_deal(game: Game) -> Game:
    return replace(game, dealer=_next_dealer(game))


def _dealer_set(game: Game, event: ev.DealerSet) -> Game:
    bid = replace(game.open_bid, dealer=event.dealer) if game.open_bid else None
    return replace(game, dealer=event.dealer, open_bid=bid)


def _seated(game: Game, event: ev.PlayerReplaced | ev.PlayerRenamed) -> Game:
    players = list(game.players)
    players[event.seat] = event.player
    return replace(game, players=tuple(players))


def _result(game: Game, event: ev.ResultEntered) -> Game:
    return replace(game, final=event.totals, tally=final_tally(game.table, event.totals))


_EVOLVE: Mapping[type[Any], Callable[[Game, Any], Game]] = {
    ev.BidTaken: _bid_taken,
    ev.BidWithdrawn: lambda game, event: replace(game, open_bid=None),
    ev.HandScored: lambda game, event: _add(game, event.hand),
    ev.HandThrownIn: lambda game, event: _add(game, event.hand),
    ev.HandMisdealt: lambda game, event: replace(game, open_bid=None, dealer=event.dealer),
    ev.HandCorrected: _corrected,
    ev.HandVoided: _voided,
    ev.HandRestored: _restored,
    ev.DealerSet: _dealer_set,
    ev.PlayerReplaced: _seated,
    ev.PlayerRenamed: _seated,
    ev.GameConceded: lambda game, event: replace(game, stopped=Outcome(event.winner, "conceded"), open_bid=None),
    ev.GameAbandoned: lambda game, event: replace(game, stopped=Outcome(None, "abandoned"), open_bid=None),
    ev.GameReopened: lambda game, event: replace(game, stopped=None),
    ev.ResultEntered: _result,
}


# Deciding.


def _must_run(game: Game) -> None:
    if game.over:
        raise RuleViolation("game_over", "The game is over. Undo the last hand to go on.")


def _take_bid(game: Game, command: TakeBid) -> tuple[ev.Event, ...]:
    _must_run(game)
    check_seat(game.table, command.bidder, "bidder")
    check_trump(game.table, command.trump)
    check_bid(game.table, seat=command.bidder, dealer=game.dealer, bid=command.bid)
    bid = OpenBid(game.dealer, command.bidder, command.bid, command.trump)
    if bid == game.open_bid:
        return ()
    return (ev.BidTaken(game.dealer, command.bidder, command.bid, command.trump),)


def _withdraw_bid(game: Game, command: WithdrawBid) -> tuple[ev.Event, ...]:
    if game.open_bid is None:
        raise RuleViolation("no_bid", "There is no bid to take back.")
    return (ev.BidWithdrawn(),)


def complete(game: Game, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return `data` with the open bid added where it names no bidder itself."""
    bid = game.open_bid
    if bid is None or any(key in data for key in ("bidder", "calls", "passed")):
        return dict(data)
    known = {
        "bidder": bid.bidder,
        "bid": bid.bid,
        "trump": bid.trump,
        "calls": None if bid.calls is None else list(bid.calls),
    }
    return {key: value for key, value in known.items() if value is not None} | dict(data)


def _enter_hand(game: Game, command: EnterHand) -> tuple[ev.Event, ...]:
    _must_run(game)
    hand = read_hand(game.table, complete(game, command.data), dealer=game.dealer)
    return (ev.HandThrownIn(hand) if hand.thrown_in else ev.HandScored(hand),)


def _correct_hand(game: Game, command: CorrectHand) -> tuple[ev.Event, ...]:
    entry = _live_entry(game, command.seq)
    # What a record carried along (`x_…`) is not in a form, and is kept.
    carried = dict(entry.hand.extra or {}) | dict(command.data)
    hand = read_hand(game.table, carried, dealer=entry.hand.dealer)
    return () if hand == entry.hand else (ev.HandCorrected(command.seq, hand),)


def _live_entry(game: Game, seq: int) -> Entry:
    entry = game.entry(seq)
    if not entry.live:
        raise RuleViolation("hand_voided", "That hand was struck out already.")
    return entry


def _void_hand(game: Game, command: VoidHand) -> tuple[ev.Event, ...]:
    _live_entry(game, command.seq)
    return (ev.HandVoided(command.seq),)


def _restore_hand(game: Game, command: RestoreHand) -> tuple[ev.Event, ...]:
    if game.entry(command.seq).live:
        raise RuleViolation("hand_live", "That hand counts already.")
    return (ev.HandRestored(command.seq),)


def _undo(game: Game, command: Undo) -> tuple[ev.Event, ...]:
    if game.stopped is not None and game.tally.outcome is None:
        return (ev.GameReopened(),)
    if game.open_bid is not None:
        return (ev.BidWithdrawn(),)
    if not game.lines:
        raise RuleViolation("nothing_to_undo", "There is nothing to undo.")
    return (ev.HandVoided(game.lines[-1].entry.seq),)


def _redo(game: Game, command: Redo) -> tuple[ev.Event, ...]:
    if not game.undone:
        raise RuleViolation("nothing_to_redo", "There is nothing to bring back.")
    return (ev.HandRestored(game.undone[-1]),)


def _misdeal(game: Game, command: Misdeal) -> tuple[ev.Event, ...]:
    _must_run(game)
    return (ev.HandMisdealt(game.dealer),)


def _set_dealer(game: Game, command: SetDealer) -> tuple[ev.Event, ...]:
    _must_run(game)
    check_seat(game.table, command.dealer, "dealer")
    if command.dealer == game.dealer:
        return ()
    if game.open_bid is not None:
        check_bid(game.table, seat=game.open_bid.bidder, dealer=command.dealer, bid=game.open_bid.bid)
    return (ev.DealerSet(command.dealer),)


def _reseat(kind: type[ev.PlayerReplaced | ev.PlayerRenamed]) -> Callable[[Game, Any], tuple[ev.Event, ...]]:
    def decided(game: Game, command: ReplacePlayer | RenamePlayer) -> tuple[ev.Event, ...]:
        check_seat(game.table, command.seat, "seat")
        return (kind(command.seat, command.player),)

    return decided


def _concede(game: Game, command: Concede) -> tuple[ev.Event, ...]:
    _must_run(game)
    if command.winner not in range(len(game.table.sides)):
        raise RuleViolation("side", "There is no such side at this table.")
    return (ev.GameConceded(command.winner),)


def _abandon(game: Game, command: Abandon) -> tuple[ev.Event, ...]:
    _must_run(game)
    return (ev.GameAbandoned(),)


def _reopen(game: Game, command: Reopen) -> tuple[ev.Event, ...]:
    if game.stopped is None:
        raise RuleViolation("not_stopped", "The game was not stopped.")
    return (ev.GameReopened(),)


_DECIDE: Mapping[type[Any], Callable[[Game, Any], tuple[ev.Event, ...]]] = {
    TakeBid: _take_bid,
    WithdrawBid: _withdraw_bid,
    EnterHand: _enter_hand,
    CorrectHand: _correct_hand,
    VoidHand: _void_hand,
    RestoreHand: _restore_hand,
    Undo: _undo,
    Redo: _redo,
    Misdeal: _misdeal,
    SetDealer: _set_dealer,
    ReplacePlayer: _reseat(ev.PlayerReplaced),
    RenamePlayer: _reseat(ev.PlayerRenamed),
    Concede: _concede,
    Abandon: _abandon,
    Reopen: _reopen,
}
