"""Make the page that settles hands saved offline, with the phone's hands beside those on the server."""

from __future__ import annotations

from collections.abc import Sequence

from scorekeeper.games import pages
from scorekeeper.games.logic.reconcile import (
    HandPair,
    WaitingHand,
    game_after,
    replace_tail,
    split_at_fork,
    waiting_pairs,
)
from scorekeeper.games.presenters.snapshot import Snapshot, new_tap_id
from scorekeeper.games.presenters.summaries import result_text
from scorekeeper.games.presenters.vocabulary import hand_text
from scorekeeper.i18n.catalog import _, ngettext, spoken
from scorekeeper.i18n.sentences import score_text
from scorekeeper.rules.game import Game, Line
from scorekeeper.rules.scoring import Hand
from scorekeeper.rules.violation import RuleViolation


def tail_page(
    snapshot: Snapshot, hands: Sequence[WaitingHand], sent: str, *, carried: bool = False, notice: str = ""
) -> pages.TailPage:
    """Return the page on which players decide about `hands`, which a phone saved offline.

    None of the hands is in the log yet. `sent` is the text in which the phone sent the hands. `carried` means
    that another phone saved the hands and passed them on by QR code. Raises `RuleViolation` for an impossible hand.
    """
    game = snapshot.game
    pairs = waiting_pairs(game, hands)
    _agreed, tail = split_at_fork(pairs)
    after, why_not = _with_tail(game, tail)
    compared = bool(tail) and (after is None or not _follows(game, tail[0]))
    return pages.TailPage(
        game_id=snapshot.public_id,
        game_name=spoken(game.table.rules.name),
        carried=carried,
        rows=_rows(snapshot, pairs, after) if tail else (),
        compared=compared,
        here_result="" if after is None else result_text(after, snapshot.sides),
        there_result=result_text(game, snapshot.sides),
        accept="" if after is None or not tail else _accept(tail, carried, compared),
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


def _rows(snapshot: Snapshot, pairs: Sequence[HandPair], after: Game | None) -> tuple[pages.TailRow, ...]:
    here = {each.number: each for each in pairs}
    there = {line.number: line for line in snapshot.game.hands}
    scores = {} if after is None else {line.number: line for line in after.hands}
    numbers = range(pairs[0].number, max(pairs[-1].number, *there, 0) + 1)
    return tuple(
        pages.TailRow(
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
