"""Models of the TV scoreboard: games in large digits.

Put the score chart of a game and its highlights into words.

Make the live page of a game.

Make the TV scoreboard, which shows several games on a single page.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, pairwise
from types import SimpleNamespace

from msgspec import Struct, structs

from scorekeeper.games.logic.game_odds import has_odds
from scorekeeper.games.logic.highlights import Moments, moments, standings
from scorekeeper.games.logic.score_chart import Race, race
from scorekeeper.games.pages.board import BoardPage, NeedLine, OpenBidView, SheetRow, Step
from scorekeeper.games.pages.common import Moment, RaceView, SideView
from scorekeeper.games.presenters.client_state import score_state
from scorekeeper.games.presenters.disputes import dispute_notices, dispute_views, settled_views
from scorekeeper.games.presenters.hand_form import auction_view, bid_entry, points_entry
from scorekeeper.games.presenters.odds import chances_text, has_what_if, odds_view
from scorekeeper.games.presenters.share_links import handed_on
from scorekeeper.games.presenters.snapshot import (
    LETTERS,
    Snapshot,
    bid_text,
    card_text,
    new_tap_id,
    party_letters,
    point_labels,
    said_bid,
    seat_views,
    side_views,
    suit_name,
    suit_sign,
)
from scorekeeper.games.presenters.summaries import latest_brief, latest_text, notices_of, outcome_view
from scorekeeper.games.store.hand_notes import HandNote
from scorekeeper.i18n.catalog import _, ngettext, spoken
from scorekeeper.i18n.day_only import on_that_day
from scorekeeper.i18n.ruleset_labels import house_rules, rules_line
from scorekeeper.i18n.sentences import SideName, number, say
from scorekeeper.rules.events import HandCorrected, HandScored
from scorekeeper.rules.explain import why_not_over
from scorekeeper.rules.game import Adjustment, Game, Line
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.table import Table, seat_after


class WallTable(Struct, frozen=True):
    """One game on the TV."""

    board: BoardPage
    """The live page of the game, as a watcher sees it."""
    digits: int
    """Length of the longest total in characters, with the minus sign; the size of the digits depends on it."""


def race_view(game: Game, sides: Sequence[SideName]) -> RaceView | None:
    """Return the score chart of a game, or None before the first hand or for a game entered as a final score."""
    way = standings(game)
    drawing = race(game, way)
    if drawing is None:
        return None
    ends = ", ".join(f"{side.name} {number(total)}" for side, total in zip(sides, way[-1].totals, strict=True))
    told = ngettext(
        "Each side's score over %(num)s hand, ending at: %(ends)s.",
        "Each side's score over %(num)s hands, ending at: %(ends)s.",
        len(way) - 1,
        ends=ends,
    )
    return RaceView(
        drawing=drawing,
        title=_("Score chart"),
        told=told + " " + _("The list of hands shows every score."),
        note=_note(drawing),
        goal=_("to %(target)s", target=game.table.rules.target),
        moments=tuple(_told(moments(game), sides)),
    )


def tally_text(sides: Sequence[SideName], tally: Sequence[int]) -> str:
    """Return a line with the number of games that each side won in this series, or "" if no side has won any."""
    if not any(tally):
        return ""
    won = ", ".join(f"{side.name} {games}" for side, games in zip(sides, tally, strict=True))
    return _("Series: %(won)s", won=won)


def _note(drawing: Race) -> str:
    if not drawing.any_set:
        return ""
    return _("set") if drawing.sets_marked else _("Too many sets to mark here. See the list of hands.")


def _told(found: Moments, sides: Sequence[SideName]) -> list[Moment]:
    told = [Moment(_("Lead changes"), text)] if (text := _led(found, sides)) else []
    if back := found.comeback:
        text = _(
            "%(side)s, from %(points)s down after hand %(hand)s",
            side=sides[back.side].name,
            points=back.behind,
            hand=back.hand,
        )
        told.append(Moment(_("Comeback"), text))
    if run := found.longest_run:
        text = _(
            "%(side)s: %(bids)s bids in a row, from hand %(first)s to hand %(last)s",
            side=sides[run.side].name,
            bids=run.bids,
            first=run.first,
            last=run.last,
        )
        told.append(Moment(_("Longest streak of made bids"), text))
    if big := found.biggest_set:
        text = _("%(side)s, −%(points)s in hand %(hand)s", side=sides[big.side].name, points=big.cost, hand=big.hand)
        if big.others:
            text += ngettext(" (tied with one other)", " (tied with %(num)s others)", big.others)
        told.append(Moment(_("Biggest set"), text))
    return told


def _led(found: Moments, sides: Sequence[SideName]) -> str:
    """Return the lead changes, or the side that was never behind, in words. Return "" if there is no such side."""
    if found.lead_changes:
        last = found.lead_changes[-1]
        return ngettext(
            "1, in hand %(hand)s (%(side)s)",
            "%(num)s, the last in hand %(hand)s (%(side)s)",
            len(found.lead_changes),
            side=sides[last.side].name,
            hand=last.hand,
        )
    if found.only_leader is None:
        return ""
    leader = sides[found.only_leader].name
    return _("%(side)s led all the way", side=leader) if found.all_the_way else _("%(side)s never trailed", side=leader)


_SENTENCES = re.compile(r"(?<=[.!]) ")
"""Where one sentence ends and the next one begins."""


def board_page(
    snapshot: Snapshot,
    *,
    chosen: Mapping[str, str] | None = None,
    error: str = "",
    preview: str = "",
    notice: str = "",
    step: str = "",
    questions: Sequence[str] = (),
) -> BoardPage:
    """Return the live page.

    If a form is shown again, `chosen` has its fields. The form is then shown with `error`, with `questions` about an
    unusual hand, or with `preview`, which tells the effect of saving the form. `notice` is shown before other notices.

    `step` is "auction" to show the auction instead of the bid step, or "bid" to show the bid step even during an
    auction. Without it, the hand is entered in the same way as the hand before.
    """
    page = _score(snapshot, notice)
    if not snapshot.mine:
        return page
    game = snapshot.game
    free = not game.over and game.open_bid is None and game.table.rules.has_bids
    before = game.hands[-1].entry.hand if game.hands else None
    called = game.auction is not None or (before is not None and before.calls is not None)
    calling = free and (step == "auction" or (called and step != "bid"))
    entry = None
    if free:
        entry = bid_entry(snapshot, chosen or {}, error)
    elif not game.over:
        entry = points_entry(snapshot, chosen or {}, error, preview, questions)
    return structs.replace(
        page,
        entry=entry,
        undo=_undo(snapshot),
        redo=_redo(snapshot),
        corrected=_corrected(snapshot, page.rows),
        auction=auction_view(snapshot) if calling else None,
        may_call=free,
        standing=score_state(game),
        disputes=dispute_views(snapshot),
        settled=settled_views(snapshot),
    )


def _score(snapshot: Snapshot, notice: str) -> BoardPage:
    """Return the live page as watchers see it.

    Forms, buttons and disputes are left out, since only phones that keep score see them.
    """
    game, sides = snapshot.game, snapshot.sides
    rules = game.table.rules
    told = () if snapshot.mine else dispute_notices(snapshot)
    return BoardPage(
        id=snapshot.public_id,
        title=", ".join(f"{side.name} {total}" for side, total in zip(sides, game.tally.totals, strict=True)),
        game_name=spoken(rules.name),
        rules_line=rules_line(rules),
        house_rules=house_rules(rules),
        sides=(views := side_views(game, sides, snapshot.faces)),
        needs=need_lines(views),
        seats=seat_views(game, snapshot.names),
        dealer=snapshot.names[game.dealer],
        first_bidder=snapshot.names[seat_after(game.table, game.dealer)] if rules.has_bids else "",
        hand_number=len(game.hands) + 1,
        open_bid=_open_bid(snapshot),
        rows=sheet_rows(game, sides, snapshot.names, snapshot.hand_notes),
        last=latest_text(snapshot),
        brief=latest_brief(snapshot),
        outcome=outcome_view(game, sides),
        may_score=snapshot.mine,
        notices=(*([notice] if notice else []), *told, *notices_of(game, sides)),
        version=game.version,
        day=on_that_day(snapshot.began),
        client_id=new_tap_id(),
        handed_on=handed_on(snapshot) if game.over or not snapshot.mine else None,
        may_settle=game.over and game.outcome is not None and game.outcome.winner is not None,
        has_odds=has_odds(game),
        chances=chances_text(snapshot) if snapshot.shows_odds else "",
        odds=odds_view(snapshot),
        has_what_if=has_what_if(game),
        race=race_view(game, sides) if game.over else None,
        fell=_just_set(snapshot),
        tally=tally_text(sides, snapshot.tally),
        league=snapshot.league,
    )


def need_lines(sides: Sequence[SideView]) -> tuple[NeedLine, ...]:
    """Return what the sides need to win, without repeating a sentence that is true for several of them."""
    said = [_SENTENCES.split(side.wants) for side in sides]
    shared = [each for each in said[0] if all(each in others for others in said)]
    own: dict[str, list[SideView]] = {}
    for side, sentences in zip(sides, said, strict=True):
        own.setdefault(" ".join(each for each in sentences if each not in shared), []).append(side)
    lines = (
        NeedLine(tuple(each), _("%(side)s: %(needs)s", side=each[0].name, needs=text) if len(each) == 1 else text)
        for text, each in own.items()
        if text
    )
    return (*lines, *([NeedLine((), text)] if (text := " ".join(shared)) else []))


def _just_set(snapshot: Snapshot) -> tuple[int, ...]:
    """Return the sides that were set by the hand that was just saved, including the side of a called partner."""
    if (
        not isinstance(snapshot.latest, HandScored)
        or not snapshot.game.lines
        or snapshot.game.lines[-1].made is not False
    ):
        return ()
    return tuple(side for side, change in enumerate(snapshot.game.lines[-1].delta) if change < 0)


def _open_bid(snapshot: Snapshot) -> OpenBidView | None:
    bid = snapshot.game.open_bid
    if bid is None:
        return None
    side = snapshot.game.table.side_of[bid.bidder]
    name, said = snapshot.names[bid.bidder], said_bid(bid.bid)
    return OpenBidView(bid.bidder, name, side, LETTERS[side], said, suit_sign(bid.trump), suit_name(bid.trump))


def sheet_rows(
    game: Game, sides: Sequence[SideName], names: Sequence[str], notes: Mapping[int, HandNote] | None = None
) -> tuple[SheetRow, ...]:
    """Return the rows of the score sheet: all hands, and all adjustments with their reasons.

    `sides` are the names of the sides, and `names` are by seat. `notes` maps the log position of a hand to its note and
    photo.
    """
    labels = point_labels(game.table.rules)
    rows = tuple(_sheet_row(game, sides, names, labels, line) for line in game.lines)
    if not notes:
        return rows
    return tuple(
        structs.replace(row, note=found.text, photo=found.photo) if (found := notes.get(row.seq)) else row
        for row in rows
    )


def _sheet_row(
    game: Game, sides: Sequence[SideName], names: Sequence[str], labels: Mapping[str, str], line: Line
) -> SheetRow:
    if isinstance(line.entry.what, Adjustment):
        return _adjusted(line, line.entry.what)
    hand = line.entry.hand
    side = None if hand.bidder is None else game.table.side_of[hand.bidder]
    return SheetRow(
        number=line.number,
        seq=line.entry.seq,
        dealer=names[hand.dealer],
        bidder=None if hand.bidder is None else names[hand.bidder],
        side=side,
        letter=None if side is None else LETTERS[side],
        bid=bid_text(hand.bid) if game.table.rules.has_bids else "",
        trump=suit_sign(hand.trump),
        made=line.made,
        deltas=line.delta,
        totals=line.tally.totals,
        turned_up=None if game.table.rules.has_bids else card_text(hand.turned_up) if hand.turned_up else "",
        took=_took(game.table, labels, hand),
        after_end=line.after_end,
        corrected=line.entry.corrected,
        ended=line.ended,
        went_on=_went_on(game, sides, line, hand),
        partner=_partner(game, names, hand),
        verified=line.entry.verified,
        disputed=bool(line.entry.disputes),
    )


def _went_on(game: Game, sides: Sequence[SideName], line: Line, hand: Hand) -> str:
    """Return why a game that is over now wasn't over after a hand, though a side had enough points; otherwise ""."""
    message = None if line.after_end or not game.over else why_not_over(game.table, line.tally, hand)
    return "" if message is None else say(message, sides)


def _took(table: Table, labels: Mapping[str, str], hand: Hand) -> str:
    """Return the points of a hand with their winners, in the order of the rules."""
    points = hand.points or {}
    labels = {**labels, "jack": _("hung jack")} if hand.jack_hung else labels
    told = _("%(point)s: %(side)s")
    return ", ".join(
        told % {"point": label, "side": party_letters(table, hand, points[key])}
        for key, label in labels.items()
        if key in points
    )


def _adjusted(line: Line, agreed: Adjustment) -> SheetRow:
    return SheetRow(
        number=line.number,
        seq=line.entry.seq,
        side=agreed.side,
        letter=LETTERS[agreed.side],
        bid=agreed.reason,
        deltas=line.delta,
        totals=line.tally.totals,
        after_end=line.after_end,
        ended=line.ended,
        adjusted=True,
    )


def _partner(game: Game, names: Sequence[str], hand: Hand) -> str:
    if not game.table.called or hand.thrown_in:
        return ""
    return "alone" if hand.partner is None else names[hand.partner]


def _undo(snapshot: Snapshot) -> Step | None:
    game = snapshot.game
    if game.stopped is not None and game.tally.outcome is None:
        label, endpoint = _("Resume the game"), "games.reopen"
    elif game.open_bid is not None and game.open_bid.calls is not None:
        label, endpoint = _("Undo last bid"), "games.take_back_call"
    elif game.in_play:
        return None
    elif game.lines:
        last = game.lines[-1]
        label = _("Undo hand %(number)s", number=last.number) if last.is_hand else _("Undo adjustment")
        endpoint = "games.undo"
    else:
        return None
    return Step(label, endpoint, game.version, new_tap_id())


def _corrected(snapshot: Snapshot, rows: Sequence[SheetRow]) -> SheetRow | None:
    if not isinstance(snapshot.latest, HandCorrected):
        return None
    return next((row for row in rows if row.seq == snapshot.latest.seq and not row.adjusted), None)


def _redo(snapshot: Snapshot) -> Step | None:
    game = snapshot.game
    if not game.undone or game.open_bid is not None:
        return None
    again = game.entry(game.undone[-1]).what
    label = _("Redo adjustment")
    if isinstance(again, Hand):
        label = _("Redo hand %(number)s", number=len(game.hands) + 1)
    return Step(label, "games.redo", game.version, new_tap_id())


MOST = 12
"""Maximum number of games on one TV. More could not be read from the back of the room."""
_SEPARATORS = re.compile(r"[\s,;]+")
_LONGEST = 300
"""Maximum number of characters of an id or address that someone typed; an address has about eighty."""


def read_ids(typed: Iterable[str]) -> tuple[str, ...]:
    """Return the public ids of the games that were chosen or typed, without duplicates and at most `MOST`.

    Each string in `typed` may have several ids, separated by commas or spaces. The address of a game may be used
    instead of an id.
    """
    words = (word for text in typed for word in _SEPARATORS.split(text) if word)
    return tuple(islice(dict.fromkeys(_id_in(word[:_LONGEST]) for word in words), MOST))


def _id_in(word: str) -> str:
    """Return the public id in `word`, in lower case.

    If `word` is an address, the id is the part after the last "watch" or "games". Otherwise, `word` is the id itself.
    """
    parts = re.split(r"[?#]", word, maxsplit=1)[0].split("/")
    named = [after for before, after in pairwise(parts) if before in ("watch", "games") and after]
    return (named[-1] if named else word).lower()


def wall_version(versions: Sequence[tuple[str, str]]) -> str:
    """Return a string that changes whenever one of the games on the TV changes.

    Each item of `versions` has the public id of a game and the game's `queries.watched_version`.
    """
    return hashlib.sha256(repr(tuple(versions)).encode()).hexdigest()[:12]


def wall_page(snapshots: Sequence[Snapshot], *, address: str, version: str) -> SimpleNamespace:
    """Return the TV page of some games.

    The page polls `address`, and is updated when the response differs from `version`.
    """
    boards = [board_page(snapshot) for snapshot in snapshots]
    tables = tuple(WallTable(board, max(len(number(side.total)) for side in board.sides)) for board in boards)
    return SimpleNamespace(
        title=". ".join(board.title for board in boards), tables=tables, address=address, version=version
    )
