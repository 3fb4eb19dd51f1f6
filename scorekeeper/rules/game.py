"""A game as a replayed log: the state that follows from what happened.

`evolve(game, event)` is the next state, `replay(events)` the state after all. Undo,
correction and "what would it be" are all replays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scorekeeper.rules import events as ev
from scorekeeper.rules.bidding import Auction, Bid, Call, hear, hear_call, open_auction
from scorekeeper.rules.hands import refit
from scorekeeper.rules.record import final_tally
from scorekeeper.rules.reports import Report, same_result
from scorekeeper.rules.scoring import Hand, Outcome, Tally, add_hand, new_tally
from scorekeeper.rules.table import Table, dealer_after, set_table
from scorekeeper.rules.violation import RuleViolation


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points that the table agreed on outside any hand: for a side, below zero to take them, and why."""

    side: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A hand or an adjustment in the log: `seq` is where it was first written; struck-out ones are not `live`."""

    seq: int
    what: Hand | Adjustment
    live: bool = True
    corrected: bool = False
    reports: tuple[Report, ...] = ()
    """What other phones say of it, and the table has not settled."""

    @property
    def disputes(self) -> tuple[Report, ...]:
        """Return the reports that say something else."""
        return tuple(report for report in self.reports if not report.agrees)

    @property
    def verified(self) -> bool:
        """Return whether two phones agree on it, and none says something else."""
        return bool(self.reports) and not self.disputes

    def report(self, seq: int) -> Report:
        """Return the report at `seq`; raises `RuleViolation` where there is none that is to be settled."""
        for report in self.reports:
            if report.seq == seq:
                return report
        raise RuleViolation("report_settled", "That was settled already.")

    @property
    def hand(self) -> Hand:
        """Return the hand; raises `RuleViolation` for an adjustment."""
        if isinstance(self.what, Adjustment):
            raise RuleViolation("hand_unknown", "There is no such hand in this game.")
        return self.what


@dataclass(frozen=True, slots=True)
class Line:
    """A live entry, added up.

    `number` is that of the hand, from 1; an adjustment has that of the hand before it.
    `before` and `tally` are the score before and after it. `after_end`: the game had ended
    before it, so it does not count. `made` is None for what has no bid.
    """

    entry: Entry
    number: int
    before: Tally
    tally: Tally
    delta: tuple[int, ...]
    made: bool | None
    after_end: bool = False

    @property
    def is_hand(self) -> bool:
        """Return whether this is a hand, not an adjustment."""
        return isinstance(self.entry.what, Hand)

    @property
    def ended(self) -> bool:
        """Return whether the game ended here by the rules."""
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
    auction: Auction | None = None
    """The auction in progress, once somebody called."""
    stopped: Outcome | None = None
    undone: tuple[int, ...] = ()
    final: tuple[int, ...] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    changed: int = 1
    """The version since which nothing came in but what other phones say of a hand, or said in vain."""

    def stands_at(self, version: int | None) -> bool:
        """Return whether who saw this version saw the game as it stands: a report makes nobody's page old."""
        return version is not None and self.changed <= version <= self.version

    @property
    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None while it runs."""
        return self.tally.outcome or self.stopped

    @property
    def over(self) -> bool:
        """Return whether no hand can be added."""
        return self.outcome is not None

    @property
    def in_play(self) -> bool:
        """Return whether a hand is on the table: somebody called, or the bid stands."""
        return self.open_bid is not None or self.auction is not None

    @property
    def counted(self) -> tuple[Line, ...]:
        """Return the lines that count: live, and not after the end."""
        return tuple(line for line in self.lines if not line.after_end)

    @property
    def hands(self) -> tuple[Line, ...]:
        """Return the lines of hands, without adjustments."""
        return tuple(line for line in self.lines if line.is_hand)

    @property
    def last_hand(self) -> Line | None:
        """Return the last hand that counts, None before the first."""
        return next((line for line in reversed(self.lines) if line.is_hand and not line.after_end), None)

    def entry(self, seq: int) -> Entry:
        """Return the hand first written at `seq`; raises `RuleViolation` where there is none."""
        for entry in self.entries:
            if entry.seq == seq:
                return entry
        raise RuleViolation("hand_unknown", "There is no such hand in this game.")


STARTS = "a log starts with GameStarted, once"


def replay(log: Iterable[ev.Event]) -> Game:
    """Return the game after all events of `log`; raises `ValueError` if it does not start with `GameStarted`, once."""
    game: Game | None = None
    for event in log:
        if isinstance(event, ev.GameStarted) is not (game is None):
            raise ValueError(STARTS)
        game = evolve(game, event)
    if game is None:
        raise ValueError(STARTS)
    return game


def evolve(game: Game | None, event: ev.Event) -> Game:
    """Return the game after `event`, which happened: nothing is checked again."""
    if isinstance(event, ev.GameStarted):
        table = set_table(event.rules, len(event.players), event.sides)
        return Game(
            table, event.players, event.first_dealer, 1, event.first_dealer, new_tally(table), extra=event.extra
        )
    assert game is not None, STARTS
    version = game.version + 1
    changed = game.changed if isinstance(event, ev.HandReported | ev.ReportSettled | ev.HandSetAside) else version
    return _EVOLVE[type(event)](replace(game, version=version, changed=changed), event)


def _add(game: Game, hand: Hand) -> Game:
    entry = Entry(game.version, hand)
    number = game.lines[-1].number + 1 if game.lines else 1
    (line,) = _hand_lines(game.table, game.tally, number, entry, ())
    return replace(
        game,
        entries=(*game.entries, entry),
        lines=(*game.lines, line),
        tally=line.tally,
        dealer=dealer_after(game.table, hand.dealer, thrown_in=hand.thrown_in),
        open_bid=None,
        auction=None,
        undone=(),
    )


def _hand_lines(table: Table, before: Tally, number: int, entry: Entry, agreed: Sequence[Entry]) -> tuple[Line, ...]:
    """A hand and the adjustments agreed on before the next one: the end is judged after all of them."""
    nothing = (0,) * len(table.sides)
    if before.outcome is not None:
        return tuple(Line(each, number, before, before, nothing, None, after_end=True) for each in (entry, *agreed))
    changes = [_change_of(table, each) for each in agreed]
    after, scored = add_hand(table, before, entry.hand, [sum(column) for column in zip(nothing, *changes, strict=True)])
    lines = []
    running = before
    for each, delta in zip((entry, *agreed), (scored.delta, *changes), strict=True):
        then = after._replace(totals=tuple(map(int.__add__, running.totals, delta)), outcome=None)
        lines.append(Line(each, number, running, then, delta, scored.made if each is entry else None))
        running = then
    lines[-1] = replace(lines[-1], tally=after)
    return tuple(lines)


def _change_of(table: Table, entry: Entry) -> tuple[int, ...]:
    agreed = entry.what
    assert isinstance(agreed, Adjustment)
    return tuple(agreed.points if side == agreed.side else 0 for side in range(len(table.sides)))


def _recount(game: Game, entries: tuple[Entry, ...]) -> Game:
    """The game with other entries, added up again from the start."""
    tally = new_tally(game.table)
    lines: list[Line] = []
    for number, group in enumerate(_groups(entries)):
        if number == 0:
            for entry in group:
                delta = _change_of(game.table, entry)
                before, tally = tally, tally._replace(totals=tuple(map(int.__add__, tally.totals, delta)))
                lines.append(Line(entry, 0, before, tally, delta, None))
        else:
            lines.extend(_hand_lines(game.table, tally, number, group[0], group[1:]))
            tally = lines[-1].tally
    return replace(game, entries=entries, lines=tuple(lines), tally=tally)


def _groups(entries: Iterable[Entry]) -> list[list[Entry]]:
    """The live entries: adjustments before the first hand, then each hand with those after it."""
    groups: list[list[Entry]] = [[]]
    for entry in entries:
        if entry.live:
            if isinstance(entry.what, Hand):
                groups.append([])
            groups[-1].append(entry)
    return groups


def _change(game: Game, seq: int, **values: Any) -> Game:
    return _recount(game, tuple(replace(e, **values) if e.seq == seq else e for e in game.entries))


def _mark(game: Game, entry: Entry, reports: tuple[Report, ...]) -> Game:
    """The game with other reports on a hand: nothing is added up again, for they change no score."""
    marked = replace(entry, reports=reports)
    entries = tuple(marked if each.seq == entry.seq else each for each in game.entries)
    lines = tuple(replace(line, entry=marked) if line.entry.seq == entry.seq else line for line in game.lines)
    return replace(game, entries=entries, lines=lines)


def _reported(game: Game, event: ev.HandReported) -> Game:
    entry = game.entry(event.seq)
    report = Report(game.version, event.hand, event.by, event.first, same_result(entry.hand, event.hand))
    return _mark(game, entry, (*entry.reports, report))


def _settled(game: Game, event: ev.ReportSettled) -> Game:
    entry = game.entry(event.seq)
    return _mark(game, entry, tuple(report for report in entry.reports if report.seq != event.report))


def _next_dealer(game: Game) -> int:
    """Who deals after the last hand that is written down; there is one."""
    last = game.hands[-1].entry.hand
    return dealer_after(game.table, last.dealer, thrown_in=last.thrown_in)


def _bid_taken(game: Game, event: ev.BidTaken) -> Game:
    bid = OpenBid(event.dealer, event.bidder, event.bid, event.trump, event.calls)
    return replace(game, open_bid=bid, dealer=event.dealer, auction=None, undone=())


def _call_made(game: Game, event: ev.CallMade) -> Game:
    auction = game.auction or open_auction(game.table, game.dealer)
    return replace(game, auction=hear_call(game.table, auction, event.call), undone=())


def _call_taken_back(game: Game, event: ev.CallTakenBack) -> Game:
    calls = (game.open_bid and game.open_bid.calls) or (game.auction and game.auction.calls) or ()
    auction = hear(game.table, game.dealer, calls[:-1]) if len(calls) > 1 else None
    return replace(game, open_bid=None, auction=auction)


def _rules_changed(game: Game, event: ev.RulesChanged) -> Game:
    table = set_table(event.rules, game.table.players, game.table.sides)
    entries = tuple(replace(entry, what=_refitted(game.table, table, entry)) for entry in game.entries)
    # The new rules might not have allowed the calls; the bid they led to stands.
    bid = replace(game.open_bid, calls=None) if game.open_bid else None
    return replace(_recount(replace(game, table=table), entries), open_bid=bid, auction=None, undone=())


def _refitted(old: Table, new: Table, entry: Entry) -> Hand | Adjustment:
    """The entry under other rules; a struck-out hand that does not fit them stays as it was."""
    if isinstance(entry.what, Adjustment):
        return entry.what
    try:
        return refit(old, new, entry.what)
    except RuleViolation:
        return entry.what


def _score_adjusted(game: Game, event: ev.ScoreAdjusted) -> Game:
    entry = Entry(game.version, Adjustment(event.side, event.points, event.reason))
    return replace(_recount(game, (*game.entries, entry)), undone=())


def _corrected(game: Game, event: ev.HandCorrected) -> Game:
    # Who corrects a hand has seen what other phones say of it.
    changed = _change(game, event.seq, what=event.hand, corrected=True, reports=())
    # A correction that leaves the deal alone leaves a dealer alone whom the table chose.
    moved = _next_dealer(changed) != _next_dealer(game)
    return _pass_deal(changed) if moved and not game.in_play else changed


def _voided(game: Game, event: ev.HandVoided) -> Game:
    changed = _change(game, event.seq, live=False)
    if game.lines[-1].entry.seq != event.seq:
        return replace(changed, undone=())
    if game.in_play:
        return changed
    what = game.entry(event.seq).what
    # A hand will be played or written again, so it is dealt by whoever dealt it.
    dealer = what.dealer if isinstance(what, Hand) else game.dealer
    return replace(changed, dealer=dealer, undone=(*game.undone, event.seq))


def _restored(game: Game, event: ev.HandRestored) -> Game:
    undone = tuple(seq for seq in game.undone if seq != event.seq)
    changed = replace(_change(game, event.seq, live=True), undone=undone)
    last = changed.lines[-1]
    dealt_last = last.is_hand and last.entry.seq == event.seq
    return _pass_deal(changed) if dealt_last and not game.in_play else changed


def _pass_deal(game: Game) -> Game:
    return replace(game, dealer=_next_dealer(game))


def _dealer_set(game: Game, event: ev.DealerSet) -> Game:
    # The calls began left of another dealer; the bid they led to stands.
    bid = replace(game.open_bid, dealer=event.dealer, calls=None) if game.open_bid else None
    return replace(game, dealer=event.dealer, open_bid=bid, auction=None)


def _seated(game: Game, event: ev.PlayerReplaced | ev.PlayerRenamed) -> Game:
    players = list(game.players)
    players[event.seat] = event.player
    return replace(game, players=tuple(players))


def _result(game: Game, event: ev.ResultEntered) -> Game:
    tally = final_tally(game.table, event.totals, event.winner, event.ended_by)
    return replace(game, final=event.totals, tally=tally)


_EVOLVE: Mapping[type[Any], Callable[[Game, Any], Game]] = {
    ev.BidTaken: _bid_taken,
    ev.BidWithdrawn: lambda game, event: replace(game, open_bid=None),
    ev.CallMade: _call_made,
    ev.CallTakenBack: _call_taken_back,
    ev.HandScored: lambda game, event: _add(game, event.hand),
    ev.HandThrownIn: lambda game, event: _add(game, event.hand),
    ev.HandMisdealt: lambda game, event: replace(game, open_bid=None, auction=None, dealer=event.dealer),
    ev.HandCorrected: _corrected,
    ev.HandVoided: _voided,
    ev.HandRestored: _restored,
    ev.DealerSet: _dealer_set,
    ev.PlayerReplaced: _seated,
    ev.PlayerRenamed: _seated,
    ev.GameConceded: lambda game, event: replace(
        game, stopped=Outcome(event.winner, "conceded"), open_bid=None, auction=None
    ),
    ev.GameAbandoned: lambda game, event: replace(
        game, stopped=Outcome(None, "abandoned"), open_bid=None, auction=None
    ),
    ev.GameEnded: lambda game, event: replace(
        game, stopped=Outcome(event.winner, event.ended_by), open_bid=None, auction=None
    ),
    ev.GameReopened: lambda game, event: replace(game, stopped=None),
    ev.ResultEntered: _result,
    ev.RulesChanged: _rules_changed,
    ev.ScoreAdjusted: _score_adjusted,
    ev.HandReported: _reported,
    ev.ReportSettled: _settled,
    ev.TailTaken: lambda game, event: game,
    ev.HandSetAside: lambda game, event: game,
}
