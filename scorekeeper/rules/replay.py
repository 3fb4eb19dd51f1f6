"""Compute the state of a game from its event log.

`evolve(game, event)` returns the next state, `advance(game, events)` the state after several events, `replay(events)`
the state after all. Undo, correction and previews are all replays. The state itself is defined in `game.py`. Each kind
of event needs an entry in `_EVOLVE` below, and most kinds need a field of the state.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scorekeeper.rules import events as ev
from scorekeeper.rules.bidding import hear, hear_call, open_auction
from scorekeeper.rules.game import Adjustment, Entry, Game, Line, OpenBid, Report, Settled, Substitution, same_result
from scorekeeper.rules.hands import refit
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.record import final_tally
from scorekeeper.rules.scoring import Hand, Outcome, Tally, add_hand, new_tally
from scorekeeper.rules.table import Table, dealer_after, set_table

STARTS = "a log starts with GameStarted, once"


def replay(log: Iterable[ev.Event]) -> Game:
    """Return the game after all events of `log`.

    Raises `ValueError` unless the first event is `GameStarted` and no other event is.
    """
    events = iter(log)
    begun = next(events, None)
    if not isinstance(begun, ev.GameStarted):
        raise ValueError(STARTS)  # noqa: TRY004  the log is wrong, not a type
    table = set_table(begun.rules, len(begun.players), begun.sides)
    start = Game(table, begun.players, begun.first_dealer, 1, begun.first_dealer, new_tally(table), extra=begun.extra)
    return advance(start, events)


def evolve(game: Game | None, event: ev.Event) -> Game:
    """Return the game after `event`. `game` is None before the first event. The rules are not checked again."""
    return replay((event,)) if game is None else advance(game, (event,))


def advance(game: Game, events: Iterable[ev.Event]) -> Game:
    """Return the game after `events`. Raises `ValueError` if one of the events is `GameStarted`.

    The score is added up only once, after the last event, so the work is proportional to the number of events. Only a
    rule change checks every hand again, and `commands.MOST_RULES` limits how often the rules change.
    """
    draft = _Draft(game)
    for event in events:
        draft.version += 1
        if not isinstance(event, ev.HandReported | ev.ReportSettled | ev.HandSetAside):
            draft.changed = draft.version
        _EVOLVE[type(event)](draft, event)
    return draft.finished()


class _Draft:
    """A changeable copy of a game, to which events are applied.

    Applying an event takes the same time, no matter how many hands the game has.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        """The game before the events. Its score-sheet lines stay valid up to the first changed hand or adjustment."""
        self.table = game.table
        self.players = game.players
        self.version = game.version
        self.changed = game.changed
        self.dealer = game.dealer
        self.open_bid = game.open_bid
        self.auction = game.auction
        self.stopped = game.stopped
        self.final = game.final
        self.rule_changes = game.rule_changes
        self.substitutions = game.substitutions
        self.undone = dict.fromkeys(game.undone)
        self.entries = {entry.seq: entry for entry in game.entries}
        self.live = [entry.seq for entry in game.entries if entry.live]
        """The log positions of the hands and adjustments that are not undone, in order."""
        self.hands = [seq for seq in self.live if isinstance(self.entries[seq].what, Hand)]
        """The log positions of the hands that are not undone, in order."""
        self.first_changed: int | None = None
        """The log position of the first hand or adjustment that changed; None if none changed."""
        self.tally: Tally | None = game.tally
        """The score; None if it has to be added up."""
        self.reports: dict[int, dict[int, Report]] = {}
        """The open reports on each hand whose reports have changed: by log position of the hand, then of the report."""
        self.settled: dict[int, list[Settled]] = {}
        """The reports that these events settled, by log position of the hand that they are about."""

    def entry(self, seq: int) -> Entry:
        """Return the hand or adjustment that was first saved at log position `seq`.

        Raises `RuleViolation` if no hand or adjustment was saved at that position.
        """
        if seq not in self.entries:
            raise RuleViolation("hand_unknown", "That hand isn't in this game.")
        return self.entries[seq]

    def put(self, entry: Entry) -> None:
        """Store `entry`. If an older entry has the same log position, `entry` replaces the older one."""
        seq, was = entry.seq, self.entries.get(entry.seq)
        self.entries[seq] = entry
        self.recount_from(seq)
        if entry.live is not (was is not None and was.live):
            for places in (self.live, self.hands) if isinstance(entry.what, Hand) else (self.live,):
                at = bisect_left(places, seq)
                places[at : at + (not entry.live)] = [seq] if entry.live else []

    def recount_from(self, seq: int) -> None:
        """Mark the score as outdated from log position `seq` on."""
        self.first_changed = seq if self.first_changed is None else min(seq, self.first_changed)
        self.tally = None

    def reports_of(self, entry: Entry) -> dict[int, Report]:
        """Return the reports on `entry` by log position, as a dict that the caller may change."""
        return self.reports.setdefault(entry.seq, {report.seq: report for report in entry.reports})

    @property
    def in_play(self) -> bool:
        """Return whether a hand is in play."""
        return self.open_bid is not None or self.auction is not None

    def next_dealer(self) -> int:
        """Return the seat that deals after the last saved hand. At least one hand must be saved."""
        last = self.entries[self.hands[-1]].hand
        return dealer_after(self.table, last.dealer, thrown_in=last.thrown_in)

    def finished(self) -> Game:
        """Return the game that results from all events applied to this draft."""
        said_of = {*self.reports, *self.settled}
        for seq in said_of:
            entry = self.entries[seq]
            reports = tuple(self.reports[seq].values()) if seq in self.reports else entry.reports
            self.entries[seq] = replace(entry, reports=reports, settled=(*entry.settled, *self.settled.get(seq, ())))
        lines = self._kept(self.version) if self.first_changed is None else self._added_up(self.first_changed)
        tally = self.tally
        if tally is None:
            tally = lines[-1].tally if lines else new_tally(self.table)
        same = self.first_changed is None and not said_of
        return Game(
            self.table,
            self.players,
            self.game.first_dealer,
            self.version,
            self.dealer,
            tally,
            self.game.entries if same else tuple(self.entries.values()),
            self.game.lines if same else tuple(lines),
            self.open_bid,
            self.auction,
            self.stopped,
            tuple(self.undone),
            self.final,
            self.game.extra,
            self.changed,
            self.rule_changes,
            self.substitutions,
        )

    def _kept(self, before: int) -> list[Line]:
        """Return the lines before log position `before`, with their scores unchanged.

        If the reports on a line have changed, the line gets the new reports.
        """
        lines = list(self.game.lines[: bisect_left(self.game.lines, before, key=_place)])
        for seq in {*self.reports, *self.settled}:
            at = bisect_left(lines, seq, key=_place)
            if at < len(lines) and _place(lines[at]) == seq:
                lines[at] = replace(lines[at], entry=self.entries[seq])
        return lines

    def _added_up(self, first: int) -> list[Line]:
        """Return all lines of the score sheet, with the score recalculated from log position `first` on."""
        # Start with the hand before it: adjustments count with the hand that they follow.
        played = max(bisect_left(self.hands, first) - 1, 0)
        start = self.hands[played] if self.hands and self.hands[played] < first else 0
        lines = self._kept(start)
        tally = lines[-1].tally if lines else new_tally(self.table)
        before_any, *groups = _groups(self.entries[seq] for seq in self.live[bisect_left(self.live, start) :])
        for entry in before_any:
            delta = _change_of(self.table, entry)
            before, tally = tally, tally._replace(totals=tuple(map(int.__add__, tally.totals, delta)))
            lines.append(Line(entry, 0, before, tally, delta, None))
        for number, group in enumerate(groups, start=played + 1):
            lines.extend(_hand_lines(self.table, tally, number, group[0], group[1:]))
            tally = lines[-1].tally
        return lines


def _place(line: Line) -> int:
    return line.entry.seq


def _hand_lines(table: Table, before: Tally, number: int, entry: Entry, agreed: Sequence[Entry]) -> tuple[Line, ...]:
    """Return the line of a hand, followed by the lines of the adjustments `agreed` after the hand.

    `before` is the score before the hand, and `number` is the number of the hand. Whether the game is over is decided
    only after all the adjustments.
    """
    nothing = (0,) * len(table.sides)
    if before.outcome is not None:
        return tuple(Line(each, number, before, before, nothing, None, after_end=True) for each in (entry, *agreed))
    if not agreed:
        after, scored = add_hand(table, before, entry.hand)
        return (Line(entry, number, before, after, scored.delta, scored.made),)
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


def _groups(entries: Iterable[Entry]) -> list[list[Entry]]:
    """Return the entries in groups. The first group holds the adjustments before any hand.

    Each further group is a hand, followed by the adjustments after it.
    """
    groups: list[list[Entry]] = [[]]
    for entry in entries:
        if isinstance(entry.what, Hand):
            groups.append([])
        groups[-1].append(entry)
    return groups


def _begun_again(draft: _Draft, event: ev.GameStarted) -> None:
    raise ValueError(STARTS)


def _play(draft: _Draft, event: ev.HandScored | ev.HandThrownIn) -> None:
    hand = event.hand
    draft.put(Entry(draft.version, hand))
    draft.dealer = dealer_after(draft.table, hand.dealer, thrown_in=hand.thrown_in)
    draft.undone.clear()
    _clear(draft)


def _clear(draft: _Draft) -> None:
    """Remove the current auction or open bid."""
    draft.open_bid = draft.auction = None


def _reported(draft: _Draft, event: ev.HandReported) -> None:
    entry = draft.entry(event.seq)
    agrees = same_result(entry.hand, event.hand, by_point=bool(event.by_point))
    report = Report(draft.version, event.hand, event.by, event.first, agrees)
    draft.reports_of(entry)[report.seq] = report


def _settled(draft: _Draft, event: ev.ReportSettled) -> None:
    entry = draft.entry(event.seq)
    report = draft.reports_of(entry).pop(event.report, None)
    if report is None:
        return  # a correction settled it
    draft.settled.setdefault(event.seq, []).append(Settled(draft.version, entry.hand, report, event.how, event.reason))


def _bid_taken(draft: _Draft, event: ev.BidTaken) -> None:
    draft.open_bid = OpenBid(event.dealer, event.bidder, event.bid, event.trump, event.calls)
    draft.dealer = event.dealer
    draft.auction = None
    draft.undone.clear()


def _bid_withdrawn(draft: _Draft, event: ev.BidWithdrawn) -> None:
    draft.open_bid = None


def _call_made(draft: _Draft, event: ev.CallMade) -> None:
    auction = draft.auction or open_auction(draft.table, draft.dealer)
    draft.auction = hear_call(draft.table, auction, event.call)
    draft.undone.clear()


def _call_taken_back(draft: _Draft, event: ev.CallTakenBack) -> None:
    calls = (draft.open_bid and draft.open_bid.calls) or (draft.auction and draft.auction.calls) or ()
    draft.auction = hear(draft.table, draft.dealer, calls[:-1]) if len(calls) > 1 else None
    draft.open_bid = None


def _misdealt(draft: _Draft, event: ev.HandMisdealt) -> None:
    _clear(draft)
    draft.dealer = event.dealer


def _rules_changed(draft: _Draft, event: ev.RulesChanged) -> None:
    table = set_table(event.rules, draft.table.players, draft.table.sides)
    for seq, entry in draft.entries.items():
        draft.entries[seq] = replace(entry, what=_refitted(draft.table, table, entry))
    draft.table = table
    draft.rule_changes += 1
    draft.recount_from(0)
    # The new rules may not allow the calls. The bid they led to stays.
    draft.open_bid = replace(draft.open_bid, calls=None) if draft.open_bid else None
    draft.auction = None
    draft.undone.clear()


def _refitted(old: Table, new: Table, entry: Entry) -> Hand | Adjustment:
    """Return the hand of `entry`, converted from the rules of `old` to the rules of `new`.

    An adjustment is returned unchanged. A hand that does not fit the new rules is also returned unchanged. Only an
    undone hand may fail to fit.
    """
    if isinstance(entry.what, Adjustment):
        return entry.what
    try:
        return refit(old, new, entry.what)
    except RuleViolation:
        return entry.what


def _score_adjusted(draft: _Draft, event: ev.ScoreAdjusted) -> None:
    draft.put(Entry(draft.version, Adjustment(event.side, event.points, event.reason)))
    draft.undone.clear()


def _corrected(draft: _Draft, event: ev.HandCorrected) -> None:
    dealt = draft.next_dealer()
    # A correction takes the reports into account, so they are settled.
    draft.put(replace(draft.entry(event.seq), what=event.hand, corrected=True, reports=()))
    draft.reports.pop(event.seq, None)
    # Keep a dealer that the table set, unless the correction changes the dealer.
    if draft.next_dealer() != dealt and not draft.in_play:
        draft.dealer = draft.next_dealer()


def _voided(draft: _Draft, event: ev.HandVoided) -> None:
    entry = draft.entry(event.seq)
    last = draft.live[-1]
    draft.put(replace(entry, live=False))
    if last != event.seq:
        draft.undone.clear()
    elif not draft.in_play:
        # The hand will be played or entered again by the same dealer.
        draft.dealer = entry.what.dealer if isinstance(entry.what, Hand) else draft.dealer
        draft.undone[event.seq] = None


def _restored(draft: _Draft, event: ev.HandRestored) -> None:
    entry = draft.entry(event.seq)
    draft.undone.pop(event.seq, None)
    draft.put(replace(entry, live=True))
    dealt_last = draft.live[-1] == event.seq and isinstance(entry.what, Hand)
    if dealt_last and not draft.in_play:
        draft.dealer = draft.next_dealer()


def _dealer_set(draft: _Draft, event: ev.DealerSet) -> None:
    # The calls began left of another dealer. The bid they led to stays.
    draft.open_bid = replace(draft.open_bid, dealer=event.dealer, calls=None) if draft.open_bid else None
    draft.dealer = event.dealer
    draft.auction = None


def _replaced(draft: _Draft, event: ev.PlayerReplaced) -> None:
    left = Substitution(draft.version, event.seat, draft.players[event.seat])
    draft.substitutions = (*draft.substitutions, left)
    _seated(draft, event)


def _seated(draft: _Draft, event: ev.PlayerReplaced | ev.PlayerRenamed) -> None:
    draft.players = (*draft.players[: event.seat], event.player, *draft.players[event.seat + 1 :])


def _conceded(draft: _Draft, event: ev.GameConceded) -> None:
    _clear(draft)
    draft.stopped = Outcome(event.winner, "conceded")


def _abandoned(draft: _Draft, event: ev.GameAbandoned) -> None:
    _clear(draft)
    draft.stopped = Outcome(None, "abandoned")


def _ended(draft: _Draft, event: ev.GameEnded) -> None:
    _clear(draft)
    draft.stopped = Outcome(event.winner, event.ended_by)


def _reopened(draft: _Draft, event: ev.GameReopened) -> None:
    draft.stopped = None


def _result(draft: _Draft, event: ev.ResultEntered) -> None:
    draft.final = event.totals
    draft.tally = final_tally(draft.table, event.totals, event.winner, event.ended_by)


def _said_only(draft: _Draft, event: ev.Event) -> None:
    """Leave the game unchanged after an event that only informs people about what happened.

    If such an event has consequences for the score, the log has separate events for these consequences.
    """


_EVOLVE: Mapping[type[Any], Callable[[_Draft, Any], None]] = {
    ev.GameStarted: _begun_again,
    ev.BidTaken: _bid_taken,
    ev.BidWithdrawn: _bid_withdrawn,
    ev.CallMade: _call_made,
    ev.CallTakenBack: _call_taken_back,
    ev.HandScored: _play,
    ev.HandThrownIn: _play,
    ev.HandMisdealt: _misdealt,
    ev.HandCorrected: _corrected,
    ev.HandVoided: _voided,
    ev.HandRestored: _restored,
    ev.DealerSet: _dealer_set,
    ev.PlayerReplaced: _replaced,
    ev.PlayerRenamed: _seated,
    ev.GameConceded: _conceded,
    ev.GameAbandoned: _abandoned,
    ev.GameEnded: _ended,
    ev.GameReopened: _reopened,
    ev.ResultEntered: _result,
    ev.RulesChanged: _rules_changed,
    ev.ScoreAdjusted: _score_adjusted,
    ev.HandReported: _reported,
    ev.ReportSettled: _settled,
    ev.TailTaken: _said_only,
    ev.HandSetAside: _said_only,
}
