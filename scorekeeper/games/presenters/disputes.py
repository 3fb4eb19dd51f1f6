"""Models of the page that compares offline hands with the saved ones.

Make the sentences and buttons about hands on which two phones agree or disagree.

Make the page that settles hands saved offline, with the phone's hands beside those on the server.
"""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace

from msgspec import Struct

from scorekeeper.games.logic.reconcile import (
    DisputeRole,
    HandPair,
    WaitingHand,
    game_after,
    replace_tail,
    split_at_fork,
    waiting_pairs,
)
from scorekeeper.games.pages.board import DisputeView, VersionView
from scorekeeper.games.pages.common import Choice
from scorekeeper.games.presenters.snapshot import Snapshot, hand_text, new_tap_id, point_labels, said_bid
from scorekeeper.games.presenters.summaries import result_text
from scorekeeper.games.store.audit import phone_name
from scorekeeper.i18n.catalog import N_, _, ngettext, spoken
from scorekeeper.i18n.sentences import isolated, join_names, score_text
from scorekeeper.rules.game import KEEP, SPLIT, TAKE, Entry, Game, Line, Report, Settled, same_deal
from scorekeeper.rules.phrase import RuleViolation
from scorekeeper.rules.scoring import Hand, bidding_sides


class TailRow(Struct, frozen=True):
    """A hand and the score after the hand, in two versions.

    `here` and `here_score` are from the phone, and `there` and `there_score` are from the server. Each of these fields
    holds sentences, or is "" if that version has no such hand or score.
    """

    number: int
    here: str
    here_score: str
    there: str
    there_score: str
    agrees: bool


def both_texts(snapshot: Snapshot, hand: Hand, other: Hand) -> tuple[str, str]:
    """Return a description of each of two hands, to show players how the hands differ.

    If only the points differ, the descriptions are scores such as "3 to 1" and "2 to 2". Otherwise, each hand is
    described in full.
    """
    table = snapshot.game.table
    if _in_short(snapshot, hand, other):
        return score_text(hand.taken), score_text(other.taken)
    told = [hand_text(table, snapshot.said_names, snapshot.sides, each).rstrip(".") for each in (hand, other)]
    return told[0], told[1]


def _in_short(snapshot: Snapshot, hand: Hand, other: Hand) -> bool:
    """Return whether two hands differ only in the points of each side.

    If so, their scores are enough to tell them apart.
    """
    told_apart = hand.taken != other.taken or hand.points == other.points
    return same_deal(hand, other) and not snapshot.game.table.called and hand.tricks == other.tricks and told_apart


def dispute_text(snapshot: Snapshot, number: int, entry: Entry, report: Report) -> str:
    """Return a sentence such as "Two phones disagree on hand 3. Ann's phone: 3 to 1. Bob's phone: 2 to 2."."""
    was, other = both_texts(snapshot, entry.hand, report.hand)
    role = snapshot.roles[report.seq]
    return _(
        "Two phones disagree on hand %(number)s. %(first)s: %(was)s. %(second)s: %(other)s.",
        number=number,
        first=phone_name(snapshot.names, report.first, main=role.main_wrote),
        was=was,
        second=phone_name(snapshot.names, report.by, main=role.main_reported),
        other=other,
    )


def dispute_notices(snapshot: Snapshot) -> tuple[str, ...]:
    """Return a notice for each hand in dispute, the oldest first."""
    return tuple(
        dispute_text(snapshot, line.number, line.entry, report)
        for line in snapshot.game.hands
        for report in line.entry.disputes
    )


def dispute_views(snapshot: Snapshot) -> tuple[DisputeView, ...]:
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


def report_views(snapshot: Snapshot, number: int, entry: Entry) -> tuple[DisputeView, ...]:
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
    KEEP: N_("Hand %(number)s was settled: %(was)s, not %(other)s."),
    TAKE: N_("Hand %(number)s was settled: %(other)s, not %(was)s."),
    SPLIT: N_("Hand %(number)s was settled: it is %(was)s, and %(other)s was a different hand."),
}


def _settled_text(snapshot: Snapshot, number: int, settled: Settled) -> str:
    hand, report = settled.hand, settled.report.hand
    was, other = both_texts(snapshot, hand, report)
    if settled.how != SPLIT and not _in_short(snapshot, hand, report):
        parts = (", ".join(map(_bare, each)) for each in _differing(snapshot, hand, report))
        was, other = (part or whole for part, whole in zip(parts, (was, other), strict=True))
    told = _(_SETTLED[settled.how], number=number, was=was, other=other)
    return told + " " + _("Reason: %(reason)s", reason=isolated(settled.reason)) if settled.reason else told


def _bare(text: str) -> str:
    return text.rstrip(".")


def _differing(snapshot: Snapshot, hand: Hand, other: Hand) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what each of two versions of a hand has differently from the other, in words."""
    by_point = hand.points is not None and other.points is not None
    first, second = (_parts(snapshot, each, by_point=by_point) for each in (hand, other))
    differs = [key for key in dict.fromkeys((*first, *second)) if first.get(key) != second.get(key)]
    return tuple(first[key] for key in differs if key in first), tuple(second[key] for key in differs if key in second)


def _view(snapshot: Snapshot, number: int, entry: Entry, report: Report) -> DisputeView:
    game = snapshot.game
    another = () if game.over or game.in_play else (Choice(SPLIT, _("These are two different hands")),)
    role = DisputeRole(wrote=True, reported=True, started=False) if report.agrees else snapshot.roles[report.seq]
    direct = role.accepts(SPLIT)
    return DisputeView(
        text=_("Both phones agree on hand %(number)s.", number=number)
        if report.agrees
        else _("Two phones disagree on hand %(number)s.", number=number),
        agrees=report.agrees,
        versions=() if report.agrees else _versions(snapshot, entry, report, role),
        ways=another if direct else (),
        game_id=snapshot.public_id,
        seq=entry.seq,
        report=report.seq,
        version=game.version,
        client_id=new_tap_id(),
        reasoned=another if role.started and not direct else (),
        at_desk=snapshot.league is not None,
    )


def _versions(snapshot: Snapshot, entry: Entry, report: Report, role: DisputeRole) -> tuple[VersionView, VersionView]:
    """Return both phones' versions of a hand, the saved one first.

    Each has the parts that the other has differently.
    """
    here = _("This phone")
    first = here if role.wrote else phone_name(snapshot.names, report.first, main=role.main_wrote)
    second = here if role.reported else phone_name(snapshot.names, report.by, main=role.main_reported)
    was, other = _differing(snapshot, entry.hand, report.hand)
    same_score = entry.hand.taken == report.hand.taken

    def view(phone: str, how: str, hand: Hand, told: tuple[str, ...]) -> VersionView:
        label = _("Use this one") if same_score else _("Use %(score)s", score=score_text(hand.taken))
        return VersionView(phone, told, Choice(how, label), role.accepts(how), role.started)

    return view(first, KEEP, entry.hand, was), view(second, TAKE, report.hand, other)


def _parts(snapshot: Snapshot, hand: Hand, *, by_point: bool) -> Mapping[str, str]:
    """Return everything that two phones can enter differently about `hand`, in words.

    With `by_point`, the winner of each point is among it.
    """
    table, names = snapshot.game.table, snapshot.said_names
    parts = {"dealer": _("%(dealer)s dealt.", dealer=names[hand.dealer])}
    if hand.thrown_in:
        return {**parts, "bid": _("All passed")}
    if hand.bidder is not None and hand.bid is not None:
        parts["bid"] = _("%(name)s bid %(bid)s", name=names[hand.bidder], bid=said_bid(hand.bid))
    labels = point_labels(table.rules)
    told = {
        "partner": (_("Called partner"), hand.partner if table.called else None),
        "tricks": (_("Tricks the bidder took"), hand.tricks),
        "revoked": (_("Who reneged"), hand.revoked),
        "turned_up": (_("Turned up"), hand.turned_up),
    }
    for key, (label, value) in told.items():
        text = names[value] if key in ("partner", "revoked") and isinstance(value, int) else value
        parts[key] = _("%(point)s: %(side)s", point=label, side=_("nobody") if text in (None, "") else text)
    for key, owner in (hand.points or {}).items() if by_point else ():
        label = _("hung jack") if key == "jack" and hand.jack_hung else labels[key]
        parts[key] = _("%(point)s: %(side)s", point=label, side=_owner(snapshot, hand, owner))
    return parts


def _owner(snapshot: Snapshot, hand: Hand, owner: int | None) -> str:
    """Return the names of those who took a point."""
    if owner is None:
        return _("nobody")
    if not snapshot.game.table.called:
        return snapshot.sides[owner].name
    ours = bidding_sides(snapshot.game.table, hand)
    return join_names([snapshot.sides[side].name for side in ours]) if owner == 0 else _("The others")


def compared_text(snapshot: Snapshot, pair: HandPair) -> str:
    """Return a sentence that compares the hand that a phone sent with the saved hand of the same number.

    The sentence is for a phone whose page was out of date.
    """
    first = (
        _("This phone") if pair.phones.same else phone_name(snapshot.names, pair.phones.writer, main=pair.phones.main)
    )
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


def tail_page(
    snapshot: Snapshot, hands: Sequence[WaitingHand], sent: str, *, carried: bool = False, notice: str = ""
) -> SimpleNamespace:
    """Return the page on which players decide about `hands`, which a phone saved offline.

    None of the hands is in the log yet. `sent` is the text in which the phone sent the hands. `carried` means
    that another phone saved the hands and passed them on by QR code. Raises `RuleViolation` for an impossible hand.
    """
    game = snapshot.game
    pairs = waiting_pairs(game, hands)
    _agreed, tail = split_at_fork(pairs)
    after, why_not = _with_tail(game, tail)
    compared = bool(tail) and (after is None or not _follows(game, tail[0]))
    return SimpleNamespace(
        game_id=snapshot.public_id,
        game_name=spoken(game.table.rules.name),
        carried=carried,
        # A row for each hand on the phone or server, from the phone's first offline hand on; empty if all are saved.
        rows=_rows(snapshot, pairs, after) if tail else (),
        compared=compared,
        # The result with the phone's hands; empty if these cannot count.
        here_result="" if after is None else result_text(after, snapshot.sides),
        there_result=result_text(game, snapshot.sides),
        # Label of the button that makes the phone's hands count; empty if they cannot.
        accept="" if after is None or not tail else _accept(tail, carried, compared),
        # The effect of the button `accept`, or why there is no such button; empty if `compared` is False.
        accepting=why_not or (_accepting(game, tail[0].number) if compared else ""),
        may_score=snapshot.mine,
        text="\n".join(f"{_('Hand %(number)s', number=each.number)}: {_text(snapshot, each.hand)}" for each in pairs),
        sent=sent,
        version=game.version,
        client_id=new_tap_id(),
        notice=notice,
    )


def _with_tail(game: Game, tail: Sequence[HandPair]) -> tuple[Game | None, str]:
    """Return the game with the phone's hands added, and an empty text.

    If the hands can't be added, return None and a sentence with the reason.
    """
    if not tail:
        return game, ""
    try:
        return game_after(game, replace_tail(game, tail, None)), ""
    except RuleViolation as violation:
        why = spoken(violation.message)
        if violation.hand is None:
            return None, why
        return None, _("Hand %(number)s can't count. %(why)s", number=violation.hand + 1, why=why)


def _follows(game: Game, first: HandPair) -> bool:
    """Return whether `first`, the first of the phone's hands, can be the next hand on the server."""
    dealt = game.open_bid is None and game.auction is None and first.hand.dealer == game.dealer
    return not game.over and first.number == len(game.hands) + 1 and dealt


def _rows(snapshot: Snapshot, pairs: Sequence[HandPair], after: Game | None) -> tuple[TailRow, ...]:
    here = {each.number: each for each in pairs}
    there = {line.number: line for line in snapshot.game.hands}
    scores = {} if after is None else {line.number: line for line in after.hands}
    numbers = range(pairs[0].number, max(pairs[-1].number, *there, 0) + 1)
    return tuple(
        TailRow(
            number=number,
            here=_text(snapshot, here[number].hand) if number in here else "",
            here_score=_score(scores.get(number)),
            there=_text(snapshot, there[number].entry.hand) if number in there else "",
            there_score=_score(there.get(number)),
            agrees=number in here and here[number].agrees,
        )
        for number in numbers
    )


def _score(line: Line | None) -> str:
    return "" if line is None else _("Score: %(score)s.", score=score_text(line.tally.totals))


def _text(snapshot: Snapshot, hand: Hand) -> str:
    return hand_text(snapshot.game.table, snapshot.said_names, snapshot.sides, hand)


def _accept(tail: Sequence[HandPair], carried: bool, compared: bool) -> str:
    if not compared:
        return ngettext("Save %(num)s hand", "Save %(num)s hands", len(tail))
    first = tail[0].number
    if carried:
        return _("Use the other phone's from hand %(number)s on", number=first)
    return _("Use this phone's from hand %(number)s on", number=first)


def _accepting(game: Game, first: int) -> str:
    last = len(game.hands)
    if last < first:
        return _("The server doesn't have this hand yet, but it has a different bid or dealer for it.")
    if first == last:
        return _("This replaces hand %(number)s on the server. The history keeps the old one.", number=first)
    return _(
        "This replaces hands %(first)s to %(last)s on the server. The history keeps the old ones.",
        first=first,
        last=last,
    )
