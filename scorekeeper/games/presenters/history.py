"""Models of corrections, the game log, the game menu and adjustments.

Make the game log as people read it, with the time of each event and the state before and after.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct

from scorekeeper.games.pages.board import DisputeView, HandEntry
from scorekeeper.games.pages.common import Choice, Effect, HandedOn, SeatView, Sharing, SideView
from scorekeeper.games.presenters.snapshot import Snapshot, adjustment_text, bid_in_suit, hand_text, said_bid
from scorekeeper.games.presenters.summaries import result_text
from scorekeeper.games.store.access import LeagueTable
from scorekeeper.games.store.audit import KINDS, Note, phone_name
from scorekeeper.games.store.event_store import Logged
from scorekeeper.i18n.catalog import N_, _, spoken
from scorekeeper.i18n.ruleset_labels import house_rules
from scorekeeper.i18n.sentences import isolated, join_names, score_text, side_names
from scorekeeper.rules import events as ev
from scorekeeper.rules.game import KEEP, SPLIT, TAKE, Adjustment, Game, same_result
from scorekeeper.rules.replay import evolve, replay
from scorekeeper.rules.table import seat_after


class CorrectionPage(Struct, frozen=True):
    """The page for correcting a hand. It shows the saved hand, the form, and the effect of the change."""

    game_id: str
    number: int
    seq: int
    said: str
    """The saved hand, in sentences."""
    dealers: tuple[Choice, ...]
    bidders: tuple[Choice, ...]
    """One choice for each seat. If the rules allow it, the last choice is "all passed", with the value ""."""
    bids: tuple[Choice, ...]
    entry: HandEntry
    effect: Effect | None
    """The effect of the correction; None before the review."""
    striking: bool
    """Whether the review is about deleting the hand."""
    mode: str = "points"
    """How the hand is entered in the form: "points", "taken" or "passed"."""
    reports: tuple[DisputeView, ...] = ()
    """Other phones' versions of the hand."""


class LogEntry(Struct, frozen=True):
    seq: int
    """Log position of the event; 0 for an entry that is not an event of the game, such as "Watching turned on."."""
    when: datetime
    who: str
    """Name of the phone that made the change, such as "Ann's phone"."""
    what: str
    before: str
    after: str


class LogPage(Struct, frozen=True):
    game_id: str
    title: str
    entries: tuple[LogEntry, ...]
    """The entries of the log, newest first."""
    older: int | None = None
    """Value of the query field `before` in the link to the page with older entries; None on the last page."""
    whole: bool = True
    """Whether `entries` are all entries of the log."""


class TablePage(Struct, frozen=True):
    """The game menu, for changing names or the dealer, ending the game early, and sharing the game."""

    game_id: str
    title: str
    seats: tuple[SeatView, ...]
    sides: tuple[SideView, ...]
    known_names: tuple[str, ...]
    over: bool
    may_misdeal: bool
    coke_hand: str
    """A sentence about when a player may ask for new cards; empty if the rules have no coke hands."""
    concessions: tuple[Choice, ...]
    """The ways to concede. `value` is the side that would win. `label` is "Bob and Dee concede: Ann and Cid win"."""
    version: int
    client_id: str
    error: str
    watch_url: str = ""
    """The address for watching this game; its QR code is at `games.watch_code`. It is empty if watching is off."""
    league: LeagueTable | None = None
    """The table of the league night at which the game is played; None for other games."""
    handed_on: HandedOn | None = None
    """A message about the game to share."""
    sharing: Sharing | None = None
    """The other phones that keep score; None unless this is the main phone of the game, which manages them."""
    code: str = ""
    """The backup code, for the main phone of the game; empty on all other phones, and if there is no code."""
    fresh: bool = False
    """Whether no hand was played yet, so that a final score can be entered instead."""


def log_page(
    snapshot: Snapshot,
    log: Sequence[Logged],
    notes: Sequence[Note],
    writers: Mapping[int, str],
    phones: Mapping[str, str],
    *,
    before: int | None = None,
    most: int | None = None,
) -> LogPage:
    """Return the game log with events and notes, newest first.

    `writers` maps log positions to the phones (hashes) that wrote the events. `phones` maps these hashes to names.

    The lines of the log are numbered from the oldest. If `before` is given, only lines before that number are used. If
    `most` is given, the page has only the latest `most` of these lines.
    """
    lines: list[Logged | Note] = [
        logged
        for logged, following in zip(log, (*log[1:], None), strict=True)
        # The line of the hand includes its bid.
        if not (isinstance(logged.event, ev.BidTaken) and following and isinstance(following.event, ev.HandScored))
    ]
    if notes:
        lines = sorted([*lines, *notes], key=lambda line: line.when)
    end = len(lines) if before is None else min(max(before, 0), len(lines))
    begin = 0 if most is None else max(end - most, 0)
    shown = lines[begin:end]
    told = _told_events(snapshot, log, {line.seq for line in shown if isinstance(line, Logged)})
    entries = [
        LogEntry(line.seq, line.when, phones[writers[line.seq]], *told[line.seq])
        if isinstance(line, Logged)
        else LogEntry(0, line.when, phones[line.device], _noted(snapshot, line), "", "")
        for line in shown
    ]
    return LogPage(
        game_id=snapshot.public_id,
        title=_("Game history"),
        entries=tuple(reversed(entries)),
        older=begin or None,
        whole=len(shown) == len(lines),
    )


def _told_events(snapshot: Snapshot, log: Sequence[Logged], wanted: Collection[int]) -> Mapping[int, Told]:
    """Return a dict that maps each log position in `wanted` to a description of the event at that position.

    Earlier events are replayed, but not described.
    """
    if not wanted:
        return {}
    first = min(wanted) - 1
    game = replay(logged.event for logged in log[:first]) if first else None
    told = {}
    for logged in log[first : max(wanted)]:
        before, game = game, evolve(game, logged.event)
        if logged.seq in wanted:
            told[logged.seq] = _told(snapshot.names_by_id, before, game, logged.event)
    return told


def _noted(snapshot: Snapshot, note: Note) -> str:
    """Return the sentence for a note, with the names of the phone and the player that the note is about."""
    phone = _("A phone") if note.seat is None else phone_name(snapshot.names, note.seat)
    player = "" if note.seat is None or note.seat >= len(snapshot.names) else isolated(snapshot.names[note.seat])
    return _(KINDS[note.kind], phone=phone, player=player)


Told = tuple[str, str, str]
"""Three texts: what happened, the state before, and the state after. The last two are empty if nothing differs."""


def _told(names_by_id: Mapping[int, str], before: Game | None, after: Game, event: ev.Event) -> Told:
    names = tuple(isolated(names_by_id[player]) for player in after.players)
    if before is None:
        began = _(
            "%(game)s started: %(names)s. %(dealer)s deals first.",
            game=spoken(after.table.rules.name),
            names=join_names(names),
            dealer=names[after.first_dealer],
        )
        return began, "", ""
    told = _TELL[type(event)](_Moment(before, after, names, names_by_id), event)
    if isinstance(told, tuple):
        return told
    was, then = score_text(before.tally.totals), score_text(after.tally.totals)
    ended = result_text(after, side_names(after.table.sides, names)) if after.over and not before.over else then
    return told, *((was, ended) if was != then or before.over != after.over else ("", ""))


class _Moment:
    """The game before and after an event, with the players' names, as input for the sentences about the event."""

    def __init__(self, before: Game, after: Game, names: Sequence[str], names_by_id: Mapping[int, str]) -> None:
        self.before = before
        self.after = after
        self.names = names
        self.names_by_id = names_by_id

    def hand(self, game: Game, seq: int) -> str:
        """Return the text of the hand or adjustment at log position `seq` in `game`."""
        agreed = game.entry(seq).what
        if isinstance(agreed, Adjustment):
            side = side_names(game.table.sides, self.names)[agreed.side]
            return adjustment_text(side, agreed.points, agreed.reason)
        return hand_text(game.table, self.names, side_names(game.table.sides, self.names), game.entry(seq).hand)

    def number(self, seq: int) -> str:
        """Return words such as "hand 3" for the hand at log position `seq`, or "an adjustment" for an adjustment.

        If the hand counts neither before nor after the event, the text is "a hand".
        """
        for game in (self.before, self.after):
            at = bisect_left(game.lines, seq, key=lambda line: line.entry.seq)
            for line in game.lines[at : at + 1]:
                if line.entry.seq == seq:
                    return _("hand %(number)s", number=line.number) if line.is_hand else _("an adjustment")
        return _("a hand")


def _bid_taken(moment: _Moment, event: ev.BidTaken) -> str:
    return _("%(bidder)s bid %(bid)s.", bidder=moment.names[event.bidder], bid=bid_in_suit(event.bid, event.trump))


def _hand_scored(moment: _Moment, event: ev.HandScored | ev.HandThrownIn) -> str:
    # Take the last line instead of searching by seq: a log of 10,000 hands needs one pass.
    table, names = moment.after.table, moment.names
    line = moment.after.lines[-1]
    told = (
        _("Hand %(number)s.", number=line.number),
        hand_text(table, names, side_names(table.sides, names), event.hand),
    )
    return " ".join((*told, _("Set!")) if line.made is False else told)


def _hand_corrected(moment: _Moment, event: ev.HandCorrected) -> Told:
    was, then = moment.hand(moment.before, event.seq), moment.hand(moment.after, event.seq)
    scores = [score_text(game.tally.totals) for game in (moment.before, moment.after)]
    result = result_text(moment.after, side_names(moment.after.table.sides, moment.names))
    return (
        _("Corrected %(hand)s.", hand=moment.number(event.seq)),
        f"{was} {_score_was(scores[0])}",
        f"{then} {result}",
    )


def _score_adjusted(moment: _Moment, event: ev.ScoreAdjusted) -> str:
    side = side_names(moment.after.table.sides, moment.names)[event.side]
    return _("Score adjusted.") + " " + adjustment_text(side, event.points, event.reason)


def _call_made(moment: _Moment, event: ev.CallMade) -> str:
    auction = moment.before.auction
    turn = seat_after(moment.before.table, moment.before.dealer) if auction is None else auction.turn
    name = moment.names[turn or 0]
    if event.call == "pass":
        return _("%(name)s passed.", name=name)
    return _("%(name)s bid %(bid)s.", name=name, bid=said_bid(event.call))


def _rules_changed(moment: _Moment, event: ev.RulesChanged) -> Told:
    tables = (moment.before, moment.after)
    was, then = (" ".join(house_rules(game.table.rules)) or _("Usual rules.") for game in tables)
    result = result_text(moment.after, side_names(moment.after.table.sides, moment.names))
    return (
        _("House rules changed."),
        f"{was} {_score_was(score_text(moment.before.tally.totals))}",
        f"{then} {result}",
    )


def _score_was(score: str) -> str:
    return _("Score: %(score)s.", score=score)


def _reported(moment: _Moment, event: ev.HandReported) -> Told:
    second = phone_name(moment.names, event.by)
    entry = moment.after.entry(event.seq)
    number = moment.number(event.seq)
    if same_result(entry.hand, event.hand, by_point=bool(event.by_point)):
        return _("%(phone)s agrees on %(hand)s.", phone=second, hand=number), "", ""
    first = _("A phone") if event.first is None else phone_name(moment.names, event.first)
    sides = side_names(moment.after.table.sides, moment.names)
    told = (hand_text(moment.after.table, moment.names, sides, hand) for hand in (entry.hand, event.hand))
    was, other = (f"{phone}: {what}" for phone, what in zip((first, second), told, strict=True))
    return _("%(phone)s disagrees on %(hand)s.", phone=second, hand=number), was, other


def _settled(moment: _Moment, event: ev.ReportSettled) -> str:
    told = _(_SETTLED[event.how], hand=moment.number(event.seq))
    return told + " " + _("Reason: %(reason)s", reason=isolated(event.reason)) if event.reason else told


_SETTLED: Mapping[str, str] = {
    KEEP: N_("Settled: %(hand)s stays as first saved."),
    TAKE: N_("Settled: the other phone's version of %(hand)s counts."),
    SPLIT: N_("Settled: the other phone's version of %(hand)s was a different hand."),
}


def _tail_taken(moment: _Moment, event: ev.TailTaken) -> str:
    phone = phone_name(moment.names, event.by)
    return _(
        "%(phone)s was offline. From hand %(number)s on, its hands count.",
        phone=phone,
        number=event.number,
    )


def _hand_set_aside(moment: _Moment, event: ev.HandSetAside) -> str:
    table, names = moment.after.table, moment.names
    told = _(
        "%(phone)s saved hand %(number)s offline. It doesn't count.",
        phone=phone_name(names, event.by),
        number=event.number,
    )
    return f"{told} {hand_text(table, names, side_names(table.sides, names), event.hand)}"


def _reseated(template: str) -> Callable[[_Moment, Any], Told]:
    def told(moment: _Moment, event: ev.PlayerReplaced | ev.PlayerRenamed) -> Told:
        was = moment.names_by_id[moment.before.players[event.seat]]
        return _(template, seat=event.seat + 1), was, moment.names_by_id[event.player]

    return told


_TELL: Mapping[type[Any], Callable[[_Moment, Any], str | Told]] = {
    ev.BidTaken: _bid_taken,
    ev.BidWithdrawn: lambda moment, event: _("Bid undone."),
    ev.CallMade: _call_made,
    ev.CallTakenBack: lambda moment, event: _("Last bid undone."),
    ev.RulesChanged: _rules_changed,
    ev.ScoreAdjusted: _score_adjusted,
    ev.HandScored: _hand_scored,
    ev.HandThrownIn: _hand_scored,
    ev.HandMisdealt: lambda moment, event: _("Misdeal. %(dealer)s deals again.", dealer=moment.names[event.dealer]),
    ev.HandCorrected: _hand_corrected,
    ev.HandVoided: lambda moment, event: (
        _("Undid %(hand)s.", hand=moment.number(event.seq)) + " " + moment.hand(moment.before, event.seq)
    ),
    ev.HandRestored: lambda moment, event: (
        _("Redid %(hand)s.", hand=moment.number(event.seq)) + " " + moment.hand(moment.after, event.seq)
    ),
    ev.DealerSet: lambda moment, event: (
        _("Dealer changed."),
        _("%(dealer)s to deal", dealer=moment.names[moment.before.dealer]),
        _("%(dealer)s to deal", dealer=moment.names[event.dealer]),
    ),
    ev.PlayerReplaced: _reseated(N_("Substitute in seat %(seat)s.")),
    ev.PlayerRenamed: _reseated(N_("Name changed in seat %(seat)s.")),
    ev.GameConceded: lambda moment, event: _("Game conceded."),
    ev.GameAbandoned: lambda moment, event: _("Game ended without a winner."),
    ev.GameEnded: lambda moment, event: _("Game ended."),
    ev.GameReopened: lambda moment, event: _("The game goes on."),
    ev.HandReported: _reported,
    ev.ReportSettled: _settled,
    ev.TailTaken: _tail_taken,
    ev.HandSetAside: _hand_set_aside,
    ev.ResultEntered: lambda moment, event: _("Final score entered."),
}
