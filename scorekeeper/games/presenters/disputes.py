"""Make the sentences and buttons about hands on which two phones agree or disagree."""

from __future__ import annotations

from collections.abc import Mapping

from scorekeeper.games import pages
from scorekeeper.games.logic.reconcile import HandPair
from scorekeeper.games.presenters.snapshot import Snapshot, new_tap_id
from scorekeeper.games.presenters.vocabulary import hand_text
from scorekeeper.games.store.device_names import phone_name
from scorekeeper.i18n.catalog import N_, _
from scorekeeper.i18n.sentences import isolated, score_text
from scorekeeper.rules.game import Entry
from scorekeeper.rules.reports import KEEP, SPLIT, TAKE, Report, Settled, same_deal
from scorekeeper.rules.scoring import Hand


def both_texts(snapshot: Snapshot, hand: Hand, other: Hand) -> tuple[str, str]:
    """Return a description of each of two hands, to show players how the hands differ.

    If only the points differ, the descriptions are scores such as "3 to 1" and "2 to 2". Otherwise, each hand is
    described in full.
    """
    table = snapshot.game.table
    if in_short(snapshot, hand, other):
        return score_text(hand.taken), score_text(other.taken)
    told = [hand_text(table, snapshot.said_names, snapshot.sides, each).rstrip(".") for each in (hand, other)]
    return told[0], told[1]


def in_short(snapshot: Snapshot, hand: Hand, other: Hand) -> bool:
    """Return whether two hands differ only in the points of each side.

    If so, their scores are enough to tell them apart.
    """
    told_apart = hand.taken != other.taken or hand.points == other.points
    return same_deal(hand, other) and not snapshot.game.table.called and hand.tricks == other.tricks and told_apart


def dispute_text(snapshot: Snapshot, number: int, entry: Entry, report: Report) -> str:
    """Return a sentence such as "Two phones disagree on hand 3. Ann's phone: 3 to 1. Bob's phone: 2 to 2."."""
    was, other = both_texts(snapshot, entry.hand, report.hand)
    return _(
        "Two phones disagree on hand %(number)s. %(first)s: %(was)s. %(second)s: %(other)s.",
        number=number,
        first=phone_name(snapshot.names, report.first, first=True),
        was=was,
        second=phone_name(snapshot.names, report.by),
        other=other,
    )


def dispute_notices(snapshot: Snapshot) -> tuple[str, ...]:
    """Return a notice for each hand in dispute, the oldest first."""
    return tuple(
        dispute_text(snapshot, line.number, line.entry, report)
        for line in snapshot.game.hands
        for report in line.entry.disputes
    )


def dispute_views(snapshot: Snapshot) -> tuple[pages.DisputeView, ...]:
    """Return a view with buttons for each report that differs from the saved hand, and for a report that just agreed.

    A report is a version of a hand that another phone has sent.
    """
    game = snapshot.game
    return tuple(
        _view(snapshot, line.number, line.entry, report)
        for line in game.hands
        for report in line.entry.reports
        if not report.agrees or report.seq == game.version
    )


def report_views(snapshot: Snapshot, number: int, entry: Entry) -> tuple[pages.DisputeView, ...]:
    """Return a view with buttons for each open report on the hand `entry`.

    A report is a version of the hand that another phone has sent. `number` is the number of the hand.
    """
    return tuple(_view(snapshot, number, entry, report) for report in entry.reports)


def settled_views(snapshot: Snapshot) -> tuple[str, ...]:
    """Return a sentence for each dispute that another phone settled and that this phone hasn't seen yet."""
    return tuple(
        _settled_text(snapshot, line.number, settled)
        for line in snapshot.game.hands
        for settled in line.entry.settled
        if settled.seq in snapshot.unseen
    )


_SETTLED: Mapping[str, str] = {
    KEEP: N_("Another phone settled hand %(number)s: %(was)s counts, not %(other)s."),
    TAKE: N_("Another phone settled hand %(number)s: %(other)s counts, not %(was)s."),
    SPLIT: N_("Another phone settled hand %(number)s: it is %(was)s, and %(other)s was a different hand."),
}


def _settled_text(snapshot: Snapshot, number: int, settled: Settled) -> str:
    was, other = both_texts(snapshot, settled.hand, settled.report.hand)
    told = _(_SETTLED[settled.how], number=number, was=was, other=other)
    return told + " " + _("Reason: %(reason)s", reason=isolated(settled.reason)) if settled.reason else told


def _view(snapshot: Snapshot, number: int, entry: Entry, report: Report) -> pages.DisputeView:
    game = snapshot.game
    another = ((SPLIT, _("These are two different hands")),) if not game.over and not game.in_play else ()
    reasoned: tuple[tuple[str, str], ...] = ()
    if report.agrees:
        text = _("Both phones agree on hand %(number)s.", number=number)
        ways: tuple[tuple[str, str], ...] = another
    else:
        text = dispute_text(snapshot, number, entry, report)
        kept, taken = _("The first is right"), _("The second is right")
        if in_short(snapshot, entry.hand, report.hand):
            was, other = both_texts(snapshot, entry.hand, report.hand)
            kept, taken = _("Keep %(score)s", score=was), _("Take %(score)s", score=other)
        every = ((KEEP, kept), (TAKE, taken), *another)
        role = snapshot.roles[report.seq]
        ways = tuple(way for way in every if role.accepts(way[0]))
        reasoned = tuple(way for way in every if role.started and not role.accepts(way[0]))
    return pages.DisputeView(
        text=text,
        agrees=report.agrees,
        ways=tuple(pages.Choice(value, label) for value, label in ways),
        game_id=snapshot.public_id,
        seq=entry.seq,
        report=report.seq,
        version=game.version,
        client_id=new_tap_id(),
        reasoned=tuple(pages.Choice(value, label) for value, label in reasoned),
        waits=not report.agrees and not reasoned,
    )


def compared_text(snapshot: Snapshot, pair: HandPair) -> str:
    """Return a sentence that compares the hand that a phone sent with the saved hand of the same number.

    The sentence is for a phone whose page was out of date.
    """
    first = _("This phone") if pair.phones.same else phone_name(snapshot.names, pair.phones.writer, first=True)
    was, other = both_texts(snapshot, pair.saved.hand, pair.hand)
    if pair.agrees:
        return _("%(first)s already saved hand %(number)s with the same result.", first=first, number=pair.number)
    return _(
        "%(first)s already saved hand %(number)s as %(was)s. You entered %(other)s.",
        first=first,
        number=pair.number,
        was=was,
        other=other,
    )
